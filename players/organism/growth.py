"""Cells that come and go: clones, moves and deaths, all of which happen at the end of a cycle.

A cell may move or replicate only to a point where no cell was at the beginning of the cycle. Newcomers that meet on one point
become one cell, of the largest size among them, in state Move if any of them is, so that their order does not matter.
"""

import numpy as np

from engine.go.board import MAX_SIZE
from engine.kernels import kernel
from engine.stack import array_on_stack
from players.organism.cells import NONE, ONE, WORDS, first_of, holds, place_of, shifted, stones_in, within
from players.organism.program import EAST, EMPTY_CELL, LONGEST_STEP, MOVE, MOVE_CELL, NORTH, SOUTH, WEST
from players.organism.words import largest

_FEW = 2 * MAX_SIZE  # free points that are gone through one by one


@kernel
def _arrive(organism, q, moves, size):
    """Let a newcomer of this size come to a point at the end of the cycle, in state Move if ``moves``."""
    word, bit = place_of(organism, q)
    if organism.arrives[word] & bit == NONE or size > organism.arrives_size[q]:
        organism.arrives_size[q] = size
    organism.arrives[word] |= bit
    if moves:
        organism.arrives_move[word] |= bit


@kernel
def replicate(organism, first):
    """Let all cells replicate for which the rule fires; whether any of them can."""
    if organism.words == 1 and not organism.clones:
        _fill(organism, organism.fired[first])
        return True
    rows, cols = array_on_stack(_FEW, np.int64), array_on_stack(_FEW, np.int64)
    left = organism.board_size * organism.board_size - organism.count
    few = left <= min(_FEW, 2 * organism.board_size) and not organism.clones
    if few:
        _list_free(organism, rows, cols)
    found = False
    for w in range(organism.words):
        bits = organism.fired[first + w]
        moves = organism.is_state[MOVE_CELL * WORDS + w]
        while bits:
            p = first_of(organism, w, bits)
            following = bits & (bits - ONE)
            is_move = (bits ^ following) & moves != NONE
            bits = following
            if few:
                _replicate_to_few(organism, p, is_move, organism.cell_size[p], rows, cols, left)
                found = True
            elif _walk_rings(organism, p, is_move, organism.cell_size[p]):
                found = True
    return found


@kernel
def _fill(organism, bits):
    """``_walk_rings`` for all cells of a board of one word that is not full, point by point that is free.

    What is at most so far from some points is what their neighbours come to, again and again. The parents of a clone are the
    cells to which its point is as close as any that is free. There are few free points in games, and no ring is walked.
    """
    stride, points, moves = np.uint64(organism.stride), organism.board[0], organism.is_state[MOVE_CELL * WORDS]
    left = organism.free[0]
    while left:
        q = left & (~left + ONE)
        left ^= q
        within, reached, parents = q, organism.free[0], NONE  # what is so close to this point, and to any that is free
        while bits & ~reached:
            within |= (within << ONE | within >> ONE | within << stride | within >> stride) & points
            parents |= within & bits & ~reached
            reached |= (reached << ONE | reached >> ONE | reached << stride | reached >> stride) & points
        if parents:
            size = largest(organism.cell_size, organism.stride + 1, parents)
            _arrive(organism, first_of(organism, 0, q), parents & moves != NONE, size)


@kernel
def _list_free(organism, rows, cols):
    """Write down the free points."""
    count = 0
    for w in range(organism.words):
        bits = organism.free[w]
        while bits:
            p = first_of(organism, w, bits)
            rows[count], cols[count] = p // organism.stride, p % organism.stride
            count += 1
            bits &= bits - ONE


@kernel
def _replicate_to_few(organism, p, moves, size, rows, cols, count):
    """``_walk_rings`` where few points are free, at these rows and columns: no ring is walked that has none of them."""
    row, col = p // organism.stride, p % organism.stride
    nearest = 2 * organism.board_size
    for i in range(count):
        nearest = min(nearest, abs(rows[i] - row) + abs(cols[i] - col))
    for i in range(count):
        if abs(rows[i] - row) + abs(cols[i] - col) == nearest:
            _arrive(organism, rows[i] * organism.stride + cols[i], moves, size)


@kernel
def _walk_rings(organism, p, moves, size):
    """Clones on the closest free points, or on the first of them; whether there was one."""
    stride, width = organism.stride, organism.board_size
    row, col = p // stride, p % stride
    for distance in range(1, 2 * width - 1):
        found = False
        for place in range(4 * distance):  # clockwise from north
            side, along = place // distance, place % distance
            if side == 0:
                r, c = row - distance + along, col + along
            elif side == 1:
                r, c = row + along, col + distance - along
            elif side == 2:
                r, c = row + distance - along, col - along
            else:
                r, c = row - along, col - distance + along
            if 1 <= r <= width and 1 <= c <= width and holds(organism.free, organism, r * stride + c):
                _arrive(organism, r * stride + c, moves, size)
                found = True
                if organism.clones:
                    return True
        if found:
            return True
    return False


@within
def step(organism, rule, first, words):
    """Move or replicate in a direction, wherever the point so far away is free; whether it is anywhere."""
    distance = rule.distance
    by = distance * organism.stride if rule.object == NORTH or rule.object == SOUTH else distance
    if rule.object == NORTH or rule.object == WEST:
        by = -by
    stepped = False
    for w in range(words):
        bits = organism.fired[first + w] & shifted(organism.free, words, w, -by)
        # In a row of the padded board the next row follows: the column must be far enough from its end.
        if rule.object == EAST:
            bits &= organism.reaches[(distance - 1) * WORDS + w]
        elif rule.object == WEST:
            bits &= organism.reaches[(LONGEST_STEP + distance - 1) * WORDS + w]
        if rule.action == MOVE:
            bits &= ~stones_in(organism, w)
            organism.leaves[w] |= bits
            organism.busy[w] &= ~bits
        moves = organism.is_state[MOVE_CELL * WORDS + w]
        stepped = stepped or bits != NONE
        while bits:
            p = first_of(organism, w, bits)
            following = bits & (bits - ONE)
            _arrive(organism, p + by, (bits ^ following) & moves != NONE, organism.cell_size[p])
            bits = following
    return stepped


@within
def come_and_go(organism, words):
    """The end of a cycle: who left is gone, and newcomers are there."""
    for w in range(words):
        gone, come, moves = organism.leaves[w], organism.arrives[w], organism.arrives_move[w]
        organism.is_state[EMPTY_CELL * WORDS + w] &= ~gone
        organism.is_state[MOVE_CELL * WORDS + w] &= ~gone
        organism.is_state[EMPTY_CELL * WORDS + w] |= come & ~moves
        organism.is_state[MOVE_CELL * WORDS + w] |= moves
        organism.leaves[w] = organism.arrives[w] = organism.arrives_move[w] = NONE
        while gone:
            organism.cell_size[first_of(organism, w, gone)] = 0.0
            organism.count -= 1
            gone &= gone - ONE
        while come:
            p = first_of(organism, w, come)
            organism.cell_size[p] = organism.arrives_size[p]
            organism.count += 1
            come &= come - ONE
