"""Manners around players that have none: tables of positions, and whole games."""

import numpy as np
import pytest

from engine import board, rng, scoring
from engine.board import BLACK, PASS, RESIGN, WHITE
from engine.game import Game
from engine.rules import CGOS, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR
from players.base import Budget, Evaluation, Player
from players.manners import HANDICAP_RESIGN_AFTER, HOPELESS_MOVES, RESIGN_AFTER, Manners
from players.outlook import Outlook
from tests.diagrams import game_of, mark, marks_of


class Fixed(Player):
    """Answers the same thing whenever it is asked."""

    name = "fixed"

    def __init__(self, answer=PASS, policy=None, winrate=None):
        self.answer, self.numbers, self.winrate = answer, policy, winrate

    def choose(self, game, colour, budget):
        return self.answer

    def policy(self, game, colour):
        return self.numbers

    def evaluate(self, game):
        return None if self.winrate is None else Evaluation(0.0, self.winrate)


class Anywhere(Player):
    """Plays any legal point, eyes included."""

    def __init__(self, seed=0):
        self.stream = rng.new_stream(seed)

    def choose(self, game, colour, budget):
        points = game.legal_points(colour)
        return int(points[rng.below(self.stream, len(points))]) if len(points) else PASS


class Nonsense(Player):
    """Answers anything but a move, a different thing each time."""

    answers = (None, "D4", 3.5, -7, 10**9, RESIGN, np.nan, (3, 4), True, float("inf"))

    def __init__(self):
        self.asked = 0

    def choose(self, game, colour, budget):
        self.asked += 1
        if self.asked % 3 == 0:
            raise ValueError("no idea")
        return self.answers[self.asked % len(self.answers)]

    def policy(self, game, colour):
        raise ZeroDivisionError("no idea either")


def choose(game, colour=BLACK, wish=PASS, **powers):
    return Manners(Fixed(wish, **powers)).choose(game, colour, Budget())


# What a move at the point a does, and whether a player who wants it gets it.

WISHES = {
    "an open point": (
        """. . . . .
           . . a . .
           . . . . .
           . . O . .
           . . . . .""",
        True,
    ),
    "an own eye": (
        """a X . . .
           X X . . .
           . . . . .
           . . O . .
           . . . . .""",
        False,
    ),
    "a false eye": (
        """. X a X .
           . O X O .
           . O . O .
           . . X . .
           . . X . .""",
        True,
    ),
    "an eye with an enemy across one corner": (
        """. . X O .
           . X a X .
           . . X . .
           . . . . .
           . O . O .""",
        False,
    ),
    "suicide": (
        """a O . . .
           O . . . .
           . . X . .
           . . . . .
           . . . . .""",
        False,
    ),
    "suicide of several": (
        """X a O . .
           O O O . .
           . . X . .
           . . . . .
           . . . . .""",
        False,
    ),
    "territory that is settled for ever": (
        """. X a X .
           X X X X .
           . . . . .
           . . O . .
           . . . . .""",
        False,
    ),
    "enemy territory that is settled for ever": (
        """. O a . O
           . O O O O
           O O . . .
           . . . X .
           . X . . .""",
        False,
    ),
}


@pytest.mark.parametrize("rules", [CGOS, CHINESE, JAPANESE, TROMP_TAYLOR, NEW_ZEALAND], ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", WISHES)
def test_a_wish_is_granted_unless_it_is_foolish(name, rules):
    diagram, granted = WISHES[name]
    game = game_of(diagram, rules=rules, komi=0.5)
    a = mark(diagram, "a")
    answer = choose(game, BLACK, a)
    assert (answer == a) == granted
    assert game.is_legal(BLACK, answer)


def test_points_that_are_taken_or_closed_by_ko_are_never_played():
    diagram = """. X O . .
                 X a X O .
                 . X O . .
                 . . . . .
                 . . . . ."""
    game = game_of(diagram, to_play=WHITE, rules=JAPANESE)
    taken = mark(diagram, "a") + 1
    assert game.play(WHITE, mark(diagram, "a")) == 1
    for wish in (taken, mark(diagram, "a")):
        answer = choose(game, BLACK, wish)
        assert answer != wish and game.is_legal(BLACK, answer)


def test_superko_binds():
    stream = rng.new_stream(7)
    refused = 0
    while refused < 5:
        game = Game(3, 0.5, TROMP_TAYLOR)
        while not game.is_over and refused < 5:
            legal = set(game.legal_points(game.to_play))
            for wish in map(int, board.board_points(3)):
                if wish not in legal and board.is_legal(game.position, wish, game.to_play, game.rules.suicide):
                    answer = choose(game, game.to_play, wish)
                    assert answer != wish and game.is_legal(game.to_play, answer)
                    refused += 1
            points = sorted(legal) + [PASS]
            game.play(game.to_play, int(points[rng.below(stream, len(points))]))


# Passing. Black has two eyes or more everywhere, so has White; c marks the liberties of a dead white stone.

DEAD_STONE = """. X . X O . O
                X X X X O O .
                . c O X O O O
                . . c X O . .
                X X X X O O O
                . X . X O O .
                X X X X O . O"""

NEUTRAL_POINT = """. X . X O . O
                   X X X X O O .
                   . X X . O O O
                   X X X X O . .
                   X X X X O O O
                   . X . X O O .
                   X X X X O . O"""

SEKI = """X O . O a X . X O
          X O O O X X X X O
          X X X X O O O O O
          . X . X O . O . O
          X X X X O O O O O
          X X X X O O O O O
          X . X X O O O . O
          X X X X O O O O O
          X X X X O O O O O"""

# (diagram, rules, who moves, komi, whether the other side has just passed, the letter of the expected moves or None)
PASSES = {
    "a dead stone counts, so it is taken": (DEAD_STONE, CGOS, BLACK, 0.5, False, "c"),
    "even when the game is won without it": (DEAD_STONE, TROMP_TAYLOR, BLACK, -9.5, False, "c"),
    "even after a pass when the board loses": (DEAD_STONE, TROMP_TAYLOR, BLACK, 0.5, True, "c"),
    "a won game ends at once": (DEAD_STONE, CGOS, BLACK, -9.5, True, None),
    "no agreement is needed about what is settled": (DEAD_STONE, CHINESE, BLACK, 0.5, False, None),
    "no agreement either after a pass": (DEAD_STONE, CHINESE, BLACK, 0.5, True, None),
    "territory is left alone": (DEAD_STONE, JAPANESE, BLACK, 0.5, False, None),
    "territory is left alone after a pass": (DEAD_STONE, JAPANESE, BLACK, 0.5, True, None),
    "territory is left alone though it loses": (DEAD_STONE, JAPANESE, BLACK, 30.5, True, None),
    "nothing to hope for inside enemy territory": (DEAD_STONE, CGOS, WHITE, -9.5, False, None),
    "a seki is left alone by Black": (SEKI, CGOS, BLACK, 0.5, False, None),
    "a seki is left alone by White": (SEKI, CGOS, WHITE, 0.5, False, None),
    "a seki is left alone by Black who loses": (SEKI, TROMP_TAYLOR, BLACK, 40.5, True, None),
    "a seki is left alone by White who loses": (SEKI, CHINESE, WHITE, -40.5, True, None),
    "a seki is left alone under territory rules": (SEKI, JAPANESE, WHITE, -40.5, True, None),
}


@pytest.mark.parametrize("name", PASSES)
def test_when_a_player_that_passes_may_pass(name):
    diagram, rules, colour, komi, answered, letter = PASSES[name]
    game = game_of(diagram, 3 - colour if answered else colour, rules, komi)
    if answered:
        game.play(3 - colour, PASS)
    expected = marks_of(diagram)[letter] if letter else [PASS]
    assert choose(game, colour) in expected
