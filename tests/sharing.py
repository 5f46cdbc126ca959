"""The suite on two cores: a second pytest runs the test files from the last one on, until the two meet.

The one that was started claims files from the first one on; a claim is a file of its own in a folder of both, which only one
of them can make. Fixtures of a module stay in one process. The second writes what becomes of its tests to that folder, and
the first reports that with its own in the end, so that what is printed, counted and returned is as if it had run them all.
A selection of few tests is not shared out.
"""

import json
import os
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

import pytest

FEWEST = 500  # tests that are worth a second process
_FOLDER = "EVOGO_TESTS_SHARED_IN"  # for the second process
_REPORTS, _OUTPUT = "reports.jsonl", "output"


def plugin():
    """What this process needs to share its tests: one of the two plugins, or None where there is one core."""
    if _FOLDER in os.environ:
        return Second(Path(os.environ.pop(_FOLDER)))  # processes that tests start have nothing to do with it
    return First() if (os.cpu_count() or 1) > 1 else None


def _claimed(items, folder):
    """The items of those files that nobody has claimed, claimed when they are asked for."""
    for path, group in groupby(items, key=lambda item: item.path):
        of_file = list(group)
        claim = folder / path.relative_to(Path(__file__).parent).as_posix().replace("/", "+")
        try:
            os.close(os.open(claim, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        yield from of_file


def _run(session, items):
    """Run tests as pytest itself does, each knowing which is the next."""
    item = next(items, None)
    while item is not None:
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following


class First:
    """Starts the second process, and reports what that has run."""

    def __init__(self):
        self._process = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        if len(session.items) < FEWEST or session.config.option.collectonly or session.testsfailed:
            return None
        with tempfile.TemporaryDirectory() as name:
            folder, words = Path(name), [str(word) for word in session.config.invocation_params.args]
            with open(folder / _OUTPUT, "wb") as output:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "pytest", *words], env={**os.environ, _FOLDER: name}, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, cwd=session.config.invocation_params.dir,
                )  # fmt: skip
            _run(session, _claimed(session.items, folder))
            code = self._process.wait()
            self._report(session.config, folder)
            if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
                raise session.Failed(f"the second process failed:\n{(folder / _OUTPUT).read_text(errors='replace')[-4000:]}")
        return True

    def _report(self, config, folder):
        reports = folder / _REPORTS
        for line in reports.read_text().splitlines() if reports.exists() else ():
            report = config.hook.pytest_report_from_serializable(config=config, data=json.loads(line))
            config.hook.pytest_runtest_logreport(report=report)

    def pytest_sessionfinish(self):
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Second:
    """Runs what the first has not claimed, from the last file on."""

    def __init__(self, folder):
        self._folder = folder
        self._config = None

    def pytest_configure(self, config):
        self._config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        files = [list(group) for _, group in groupby(session.items, key=lambda item: item.path)]
        _run(session, _claimed([item for of_file in reversed(files) for item in of_file], self._folder))
        return True

    def pytest_runtest_logreport(self, report):
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        with open(self._folder / _REPORTS, "a") as file:
            file.write(json.dumps(data) + "\n")
