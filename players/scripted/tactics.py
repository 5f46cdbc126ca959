"""What the scripted opponents see in a position before they choose: small questions about chains, as kernels."""

import numpy as np

from engine.go.board import (
    EDGE,
    EMPTY,
    MOST_CELLS,
    PASS,
    empty_neighbours,
    in_atari,
    is_single,
    is_surrounded,
    liberties_after,
    packed_liberty,
)
from engine.go.history import may_play
from engine.go.rng import below
from engine.kernels import kernel
from engine.stack import array_on_stack

_ONE = np.uint64(1)  # hot kernels count points in uint64: numba then need not look for negative indices


@kernel
def is_small_eye(position, p, colour):
    """Whether ``p`` is a finished single-point eye of ``colour``.

    All neighbours are its own, and of the diagonal points at most one is not (none at the edge). ``board.is_eye`` is
    content when the diagonal points are not the enemy's.
    """
    if not is_surrounded(position, p, colour):
        return False
    stride = position.stride
    foreign = 0
    edges = 0
    for q in (p - stride - 1, p - stride + 1, p + stride - 1, p + stride + 1):
        if position.colour[q] == EDGE:
            edges = 1
        elif position.colour[q] != colour:
            foreign += 1
    return foreign + edges < 2


@kernel
def leaves_atari(position, p, colour):
    """Whether a stone of ``colour`` at the empty point ``p`` would stand in a chain with fewer than two liberties.

    The packed pseudo-liberties of the chains that would join add up to those of the new chain, so that nothing is
    walked along unless stones are captured.
    """
    if empty_neighbours(position, p) >= 2:
        return False
    p = np.uint64(p)
    stride = np.uint64(position.stride)
    here = packed_liberty(p)
    total = np.int64(0)
    captures = False
    one, two, three = np.uint64(0), np.uint64(0), np.uint64(0)  # the chains joined so far
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        stone = position.colour[q]
        if stone == EMPTY:
            total += packed_liberty(q)
        elif stone == colour:
            name = np.uint64(position.chain[q])
            total -= here
            if name != one and name != two and name != three:
                total += position.liberties[name]
                one, two, three = name, one, two
        elif stone != EDGE and in_atari(position, q):
            total += packed_liberty(q)
            captures = True
    if total == 0:
        return True
    if not is_single(total):
        return False
    return not captures or liberties_after(position, p, colour, np.int64(2)) < 2


@kernel
def choose_allowed(position, history, colour, points, count, rng):
    """One of the first ``count`` points, uniformly among those that may be played; PASS if none may.

    The costly test of superko is made for the drawn points alone. Uses up ``points``.
    """
    while count > 0:
        index = below(rng, count)
        p = points[index]
        if may_play(position, history, p, colour):
            return p
        count -= 1
        points[index] = points[count]
    return np.int64(PASS)


@kernel
def choose_best(position, history, colour, scores, rng):
    """A point of the highest positive score (int64 by cell) among those that may be played, ties at random; else PASS.

    Uses up ``scores``.
    """
    ties = array_on_stack(MOST_CELLS, np.int64)
    while True:  # once as a rule; again if superko forbids all of the best points
        best = np.int64(0)
        count = np.int64(0)
        for i in range(position.empty_count):
            p = np.int64(position.empties[i])
            if scores[p] > best:
                best = scores[p]
                count = 0
            if best and scores[p] == best:
                ties[count] = p
                count += 1
        if best == 0:
            return np.int64(PASS)
        for i in range(count):
            scores[ties[i]] = 0
        p = choose_allowed(position, history, colour, ties, count, rng)
        if p != PASS:
            return p


@kernel
def is_near_stone(position, p):
    """Whether a stone stands on one of the eight points around ``p``."""
    p = np.uint64(p)
    stride = np.uint64(position.stride)
    names = np.uint16(0)
    for row in (p - stride, p, p + stride):
        names |= position.chain[row - _ONE] | position.chain[row] | position.chain[row + _ONE]
    return names != 0
