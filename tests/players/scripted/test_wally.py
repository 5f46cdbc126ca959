import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, liberties_after
from players.scripted.wally import Wally, _pick_liberty
from tests.diagrams import game_of, mark, position_of, stones_of
from tests.players.scripted.helpers import answers, plays_the_mark, points

# Black plays at a, for sure.
MOVES = {
    "capture at once, although its own stones are in atari": """
        . . X . . . .
        . X O a . . .
        . . X . . . .
        . . . . . . .
        . O . . . . .
        O X O . . . .
        . . . . . . .
        """,
    "save the chain in atari": """
        . . . . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . O . . . . .
        O X O . . . .
        . a . . . . .
        """,
    "chase the enemy with the fewest liberties, not on the edge line": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . . . . . .
        O a . . . . .
        . . . . . . .
        """,
    "of two that have as many, chase the later one": """
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . . . . a . .
        . . . . O . .
        . . . . . . .
        . . . . . . .
        """,
    "the hane shape beats three liberties": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . a O . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        """,
    "the atari shape comes before the hane": """
        . . . . . . .
        . . . . . . .
        . . . a . . .
        . . X O . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        """,
    "the cut shape": """
        . . . . . . .
        . . . . . . .
        . . . O X . .
        . . . a O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_move(name, colour):
    assert plays_the_mark(Wally(), MOVES[name], colour, tries=3)


def test_a_stone_needs_two_liberties():
    # The corner stone is in atari, and at a it would be again.
    diagram = """
    X O . . .
    a . . . .
    O . . . .
    . . . . .
    . . . . .
    """
    (move,) = answers(Wally(), diagram, tries=3)
    assert move not in points(diagram)
    assert liberties_after(position_of(diagram), move, BLACK, 2) == 2


@pytest.mark.parametrize(
    "count, diagram",
    [
        (2, "X a . . / . X . . / . . . . / . . . ."),  # on the edge line if there is no other; the first of the board
        (3, ". X . . / . a . . / . . . . / . . . ."),
        (4, ". . . . / . a . . / . X . . / . . . ."),
        (6, ". . . . / . a X . / . . X . / . . . ."),
    ],
)
def test_which_liberty(count, diagram):
    diagram = diagram.replace("/", "\n")
    liberties = np.empty(16, np.int64)
    _, stone = stones_of(diagram)[0]
    assert _pick_liberty(position_of(diagram), stone, liberties) == count
    assert liberties[0] == mark(diagram, "a")


def test_keeps_its_eyes_and_passes_at_the_end():
    diagram = """
    . X .
    X X X
    X X X
    """
    assert answers(Wally(), diagram) == {PASS}


def test_randomness():
    diagram = MOVES["save the chain in atari"]
    tries = 2000
    game = game_of(diagram)
    player = Wally(randomness=0.1, seed=1)
    strays = sum(player.choose(game, BLACK) != mark(diagram, "a") for _ in range(tries))
    assert 0.07 * tries < strays < 0.13 * tries
    assert answers(Wally(randomness=1, seed=1), diagram, tries=tries) == set(game.legal_points(BLACK))


@pytest.mark.parametrize("randomness", [-0.1, 1.5, float("nan")])
def test_randomness_is_a_probability(randomness):
    with pytest.raises(ValueError, match="randomness"):
        Wally(randomness=randomness)
