"""Progress: what the line says, and how often."""

import io

import pytest

from players.training import progress
from players.training.progress import Progress, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves when told."""
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def entry(generation, **more):
    return {"generation": generation, "size": 7, "best": 1234.5, "mean": 0.5, "wins": 0.8, "games": 100, **more}


def test_the_live_line(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    stream = Terminal()
    line = Progress(stream, [1.0] * 10 + [4.0] * 5)
    line.update(entry(1), None, 99.0, 100)  # compiling: nothing to estimate from
    assert stream.getvalue().endswith(" games/s")
    clock[0] += 1
    line.update(entry(2), 0.925, 2.0, 100)
    assert stream.getvalue().split("\r\x1b[K")[-1] == (
        "generation 2/15  7x7  best 1234.5  mean 0.5  wins 80%  champion 92.5%  50 games/s  56s left"
    )
    line.update(entry(3), None, 2.0, 100)  # too soon to be seen
    assert stream.getvalue().count("generation") == 2
    line.say("hello")
    assert stream.getvalue().endswith("left\nhello\n")
    line.update(entry(15), None, 8.0, 100, last=True)
    assert stream.getvalue().endswith("games/s\n") and "15/15" in stream.getvalue()


def test_the_live_line_fits_the_terminal(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    Progress(stream, [1.0] * 10).update(entry(1), None, 2.0, 100)
    assert len(stream.getvalue().removeprefix("\r\x1b[K")) == 39


def test_plain_lines_now_and_then(clock):
    stream = io.StringIO()
    line = Progress(stream, [1.0] * 100)
    for generation in range(1, 101):
        clock[0] += 1.0
        line.update(entry(generation, best=None), None, 1.0, 10, last=generation == 100)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 11 and "\r" not in stream.getvalue() and "best" not in lines[0]
    assert lines[1].endswith("10 games/s  1m29s left") and lines[-1].startswith("generation 100/100")


def test_quiet(clock):
    stream = io.StringIO()
    Progress(stream, [1.0], quiet=True).update(entry(1), None, 1.0, 10, last=True)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("seconds, expected", [(0, "0s"), (59.4, "59s"), (59.6, "1m00s"), (188, "3m08s"), (7500, "2h05m")])
def test_duration(seconds, expected):
    assert duration(seconds) == expected
