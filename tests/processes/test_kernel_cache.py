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


SLOW_KERNEL = """\
import sys, time, numba
from numba.core import event
from engine import kernel_cache
kernel_cache.guard()
@numba.njit(cache=True)
def double(x):
    return 2 * x
class Listener(event.Listener):
    def on_start(self, event):
        print("compiles", flush=True)
        time.sleep(float(sys.argv[1]))
    def on_end(self, event):
        pass
event.register("numba:compile", Listener())
kernel_cache.PATIENCE = float(sys.argv[2])
print(double(1), flush=True)
"""


@pytest.mark.parametrize("patience, compile_it", [(60, 1), (0.5, 2)])
def test_what_one_process_compiles_the_others_wait_for(tmp_path, patience, compile_it):
    """But not for one that hangs."""
    (tmp_path / "kernel.py").write_text(SLOW_KERNEL)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(tmp_path / "kernel.py")]
    first = subprocess.Popen([*command, "4", "60"], stdout=subprocess.PIPE, text=True, env=environment)
    assert first.stdout.readline() == "compiles\n"
    second = subprocess.run([*command, "0", str(patience)], capture_output=True, text=True, env=environment)
    said = [first.communicate()[0], second.stdout]
    assert first.returncode == second.returncode == 0 and "".join(said).split().count("2") == 2
    assert 1 + said[1].count("compiles") == compile_it
