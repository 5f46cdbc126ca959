from collections import Counter

import pytest

from engine.go.board import BLACK, PASS, WHITE
from engine.go.game import Game
from players.scripted.uniform import Random
from tests.diagrams import game_of
from tests.players.scripted.helpers import answers, chi_square, points

DRAWS = 5000


def draws(player, game, colour=BLACK):
    return Counter(player.choose(game, colour) for _ in range(DRAWS))


def test_every_legal_move_is_equally_likely_and_the_pass_is_one():
    counts = draws(Random(seed=1), Game(3))
    assert len(counts) == 10 and PASS in counts
    assert chi_square(counts.values(), DRAWS / 10) < 27.9  # exceeded once in a thousand


def test_illegal_points_leave_the_others_equally_likely():
    game = game_of(
        """
        . O . O
        O O O O
        . O O O
        O O O .
        """
    )
    assert set(draws(Random(seed=2), game)) == {PASS}  # all that is left would be suicide
    counts = draws(Random(seed=3), game, WHITE)
    assert len(counts) == 5
    assert chi_square(counts.values(), DRAWS / 5) < 18.5


def test_the_variant_keeps_its_eyes_and_passes_only_when_nothing_is_left():
    diagram = """
    . X a X .
    X X O X X
    a O . O a
    X X O X X
    . X a X .
    """
    assert answers(Random(fill_eyes=False, seed=4), diagram, tries=200) == points(diagram)
    eyes = """
    . X .
    X X X
    X X X
    """
    assert answers(Random(fill_eyes=False, seed=5), eyes) == {PASS}
    assert answers(Random(seed=5), eyes, tries=100) > {PASS}


@pytest.mark.parametrize("fill_eyes", [True, False])
def test_a_seed_repeats_the_game(fill_eyes):
    first, second = (Random(fill_eyes=fill_eyes, seed=9) for _ in range(2))
    moves = [first.choose(Game(9), BLACK) for _ in range(50)]
    assert moves == [second.choose(Game(9), BLACK) for _ in range(50)]
    first.seed(9)
    assert moves == [first.choose(Game(9), BLACK) for _ in range(50)]
