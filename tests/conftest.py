"""What holds for all tests: see ``compile_ahead``."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_started = []


def pytest_collection_finish(session):
    """Start compiling on another core, if there is one and enough is to be run to make it worth while."""
    if len(session.items) > 500 and (os.cpu_count() or 1) > 1 and not session.config.option.collectonly:
        command = [sys.executable, "-m", "tests.compile_ahead"]
        _started.append(
            subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )


def pytest_sessionfinish(session):
    for process in _started:
        process.kill()
        process.wait()
