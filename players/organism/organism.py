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

Some of this can be otherwise (``habits.py``): the paper can be read in more than one way, and which reading plays best is
measured, not argued. With clones on one point alone, their order too breaks the symmetry.

How it is fast: cells are bits. A set of cells is a row of words, bit 0 the top left point of the board and every further one
the next cell of the padded board, so that a rule is asked of all cells at once; only sizes and amounts are numbers by point
(see ``words.py``).
"""

import numpy as np

from engine import limits
from engine.go import board
from engine.go.board import MAX_SIZE, PASS
from engine.go.history import may_play
from engine.go.rng import below
from engine.kernels import kernel
from engine.stack import array_on_stack
from players.organism.habits import Nature
from players.organism.program import (
    CHANGE_SIZE,
    CHANGE_STATE,
    DIE,
    EAST,
    EMPTY_CELL,
    IS_LARGER,
    IS_STATE,
    LONGEST_STEP,
    MEDIATORS,
    MOVE,
    MOVE_CELL,
    NO_CELL,
    NORTH,
    OPPONENT_STONE,
    OWN_STONE,
    REGIONS,
    RELEASE,
    REPLICATE,
    SOUTH,
    STAGES,
    WEST,
)
from players.organism.words import BITS as _BITS
from players.organism.words import above, largest, lowest, same

DIFFUSION = 0.5  # paper
CONSUMPTION = 0.3  # paper: the reduction rate
MOST_MEDIATOR = 1000.0  # our choice: everything stays finite
TRACE = 1e-12  # our choice: less than this is nothing; processors are slow with the tiniest numbers

_SHARE = DIFFUSION / 4  # of an amount, to each neighbour
_REST = 1.0 - CONSUMPTION
_CELLS = board.cells(MAX_SIZE)
_WORDS = -(-MAX_SIZE * (MAX_SIZE + 1) // _BITS)  # of a set of cells on the largest board
_STATES = OPPONENT_STONE + 1
_BIT = np.array([1 << i for i in range(_BITS)], np.uint64)
_NONE, _ONE = np.uint64(0), np.uint64(1)
_ALL = np.uint64(2**_BITS - 1)
_FEW = 2 * MAX_SIZE  # free points that are gone through one by one
# For kernels that are part of a cycle: a rule does so little for a word of cells that calls cost a third of its time.
_within = kernel(inline="always")

ORGANISM = np.dtype(
    [
        ("board_size", np.int64),
        ("stride", np.int64),
        ("words", np.int64),  # of a set of cells
        ("lanes", np.int64),  # always _BITS; loops whose length the compiler knows are unrolled, and use no vectors
        ("clones", np.int64),  # of its Nature
        ("absorbers", np.int64),
        ("count", np.int64),  # cells
        ("stage", np.int64),  # of the game, one of STAGES
        ("cell_size", np.float64, _CELLS),  # by point, of the cell
        ("mediator", np.float64, MEDIATORS * _CELLS),  # amounts: of mediator m at point p in entry m * _CELLS + p
        ("smelt", np.uint8, MEDIATORS),  # whether there may be any of it
        # Sets of cells.
        ("is_state", np.uint64, _STATES * _WORDS),  # by state; that of NO_CELL is not kept
        ("board", np.uint64, _WORDS),  # all points
        ("regions", np.uint64, len(REGIONS) * _WORDS),  # the points of corners, sides and centre
        ("reaches", np.uint64, 2 * LONGEST_STEP * _WORDS),  # points that are so far from the right, and from the left edge
        # Working space.
        ("kept", np.float64, _CELLS),  # share of an amount that does not diffuse away
        ("share", np.float64, _CELLS),  # share of each neighbour's amount that comes here: none off the board
        ("flow", np.float64, _CELLS),
        ("there", np.float64, _CELLS),  # 1 where a cell is
        ("free", np.uint64, _WORDS),  # points of the board where no cell was at the beginning of the cycle
        ("busy", np.uint64, _WORDS),  # cells that still run rules in this cycle
        ("leaves", np.uint64, _WORDS),  # cells that move away or die in this cycle
        ("arrives", np.uint64, _WORDS),  # newcomers …
        ("arrives_move", np.uint64, _WORDS),  # … in state Move
        ("arrives_size", np.float64, _CELLS),
        ("fired", np.uint64, limits.ORGANISM_RULES * _WORDS),  # by rule, the cells for which it fired in the last cycle
    ],
    align=True,
)


def new_organism(size, nature=Nature()):
    """The zygote alone on an empty board."""
    organisms = np.recarray(1, ORGANISM)
    conceive(organisms[0], size, nature)
    return organisms[0]


def amounts(organism, mediator):
    """The amounts of a mediator (from 0) by cell of the padded board."""
    n = board.cells(int(organism.board_size))
    return np.array(organism.mediator[mediator * _CELLS : mediator * _CELLS + n])


def states(organism):
    """The states of cells by cell of the padded board."""
    found = np.full(board.cells(int(organism.board_size)), NO_CELL, np.uint8)
    for state in range(EMPTY_CELL, _STATES):
        (members,) = _members(organism, organism.is_state[state * _WORDS : state * _WORDS + organism.words])
        found[members] = state
    return found


def fired(organism, rules):
    """For each of the first ``rules`` rules of the flat program, the points at which it fired in the last cycle."""
    return _members(organism, organism.fired[: rules * int(organism.words)])


def _members(organism, words):
    """The points in each of some sets of cells that stand one after the other."""
    sets = words.astype("<u4").reshape(-1, int(organism.words)).view(np.uint8)
    first = int(organism.stride) + 1
    return [np.flatnonzero(bits) + first for bits in np.unpackbits(sets, axis=1, bitorder="little")]


def put_cell(organism, p, state, size=0.0):
    """Make the cell at a point one of this state and size, or none; for tests and pictures."""
    word, bit = divmod(p - int(organism.stride) - 1, _BITS)
    organism.count += int(state != NO_CELL) - int(states(organism)[p] != NO_CELL)
    for other in range(EMPTY_CELL, _STATES):
        organism.is_state[other * _WORDS + word] &= ~_BIT[bit]
    if state != NO_CELL:
        organism.is_state[state * _WORDS + word] |= _BIT[bit]
    organism.cell_size[p] = size


@kernel
def conceive(organism, size, nature):
    """Start again from the zygote on an empty board."""
    stride = size + 1
    organism.board_size = size
    organism.stride = stride
    organism.words = (size * stride + _BITS - 1) // _BITS
    organism.lanes = _BITS
    organism.clones = nature.clones
    organism.absorbers = nature.absorbers
    organism.count = 1
    organism.stage = STAGES[0]
    for p in range(_end(organism)):
        organism.cell_size[p] = organism.kept[p] = organism.share[p] = organism.there[p] = 0.0
        for m in range(MEDIATORS):
            organism.mediator[m * _CELLS + p] = 0.0
    organism.smelt[:] = 0
    organism.is_state[:] = _NONE
    organism.board[:] = organism.leaves[:] = organism.arrives[:] = organism.arrives_move[:] = _NONE
    organism.reaches[:] = _NONE
    organism.regions[:] = _NONE
    third = size // 3
    for row in range(size):
        for col in range(size):
            p = (row + 1) * stride + col + 1
            edges = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1)
            organism.kept[p] = 1.0 - _SHARE * (4 - edges)
            organism.share[p] = _SHARE
            word, bit = _place(organism, p)
            organism.board[word] |= bit
            within = (third <= row < size - third) + (third <= col < size - third)
            organism.regions[within * _WORDS + word] |= bit
            for distance in range(1, LONGEST_STEP + 1):
                if col + distance < size:
                    organism.reaches[(distance - 1) * _WORDS + word] |= bit
                if col >= distance:
                    organism.reaches[(LONGEST_STEP + distance - 1) * _WORDS + word] |= bit
    line = size // 2
    if nature.zygote > 0:
        line = min(line, 2 - nature.zygote)
    word, bit = _place(organism, (line + 1) * stride + line + 1)
    organism.is_state[EMPTY_CELL * _WORDS + word] |= bit


@kernel
def copy_into(source, target):
    """Make ``target`` the same organism as ``source``; both were conceived on boards of one size, with one nature."""
    target.count = source.count
    target.stage = source.stage
    n = board.cells(source.board_size)
    for p in range(n):
        target.cell_size[p] = source.cell_size[p]
    for m in range(MEDIATORS):
        if source.smelt[m] or target.smelt[m]:
            for p in range(m * _CELLS, m * _CELLS + n):
                target.mediator[p] = source.mediator[p]
        target.smelt[m] = source.smelt[m]
    for state in range(EMPTY_CELL, _STATES):
        for w in range(state * _WORDS, state * _WORDS + source.words):
            target.is_state[w] = source.is_state[w]


# Sets of cells


@kernel
def _end(organism):
    """The first cell that nothing reads: whole words, and the row below them."""
    return min(_CELLS, 2 * organism.stride + 1 + organism.words * _BITS)


@kernel
def _place(organism, p):
    """(word, bit) of a point."""
    i = p - organism.stride - 1
    return i // _BITS, _ONE << np.uint64(i % _BITS)


@kernel
def _holds(words, organism, p):
    """Whether a point is in a set."""
    word, bit = _place(organism, p)
    return words[word] & bit != _NONE


@kernel
def _first_of(organism, word, bits):
    """The point of the lowest bit of a word that is not empty."""
    return organism.stride + 1 + word * _BITS + lowest(bits)


@kernel
def _shifted(words, count, w, by):
    """Word ``w`` of a set of ``count`` words, every cell of which is moved on by ``by``."""
    skip, rest = by // _BITS, by % _BITS  # rounded down, so that the rest is never negative
    source = w - skip
    found = _NONE
    if 0 <= source < count:
        found = words[source] << np.uint64(rest) & _ALL
    if rest and 0 <= source - 1 < count:
        found |= words[source - 1] >> np.uint64(_BITS - rest)
    return found


# Mediators


@kernel
def diffuse(organism, mediator):
    """One cycle of diffusion and consumption of a mediator."""
    size, stride, words, lanes = organism.board_size, organism.stride, organism.words, organism.lanes
    base = mediator * _CELLS
    if organism.absorbers and organism.count < size * size:
        _absorb(organism, base)
        return
    for w in range(words):
        p = stride + 1 + w * _BITS
        # Views that begin at a neighbour, so that all loops count from 0: such loops use the processor's vectors.
        above = organism.mediator[base + p - stride : base + p - stride + _BITS]
        beneath = organism.mediator[base + p + stride : base + p + stride + _BITS]
        left = organism.mediator[base + p - 1 : base + p - 1 + _BITS]
        right = organism.mediator[base + p + 1 : base + p + 1 + _BITS]
        flow = organism.flow[p : p + _BITS]
        for i in range(lanes):
            # Pairs of opposite neighbours: the sum is then the same, to the last bit, under every symmetry.
            flow[i] = (above[i] + beneath[i]) + (left[i] + right[i])
    for w in range(words):
        p = stride + 1 + w * _BITS
        kept, share, flow = organism.kept[p : p + _BITS], organism.share[p : p + _BITS], organism.flow[p : p + _BITS]
        amount = organism.mediator[base + p : base + p + _BITS]
        for i in range(lanes):
            stays = _REST * (kept[i] * amount[i] + share[i] * flow[i])
            amount[i] = stays if stays > TRACE else 0.0


@kernel
def _absorb(organism, base):
    """The same among cells alone: they give to neighbours that are cells, and where no cell is an amount waits for one."""
    stride, there = organism.stride, organism.there
    amount = organism.mediator[base : base + _CELLS]
    for p in range(stride + 1, organism.board_size * (stride + 1) + 1):
        if there[p] == 0.0:
            organism.flow[p] = amount[p]
            continue
        north, south, west, east = there[p - stride], there[p + stride], there[p - 1], there[p + 1]
        kept = 1.0 - _SHARE * ((north + south) + (west + east))
        come = (north * amount[p - stride] + south * amount[p + stride]) + (west * amount[p - 1] + east * amount[p + 1])
        stays = _REST * (kept * amount[p] + _SHARE * come)
        organism.flow[p] = stays if stays > TRACE else 0.0
    for p in range(stride + 1, organism.board_size * (stride + 1) + 1):
        amount[p] = organism.flow[p]


@kernel
def _note_cells(organism):
    """Write down where cells are, as numbers."""
    for p in range(organism.stride + 1, organism.board_size * (organism.stride + 1) + 1):
        organism.there[p] = 0.0
    for w in range(organism.words):
        bits = _cells_in(organism, w)
        while bits:
            organism.there[_first_of(organism, w, bits)] = 1.0
            bits &= bits - _ONE


# Cells


@kernel
def _cells_in(organism, w):
    """All cells of a word."""
    states = organism.is_state
    return states[EMPTY_CELL * _WORDS + w] | states[MOVE_CELL * _WORDS + w] | _stones_in(organism, w)


@kernel
def _stones_in(organism, w):
    return organism.is_state[OWN_STONE * _WORDS + w] | organism.is_state[OPPONENT_STONE * _WORDS + w]


@kernel
def _arrive(organism, q, moves, size):
    """Let a newcomer of this size come to a point at the end of the cycle, in state Move if ``moves``."""
    word, bit = _place(organism, q)
    if organism.arrives[word] & bit == _NONE or size > organism.arrives_size[q]:
        organism.arrives_size[q] = size
    organism.arrives[word] |= bit
    if moves:
        organism.arrives_move[word] |= bit


@kernel
def _replicate(organism, p, moves, size):
    """Clones on the closest free points, or on the first of them; whether there was one."""
    stride, width = organism.stride, organism.board_size
    row, col = p // stride, p % stride
    for distance in range(1, 2 * width - 1):
        found = False
        for step in range(4 * distance):  # clockwise from north
            side, along = step // distance, step % distance
            if side == 0:
                r, c = row - distance + along, col + along
            elif side == 1:
                r, c = row + along, col + distance - along
            elif side == 2:
                r, c = row + distance - along, col - along
            else:
                r, c = row - along, col - distance + along
            if 1 <= r <= width and 1 <= c <= width and _holds(organism.free, organism, r * stride + c):
                _arrive(organism, r * stride + c, moves, size)
                found = True
                if organism.clones:
                    return True
        if found:
            return True
    return False


@_within
def _asked(organism, rule, w):
    """The cells of a word that a rule is for."""
    if rule.part < REGIONS[0]:
        return organism.busy[w]
    return organism.busy[w] & organism.regions[(rule.part - REGIONS[0]) * _WORDS + w]


@_within
def _test(organism, rule, first, words):
    """Write down for which cells a rule fires, from entry ``first`` of ``fired`` on; whether there are any."""
    fired = organism.fired
    if rule.condition == IS_STATE:
        found = _NONE
        for w in range(words):
            bits = _asked(organism, rule, w) & organism.is_state[rule.subject * _WORDS + w]
            fired[first + w] = bits
            found |= bits
        return found != _NONE
    start, threshold = organism.stride + 1, rule.threshold
    found = _NONE
    for w in range(words):
        if rule.condition == IS_LARGER:
            bits = above(organism.cell_size, start + w * _BITS, threshold)
        else:
            bits = above(organism.mediator, rule.subject * _CELLS + start + w * _BITS, threshold)
        bits &= _asked(organism, rule, w)
        fired[first + w] = bits
        found |= bits
    return found != _NONE


@_within
def _act(organism, rule, first, words):
    """The action of a rule in all cells for which it fires; whether a cell is to come or go."""
    fired = organism.fired
    if rule.action == CHANGE_STATE:
        if rule.object <= MOVE_CELL:
            new, old = rule.object * _WORDS, (EMPTY_CELL + MOVE_CELL - rule.object) * _WORDS
            for w in range(words):
                changed = fired[first + w] & organism.is_state[old + w]
                organism.is_state[new + w] |= changed
                organism.is_state[old + w] &= ~changed
        return False
    if rule.action == CHANGE_SIZE or rule.action == RELEASE:
        _change(organism, rule, first, words)
        return False
    if rule.action == DIE:
        found = _NONE
        for w in range(words):
            gone = fired[first + w] & ~_stones_in(organism, w)
            organism.leaves[w] |= gone
            organism.busy[w] &= ~gone
            found |= gone
        return found != _NONE
    if rule.action == REPLICATE:
        return _replicate_all(organism, first)
    return _step(organism, rule, first, words)


@_within
def _change(organism, rule, first, words):
    """Set the sizes, or add to the amounts, of all cells for which the rule fires."""
    amount, lanes = rule.amount, organism.lanes
    release = rule.action == RELEASE
    if release and amount > 0.0:
        organism.smelt[rule.object] = 1
    for w in range(words):
        bits = organism.fired[first + w]
        p = organism.stride + 1 + w * _BITS
        if release:
            p += rule.object * _CELLS
            here = organism.mediator[p : p + _BITS]
            for i in range(lanes):
                more = here[i] + amount if bits & _BIT[i] else here[i]
                more = more if more > 0.0 else 0.0  # plain comparisons, because min and max look for nan
                here[i] = more if more < MOST_MEDIATOR else MOST_MEDIATOR
        else:
            here = organism.cell_size[p : p + _BITS]
            for i in range(lanes):
                here[i] = amount if bits & _BIT[i] else here[i]


@kernel
def _replicate_all(organism, first):
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
        moves = organism.is_state[MOVE_CELL * _WORDS + w]
        while bits:
            p = _first_of(organism, w, bits)
            following = bits & (bits - _ONE)
            is_move = (bits ^ following) & moves != _NONE
            bits = following
            if few:
                _replicate_to_few(organism, p, is_move, organism.cell_size[p], rows, cols, left)
                found = True
            elif _replicate(organism, p, is_move, organism.cell_size[p]):
                found = True
    return found


@kernel
def _list_free(organism, rows, cols):
    """Write down the free points."""
    count = 0
    for w in range(organism.words):
        bits = organism.free[w]
        while bits:
            p = _first_of(organism, w, bits)
            rows[count], cols[count] = p // organism.stride, p % organism.stride
            count += 1
            bits &= bits - _ONE


@kernel
def _replicate_to_few(organism, p, moves, size, rows, cols, count):
    """``_replicate`` where few points are free, at these rows and columns: no ring is walked that has none of them."""
    row, col = p // organism.stride, p % organism.stride
    nearest = 2 * organism.board_size
    for i in range(count):
        nearest = min(nearest, abs(rows[i] - row) + abs(cols[i] - col))
    for i in range(count):
        if abs(rows[i] - row) + abs(cols[i] - col) == nearest:
            _arrive(organism, rows[i] * organism.stride + cols[i], moves, size)


@kernel
def _fill(organism, bits):
    """``_replicate`` for all cells of a board of one word that is not full, point by point that is free.

    What is at most so far from some points is what their neighbours come to, again and again. The parents of a clone are the
    cells to which its point is as close as any that is free. There are few free points in games, and no ring is walked.
    """
    stride, points, moves = np.uint64(organism.stride), organism.board[0], organism.is_state[MOVE_CELL * _WORDS]
    left = organism.free[0]
    while left:
        q = left & (~left + _ONE)
        left ^= q
        within, reached, parents = q, organism.free[0], _NONE  # what is so close to this point, and to any that is free
        while bits & ~reached:
            within |= (within << _ONE | within >> _ONE | within << stride | within >> stride) & points
            parents |= within & bits & ~reached
            reached |= (reached << _ONE | reached >> _ONE | reached << stride | reached >> stride) & points
        if parents:
            size = largest(organism.cell_size, organism.stride + 1, parents)
            _arrive(organism, _first_of(organism, 0, q), parents & moves != _NONE, size)


@_within
def _step(organism, rule, first, words):
    """Move or replicate in a direction, wherever the point so far away is free; whether it is anywhere."""
    distance = rule.distance
    by = distance * organism.stride if rule.object == NORTH or rule.object == SOUTH else distance
    if rule.object == NORTH or rule.object == WEST:
        by = -by
    stepped = False
    for w in range(words):
        bits = organism.fired[first + w] & _shifted(organism.free, words, w, -by)
        # In a row of the padded board the next row follows: the column must be far enough from its end.
        if rule.object == EAST:
            bits &= organism.reaches[(distance - 1) * _WORDS + w]
        elif rule.object == WEST:
            bits &= organism.reaches[(LONGEST_STEP + distance - 1) * _WORDS + w]
        if rule.action == MOVE:
            bits &= ~_stones_in(organism, w)
            organism.leaves[w] |= bits
            organism.busy[w] &= ~bits
        moves = organism.is_state[MOVE_CELL * _WORDS + w]
        stepped = stepped or bits != _NONE
        while bits:
            p = _first_of(organism, w, bits)
            following = bits & (bits - _ONE)
            _arrive(organism, p + by, (bits ^ following) & moves != _NONE, organism.cell_size[p])
            bits = following
    return stepped


@_within
def _come_and_go(organism, words):
    """The end of a cycle: who left is gone, and newcomers are there."""
    for w in range(words):
        gone, come, moves = organism.leaves[w], organism.arrives[w], organism.arrives_move[w]
        organism.is_state[EMPTY_CELL * _WORDS + w] &= ~gone
        organism.is_state[MOVE_CELL * _WORDS + w] &= ~gone
        organism.is_state[EMPTY_CELL * _WORDS + w] |= come & ~moves
        organism.is_state[MOVE_CELL * _WORDS + w] |= moves
        organism.leaves[w] = organism.arrives[w] = organism.arrives_move[w] = _NONE
        while gone:
            organism.cell_size[_first_of(organism, w, gone)] = 0.0
            organism.count -= 1
            gone &= gone - _ONE
        while come:
            p = _first_of(organism, w, come)
            organism.cell_size[p] = organism.arrives_size[p]
            organism.count += 1
            come &= come - _ONE


@kernel
def live(organism, rules, cycles):
    """Let the organism live for so many cycles.

    Rule by rule, not cell by cell: the same, because cells see only their own intersection, and processors do it faster.
    """
    for _ in range(cycles):
        if organism.words == 1:  # said as a constant, no loop over words is left
            _cycle(organism, rules, 1)
        else:
            _cycle(organism, rules, organism.words)


@_within
def _cycle(organism, rules, words):
    """One cycle of an organism whose sets have so many words."""
    for w in range(words):
        organism.busy[w] = _cells_in(organism, w)
        organism.free[w] = organism.board[w] & ~organism.busy[w]
    full = organism.count == organism.board_size * organism.board_size  # then nothing can move or replicate
    stirred = False
    for i in range(rules.size):
        rule, first = rules[i], i * words
        off = 0 < rule.part < REGIONS[0] and rule.part != organism.stage
        if off or full and MOVE <= rule.action <= REPLICATE:
            for w in range(words):
                organism.fired[first + w] = _NONE
            continue
        if _test(organism, rule, first, words) and _act(organism, rule, first, words):
            stirred = True
    if stirred:
        _come_and_go(organism, words)
    if organism.absorbers and organism.count < organism.board_size * organism.board_size:
        _note_cells(organism)
    for m in range(MEDIATORS):
        if organism.smelt[m]:
            diffuse(organism, m)


@kernel
def see(organism, position, own):
    """The external update: stones force the states of their cells, and where stones were taken the cell is Empty.

    ``own`` is the colour that the organism plays. A cell comes to be where a stone has none; others keep their size.
    """
    start, states = organism.stride + 1, organism.is_state
    points = organism.board_size * organism.board_size
    organism.stage = STAGES[0] + min(2, 3 * (points - position.empty_count) // points)
    for w in range(organism.words):
        here = start + w * _BITS
        mine = same(position.colour, here, own) & organism.board[w]
        its = same(position.colour, here, 3 - own) & organism.board[w]
        stones = mine | its
        come = stones & ~_cells_in(organism, w)
        while come:
            organism.cell_size[_first_of(organism, w, come)] = 0.0
            organism.count += 1
            come &= come - _ONE
        taken = _stones_in(organism, w) & ~stones
        states[EMPTY_CELL * _WORDS + w] = (states[EMPTY_CELL * _WORDS + w] & ~stones) | taken
        states[MOVE_CELL * _WORDS + w] &= ~stones
        states[OWN_STONE * _WORDS + w] = mine
        states[OPPONENT_STONE * _WORDS + w] = its


@kernel
def choose_move(organism, position, history, own, rng):
    """The legal point of the largest Move cell, one of them at random if several are as large, or PASS."""
    best = np.int64(PASS)
    ties = 0
    largest = 0.0
    for w in range(organism.words):
        bits = organism.is_state[MOVE_CELL * _WORDS + w]
        while bits:
            p = _first_of(organism, w, bits)
            bits &= bits - _ONE
            if (ties > 0 and organism.cell_size[p] < largest) or not may_play(position, history, p, own):
                continue
            if ties == 0 or organism.cell_size[p] > largest:
                largest = organism.cell_size[p]
                ties = 0
            ties += 1
            if below(rng, ties) == 0:
                best = np.int64(p)
    return best
