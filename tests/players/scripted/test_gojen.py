import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, coordinates
from engine.go.game import Game
from players.scripted.gojen import PATTERNS, URGENT, Gojen
from players.scripted.naixt import Naixt
from players.scripted.patterns import forms
from tests.diagrams import game_of, mark
from tests.players.scripted.helpers import answers, plays_the_mark, points

# Black plays at a, for sure.
MOVES = {
    "run, since there is help on the way": """
        . . . . . . .
        . . O O . . .
        . O X a . . .
        . . O . . . .
        . . . . . X .
        . . . . . . .
        . . . . . . .
        """,
    "start the ladder on the right side": """
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . . a . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
    "capture the cutting stones rather than save one stone": """
        . . . . . . .
        . . . . O . .
        . . . O X . .
        . X X . O . .
        X O O a . . .
        . X X . . . .
        . . . . . . .
        """,
    "capture what would get away": """
        . . . . . . .
        . . X . . . .
        . X O a . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
    "cut": """
        . . . . . . .
        . . . . . . .
        . . X O . . .
        . X O a . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        """,
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_move(name, colour):
    assert plays_the_mark(Gojen(), MOVES[name], colour, tries=5)


def test_gives_up_a_stone_that_a_ladder_catches_where_naixt_runs():
    diagram = """
    . . . . . . .
    . . O O . . .
    . O X a . . .
    . . O . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert answers(Naixt(), diagram) == points(diagram)
    assert not answers(Gojen(), diagram) & points(diagram)


def test_saves_a_stone_before_the_ladder_starts():
    diagram = """
    . . . . . . .
    . . O O . . .
    . O X a . . .
    . . a . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert answers(Gojen(), diagram) <= points(diagram)


def test_stones_that_cannot_get_away_are_taken_later():
    diagram = """
    O X . . . . .
    a X . . . . .
    X . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . O .
    . . . . . . .
    """
    assert not answers(Gojen(), diagram) & points(diagram)
    late = """
    O X . X .
    a X X X X
    X X X X X
    X X X X X
    . X X X X
    """
    assert answers(Gojen(), late) == points(late)


@pytest.mark.parametrize("size, lines", [(5, {3}), (7, {4}), (9, {4}), (13, {4}), (19, {4})])
def test_opens_on_a_good_line(size, lines):
    player, game = Gojen(seed=1), Game(size)
    found = set()
    for _ in range(50):
        col, row = coordinates(size, player.choose(game, BLACK))
        found.add(1 + min(col, row, size - 1 - col, size - 1 - row))
    assert found == lines


def test_without_its_opening_it_opens_like_naixt():
    player, game = Gojen(opening=False, seed=1), Game(5)
    assert len({player.choose(game, BLACK) for _ in range(300)}) == 25
    diagram = MOVES["cut"]  # the rest of it stays
    assert answers(Gojen(opening=False), diagram, tries=5) == points(diagram)


def test_passes_when_only_its_own_stones_stand():
    alone = "\n".join([".....", "..X..", ".....", ".....", "....."])
    assert answers(Gojen(), alone, BLACK) == answers(Gojen(opening=False), alone, BLACK) == {PASS}


def test_passes_when_all_is_settled():
    finished = """
    . X O . .
    X X O O .
    . X O . O
    X X O O O
    . X O . .
    """
    assert answers(Gojen(), finished, BLACK) == answers(Gojen(), finished, WHITE) == {PASS}


def test_the_policy_is_what_it_plays_by():
    diagram = MOVES["capture what would get away"]
    policy = Gojen().policy(game_of(diagram), BLACK)
    assert np.nanargmax(policy) == mark(diagram, "a")
    assert np.nanmax(policy) >= URGENT
    assert np.isnan(policy[0])


def test_there_are_32_different_patterns():
    assert len(PATTERNS) == 32
    seen = {min(str(sorted(form.items())) for form in forms(drawing)) for drawing in PATTERNS}
    assert len(seen) == 32
