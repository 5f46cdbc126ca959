"""The order of strength, in matches small enough for every day; models/README.md has the large ones."""

import pytest

from players.play.loop import Terms, wins_of
from players.play.schedule import Fixture
from players.scripted.kernels import opponent

GAMES = 200
KOMI = 4.5  # as in the organism paper
RANDOM, LIBERTY, WALLY, NAIXT, GOJEN = map(opponent, ("random", "liberty", "wally", "naixt", "gojen"))
NO_OPENING = opponent("gojen-no-opening")


def win_rate(first, second, size):
    """How often ``first`` beats ``second``, half of the games with each colour."""
    return wins_of(Fixture(Terms(size, KOMI), (second,), "both", size, 0, GAMES).play(first)) / GAMES


@pytest.mark.parametrize("size", [5, 7, 9])
def test_random_is_below_naixt_and_naixt_below_gojen(size):
    assert win_rate(NAIXT, RANDOM, size) > 0.9
    assert win_rate(GOJEN, NAIXT, size) > 0.8
    assert win_rate(NO_OPENING, NAIXT, size) > 0.8
    assert win_rate(GOJEN, RANDOM, size) > 0.95


def test_gojen_gets_stronger_with_the_board():
    assert win_rate(GOJEN, NAIXT, 9) > win_rate(GOJEN, NAIXT, 5)


@pytest.mark.parametrize("size", [7, 9])
def test_liberty_and_wally_stand_between_random_and_gojen(size):
    for player in (LIBERTY, WALLY):
        assert win_rate(player, RANDOM, size) > 0.9
        assert win_rate(GOJEN, player, size) > 0.55
