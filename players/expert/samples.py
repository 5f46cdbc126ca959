"""Positions to learn from, many of them in a few arrays: what a position looked like, and what the search found there."""

from typing import NamedTuple

import numpy as np

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE, PASS, board_points, cells
from players.expert.features import OFF_BOARD
from players.training.checkpoint import require_sound

_SHARES = 65535  # a share of 1 as a number of 16 bits


class Samples(NamedTuple):
    """Some positions, one after the other. Everything is seen by the side to move."""

    bits: np.ndarray  # uint32: features of the points, as ``features.see`` gives them, row by row
    shares: np.ndarray  # uint16: of the visits that the points had, that of a pass behind them
    owner: np.ndarray  # int8, by point: 1 if the mover had it at the end of the game, -1 the other, 0 neither
    size: np.ndarray  # uint8, by position: of the board
    komi: np.ndarray  # float32: what the mover had to win by
    win: np.ndarray  # float32: 1 if the mover won, or how likely the search thought that, or both mixed
    iteration: np.ndarray  # int32: in which it was found

    @property
    def positions(self):
        """How many there are."""
        return len(self.size)

    @property
    def starts(self):
        """Where the points of each position begin."""
        return np.concatenate([[0], np.cumsum(self.size.astype(np.int64) ** 2)])

    def since(self, iteration):
        """The Samples that were found in ``iteration`` or later; they stand in this order."""
        first = int(np.searchsorted(self.iteration, iteration))
        start = int(self.starts[first])
        return Samples(
            self.bits[start:], self.shares[start + first :], self.owner[start:], *(part[first:] for part in self[3:])
        )


TYPES = Samples(np.uint32, np.uint16, np.int8, np.uint8, np.float32, np.float32, np.int32)


def no_samples():
    """Samples without any position."""
    return Samples(*(np.zeros(0, kind) for kind in TYPES))


def joined(many):
    """Several Samples as one."""
    return Samples(*(np.concatenate(parts) for parts in zip(*many))) if many else no_samples()


def sample(bits, visits, owner, size, komi, win, iteration):
    """The Samples of one position; ``bits``, ``visits`` (a pass at PASS) and ``owner`` are by cell."""
    points = board_points(size)
    shares = np.append(visits[points], visits[PASS])
    shares = np.rint(shares * (_SHARES / max(shares.sum(), 1)))
    fields = (bits[points], shares, owner[points], [size], [komi], [win], [iteration])
    return Samples(*(np.asarray(field).astype(kind) for field, kind in zip(fields, TYPES)))


class Album:
    """Samples that can be looked up by number."""

    def __init__(self, samples):
        self._samples, self._starts = samples, samples.starts

    def put(self, number, sight, target):
        """Write a position to ``sight.bits`` and what should be said of it to ``target``; (board size, komi)."""
        samples, start = self._samples, int(self._starts[number])
        size = int(samples.size[number])
        points, end = board_points(size), start + size * size
        sight.bits[: cells(size)] = OFF_BOARD
        sight.bits[points] = samples.bits[start:end]
        shares = samples.shares[start + number : end + number + 1].astype(float)
        shares /= max(shares.sum(), 1)
        target.policy[points], target.policy[PASS] = shares[:-1], shares[-1]
        target.owner[points] = (1 + samples.owner[start:end].astype(float)) / 2
        target.win = samples.win[number]
        return size, float(samples.komi[number])


def check(found):
    """ValueError unless Samples, whose fields are arrays of the right kinds, are positions of boards that there are."""
    require_sound(((found.size >= MIN_SIZE) & (found.size <= MAX_SIZE)).all(), "a position has a board of no size")
    points, count = int(found.starts[-1]), found.positions
    lengths = [len(field) for field in found]
    require_sound(lengths == [points, points + count, points, *[count] * 4], "positions are not as long as they say")
    require_sound((found.bits & OFF_BOARD == 0).all(), "a point of a position is not on the board")
    require_sound((np.abs(found.owner) <= 1).all(), "an owner of a point is none")
    require_sound((np.abs(found.komi) <= limits.KOMI).all(), "the komi of a position is no number")
    require_sound(((found.win >= 0) & (found.win <= 1)).all(), "a chance to win is none")
    require_sound((np.diff(found.iteration) >= 0).all(), "positions are not in order")
