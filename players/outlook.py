"""What a position still has to offer one side: the facts from which manners decide whether to move, where, or to pass.

Cheap facts come from one look at the board: which points are legal, which fill an eye, capture, rescue or lose stones,
and what is unconditionally settled. Dear facts come from playouts: who will own what, which stones are dead, what the
game is worth if it ended now. Every fact is worked out when it is first asked for, the dear ones within the budget of the
move: with less time there are fewer playouts, with none left a handful, and moves are no longer compared.
"""

import time
from functools import cached_property

import numpy as np

from engine.contest.player import Budget
from engine.go import board, scoring
from engine.go.board import BLACK, EMPTY, PASS
from engine.go.history import may_play
from engine.go.rules import AREA, TERRITORY
from engine.kernels import kernel

# What ``survey`` notes about a move.
LEGAL = 1
EYE = 2  # it would fill an own eye; all neighbours are friends then, so that it never captures anything
CAPTURES = 4
RESCUES = 8  # a friend in atari gets a second liberty
ATARI = 16  # it takes nothing and leaves itself one liberty
BLUNDER = 32  # as ATARI, but no throw-in and no shape that kills inside an eye
SUICIDE = 64

# Ownership is +1 when every playout gives a point to one side, -1 when every one gives it to the other.
SETTLED = 0.8  # a point is as good as owned when nine of ten playouts say so
DOUBTFUL = 0.25  # a point inside a territory is in doubt below this; playouts leak into large ones nobody would invade

# The end of the game is near when this part of the board is stones and few empty points touch both colours. Before
# that, playouts are neither reliable nor needed.
LATE_STONES = 0.4
OPEN_SHARE = 0.25  # the game is open while more than this part of the board is undecided

PATIENCE = 3  # an opponent that passes so often while we invade is to be believed; then only doubts are worth a move

FEWEST_SAFE = 3  # stones on the board before anything can live for ever: on 3×3 the middle row does

HARMFUL = 4.0  # points by which a move must worsen the expected score to be refused: less is noise of the playouts
MOVE_PLAYOUTS = 50  # to compare moves: half a point of error on a board that is nearly settled
COMPARED_MOVES = 8  # how many moves playouts compare: about the time of two judgements
OWNER_SHARE = 0.3  # of the time that is left is for judging the position, the rest for comparing moves …
MOVE_SHARE = 0.1  # … each of which gets so much of what is left then
FEWEST_PLAYOUTS = 25  # even with no time left: a millisecond on 9×9, ten on 19×19
FIRST_PACE = 1e-6  # seconds of a playout for each point of the board, before any were timed: slow, so that none is late

_pace = {}  # by size of the board: seconds of a playout, as last timed


@kernel
def survey(position, history, colour, safe, notes):
    """Write to ``notes`` (uint8 by cell) what a move of ``colour`` at each point would do; 0 where it is not legal."""
    size, stride = position.board_size, position.stride
    enemy = 3 - colour
    for p in range(board.cells(size)):
        notes[p] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if not may_play(position, history, p, colour):
                continue
            note = LEGAL
            friend_in_atari = False
            for q in (p - stride, p - 1, p + 1, p + stride):
                if position.colour[q] == colour:
                    friend_in_atari = friend_in_atari or board.in_atari(position, q)
                elif position.colour[q] == enemy and board.in_atari(position, q):
                    note |= CAPTURES
            liberties = board.liberties_after(position, p, colour, 2)
            if friend_in_atari and liberties == 2:
                note |= RESCUES
            if board.is_eye(position, p, colour):
                note |= EYE
            if liberties < 2 and not note & CAPTURES:
                note |= ATARI
                if liberties == 0:
                    note |= SUICIDE | BLUNDER
                elif scoring.throws_away(position, p, colour, safe):
                    note |= BLUNDER
            notes[p] = note


class Outlook:
    """One position seen by ``colour``. ``all_alive`` says that every stone on the board counts in the end.

    Arrays go by cell of the padded board; numbers are signed so that more is better for ``colour``.
    """

    def __init__(self, game, colour, all_alive, budget=None):
        self.game = game
        self.colour = colour
        self.all_alive = all_alive
        self._position = game.position
        self._cells = board.cells(game.size)
        self._sign = 1 if colour == BLACK else -1
        self._gains = {}
        self._budget = budget or Budget()

    # From one look at the board

    @cached_property
    def notes(self):
        """What a move at each point would do: the flags of this module."""
        notes = np.empty(self._cells, np.uint8)
        survey(self._position, self.game.history, self.colour, self._safe, notes)
        return notes

    @cached_property
    def _safe(self):
        """Whose each point is by unconditional life."""
        owner = np.zeros(self._cells, np.int8)
        if self.game.size**2 - self._position.empty_count >= FEWEST_SAFE:
            scoring.safe_territory(self._position, owner)
        return owner

    @cached_property
    def _settled(self):
        """Where unconditional life has decided."""
        return self._safe != EMPTY

    @cached_property
    def sensible(self):
        """Mask of legal moves that fill no eye, throw no stones away and are not inside what is settled for ever."""
        return (self.notes & (LEGAL | EYE | BLUNDER) == LEGAL) & ~self._settled

    def suits(self, p):
        """Whether nothing is plainly wrong with a move at ``p``: legal, no suicide, no eye, nothing settled there."""
        return self.notes[p] & (LEGAL | EYE | SUICIDE) == LEGAL and not self._settled[p]

    @cached_property
    def _surrounded(self):
        """The colour that alone surrounds each empty point as the board stands."""
        return _surrounded(self._position)

    def is_late_for(self, p):
        """Whether a move at ``p`` must show its use.

        So it is when the board is nearly full: few empty points touch both colours and are not settled. And under
        territory rules in what looks like one's own territory.
        """
        return self._is_late or self.game.rules.scoring == TERRITORY and self._surrounded[p] == self.colour

    @property
    def may_be_late(self):
        """Whether there are moves that must show their use."""
        return self._is_late or self.game.rules.scoring == TERRITORY

    @cached_property
    def _is_late(self):
        points = self.game.size**2
        if points - self._position.empty_count < LATE_STONES * points:
            return False
        neutral = (self._position.colour[: self._cells] == EMPTY) & (self._surrounded == EMPTY) & ~self._settled
        return np.count_nonzero(neutral) <= self.game.size

    # From playouts

    def _ownership(self, position, playouts, share):
        """The ownership by so many playouts, or as many as there is time for in a ``share`` of what is left."""
        size, left = self.game.size, self._budget.left
        if left is not None:
            affordable = int(share * left / _pace.get(size, FIRST_PACE * size * size))
            playouts = min(playouts, max(FEWEST_PLAYOUTS, affordable))
        began = time.monotonic()
        owner = scoring.ownership(position, playouts)
        _pace[size] = (time.monotonic() - began) / playouts
        return self._sign * owner

    @cached_property
    def owner(self):
        """How much each point will be ours: +1 for certain, -1 the enemy's."""
        return self._ownership(self._position, scoring.OWNERSHIP_PLAYOUTS, OWNER_SHARE)

    @cached_property
    def _dead(self):
        """Points of the dead stones of both colours."""
        return np.array(scoring.dead_stones(self._position, self._sign * self.owner), np.int64)

    @cached_property
    def dead_enemies(self):
        """Points of dead enemy stones."""
        return self._dead[self._position.colour[self._dead] == 3 - self.colour]

    @cached_property
    def score(self):
        """By how much we are ahead if the game ends now."""
        return self._sign * self.game.score(() if self.all_alive else self._dead)

    @cached_property
    def is_open(self):
        """Whether so much is undecided that counting now means little, as in the opening."""
        return np.count_nonzero(self._undecided) > OPEN_SHARE * self.game.size**2

    @cached_property
    def _undecided(self):
        """Mask of the empty points that are in doubt, or that nobody surrounds and nobody is sure to get."""
        doubt = np.abs(self.owner)
        undecided = (doubt < DOUBTFUL) | (self._territory == EMPTY) & (doubt < SETTLED)
        return undecided & (self._position.colour[: self._cells] == EMPTY)

    @cached_property
    def _territory(self):
        """The colour that alone surrounds each point once the dead stones are gone."""
        return _surrounded(scoring.without(self._position, self._dead))

    @cached_property
    def useful(self):
        """Mask of the moves that may still change the result for the better.

        What is undecided; under area scoring also points that nobody surrounds though only we can take them. Whoever
        is behind tries the enemy's territory too: wherever it is not settled for ever if all stones count, else where
        it is not certain and for as long as the enemy answers. If all stones count, dead ones must be taken. Own
        territory is left alone: a stone there gains nothing.
        """
        useful = self._undecided.copy()
        if self.game.rules.scoring == AREA:
            useful |= (self._territory == EMPTY) & (self.owner > 0)
        if self.score < 0 and self.all_alive:
            useful |= self.owner < 0
        elif self.score < 0 and self._enemy_passes < PATIENCE:
            useful |= (self.owner < 0) & (self.owner > -SETTLED)
        useful &= self.sensible & (self.notes & ATARI == 0)
        if self.all_alive:
            useful[self.hunting_moves] = True
        return useful

    @property
    def _enemy_passes(self):
        """How many of the enemy's last moves were passes."""
        points = [p for mover, p in self.game.moves if mover != self.colour]
        return next((count for count, p in enumerate(reversed(points)) if p != PASS), len(points))

    def serves(self, p):
        """Whether a move at ``p`` that a player wants is worth playing when it must show its use."""
        if self.useful[p]:
            return True
        if not self.sensible[p] or abs(self.owner[p]) >= SETTLED:
            return False
        if self.game.rules.scoring == TERRITORY and self._territory[p] == self.colour:
            return self._protects(p)
        return self._gain(p) > -HARMFUL

    def _protects(self, p):
        """Whether a move inside own territory may be worth the point it costs: it rescues a chain or closes a cut."""
        stride = self.game.size + 1
        around = [q for q in (p - stride, p - 1, p + 1, p + stride) if self._position.colour[q] == self.colour]
        return bool(self.notes[p] & RESCUES) or len({int(self._position.chain[q]) for q in around}) > 1

    @cached_property
    def hunting_moves(self):
        """Moves that bring the capture of dead enemy stones nearer, only the best kind there is, as a list of points.

        To take them at once; to fill a liberty safely; to throw a stone in or to come closer from outside.
        """
        liberties, approaches = set(), set()
        stride = self.game.size + 1
        steps = (-stride, -1, 1, stride)
        for stone in map(int, self.dead_enemies):
            liberties.update(stone + step for step in steps)
        liberties = {p for p in liberties if self._position.colour[p] == EMPTY}
        for p in liberties:
            approaches.update(p + step for step in steps)
        allowed = self.notes & (LEGAL | EYE | BLUNDER) == LEGAL
        moves = [p for p in sorted(liberties) if allowed[p]]
        for kind in (
            [p for p in moves if self.notes[p] & CAPTURES],
            [p for p in moves if not self.notes[p] & ATARI],
            moves + [p for p in sorted(approaches - liberties) if self.sensible[p] and not self.notes[p] & ATARI],
        ):
            inside = [p for p in kind if self._settled[p]]
            outside = [p for p in kind if not self._settled[p]][:COMPARED_MOVES]
            kind = inside + [p for p in outside if self._gain(p) > -HARMFUL]
            if kind:
                return kind
        return []

    # Comparing moves

    def _gain(self, p):
        """By how many points a move at ``p`` is expected to better the score; with no time left, nobody knows: by none."""
        p = int(p)
        if p not in self._gains:
            if self._budget.left == 0.0:
                return 0.0
            after = board.copy(self._position)
            board.place(after, p, self.colour)
            self._gains[p] = float(self._ownership(after, MOVE_PLAYOUTS, MOVE_SHARE).sum() - self.owner.sum())
        return self._gains[p]

    def best(self, moves):
        """The best of the given points: those that capture or rescue, then those most in doubt, compared by playouts.

        PASS if there are none, or if all of them do harm.
        """
        moves = np.asarray(moves, np.int64)
        calm = self.notes[moves] & (CAPTURES | RESCUES) == 0
        order = np.lexsort((np.abs(self.owner[moves]), calm))
        choice = int(max(moves[order[:COMPARED_MOVES]], key=self._gain, default=PASS))
        return choice if choice != PASS and self._gain(choice) > -HARMFUL else PASS


def _surrounded(position):
    owner = np.empty(board.cells(int(position.board_size)), np.int8)
    scoring.mark_territory(position, owner)
    return owner
