"""Which stones are dead, and which live in seki, when a game is counted.

Random games save many a stone in a large territory that nobody would try to save, and break a seki now and then. So
playouts decide only where they are sure, and the rest is read out:

    1. Many playouts say who owns what. Chains that they give to one side clearly are judged by that.
    2. The chains left in doubt lie in parts of the board that belong together. Each part is read out (``reading``) with
       either side to begin, and its chains are judged together.
    3. Where a chain comes close to the line between life and death, the part is read again and again, with more games.
    4. Where stones of both sides would be dead in one part, the weaker ones come off and the others are asked again:
       somebody must have taken them.

When both sides have passed, a chain that can live only if its owner moves first is dead: its owner has given it up.
Against GNU Go's verdicts on its own games, see ``tests/engine/go/test_death.py``.
"""

from typing import NamedTuple

import numpy as np

from engine.go import board, scoring
from engine.go.board import BLACK, EMPTY, WHITE
from engine.go.reading import read
from engine.go.rng import new_stream

PLAYOUTS = 1000  # the error of a mean of so many is 0.03
SURE = 0.6  # chains that playouts give to one side more clearly than this need no reading
OPEN = 0.9  # empty points that playouts give to one side less clearly than this are played on in reading

# Below how much of its points left to its owner a chain is dead. Half of the games that are read begin with the other
# side, so that a chain about which only the first move decides stands in the middle.
PASSED_LINE = 0.22  # both have passed
OPEN_LINE = scoring.DEAD_BELOW  # the game still goes on: whatever is not plainly dead may live

SIMULATIONS = 1000  # games of a first reading, for either side that begins …
FIRST_WORK = 200_000  # … or more if all parts are small: as many as points times games make this
SECOND_SIMULATIONS = 4000  # games of each further reading, and the most of a first
READINGS = 3  # further readings: one search may stick to a wrong move, the mean of several seldom does
CLOSE = 0.15  # a chain as near to the line as this is worth the second one
WORK = 2_400_000  # points times games that all readings together may take: some 0.7 s

IN_SEKI = 0.5  # an empty point that is left in more games than this is one that nobody can fill


class Verdict(NamedTuple):
    """What a position comes to: two lists of points, sorted."""

    dead: list
    seki: list  # stones that live in seki


class Part(NamedTuple):
    """A part of the board with chains in doubt."""

    mask: np.ndarray  # uint8 by cell: where to play
    chains: list


def verdict(position, passed=True):
    """The Verdict on a position, the same whenever it is asked for; ``passed``: whether both sides have passed."""
    return _Judge(position, PASSED_LINE if passed else OPEN_LINE).verdict()


def warm_up():
    """Compile all that a verdict may need, by one that is cheap: two stones on a small board, both in doubt."""
    position = board.new_position(4)
    for colour, p in ((BLACK, board.point(4, 1, 1)), (WHITE, board.point(4, 2, 2))):
        board.place(position, p, colour)
    verdict(position)


class _Judge:
    """One verdict in the making. Chains go by the name that the position gives them."""

    def __init__(self, position, line):
        self._position = position
        self._line = line
        self._size = int(position.board_size)
        self._cells = board.cells(self._size)
        self._colour = np.array(position.colour[: self._cells])
        self._work = WORK
        self._chains = {}
        for p in map(int, board.board_points(self._size)):
            if self._colour[p] != EMPTY:
                self._chains.setdefault(int(position.chain[p]), []).append(p)

    def verdict(self):
        owner, neutral = scoring.expectations(self._position, PLAYOUTS)
        values = {chain: self._value(chain, owner) for chain in self._chains}
        stuck = self._beside(neutral > 1 - SURE)
        weak = [chain for chain in self._chains if values[chain] < SURE or chain in stuck]
        parts = self._parts(weak, [chain for chain in weak if values[chain] > -SURE or chain in stuck], owner)
        read = {chain for part in parts for chain in part.chains}
        dead = [chain for chain in weak if chain not in read]
        neutral = np.zeros(self._cells)
        for part, (owner, left) in zip(parts, self._read_all(self._position, parts)):
            dead += self._dead_in(part, owner)
            neutral += left
        return Verdict(self._points(dead), self._points(self._beside(neutral > IN_SEKI) - set(dead)))

    def _value(self, chain, owner):
        """How much of a chain's points its owner keeps: +1 all, -1 nothing."""
        share = float(owner[self._chains[chain]].mean())
        return share if self._colour[chain] == BLACK else -share

    def _points(self, chains):
        return sorted(p for chain in chains for p in self._chains[chain])

    def _parts(self, weak, doubtful, owner):
        """The parts of the board in which ``doubtful`` chains lie, with all ``weak`` chains in them, as a list."""
        stride = self._size + 1
        steps = (-stride, -1, 1, stride)
        empty = self._colour == EMPTY
        core = empty & (np.abs(owner) < OPEN)
        core[self._points(weak)] = True
        field = core.copy()
        for step in steps:
            field |= np.roll(core, step) & empty
        parts, seen = [], np.zeros(self._cells, bool)
        for chain in doubtful:
            if seen[chain]:
                continue
            mask, todo = np.zeros(self._cells, np.uint8), [chain]
            mask[chain] = 1
            while todo:
                p = todo.pop()
                for q in (p + step for step in steps):
                    if field[q] and not mask[q]:
                        mask[q] = 1
                        todo.append(q)
            seen |= mask > 0
            parts.append(Part(mask, [other for other in weak if mask[other]]))
        return parts

    def _read_all(self, position, parts):
        """For each of the parts who owns what in the end and how often each point stays neutral, as a list of pairs."""
        readings = []
        for part in parts:
            games = max(FIRST_WORK // len(parts) // int(part.mask.sum()), SIMULATIONS)
            readings.append(self._read(position, part, min(games, SECOND_SIMULATIONS), 0))
        close = [i for i, part in enumerate(parts) if self._is_close(part, readings[i][0])]
        for left, i in zip(range(len(close), 0, -1), close):
            games = self._work // left // (READINGS * 2 * int(parts[i].mask.sum()))
            if games >= SIMULATIONS // 2:
                games = min(games, SECOND_SIMULATIONS)
                again = [self._read(position, parts[i], games, number + 1) for number in range(READINGS)]
                readings[i] = tuple(np.mean(of_all, axis=0) for of_all in zip(readings[i], *again))
        return readings

    def _is_close(self, part, owner):
        return any(abs(self._value(chain, owner) - self._line) < CLOSE for chain in part.chains)

    def _read(self, position, part, simulations, number):
        safe = np.empty(self._cells, np.int8)
        scoring.safe_territory(position, safe)
        owner, neutral, games = np.zeros(self._cells), np.zeros(self._cells), 0
        scratch = board.new_position(self._size)
        for first in (BLACK, WHITE):
            rng = new_stream(int(position.hash), first, number)
            games += read(position, scratch, first, part.mask, safe, simulations, rng, owner, neutral)
        self._work -= 2 * simulations * int(part.mask.sum())
        return owner / games, neutral / games * part.mask

    def _dead_in(self, part, owner):
        """The dead chains of a part that has been read."""
        values = {chain: self._value(chain, owner) for chain in part.chains}
        dead = [chain for chain in part.chains if values[chain] < self._line]
        weaker = min(dead, key=values.get, default=None)
        if weaker is None:
            return []
        taken = [chain for chain in dead if self._colour[chain] == self._colour[weaker]]
        others = [chain for chain in dead if chain not in taken]
        if others:
            bare = scoring.without(self._position, self._points(taken))
            [(owner, _)] = self._read_all(bare, [Part(part.mask, others)])
            others = [chain for chain in others if self._value(chain, owner) < self._line]
        return taken + others

    def _beside(self, points):
        """The chains beside the empty points of a mask by cell, as a set."""
        stride = self._size + 1
        points = np.flatnonzero(points & (self._colour == EMPTY))
        touched = {int(self._position.chain[q]) for p in points for q in (p - stride, p - 1, p + 1, p + stride)}
        return touched & self._chains.keys()
