"""The life of one organism as kernels (Section IV.C): cells, their states, mediators, growth, and the choice of a move.

Where the paper is silent:
    * The zygote is an Empty cell of size 0 at the centre; on an even board at the one of the four central points that is
      down and right.
    * Mediators lie on the intersections, and only cells read and release them. An amount is never below 0 or above
      MOST_MEDIATOR. In a cycle a quarter of the half that diffuses goes to each neighbour; what would leave the board
      stays; then 30% of what lies on each intersection is consumed.
    * A cycle: every cell that is there at its beginning runs all rules in order. What a rule does to its own cell is seen
      by the cell's next rules; a cell that moves or dies runs no further rules in this cycle.
    * A cell may move or replicate only to a point where no cell was at the beginning of the cycle; otherwise nothing
      happens. ``replicate`` puts a clone on the closest such point, and if several are equally close, on all of them.
      The clone of a stone is an Empty cell. Stones neither move nor die.
    * Newcomers arrive at the end of the cycle. Those that meet on one point become one cell, of the largest size among
      them, in state Move if any of them is.

What this guarantees: within a cycle cells see only their own intersection, and all that they do to others is put together by
maximum, so that the order of the cells does not matter at all. An organism whose program has no directions is mapped to
itself, to the last bit, by every symmetry of board and stones that leaves its zygote where it is: all eight of an odd
board. Directions break the symmetry just as far as the program says.
"""

import numpy as np
from numba import njit

from engine.go import board
from engine.go.board import EMPTY, MAX_SIZE, PASS
from engine.go.history import may_play
from engine.go.rng import below
from players.organism.program import (
    CHANGE_SIZE,
    CHANGE_STATE,
    DIE,
    EAST,
    EMPTY_CELL,
    IS_LARGER,
    IS_STATE,
    MEDIATORS,
    MOVE,
    MOVE_CELL,
    NO_CELL,
    NORTH,
    OPPONENT_STONE,
    OWN_STONE,
    RELEASE,
    REPLICATE,
    REPLICATE_TO,
    SOUTH,
    WEST,
)

DIFFUSION = 0.5  # paper
CONSUMPTION = 0.3  # paper: the reduction rate
MOST_MEDIATOR = 1000.0  # our choice: everything stays finite
TRACE = 1e-12  # our choice: less than this is nothing; processors are slow with the tiniest numbers

_SHARE = DIFFUSION / 4  # of an amount, to each neighbour
_REST = 1.0 - CONSUMPTION
_CELLS = board.cells(MAX_SIZE)

ORGANISM = np.dtype(
    [
        ("board_size", np.int64),
        ("stride", np.int64),
        ("count", np.int64),  # cells
        ("state", np.uint8, _CELLS),  # by point: NO_CELL, EMPTY_CELL, …
        ("cell_size", np.float64, _CELLS),  # of the cell
        ("mediator", np.float64, MEDIATORS * _CELLS),  # amounts: of mediator m at point p in entry m * _CELLS + p
        # Working space.
        ("kept", np.float64, _CELLS),  # share of an amount that does not diffuse away
        ("share", np.float64, _CELLS),  # share of each neighbour's amount that comes here: none off the board
        ("flow", np.float64, _CELLS),
        ("column", np.uint8, _CELLS),  # of the point, from 1
        ("free", np.uint8, _CELLS),  # points of the board where no cell was at the beginning of the cycle
        ("busy", np.uint8, _CELLS),  # cells that still run rules in this cycle
        ("fires", np.uint8, _CELLS),  # cells for which the condition of the rule holds
        ("leaves", np.uint8, _CELLS),  # cells that move away or die in this cycle
        ("arrives", np.uint8, _CELLS),  # state of a newcomer, NO_CELL if there is none
        ("arrives_size", np.float64, _CELLS),
    ],
    align=True,
)


def new_organism(size):
    """The zygote alone on an empty board."""
    organism = np.recarray(1, ORGANISM)[0]
    conceive(organism, size)
    return organism


def amounts(organism, mediator):
    """The amounts of a mediator (from 0) by cell of the padded board."""
    n = board.cells(int(organism.board_size))
    return np.array(organism.mediator[mediator * _CELLS : mediator * _CELLS + n])


@njit(cache=True, nogil=True)
def conceive(organism, size):
    """Start again from the zygote on an empty board."""
    stride = size + 1
    n = board.cells(size)
    organism.board_size = size
    organism.stride = stride
    organism.count = 1
    for p in range(n):
        organism.state[p] = NO_CELL
        organism.cell_size[p] = organism.kept[p] = organism.share[p] = organism.arrives_size[p] = 0.0
        organism.leaves[p] = organism.arrives[p] = organism.column[p] = 0
        for m in range(MEDIATORS):
            organism.mediator[m * _CELLS + p] = 0.0
    for row in range(size):
        for col in range(size):
            edges = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1)
            organism.kept[(row + 1) * stride + col + 1] = 1.0 - _SHARE * (4 - edges)
            organism.share[(row + 1) * stride + col + 1] = _SHARE
            organism.column[(row + 1) * stride + col + 1] = col + 1
    organism.state[(size // 2 + 1) * stride + size // 2 + 1] = EMPTY_CELL


@njit(cache=True, nogil=True)
def _span(organism):
    """(first, last + 1) of the cells of the padded board that hold all its points."""
    return organism.stride + 1, organism.board_size * (organism.stride + 1) + 1


@njit(cache=True, nogil=True)
def diffuse(organism, mediator):
    """One cycle of diffusion and consumption of a mediator."""
    first, last = _span(organism)
    base, stride = mediator * _CELLS, organism.stride
    amount = organism.mediator[base + first : base + last]
    # Views that begin at a neighbour, so that all loops count from 0: such loops use the processor's vectors.
    above = organism.mediator[base + first - stride : base + last - stride]
    beneath = organism.mediator[base + first + stride : base + last + stride]
    left = organism.mediator[base + first - 1 : base + last - 1]
    right = organism.mediator[base + first + 1 : base + last + 1]
    kept, share, flow = organism.kept[first:last], organism.share[first:last], organism.flow[first:last]
    for i in range(last - first):
        # Pairs of opposite neighbours: the sum is then the same, to the last bit, under every symmetry.
        stays = _REST * (kept[i] * amount[i] + share[i] * ((above[i] + beneath[i]) + (left[i] + right[i])))
        flow[i] = stays if stays > TRACE else 0.0
    for i in range(last - first):
        amount[i] = flow[i]


@njit(cache=True, nogil=True)
def _arrive(organism, q, state, size):
    if organism.arrives[q] == NO_CELL or size > organism.arrives_size[q]:
        organism.arrives_size[q] = size
    if state > organism.arrives[q]:  # Move is more than Empty, Empty more than nothing
        organism.arrives[q] = state


@njit(cache=True, nogil=True)
def _replicate(organism, p, state, size):
    """Clones on the closest free points; whether there was one."""
    stride, width = organism.stride, organism.board_size
    row, col = p // stride, p % stride
    for distance in range(1, 2 * width - 1):
        found = False
        for across in range(-distance, distance + 1):
            c = col + across
            if c < 1 or c > width:
                continue
            down = distance - abs(across)
            for r in (row - down, row + down):
                if 1 <= r <= width and organism.free[r * stride + c]:
                    _arrive(organism, r * stride + c, state, size)
                    found = True
        if found:
            return True
    return False


@njit(cache=True, nogil=True)
def _test(organism, rule):
    """Find out for which cells the condition of a rule holds."""
    first, last = _span(organism)
    busy, fires = organism.busy[first:last], organism.fires[first:last]
    threshold = rule.threshold
    if rule.condition == IS_STATE:
        state, wanted = organism.state[first:last], np.uint8(rule.subject)
        for i in range(last - first):
            fires[i] = busy[i] & (state[i] == wanted)
    elif rule.condition == IS_LARGER:
        size = organism.cell_size[first:last]
        for i in range(last - first):
            fires[i] = busy[i] & (size[i] > threshold)
    else:
        amount = organism.mediator[rule.subject * _CELLS + first : rule.subject * _CELLS + last]
        for i in range(last - first):
            fires[i] = busy[i] & (amount[i] > threshold)


@njit(cache=True, nogil=True)
def _act(organism, rule):
    """The action of a rule in all cells for which it fires; whether a cell is to come or go."""
    first, last = _span(organism)
    fires, state = organism.fires[first:last], organism.state[first:last]
    amount = rule.amount
    if rule.action == CHANGE_STATE:
        if rule.object <= MOVE_CELL:
            new = np.uint8(rule.object)
            for i in range(last - first):
                state[i] = new if fires[i] and state[i] <= MOVE_CELL else state[i]
        return False
    if rule.action == CHANGE_SIZE:
        size = organism.cell_size[first:last]
        for i in range(last - first):
            size[i] = amount if fires[i] else size[i]
        return False
    if rule.action == RELEASE:
        there = organism.mediator[rule.object * _CELLS + first : rule.object * _CELLS + last]
        for i in range(last - first):
            there[i] = min(MOST_MEDIATOR, max(0.0, there[i] + amount)) if fires[i] else there[i]
        return False
    if rule.action == DIE:
        return _die(organism)
    if organism.count == organism.board_size * organism.board_size:
        return False
    if rule.action == REPLICATE:
        return _replicate_all(organism)
    return _step(organism, rule)


@njit(cache=True, nogil=True)
def _die(organism):
    """Let all cells die for which the rule fires, but not stones; whether there are any."""
    first, last = _span(organism)
    found = False
    for p in range(first, last):
        if organism.fires[p] and organism.state[p] <= MOVE_CELL:
            organism.leaves[p] = 1
            organism.busy[p] = 0
            found = True
    return found


@njit(cache=True, nogil=True)
def _replicate_all(organism):
    """Let all cells replicate for which the rule fires; whether any of them can."""
    first, last = _span(organism)
    found = False
    for p in range(first, last):
        if organism.fires[p] and _replicate(organism, p, _clone(organism, p), organism.cell_size[p]):
            found = True
    return found


@njit(cache=True, nogil=True)
def _clone(organism, p):
    """The state of a clone of the cell at ``p``."""
    return organism.state[p] if organism.state[p] <= MOVE_CELL else np.uint8(EMPTY_CELL)


@njit(cache=True, nogil=True)
def _step(organism, rule):
    """Move or replicate in a direction, wherever the point so far away is free; whether it is anywhere."""
    first, last = _span(organism)
    distance = rule.distance
    by = distance * organism.stride if rule.object == NORTH or rule.object == SOUTH else distance
    if rule.object == NORTH or rule.object == WEST:
        by = -by
        first -= by
    else:
        last -= by
    # In a row of the padded board the next row follows: the column must be far enough from its end.
    least = distance + 1 if rule.object == WEST else 1
    most = organism.board_size - distance if rule.object == EAST else organism.board_size
    count = max(0, last - first)
    fires, column = organism.fires[first : first + count], organism.column[first : first + count]
    free = organism.free[first + by : first + by + count]
    found = np.uint8(0)
    for i in range(count):
        fires[i] &= free[i] & (column[i] >= least) & (column[i] <= most)
        found |= fires[i]
    if not found:
        return False
    moved = False
    for p in range(first, first + count):
        if organism.fires[p] and (rule.action == REPLICATE_TO or organism.state[p] <= MOVE_CELL):
            _arrive(organism, p + by, _clone(organism, p), organism.cell_size[p])
            moved = True
            if rule.action == MOVE:
                organism.leaves[p] = 1
                organism.busy[p] = 0
    return moved


@njit(cache=True, nogil=True)
def live(organism, rules, cycles):
    """Let the organism live for so many cycles.

    Rule by rule, not cell by cell: the same, because cells see only their own intersection, and processors do it faster.
    """
    first, last = _span(organism)
    state, busy, leaves, arrives = organism.state, organism.busy, organism.leaves, organism.arrives
    released = np.zeros(MEDIATORS, np.uint8)
    for i in range(rules.size):
        if rules[i].action == RELEASE:
            released[rules[i].object] = 1
    for _ in range(cycles):
        for p in range(first, last):
            busy[p] = state[p] != NO_CELL
            organism.free[p] = organism.column[p] > 0 and state[p] == NO_CELL
        stirred = False
        for i in range(rules.size):
            _test(organism, rules[i])
            if _act(organism, rules[i]):
                stirred = True
        if stirred:
            for p in range(first, last):
                if leaves[p]:
                    leaves[p] = 0
                    state[p] = NO_CELL
                    organism.cell_size[p] = 0.0
                    organism.count -= 1
                if arrives[p] != NO_CELL:
                    state[p] = arrives[p]
                    organism.cell_size[p] = organism.arrives_size[p]
                    arrives[p] = NO_CELL
                    organism.count += 1
        for m in range(MEDIATORS):
            if released[m]:
                diffuse(organism, m)


@njit(cache=True, nogil=True)
def see(organism, position, own):
    """The external update: stones force the states of their cells, and where stones were taken the cell is Empty.

    ``own`` is the colour that the organism plays. A cell comes to be where a stone has none; others keep their size.
    """
    size, stride = organism.board_size, organism.stride
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY:
                if organism.state[p] > MOVE_CELL:
                    organism.state[p] = EMPTY_CELL
            else:
                if organism.state[p] == NO_CELL:
                    organism.cell_size[p] = 0.0
                    organism.count += 1
                organism.state[p] = OWN_STONE if position.colour[p] == own else OPPONENT_STONE


@njit(cache=True, nogil=True)
def choose_move(organism, position, history, own, rng):
    """The legal point of the largest Move cell, one of them at random if several are as large, or PASS."""
    size, stride = organism.board_size, organism.stride
    best = np.int64(PASS)
    ties = 0
    largest = 0.0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if organism.state[p] != MOVE_CELL or (ties > 0 and organism.cell_size[p] < largest):
                continue
            if not may_play(position, history, p, own):
                continue
            if ties == 0 or organism.cell_size[p] > largest:
                largest = organism.cell_size[p]
                ties = 0
            ties += 1
            if below(rng, ties) == 0:
                best = np.int64(p)
    return best
