"""The order of strength, in matches small enough for every day; models/README.md has the large ones."""

import pytest

from players.scripted.games import play_batch
from players.scripted.kernels import GOJEN, LIBERTY, NAIXT, RANDOM, WALLY

GAMES = 100  # with each colour
KOMI = 4.5  # as in the organism paper


def win_rate(first, second, size):
    """How often ``first`` beats ``second``, half of the games with each colour."""
    as_black = play_batch((first, 0), (second, 0), GAMES, size, seed=size)[0]
    as_white = play_batch((second, 0), (first, 0), GAMES, size, seed=size)[0]
    return ((as_black > KOMI).sum() + (as_white < KOMI).sum()) / (2 * GAMES)


@pytest.mark.parametrize("size", [5, 7, 9])
def test_random_is_below_naixt_and_naixt_below_gojen(size):
    assert win_rate(NAIXT, RANDOM, size) > 0.9
    assert win_rate(GOJEN, NAIXT, size) > 0.8
    assert win_rate(GOJEN, RANDOM, size) > 0.95


def test_gojen_gets_stronger_with_the_board():
    assert win_rate(GOJEN, NAIXT, 9) > win_rate(GOJEN, NAIXT, 5)


@pytest.mark.parametrize("size", [7, 9])
def test_liberty_and_wally_stand_between_random_and_gojen(size):
    for player in (LIBERTY, WALLY):
        assert win_rate(player, RANDOM, size) > 0.9
        assert win_rate(GOJEN, player, size) > 0.55
