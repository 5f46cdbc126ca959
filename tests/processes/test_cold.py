"""The second process that compiles for the search's first start."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine import kernel_cache
from players.search import cold
from players.search.policy import hand_set_weights, new_policy
from players.search.tree import NODE, simulate, transplant

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120  # seconds, for a loaded machine that has to compile


def _other_process(**streams):
    command = [sys.executable, "-m", "players.search.cold"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **streams)


def test_says_when_the_priors_are_there_and_goes_on_to_the_end():
    with _other_process(stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"priors\n"
            assert process.wait(PATIENCE) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()


def test_ends_with_its_input():
    with _other_process() as process:
        process.stdin.close()
        try:
            assert process.wait(PATIENCE) == 0
            assert process.stdout.read() == b""
        finally:
            process.kill()


def test_this_process_goes_on_without_the_other(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    cold.Companion().share(new_policy(hand_set_weights()))
    monkeypatch.setattr(sys, "executable", "false")
    cold.Companion().share(new_policy(hand_set_weights()))


@pytest.mark.parametrize("compiled", [False, True])
def test_starts_only_where_the_search_was_never_compiled(monkeypatch, compiled):
    began = []
    monkeypatch.setattr(cold, "Companion", lambda: began.append(True))
    monkeypatch.setattr(cold.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(kernel_cache, "holds", lambda kernel: compiled)
    cold.companion()
    assert began == ([] if compiled else [True])


def test_the_cache_knows_which_kernels_it_holds(tmp_path):
    kernel = SimpleNamespace(py_func=simulate.py_func, stats=SimpleNamespace(cache_path=str(tmp_path)))
    assert not kernel_cache.holds(kernel)
    (tmp_path / "tree.simulate-1.py312.nbi").touch()
    assert kernel_cache.holds(kernel)
    transplant(np.zeros(3, NODE), 0, np.zeros(3, NODE))  # compiles
    assert kernel_cache.holds(transplant)
