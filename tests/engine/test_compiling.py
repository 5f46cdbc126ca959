"""What is said while kernels are compiled, and that nothing is said when they are not."""

import io
import sys
import time

import numba
import pytest

from engine import compiling, kernel_cache
from engine.compiling import Teller


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def hasty(monkeypatch):
    """Hundredths of a second instead of seconds, and a cache that holds nothing."""
    monkeypatch.delenv("EVOGO_COMPILING", raising=False)
    monkeypatch.setattr(compiling, "WORTH_SECONDS", 0.0)
    monkeypatch.setattr(compiling, "LIVE_SECONDS", 0.01)
    monkeypatch.setattr(compiling, "PLAIN_SECONDS", 0.05)
    monkeypatch.setattr(compiling, "REST_SECONDS", 0.05)
    monkeypatch.setattr(kernel_cache, "holds_any", lambda part: part == "scripted")


def compile_for(teller, part, seconds):
    teller.begin(part)
    time.sleep(seconds)
    teller.end()


def wait_until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_lines_tell_how_long_and_that_it_goes_on(hasty):
    lines = []
    teller = Teller(("go", "scripted", "isn"), lines.append)
    compile_for(teller, "go", 0.3)
    wait_until(lambda: lines[-1].startswith("compiled"))
    seconds = compiling.SECONDS["go"] + compiling.SECONDS["isn"]  # the scripted players are there already
    assert lines[0] == f"compiling for this machine, once: about {seconds} s (evogo warmup does it ahead)"
    assert lines[1] == f"still compiling: 0 s of about {seconds}"
    del lines[:]
    compile_for(teller, "sane", 0.1)  # which nobody spoke of; a new spell is told of anew
    wait_until(lambda: lines and lines[-1].startswith("compiled"))
    assert f"about {seconds + compiling.SECONDS['sane']} s" in lines[0]


def test_a_moment_is_not_worth_a_word(hasty, monkeypatch):
    monkeypatch.setattr(compiling, "WORTH_SECONDS", 5.0)
    lines = []
    teller = Teller(("go",), lines.append)
    compile_for(teller, "go", 0.05)
    wait_until(lambda: teller._thread is None)
    assert lines == []


def test_on_a_terminal_one_line_counts_and_is_gone_when_others_write(hasty, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    teller = Teller(("go",))
    teller.begin("go")
    teller.begin("go")  # a kernel that the first one calls
    wait_until(terminal.getvalue)
    teller.end()
    assert not terminal.getvalue().endswith("\r\x1b[K")
    teller.end()
    assert terminal.getvalue().endswith("\r\x1b[K") and "\n" not in terminal.getvalue()
    assert f"compiling for this machine, once: 0 s of about {compiling.SECONDS['go']}" in terminal.getvalue()


def test_real_kernels_are_told_of_when_they_are_compiled_and_only_then(hasty):
    lines = []
    compiling.announce(("go",), lines.append)
    kernel = numba.njit(lambda x: x + 1)
    kernel(1)
    wait_until(lambda: lines and lines[-1].startswith("compiled"))
    assert lines[0].startswith("compiling for this machine")
    del lines[:]
    kernel(2)
    time.sleep(0.1)
    assert lines == []


@pytest.mark.parametrize(
    "specs, parts",
    [
        (["gojen", "wally,randomness=0.1"], ()),
        (["strongest", "hyperneat-any"], ("search", "hyperneat", "expert")),
        (["search,guide=isn-9x9"], ("search", "isn")),
    ],
)
def test_the_parts_that_players_need(specs, parts):
    assert compiling.parts_named(specs) == (*compiling.BASE, *parts)
