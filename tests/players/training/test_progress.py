"""Progress: what the line says, and how often."""

import io
import re

import pytest

from players.kinds import TRAINED, part
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


def words(entry):
    return f"best {entry['best']:g}, mean {entry['mean']:g}"


def test_the_live_line(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    stream = Terminal()
    line = Progress(stream, [1.0] * 10 + [4.0] * 5, words=words)
    line.update(entry(1), None, 99.0, 100)  # compiling: nothing to estimate from
    assert stream.getvalue().endswith(" games/s") and "left" not in stream.getvalue()
    clock[0] += 1
    line.update(entry(2), 0.925, 2.0, 100)
    assert stream.getvalue().split("\r\x1b[K")[-1] == (
        "56s left  2/15  7x7  best 1234.5, mean 0.5  champion 92%  50 games/s"
    )
    line.update(entry(3), None, 2.0, 100)  # too soon to be seen
    assert stream.getvalue().count("best") == 2
    line.say("hello")
    assert stream.getvalue().endswith("games/s\nhello\n")
    line.update(entry(15), None, 8.0, 100, last=True)
    assert stream.getvalue().endswith("games/s\n") and "15/15" in stream.getvalue()


def test_the_time_that_is_left_is_what_the_run_may_take(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    stream = Terminal()
    line = Progress(stream, [1.0] * 1000, seconds=100.0)
    for generation in (1, 2):
        clock[0] += 10
        line.update(entry(generation), None, 10.0, 100)
    lines = stream.getvalue().split("\r\x1b[K")[1:]
    assert lines == ["1m30s left  1/1000  7x7  10 games/s", "1m20s left  2/1000  7x7  10 games/s"]


ENTRIES = {  # the longest that each kind may have to say
    "hyperneat": {"wins": 1.0, "mean_wins": 1.0},
    "sane": {"wins": 1.0, "mean_wins": 1.0, "stones": 9},
    "organism": {"wins": 1.0, "mean": 1.0},
    "isn": {"loss": 0.1234},
    "expert": {"policy_error": 12.345},
    "playout": {"error": 0.1234},
}


@pytest.mark.parametrize("kind", TRAINED)
def test_lines_of_every_kind_fit_80_columns_in_its_own_words(clock, kind):
    stream = io.StringIO()
    trainer = part(kind, "trainer").Trainer
    line = Progress(stream, [1.0] * 9_999, words=lambda entry: trainer.words(None, entry))
    for generation in (1_000, 1_001):
        clock[0] += 10
        line.update({"generation": generation, "size": 19, **ENTRIES[kind]}, 1.0, 39.0, 500_000)
    (_, last) = stream.getvalue().splitlines()
    assert len(last) < 80 and re.match("97h..m left  1001/9999  19x19  ", last)
    assert ("error 0.1234" in last) == (kind in ("isn", "playout")) and ("policy 12.345" in last) == (kind == "expert")
    assert ("best" in last) == (kind not in ("isn", "expert", "playout"))


def test_the_live_line_fits_the_terminal(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    Progress(stream, [1.0] * 10).update(entry(1), None, 2.0, 100)
    assert len(stream.getvalue().removeprefix("\r\x1b[K")) == 19


def test_plain_lines_now_and_then(clock):
    stream = io.StringIO()
    line = Progress(stream, [1.0] * 100)
    for generation in range(1, 101):
        clock[0] += 1.0
        line.update(entry(generation), None, 1.0, 10, last=generation == 100)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 11 and "\r" not in stream.getvalue()
    assert lines[1] == "1m29s left  11/100  7x7  10 games/s" and lines[-1].startswith("100/100")


def test_quiet(clock):
    stream = io.StringIO()
    Progress(stream, [1.0], quiet=True).update(entry(1), None, 1.0, 10, last=True)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("seconds, expected", [(0, "0s"), (59.4, "59s"), (59.6, "1m00s"), (188, "3m08s"), (7500, "2h05m")])
def test_duration(seconds, expected):
    assert duration(seconds) == expected
