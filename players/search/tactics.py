"""What a move does to liberties and how far it is from another, without walking along chains where that can be spared."""

import numpy as np

from engine.go.board import EDGE, EMPTY, cells, in_atari, is_single, packed_liberty
from engine.kernels import kernel

_ONE = np.uint64(1)  # as in engine.go.board
FAR = 9  # no distance is told beyond this
THREE = np.int64(3)  # liberties that are counted to tell whether there are two, in numpy's type: see ``policy``


@kernel
def liberties_joined(position, p, colour):
    """The packed pseudo-liberties of the chain that a stone of ``colour`` at ``p`` would belong to.

    Packed as in ``engine.go.board``; what it captures is left out of account.
    """
    stride = np.uint64(position.stride)
    p = np.uint64(p)
    here = packed_liberty(p)
    total = np.int64(0)
    one = two = three = np.uint64(0)  # chains met already: each counts once
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):  # without a branch, which could not be predicted
        there = position.colour[q]
        is_own = there == colour
        name = np.uint64(position.chain[q]) if is_own else np.uint64(0)
        is_new = is_own & (name != one) & (name != two) & (name != three)
        one, two, three = name, one, two
        total += packed_liberty(q) * (there == EMPTY)
        total -= here * is_own  # every friend beside it has had a liberty there
        total += position.liberties[name] * is_new
    return total


@kernel
def captures(position, p, colour):
    """How many enemy stones a move of ``colour`` at ``p`` takes."""
    stride = position.stride
    p = np.int64(p)
    enemy = 3 - colour
    taken = 0
    one = two = three = np.int64(0)
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == enemy and in_atari(position, q):
            name = np.int64(position.chain[q])
            if name != one and name != two and name != three:
                one, two, three = name, one, two
                taken += np.int64(position.stones[name])
    return taken


@kernel
def self_atari(position, p, colour):
    """How many own stones a move of ``colour`` at ``p`` leaves with one liberty or none; 0 if it does not, or captures."""
    liberties = liberties_joined(position, p, colour)
    if liberties != 0 and not is_single(liberties):
        return 0
    stride = position.stride
    p = np.int64(p)
    stones = 1
    one = two = three = np.int64(0)
    for q in (p - stride, p - 1, p + 1, p + stride):
        there = position.colour[q]
        if there == EMPTY or there == EDGE:
            continue
        name = np.int64(position.chain[q])
        if there != colour:
            if is_single(position.liberties[name]):
                return 0
        elif name != one and name != two and name != three:
            one, two, three = name, one, two
            stones += np.int64(position.stones[name])
    return stones


@kernel
def chain_distances(position, start, far, distance, queue):
    """Write to ``distance`` (by cell) how many steps each point is from ``start``, FAR if more than ``far``.

    A step along stones of one chain costs nothing: what counts is how near things are in a fight.
    """
    n = cells(position.board_size)
    stride = position.stride
    for p in range(n):
        distance[p] = FAR
    count = _reach(position, np.int64(start), 0, distance, queue, 0)
    done = 0
    while done < count:
        p = np.int64(queue[done])
        done += 1
        if distance[p] < far:
            for q in (p - stride, p - 1, p + 1, p + stride):
                if position.colour[q] != EDGE and distance[q] == FAR:
                    count = _reach(position, q, distance[p] + 1, distance, queue, count)


@kernel
def _reach(position, p, steps, distance, queue, count):
    """Note the distance of ``p`` and of its whole chain; how many points are in the queue then."""
    stone = p
    while True:
        distance[stone] = steps
        queue[count] = stone
        count += 1
        if position.colour[p] == EMPTY:
            return count
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            return count
