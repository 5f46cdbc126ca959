"""Processes that compile side by side."""

import subprocess
import sys
import time

import pytest

from tests.processes.gtp_client import ROOT

fcntl = pytest.importorskip("fcntl")

KERNEL = """\
import numba
from engine import kernel_cache
kernel_cache.guard()
@numba.njit(cache=True)
def double(x):
    return 2 * x
print("ready", flush=True)
double(1)
print("kept", flush=True)
"""


def test_only_one_process_at_a_time_adds_to_the_cache(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with open(tmp_path / ".lock", "ab") as lock:  # as if another one were at it
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, str(tmp_path / "kernel.py")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        assert not list(tmp_path.rglob("*.nbi"))
    assert process.stdout.readline() == "kept\n" and process.wait() == 0
    assert list(tmp_path.rglob("*.nbi")) and list(tmp_path.rglob("*.nbc"))
