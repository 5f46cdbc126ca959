"""One game at one table: the position, everything that led to it, and what it is worth.

A ``Game`` remembers its start (set-up and handicap stones) and every move since, by whichever colour; undo replays from
the start, so that it restores every field exactly and may go back as far as the game does.
"""

from typing import NamedTuple

import numpy as np

from engine.go import board, history, scoring
from engine.go.board import BLACK, EMPTY, PASS, WHITE
from engine.go.rules import AREA, CHINESE

MOVES_PER_POINT = 3  # a game with more moves than this for each point of the board goes in circles; random ones have 1.4


def longest_game(size):
    """The cap on moves of all games that nobody watches: matches, training, elections."""
    return MOVES_PER_POINT * size * size


class IllegalMove(ValueError):
    """The rules in force do not allow this move here."""


class Move(NamedTuple):
    colour: int
    point: int  # or PASS


class Game:
    """A game under some rules, from an empty or set-up board.

    Public and to be read only: ``size``, ``komi``, ``rules``, ``position`` (the board record), ``history`` (the superko
    record), ``moves`` (list of Move), ``stones`` (set-up stones as a list of (colour, point)), ``handicap`` (how many
    of them are handicap stones), ``to_play``.
    """

    def __init__(self, size=9, komi=None, rules=CHINESE):
        """An empty board; ValueError for a size that does not exist."""
        self.position = board.new_position(size)
        self.history = history.new_history(rules.ko, rules.suicide)
        self.rules = rules
        self.komi = rules.komi if komi is None else komi
        self._restart([], 0, BLACK)

    @property
    def size(self):
        return int(self.position.board_size)

    def copy(self):
        """An independent copy, with its whole history."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.position = board.copy(self.position)
        twin.history = self.history.copy()
        twin.moves = list(self.moves)
        twin.stones = list(self.stones)
        return twin

    # Starting

    def _restart(self, stones, handicap, first):
        """Begin again from the given stones; ValueError (and no change) if they leave a chain without a liberty."""
        position = board.new_position(self.size)
        for colour, p in stones:
            if position.colour[p] != EMPTY:
                raise ValueError("two set-up stones stand on each other")
            board.place(position, p, colour)
        if position.empty_count != self.size**2 - len(stones):
            raise ValueError("the set-up stones leave a chain without a liberty")
        board.copy_into(position, self.position)
        self.stones = list(stones)
        self.handicap = handicap
        self.moves = []
        self.first = first
        self._turn = None  # whose turn it is whatever was played; None: the sides alternate
        history.begin(self.position, self.history, first)

    def clear(self):
        """An empty board of the same size, under the same rules and komi."""
        self._restart([], 0, BLACK)

    def resize(self, size):
        """An empty board of another size, under the same rules and komi; ValueError for a size that does not exist."""
        self.position = board.new_position(size)
        self._restart([], 0, BLACK)

    def set_rules(self, rules):
        """Go on under other rules; the komi stays. The moves so far stand, whatever the new rules say of them."""
        self.rules = rules
        self.history.ko_rule = rules.ko
        self.history.suicide = rules.suicide
        self._replay(self.moves)

    def set_up(self, stones, first=None):
        """Start again from the given (colour, point) list; ``first`` moves first (Black if not said).

        ValueError, and no change, if the stones leave a chain without a liberty or stand on each other.
        """
        self._restart(stones, 0, first or BLACK)

    def place_handicap(self, points):
        """Start again with black handicap stones on the given points; White moves first."""
        self._restart([(BLACK, p) for p in points], len(points), WHITE)

    # Playing

    @property
    def to_play(self):
        """The colour whose turn it is: the sides alternate, unless ``turned_to`` has said something else."""
        return self._turn or (3 - self.moves[-1].colour if self.moves else self.first)

    def turned_to(self, colour):
        """A copy in which it is the turn of ``colour``, until the next move."""
        twin = self.copy()
        twin._turn = colour
        return twin

    def is_legal(self, colour, p):
        """Whether ``colour`` may play at ``p`` (or pass) now."""
        return bool(history.may_play(self.position, self.history, p, colour))

    def legal_points(self, colour):
        """All points ``colour`` may play at, as an array in board order (pass is not among them)."""
        found = np.empty(self.size**2, np.int64)
        return found[: history.playable_points(self.position, self.history, colour, found)]

    def play(self, colour, p):
        """Make a move; how many enemy stones it takes. IllegalMove, and no change, if the rules do not allow it."""
        if not self.is_legal(colour, p):
            raise IllegalMove("illegal move")
        captured = board.play(self.position, p, colour)
        history.remember(self.position, self.history, colour)
        self._turn = None
        self.moves.append(Move(int(colour), int(p)))
        return int(captured)

    def undo(self, count=1):
        """Take back the last ``count`` moves; ValueError, and no change, if there are not so many."""
        if not 0 <= count <= len(self.moves):
            raise ValueError("cannot undo")
        self._replay(self.moves[: len(self.moves) - count])

    def _replay(self, moves):
        self._restart(self.stones, self.handicap, self.first)
        for colour, p in moves:
            board.play(self.position, p, colour)
            history.remember(self.position, self.history, colour)
        self.moves = list(moves)

    # Ending

    @property
    def passes(self):
        """How many of the last moves were passes."""
        count = 0
        for move in reversed(self.moves):
            if move.point != PASS:
                break
            count += 1
        return count

    @property
    def is_over(self):
        """Whether the last two moves were passes."""
        return self.passes >= 2

    def score(self, dead=(), seki=()):
        """Black's points less White's under the rules in force, komi and handicap compensation included.

        ``dead`` stones are taken off first: prisoners under territory rules, simply gone under area rules. Under
        territory rules the eyes of stones in ``seki`` count for nobody.
        """
        if self.rules.scoring == AREA:
            points = scoring.area_score(scoring.without(self.position, dead))
        else:
            points = scoring.territory_score(self.position, dead, seki)
        return points - self.komi - self.rules.handicap_compensation(self.handicap)


def result_text(score):
    """``B+3.5``, ``W+0.5`` or ``0`` from a score as ``Game.score`` gives it."""
    if score == 0:
        return "0"
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"
