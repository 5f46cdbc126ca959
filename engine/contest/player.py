"""What a player is, and what it may be able to do besides choosing moves.

A ``Player`` answers ``choose``. It may have further powers, which GTP, matches and viewers use when they are there:
a *policy* (a number per point), *variations* (what a search finds), an *evaluation* (score, winrate, ownership) and *views*
(named pictures of its inner state). The methods of a power that a player lacks return None, so that a caller asks once
and sees.
"""

import threading
from dataclasses import dataclass, field
from typing import Callable, NamedTuple

import numpy as np

from engine.go.board import MAX_SIZE, MIN_SIZE


@dataclass
class Budget:
    """How long a player may think: seconds for this move (None: as it likes), and an event that says stop now."""

    seconds: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)


class Evaluation(NamedTuple):
    """What a player thinks of a position."""

    score: float  # expected result for Black, komi included
    winrate: float  # Black's chance of winning, 0 … 1
    ownership: np.ndarray | None = None  # by cell of the padded board: +1 Black's, -1 White's


class Variation(NamedTuple):
    """What a search has found out about a move, for the side that makes it."""

    line: list  # best play from there, the move itself the first
    visits: int  # how often the search has looked at it
    winrate: float
    score: float = 0.0  # expected at the end of the line, komi included


class View(NamedTuple):
    """A picture that GoGui can ask for."""

    kind: str  # a type of gogui-analyze_commands: dboard, cboard, sboard, gfx, …
    label: str  # what the menu says
    command: str  # the GTP command that the view answers, arguments as gogui wildcards ("evogo-field %p")
    draw: Callable  # (game, arguments as a list of str) -> the text of the answer


class Player:
    """A player of Go. Subclasses override what they can do."""

    name = "player"  # how the registry and GTP call it
    sizes = range(MIN_SIZE, MAX_SIZE + 1)  # board sizes it can play

    def seed(self, seed):
        """Restart all randomness of the player from ``seed``."""

    def choose(self, game, colour, budget):
        """A point that ``colour`` may play in ``game``, PASS or RESIGN."""
        raise NotImplementedError

    def side(self, size, rules):
        """What plays this player's games on such a board in compiled code (see ``players.play.sides``), or None.

        A side plays exactly as ``choose`` does, if both draw from streams with the same seed.
        """
        return None

    def policy(self, game, colour):
        """A number for each cell of the padded board (larger is better, nan where it has no opinion), or None."""
        return None

    def variations(self, game, colour, budget=None):
        """What a search finds out about its moves, or None if the player does not look ahead.

        A dict from each move that was looked at to a Variation, best first. Asked again, it looks further: for as long as
        ``budget`` says, or as it likes.
        """
        return None

    def evaluate(self, game):
        """An Evaluation of the position, or None."""
        return None

    def views(self):
        """The pictures this player can draw of itself, as a list of View."""
        return []

    def explain(self):
        """Why the last move was chosen, in a line of text, or None."""
        return None

    def close(self):
        """Give back what the player holds (processes, files)."""
