"""An organism as a record: its cells, their states and sizes, and the mediators on its board; the zygote that it begins as.

Cells are bits. A set of cells is a row of words, bit 0 the top left point of the board and every further one the next cell
of the padded board, so that a rule is asked of all cells at once; only sizes and amounts are numbers by point (see
``words.py``).
"""

import numpy as np

from engine import limits
from engine.go import board
from engine.go.board import MAX_SIZE
from engine.kernels import kernel
from players.organism.habits import Nature
from players.organism.program import (
    EMPTY_CELL,
    LONGEST_STEP,
    MEDIATORS,
    MOVE_CELL,
    NO_CELL,
    OPPONENT_STONE,
    OWN_STONE,
    REGIONS,
    STAGES,
)
from players.organism.words import BITS, lowest

CELLS = board.cells(MAX_SIZE)
WORDS = -(-MAX_SIZE * (MAX_SIZE + 1) // BITS)  # of a set of cells on the largest board
_STATES = OPPONENT_STONE + 1
BIT = np.array([1 << i for i in range(BITS)], np.uint64)
NONE, ONE = np.uint64(0), np.uint64(1)
_ALL = np.uint64(2**BITS - 1)
DIFFUSION = 0.5  # paper
SHARE = DIFFUSION / 4  # of an amount, to each neighbour

# For kernels that are part of a cycle: a rule does so little for a word of cells that calls cost a third of its time.
within = kernel(inline="always")

ORGANISM = np.dtype(
    [
        ("board_size", np.int64),
        ("stride", np.int64),
        ("words", np.int64),  # of a set of cells
        ("lanes", np.int64),  # always BITS; loops whose length the compiler knows are unrolled, and use no vectors
        ("clones", np.int64),  # of its Nature
        ("absorbers", np.int64),
        ("count", np.int64),  # cells
        ("stage", np.int64),  # of the game, one of STAGES
        ("cell_size", np.float64, CELLS),  # by point, of the cell
        ("mediator", np.float64, MEDIATORS * CELLS),  # amounts: of mediator m at point p in entry m * CELLS + p
        ("smelt", np.uint8, MEDIATORS),  # whether there may be any of it
        # Sets of cells.
        ("is_state", np.uint64, _STATES * WORDS),  # by state; that of NO_CELL is not kept
        ("board", np.uint64, WORDS),  # all points
        ("regions", np.uint64, len(REGIONS) * WORDS),  # the points of corners, sides and centre
        ("reaches", np.uint64, 2 * LONGEST_STEP * WORDS),  # points that are so far from the right, and from the left edge
        # Working space.
        ("kept", np.float64, CELLS),  # share of an amount that does not diffuse away
        ("share", np.float64, CELLS),  # share of each neighbour's amount that comes here: none off the board
        ("flow", np.float64, CELLS),
        ("there", np.float64, CELLS),  # 1 where a cell is
        ("free", np.uint64, WORDS),  # points of the board where no cell was at the beginning of the cycle
        ("busy", np.uint64, WORDS),  # cells that still run rules in this cycle
        ("leaves", np.uint64, WORDS),  # cells that move away or die in this cycle
        ("arrives", np.uint64, WORDS),  # newcomers …
        ("arrives_move", np.uint64, WORDS),  # … in state Move
        ("arrives_size", np.float64, CELLS),
        ("fired", np.uint64, limits.ORGANISM_RULES * WORDS),  # by rule, the cells for which it fired in the last cycle
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
    return np.array(organism.mediator[mediator * CELLS : mediator * CELLS + n])


def states(organism):
    """The states of cells by cell of the padded board."""
    found = np.full(board.cells(int(organism.board_size)), NO_CELL, np.uint8)
    for state in range(EMPTY_CELL, _STATES):
        (members,) = _members(organism, organism.is_state[state * WORDS : state * WORDS + organism.words])
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
    word, bit = divmod(p - int(organism.stride) - 1, BITS)
    organism.count += int(state != NO_CELL) - int(states(organism)[p] != NO_CELL)
    for other in range(EMPTY_CELL, _STATES):
        organism.is_state[other * WORDS + word] &= ~BIT[bit]
    if state != NO_CELL:
        organism.is_state[state * WORDS + word] |= BIT[bit]
    organism.cell_size[p] = size


@kernel
def conceive(organism, size, nature):
    """Start again from the zygote on an empty board."""
    stride = size + 1
    organism.board_size = size
    organism.stride = stride
    organism.words = (size * stride + BITS - 1) // BITS
    organism.lanes = BITS
    organism.clones = nature.clones
    organism.absorbers = nature.absorbers
    organism.count = 1
    organism.stage = STAGES[0]
    for p in range(_end(organism)):
        organism.cell_size[p] = organism.kept[p] = organism.share[p] = organism.there[p] = 0.0
        for m in range(MEDIATORS):
            organism.mediator[m * CELLS + p] = 0.0
    organism.smelt[:] = 0
    organism.is_state[:] = NONE
    organism.board[:] = organism.leaves[:] = organism.arrives[:] = organism.arrives_move[:] = NONE
    organism.reaches[:] = NONE
    organism.regions[:] = NONE
    third = size // 3
    for row in range(size):
        for col in range(size):
            p = (row + 1) * stride + col + 1
            edges = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1)
            organism.kept[p] = 1.0 - SHARE * (4 - edges)
            organism.share[p] = SHARE
            word, bit = place_of(organism, p)
            organism.board[word] |= bit
            within = (third <= row < size - third) + (third <= col < size - third)
            organism.regions[within * WORDS + word] |= bit
            for distance in range(1, LONGEST_STEP + 1):
                if col + distance < size:
                    organism.reaches[(distance - 1) * WORDS + word] |= bit
                if col >= distance:
                    organism.reaches[(LONGEST_STEP + distance - 1) * WORDS + word] |= bit
    line = size // 2
    if nature.zygote > 0:
        line = min(line, 2 - nature.zygote)
    word, bit = place_of(organism, (line + 1) * stride + line + 1)
    organism.is_state[EMPTY_CELL * WORDS + word] |= bit


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
            for p in range(m * CELLS, m * CELLS + n):
                target.mediator[p] = source.mediator[p]
        target.smelt[m] = source.smelt[m]
    for state in range(EMPTY_CELL, _STATES):
        for w in range(state * WORDS, state * WORDS + source.words):
            target.is_state[w] = source.is_state[w]


@kernel
def _end(organism):
    """The first cell that nothing reads: whole words, and the row below them."""
    return min(CELLS, 2 * organism.stride + 1 + organism.words * BITS)


@kernel
def place_of(organism, p):
    """(word, bit) of a point."""
    i = p - organism.stride - 1
    return i // BITS, ONE << np.uint64(i % BITS)


@kernel
def holds(words, organism, p):
    """Whether a point is in a set."""
    word, bit = place_of(organism, p)
    return words[word] & bit != NONE


@kernel
def first_of(organism, word, bits):
    """The point of the lowest bit of a word that is not empty."""
    return organism.stride + 1 + word * BITS + lowest(bits)


@kernel
def shifted(words, count, w, by):
    """Word ``w`` of a set of ``count`` words, every cell of which is moved on by ``by``."""
    skip, rest = by // BITS, by % BITS  # rounded down, so that the rest is never negative
    source = w - skip
    found = NONE
    if 0 <= source < count:
        found = words[source] << np.uint64(rest) & _ALL
    if rest and 0 <= source - 1 < count:
        found |= words[source - 1] >> np.uint64(BITS - rest)
    return found


@kernel
def cells_in(organism, w):
    """All cells of a word."""
    states = organism.is_state
    return states[EMPTY_CELL * WORDS + w] | states[MOVE_CELL * WORDS + w] | stones_in(organism, w)


@kernel
def stones_in(organism, w):
    return organism.is_state[OWN_STONE * WORDS + w] | organism.is_state[OPPONENT_STONE * WORDS + w]
