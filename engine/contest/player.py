"""What a player is, and what it may be able to do besides choosing moves.

A ``Player`` answers ``choose``. It may have further powers, which GTP, matches and viewers use when they are there:
a *policy* (a number per point), *variations* (what a search finds), an *evaluation* (score, winrate, ownership) and *views*
(named pictures of its inner state). The methods of a power that a player lacks return None, so that a caller asks once
and sees.

Who may think, and for how long:

    choose, variations, evaluate    take a ``Budget`` and keep to it. No budget, or one without seconds, means as long as
                                    the player likes, which is what its own options say (``simulations=5000``).
    policy, views, explain          never search: a policy is there within a few milliseconds
    seed, close                     do not think at all

A budget of 0 seconds, or one that is told to stop before the player begins, means *at once*: ``choose`` gives a move
without a search, within 20 milliseconds of processor time; ``variations`` and ``evaluate`` give what the last search of
this position has found, else what is known without one. So whoever has chosen a move can say what it thinks of the
position without thinking again. Compiled code does not look at clocks, so that a call may end some milliseconds late, but
never by more than a few hundredths of a second of processor time.
"""

import threading
import time
from dataclasses import dataclass, field
from typing import Callable, NamedTuple

import numpy as np

from engine.go.board import MAX_SIZE, MIN_SIZE


@dataclass
class Budget:
    """How long a player may think: so many seconds in all (None: as it likes), and an event that says stop now.

    The seconds run from ``began``, which is when the budget was made unless its maker knows better. Whoever hands part of
    its work on hands on the same budget, or what is left of it, so that nobody's seconds are counted twice.
    """

    seconds: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    began: float = field(default_factory=time.monotonic)
    watch: Callable | None = None  # told now and then, by a player that looks ahead, the Variations that it has so far

    @property
    def left(self):
        """The seconds that are left, at least 0; None: no limit."""
        return None if self.seconds is None else max(0.0, self.seconds - (time.monotonic() - self.began))

    @property
    def is_over(self):
        """Whether an answer is wanted now."""
        return self.stop.is_set() or self.left == 0.0

    def part(self, share):
        """A budget for part of the work: so much of what is left, from now on."""
        left = self.left
        return Budget(None if left is None else share * left, self.stop, watch=self.watch)


AT_ONCE = Budget(0.0)  # for questions that must not make anybody think


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


class Option(NamedTuple):
    """What can be said about a player when it is named, as in ``wally,randomness=0.1``."""

    name: str
    default: object  # a value of the option has its type
    help: str


FAMILIAR_KOMI = 3.0  # points by which the komi of a game may differ from one that a player knows: our choice


def unfamiliar_komi(player, size, komi):
    """A line that warns of a komi which ``player`` does not know on such a board, or None.

    What a network without an input for komi was bred to win with one komi, it loses with another.
    """
    known = player.komis.get(size)
    if not known or min(abs(komi - own) for own in known) <= FAMILIAR_KOMI:
        return None
    told = " or ".join(f"{own:g}" for own in sorted(known))
    return f"{player.name} knows {size}x{size} with komi {told}: expect less of it with komi {komi:g}"


class Player:
    """A player of Go. Subclasses override what they can do."""

    name = "player"  # how the registry and GTP call it
    sizes = range(MIN_SIZE, MAX_SIZE + 1)  # board sizes it can play
    komis = {}  # the komi that it knows, a set by board size: what it was measured with; nothing where any will do
    files = ()  # the genome files that it was made from
    leaves_dead_stones = False  # whether it passes while there are any, for both sides to agree about
    is_program = False  # whether it is an engine in a process of its own, with its own manners and opinion of dead stones

    def seed(self, seed):
        """Restart all randomness of the player from ``seed``."""

    def choose(self, game, colour, budget):
        """A point that ``colour`` may play in ``game``, PASS or RESIGN, found within the ``budget``."""
        raise NotImplementedError

    def choose_cleanup(self, game, colour, budget):
        """The same when play goes on after the end, to take dead stones off."""
        return self.choose(game, colour, budget)

    def prepare(self, game):
        """Do what can be done for a game before the clock runs."""

    def dead_stones(self, game):
        """The points of dead stones at the end of ``game``, or None if the player has no opinion; asked of programs only."""
        return None

    # Of a player that searches, a method for counting: ``foresee(position, komi, first)`` is the share of games that Black
    # wins by area if ``first`` begins. The same question gets the same answer.
    foresee = None

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

    def evaluate(self, game, budget=None):
        """An Evaluation of the position within the ``budget``, or None if the player has no opinion.

        A player that searches goes on from what its last search of this position found, and adds nothing at once.
        """
        return None

    def views(self):
        """The pictures this player can draw of itself, as a list of View."""
        return []

    def explain(self):
        """Why the last move was chosen, in a line of text, or None."""
        return None

    def set_level(self, level):
        """Play as strongly as the ``level`` says; ValueError with one clear line if there is no such level."""
        raise ValueError(f"the player {self.name} has no levels: start evogo without a player of your choice for them")

    def close(self):
        """Give back what the player holds (processes, files)."""


class Wrapped(Player):
    """A player that is another one in all that a subclass does not change."""

    def __init__(self, player):
        self.player = player

    @property
    def name(self):
        return self.player.name

    @property
    def sizes(self):
        return self.player.sizes

    @property
    def komis(self):
        return self.player.komis

    @property
    def files(self):
        return self.player.files

    @property
    def is_program(self):
        return self.player.is_program

    def seed(self, seed):
        self.player.seed(seed)

    def choose(self, game, colour, budget=None):
        return self.player.choose(game, colour, budget)

    def choose_cleanup(self, game, colour, budget=None):
        return self.player.choose_cleanup(game, colour, budget)

    def prepare(self, game):
        self.player.prepare(game)

    def dead_stones(self, game):
        return self.player.dead_stones(game)

    @property
    def foresee(self):
        return self.player.foresee

    def policy(self, game, colour):
        return self.player.policy(game, colour)

    def variations(self, game, colour, budget=None):
        return self.player.variations(game, colour, budget)

    def evaluate(self, game, budget=None):
        return self.player.evaluate(game, budget)

    def views(self):
        return self.player.views()

    def explain(self):
        return self.player.explain()

    def set_level(self, level):
        self.player.set_level(level)

    def close(self):
        self.player.close()
