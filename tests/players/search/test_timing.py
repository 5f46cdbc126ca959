"""When a search has had enough, by a clock that stands still unless it is told to go on."""

from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from players.search import timing
from players.search.timing import MARGIN, USUAL_SHARE, Limit, Watched

CHUNK = 256


class Clock:
    """Stands in for ``time``."""

    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(timing, "time", clock)
    return clock


class Forest:
    """What a Limit sees of one: how often each move was visited, and won."""

    def __init__(self, visits, wins):
        self._moves = np.zeros(len(visits), [("visits", np.int64), ("wins", np.float64)]).view(np.recarray)
        self._moves.visits, self._moves.wins = visits, wins
        self.root = SimpleNamespace(visits=0, count=len(visits))

    def moves_of(self, node):
        return self._moves


CLEAR = Forest([500, 499], [300, 200])  # the most visited move is the best, and can still be overtaken
DOUBTFUL = Forest([500, 499], [200, 300])


@pytest.mark.parametrize(
    "forest, saves, share",
    [(CLEAR, True, USUAL_SHARE), (DOUBTFUL, True, 1.0), (CLEAR, False, 1.0), (DOUBTFUL, False, 1.0)],
)
def test_what_is_used_of_the_seconds(clock, forest, saves, share):
    limit = Limit(forest, seconds=10 + MARGIN, saves=saves)
    forest.root.visits += 10_000
    clock.now += 10 * share - 0.01
    assert limit(CHUNK) > 0
    clock.now += 0.02
    assert limit(CHUNK) == 0


def test_a_move_that_no_other_can_overtake_ends_a_choice_but_no_analysis(clock):
    forest = Forest([900, 100], [500, 50])
    forest.root.visits = 1000
    assert Limit(forest, simulations=1500)(CHUNK) == 0
    assert Limit(forest, simulations=1500, hurry=False)(CHUNK) == CHUNK
    assert Limit(forest, simulations=2000)(CHUNK) == CHUNK
    assert Limit(forest, simulations=1100, hurry=False)(CHUNK) == 100
    assert Limit(forest, simulations=1000, hurry=False)(CHUNK) == 0


def test_no_more_is_begun_than_the_time_allows_at_the_speed_so_far(clock):
    forest = Forest([50, 50], [30, 20])
    limit = Limit(forest, seconds=1 + MARGIN)
    forest.root.visits += 100
    clock.now += 0.5
    assert 99 <= limit(CHUNK) <= 101


def test_a_first_move_is_found_whatever_the_limits_say(clock):
    stop = Event()
    stop.set()
    forest = Forest([0], [0])
    forest.root.count = 0
    limit = Limit(forest, seconds=0.0, stop=stop)
    assert limit(CHUNK) == CHUNK
    assert [Limit(forest, simulations=few)(CHUNK) for few in (0, 8, 10_000)] == [1, 8, CHUNK]
    forest.root.count = 1
    assert limit(CHUNK) == 0


def test_who_watches_is_told_now_and_then(clock):
    told = []
    watched = Watched(Limit(DOUBTFUL, simulations=10**9), lambda: told.append(clock.now))
    for _ in range(40):
        clock.now += 0.125
        watched(CHUNK)
    assert len(told) == 10
