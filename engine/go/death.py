"""Which stones are dead, and which live in seki, when a game is counted.

Random games save many a stone in a large territory that nobody would try to save, and break a seki now and then. So
playouts decide only where they are sure, and the rest is read out:

    1. Many playouts say who owns what. Chains that they give to one side clearly are judged by that.
    2. The chains left in doubt lie in parts of the board that belong together. Each part is read out (``reading``) with
       either side to begin, and its chains are judged together.
    3. Where a chain comes close to the line between life and death, the part is read again and again, with more games.
    4. Where stones of both sides would be dead in one part, the weaker ones come off and the others are asked again:
       somebody must have taken them.
    5. A part as large as half a small board is more than reading sees through. If a player that searches is at hand, it
       is asked about the chains in doubt there: would their owner win a game of which just their life decides? In parts
       that are not quite so large it must be clear about that to be believed.

When both sides have passed, a chain that can live only if its owner moves first is dead: its owner has given it up.
Against GNU Go's verdicts on its own games, see ``tests/engine/go/test_death.py``.
"""

from typing import NamedTuple

import numpy as np

from engine.go import board, scoring
from engine.go.board import BLACK, EMPTY, WHITE
from engine.go.reading import BOTH, read
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

ASKED = 30  # points of a part about which a player is asked
LARGE = 60  # points of a part from which on it is right more often than reading, in all of 276 games
FORESEEN, FORESEEN_IN_LARGE = 0.3, 0.45  # it is asked about chains that were read to be as near to the line as this …
CLEAR, CLEAR_IN_LARGE = 0.1, 0.0  # … and overrules reading with a chance that is as far from even as this
ALIKE = 0.04  # chains that are as much stronger than the largest of these do not fall with it
FEWEST_POINTS = 6  # at stake: fewer cannot be told from what the first move gains anywhere else

IN_SEKI = 0.5  # an empty point that is left in more games than this is one that nobody can fill


class Verdict(NamedTuple):
    """What a position comes to: two lists of points, sorted."""

    dead: list
    seki: list  # stones that live in seki


class Part(NamedTuple):
    """A part of the board with chains in doubt."""

    mask: np.ndarray  # uint8 by cell: where to play, see ``reading``
    chains: list

    @property
    def points(self):
        return int(np.count_nonzero(self.mask))


def verdict(position, passed=True, foresee=None):
    """The Verdict on a position, the same whenever it is asked for; ``passed``: whether both sides have passed.

    ``foresee(position, komi, first)`` is a player's opinion: the share of games that Black wins by area if ``first`` begins.
    """
    return _Judge(position, PASSED_LINE if passed else OPEN_LINE, foresee).verdict()


def warm_up():
    """Compile all that a verdict may need, by one that is cheap: two stones on a small board, both in doubt."""
    position = board.new_position(4)
    for colour, p in ((BLACK, board.point(4, 1, 1)), (WHITE, board.point(4, 2, 2))):
        board.place(position, p, colour)
    verdict(position)


class _Judge:
    """One verdict in the making. Chains go by the name that the position gives them."""

    def __init__(self, position, line, foresee):
        self._position = position
        self._line = line
        self._foresee = foresee
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
        readings = self._read_all(self._position, parts)
        found = [self._dead_in(part, owner) for part, (owner, _) in zip(parts, readings)]
        for i in sorted(range(len(parts)), key=lambda i: -parts[i].points):
            if self._foresee is not None and parts[i].points >= ASKED:
                elsewhere = sum(found[:i] + found[i + 1 :], dead)
                found[i] = self._foreseen(parts[i], readings[i][0], found[i], elsewhere)
        dead = sum(found, dead)
        neutral = sum((left for _, left in readings), np.zeros(self._cells))
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
            mask[chain] = BOTH
            while todo:
                p = todo.pop()
                for q in (p + step for step in steps):
                    if field[q] and not mask[q]:
                        mask[q] = BOTH
                        todo.append(q)
            seen |= mask > 0
            self._close(mask, owner)
            parts.append(Part(mask, [other for other in weak if mask[other]]))
        return parts

    def _close(self, mask, owner):
        """Let nobody but their owner play beside the empty points that a mask ends at: from there stones could not be taken."""
        stride = self._size + 1
        for p in np.flatnonzero((mask == BOTH) & (self._colour == EMPTY)):
            beyond = [q for q in (p - stride, p - 1, p + 1, p + stride) if self._colour[q] == EMPTY and not mask[q]]
            if beyond and all(owner[q] > 0 for q in beyond):
                mask[p] = BOTH + BLACK
            elif beyond and all(owner[q] < 0 for q in beyond):
                mask[p] = BOTH + WHITE

    def _read_all(self, position, parts):
        """For each of the parts who owns what in the end and how often each point stays neutral, as a list of pairs."""
        readings = []
        for part in parts:
            games = max(FIRST_WORK // len(parts) // part.points, SIMULATIONS)
            readings.append(self._read(position, part, min(games, SECOND_SIMULATIONS), 0))
        close = [i for i, part in enumerate(parts) if self._is_close(part, readings[i][0])]
        for left, i in zip(range(len(close), 0, -1), close):
            games = self._work // left // (READINGS * 2 * parts[i].points)
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
        self._work -= 2 * simulations * part.points
        return owner / games, neutral / games * (part.mask > 0)

    def _dead_in(self, part, owner):
        """The dead chains of a part that has been read."""
        values = {chain: self._value(chain, owner) for chain in part.chains}
        dead = [chain for chain in part.chains if values[chain] < self._line]
        weaker = min(dead, key=values.get, default=None)
        if weaker is None:
            return []
        return self._with_taken(part, dead, [chain for chain in dead if self._colour[chain] == self._colour[weaker]])

    def _with_taken(self, part, dead, taken):
        """``taken`` chains, and those of ``dead`` that are so even when the former have been taken off."""
        others = [chain for chain in dead if self._colour[chain] != self._colour[taken[0]]]
        if others:
            bare = scoring.without(self._position, self._points(taken))
            [(owner, _)] = self._read_all(bare, [Part(part.mask, others)])
            others = [chain for chain in others if self._value(chain, owner) < self._line]
        return taken + others

    def _foreseen(self, part, owner, dead, elsewhere):
        """The dead chains of a part when the player has been asked about those in doubt; ``dead`` by reading."""
        foreseen, clear = (FORESEEN_IN_LARGE, CLEAR_IN_LARGE) if part.points >= LARGE else (FORESEEN, CLEAR)
        near = [chain for chain in part.chains if abs(self._value(chain, owner) - self._line) < foreseen]
        falling = {}  # by chance to live: what dies with the chains in doubt
        for colour in (BLACK, WHITE):
            own_dead, enemy_dead = ([c for c in dead if (self._colour[c] == colour) == own] for own in (True, False))
            doubtful = [c for c in near if self._colour[c] == colour and c not in dead]
            doubtful = self._falling_together(doubtful, owner)
            saved = [] if doubtful else [c for c in near if c in own_dead]
            if not doubtful and not saved:
                continue
            kept = [c for c in own_dead if c not in saved] + enemy_dead
            lost = own_dead + doubtful
            chance = self._chance(colour, elsewhere, kept, lost)
            if chance is not None and chance < 0.5 - clear:
                falling[chance] = lost
            elif chance is not None and chance >= 0.5 + clear:
                dead = [c for c in dead if c not in saved]
        if not falling or max(falling) - min(falling) < CLEAR and len(falling) > 1:  # whoever begins takes the other
            return dead
        return self._with_taken(part, dead, falling[min(falling)])

    def _falling_together(self, chains, owner):
        """The largest of some chains and all that are not stronger."""
        largest = max(chains, key=lambda chain: len(self._chains[chain]), default=None)
        return [chain for chain in chains if self._value(chain, owner) < self._value(largest, owner) + ALIKE]

    def _chance(self, colour, elsewhere, kept, lost):
        """The player's chance that ``colour`` lives when the other side begins, or None if too little depends on it.

        Either way the dead ``elsewhere`` are off the board; then ``kept`` chains are dead if it lives, else ``lost`` ones. The
        komi lies between what the two come to.
        """
        position = scoring.without(self._position, self._points(elsewhere))
        lives, dies = (scoring.area_score(scoring.without(position, self._points(c))) for c in (kept, lost))
        if abs(lives - dies) < FEWEST_POINTS:
            return None
        chance = self._foresee(position, (lives + dies) // 2 + 0.5, 3 - colour)
        return chance if colour == BLACK else 1 - chance

    def _beside(self, points):
        """The chains beside the empty points of a mask by cell, as a set."""
        stride = self._size + 1
        points = np.flatnonzero(points & (self._colour == EMPTY))
        touched = {int(self._position.chain[q]) for p in points for q in (p - stride, p - 1, p + 1, p + stride)}
        return touched & self._chains.keys()
