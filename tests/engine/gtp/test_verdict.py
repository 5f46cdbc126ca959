"""What a table says about the end of its game."""

import pytest

from engine.contest.failure import CRASH, PlayerFailure
from engine.contest.player import Player
from engine.go.board import point
from engine.go.rules import CGOS, CHINESE
from engine.gtp.session import Session
from tests.diagrams import game_of

LONE_STONE = """. X . X .
                O X . X .
                . X . X .
                . X . X .
                . X . X ."""
STONE = point(5, 0, 1)


class Program(Player):
    """A player with a word on dead stones; None says that it cannot say."""

    is_program = True

    def __init__(self, dead):
        self.dead = dead

    def dead_stones(self, game):
        if self.dead == "crash":
            raise PlayerFailure(CRASH, "gone")
        return self.dead


def session_of(player, rules=CHINESE):
    session = Session(player, game_of(LONE_STONE, rules=rules), 1, None, None, "")
    session.open_to_all()
    return session


@pytest.mark.parametrize(
    "player, dead",
    [
        (Player(), [STONE]),
        (Program([]), []),
        (Program([point(5, 1, 0)]), [point(5, 1, 0)]),
        (Program(None), [STONE]),
        (Program("crash"), [STONE]),
    ],
    ids=["no program", "a program that holds all for alive", "another", "one that cannot say", "one that crashes"],
)
def test_a_program_names_the_dead(player, dead):
    assert session_of(player).verdict().dead == dead


def test_where_all_stones_are_alive_nobody_is_asked():
    assert session_of(Program([STONE]), CGOS).verdict() == ([], [])
