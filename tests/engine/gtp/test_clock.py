"""The clock: what is left after moves, and what the next move may cost."""

import math

import pytest

from engine.go.board import BLACK, WHITE
from engine.gtp.clock import NO_LIMIT, SHORTEST, Clock, TimeSettings

KINDS = {
    "absolute": TimeSettings("absolute", 300.0),
    "canadian": TimeSettings("canadian", 60.0, 100.0, 10),
    "byoyomi": TimeSettings("byoyomi", 60.0, 10.0, 3),
    "fischer": TimeSettings("fischer", 60.0, 5.0),
}


def test_without_limit_there_is_none():
    clock = Clock()
    assert clock.seconds(BLACK, 9, 0) is None
    clock.spend(BLACK, 1000.0)
    assert clock.seconds(BLACK, 9, 0) is None


def test_a_client_that_only_sends_time_left():
    clock = Clock()
    clock.time_left(BLACK, 60.0, 0)
    assert 0 < clock.seconds(BLACK, 9, 0) < 10
    assert clock.seconds(WHITE, 9, 0) is None
    clock.set(NO_LIMIT)
    assert clock.seconds(BLACK, 9, 0) is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [2, 9, 19])
def test_a_game_never_runs_out_of_time(kind, size):
    """A player that always uses all it is given, with a delay that is not its fault, is never out of time."""
    settings = KINDS[kind]
    clock = Clock(settings)
    main, extra, count = settings.main, settings.extra, settings.count
    for move in range(0, 2 * size * size, 2):
        seconds = clock.seconds(BLACK, size, move)
        assert seconds >= SHORTEST and math.isfinite(seconds)
        used = seconds + 0.02
        clock.spend(BLACK, used)
        # The server's own count, written out again.
        over = used - main
        main = max(0.0, -over)
        if kind == "fischer":
            assert over < 0
            main += settings.extra
        elif kind == "absolute":
            assert over < 0
        elif over > 0 and kind == "canadian":
            extra -= over
            assert extra > 0
            count -= 1
            if count == 0:
                extra, count = settings.extra, settings.count
        elif over > 0:
            assert over < settings.extra


def test_the_time_is_used():
    """Most of an absolute time is spent by the end of a usual game, not hoarded."""
    clock = Clock(KINDS["absolute"])
    spent = 0.0
    for move in range(0, 60, 2):
        seconds = clock.seconds(BLACK, 9, move)
        clock.spend(BLACK, seconds)
        spent += seconds
    assert spent > 200


def test_colours_have_clocks_of_their_own():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 299.0)
    assert clock.seconds(WHITE, 9, 0) == Clock(KINDS["absolute"]).seconds(WHITE, 9, 0)
    assert clock.seconds(BLACK, 9, 0) < 0.1


def test_out_of_time_still_gives_a_moment():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 1000.0)
    assert clock.seconds(BLACK, 9, 0) == SHORTEST
    clock.time_left(BLACK, 0.0, 0)
    assert clock.seconds(BLACK, 9, 0) == SHORTEST


def test_time_left_in_overtime():
    clock = Clock(KINDS["canadian"])
    clock.time_left(BLACK, 50.5, 5)
    assert clock.seconds(BLACK, 9, 0) == pytest.approx(10.0)
    clock = Clock(KINDS["byoyomi"])
    clock.time_left(BLACK, 10.0, 2)
    assert clock.seconds(BLACK, 9, 0) == pytest.approx(7.6)
    clock.time_left(BLACK, 60.0, 0)
    assert clock.seconds(BLACK, 9, 0) == Clock(KINDS["byoyomi"]).seconds(BLACK, 9, 0)


def test_byoyomi_periods_are_lost_one_by_one():
    clock = Clock(KINDS["byoyomi"])
    clock.spend(BLACK, 60.0)
    for _ in range(5):
        clock.spend(BLACK, 25.0)
        assert clock.seconds(BLACK, 9, 0) == pytest.approx(7.6)


def test_a_new_game_starts_the_clocks_afresh():
    clock = Clock(KINDS["absolute"])
    clock.spend(BLACK, 299.0)
    clock.reset()
    assert clock.settings == KINDS["absolute"]
    assert clock.seconds(BLACK, 9, 0) > 1


@pytest.mark.parametrize("kind", ["absolute", "canadian", "byoyomi", "fischer"])
@pytest.mark.parametrize("main", [0.0, 1e-300, 1e300])
@pytest.mark.parametrize("extra", [0.0, 1e-300, 1e300])
@pytest.mark.parametrize("count", [1, 10**18])
def test_nonsense_does_no_harm(kind, main, extra, count):
    clock = Clock(TimeSettings(kind, main, extra, count))
    for _ in range(3):
        clock.spend(BLACK, 1.0)
        assert clock.seconds(BLACK, 9, 0) >= SHORTEST
    clock.time_left(BLACK, extra, count)
    assert clock.copy().seconds(BLACK, 9, 10**6) >= SHORTEST
