"""The board: numba kernels over one ``Position``, used by GTP, scripted players, training games and search alike.

Reading guide
    Layout       a point is an index into a padded board; the edge is stored, so no kernel tests for it.
    Position     one record; each field is explained where it is defined.
    Changing     ``place`` (and ``play``, which takes passes too), ``copy_into``.
    Asking       ``is_legal``, ``in_atari``, ``count_liberties``, ``is_eye``, ``legal_moves``.

Rows are numbered from the top and columns from the left, both from 0, and the padded board is ``size + 1`` wide: the
edge cell right of one row is also the edge cell left of the next.
Kernels never check their arguments: a point must be on the board, and ``place`` takes only empty points.
Legality here knows occupation, suicide and simple ko; superko needs a history and lives in ``engine.go.history``.
"""

import numpy as np
from numba.extending import register_jitable

from engine.go import rng as _rng
from engine.kernels import kernel
from engine.stack import array_on_stack

EMPTY, BLACK, WHITE, EDGE = 0, 1, 2, 3
PASS, RESIGN = 0, -1  # cell 0 is always edge, so no point has the number of a pass
MIN_SIZE, MAX_SIZE = 2, 25

# How much suicide a rule set allows.
SUICIDE_FORBIDDEN, SUICIDE_MULTI, SUICIDE_ALLOWED = 0, 1, 2

# Position.liberties packs three numbers about a chain's pseudo-liberties (a liberty counts once for each stone that
# touches it) into one int64: how many (12 bits), the sum of their points (21 bits), the sum of the squares (the rest).
# One addition keeps all three, and by Cauchy and Schwarz count · squares = sum² exactly when all of them are the same
# point: atari is known without walking along the chain. 4 · 625 pseudo-liberties on points below 2**10 fit.
_SUM_SHIFT, _SQUARES_SHIFT = 12, 33
_COUNT_MASK, _SUM_MASK = (1 << 12) - 1, (1 << 21) - 1

# Position.neighbours packs the numbers of black, white and empty neighbours of a cell, four bits each. Edge cells
# count as black and as white, so that "all neighbours mine or edge" is one comparison.
_WHITE_SHIFT, _EMPTY_SHIFT = 4, 8
_NIBBLE = 15

_BLOCK = 32  # cells that are copied at once; what is left over would be copied cell by cell
_ONE = np.uint64(1)  # hot kernels count points in uint64: numba then need not look for negative indices


def _zobrist_table():
    """One random 63-bit key for each colour and cell, the same in every process."""
    keys = [_rng.stream_key(0x60B0A2D, index) >> 1 for index in range(2 * 1024)]
    return np.array(keys, dtype=np.int64)


ZOBRIST = _zobrist_table()  # indexed by (colour - 1) * 1024 + point


@register_jitable
def cells(size):
    """The length of the padded board's arrays; in kernels too."""
    return (size + 1) * (size + 2) + 1


MOST_CELLS = cells(MAX_SIZE)

# A position is one numpy record: a compiled kernel gets a single pointer (a tuple of arrays costs reference counting at
# every call), and ``position.ko`` reads the same in Python and in a kernel. Boards smaller than the largest use the
# first cells(size) entries of each field.
POSITION = np.dtype(
    [
        ("board_size", np.int64),  # not "size": a numpy record has an attribute of that name
        ("stride", np.int64),  # size + 1: the distance from a point to the one below it
        ("ko", np.int64),  # where simple ko forbids the next move, or 0
        ("hash", np.int64),  # Zobrist hash of the stones alone
        ("black_captures", np.int64),  # white stones that Black has taken
        ("white_captures", np.int64),
        ("empty_count", np.int64),
        ("colour", np.uint8, MOST_CELLS),  # EMPTY, BLACK, WHITE or EDGE
        ("neighbours", np.uint16, MOST_CELLS),  # packed numbers of neighbours by colour
        ("chain", np.uint16, MOST_CELLS),  # the cell that names the chain of a stone; 0 where there is no stone
        ("next_stone", np.uint16, MOST_CELLS),  # the stones of a chain as a ring
        ("stones", np.uint16, MOST_CELLS),  # by chain: how many stones it has
        ("empties", np.uint16, MOST_CELLS),  # the empty points in no particular order; the first empty_count entries count
        ("slot", np.uint16, MOST_CELLS),  # where an empty point stands in ``empties``
        ("liberties", np.int64, MOST_CELLS),  # by chain: packed pseudo-liberties (entry 0 collects what has no chain)
    ],
    align=True,
)


def point(size, col, row):
    """The point in column ``col`` (from the left) and row ``row`` (from the top), both from 0."""
    return (row + 1) * (size + 1) + col + 1


def coordinates(size, p):
    """``(col, row)`` of a point."""
    row, col = divmod(p, size + 1)
    return col - 1, row - 1


def board_points(size):
    """All points of the board, row by row from the top left."""
    rows, cols = np.divmod(np.arange(size * size), size)
    return (rows + 1) * (size + 1) + cols + 1


def new_position(size):
    """An empty board; ValueError if the size is out of range."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"board size {size} is not between {MIN_SIZE} and {MAX_SIZE}")
    position = np.recarray(1, POSITION)[0]
    position.board_size = size
    clear(position)
    return position


def copy(position):
    """An independent copy."""
    duplicate = np.recarray(1, POSITION)[0]
    copy_into(position, duplicate)
    return duplicate


@kernel
def clear(position):
    """Take all stones off the board and make every field what it is at the start."""
    size = position.board_size
    stride = position.stride = size + 1
    position.ko = position.hash = position.black_captures = position.white_captures = 0
    for p in range(MOST_CELLS):
        position.colour[p] = EDGE
        position.neighbours[p] = position.chain[p] = position.next_stone[p] = position.stones[p] = 0
        position.empties[p] = position.slot[p] = position.liberties[p] = 0
    index = 0
    for row in range(size):
        for col in range(size):
            p = (row + 1) * stride + col + 1
            position.colour[p] = EMPTY
            position.empties[index] = p
            position.slot[p] = index
            index += 1
            edges = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1)
            position.neighbours[p] = edges | edges << _WHITE_SHIFT | (4 - edges) << _EMPTY_SHIFT
    position.empty_count = index


@kernel
def copy_into(source, target):
    """Make ``target`` equal to ``source`` (boards of one size)."""
    target.board_size = source.board_size
    target.stride = source.stride
    target.ko = source.ko
    target.hash = source.hash
    target.black_captures = source.black_captures
    target.white_captures = source.white_captures
    target.empty_count = source.empty_count
    n = min(cells(source.board_size) + _BLOCK - 1 & -_BLOCK, MOST_CELLS)
    _copy_cells(source.colour, target.colour, n)
    _copy_cells(source.neighbours, target.neighbours, n)
    _copy_cells(source.chain, target.chain, n)
    _copy_cells(source.next_stone, target.next_stone, n)
    _copy_cells(source.stones, target.stones, n)
    _copy_cells(source.empties, target.empties, n)
    _copy_cells(source.slot, target.slot, n)
    _copy_cells(source.liberties, target.liberties, n)


@kernel
def _copy_cells(source, target, n):
    for p in range(n):
        target[p] = source[p]


@kernel
def packed_liberty(p):
    """One pseudo-liberty at ``p``, in the form Position.liberties adds up."""
    p = np.int64(p)
    return 1 | p << _SUM_SHIFT | (p * p) << _SQUARES_SHIFT


@kernel
def is_single(liberties):
    """Whether packed pseudo-liberties (at least one) are all the same point."""
    count = liberties & _COUNT_MASK
    total = (liberties >> _SUM_SHIFT) & _SUM_MASK
    return count * (liberties >> _SQUARES_SHIFT) == total * total


@kernel
def in_atari(position, p):
    """Whether the chain of the stone at ``p`` has exactly one liberty."""
    return is_single(position.liberties[position.chain[p]])


@kernel
def last_liberty(position, p):
    """The one liberty of a chain in atari."""
    liberties = position.liberties[position.chain[p]]
    return ((liberties >> _SUM_SHIFT) & _SUM_MASK) // (liberties & _COUNT_MASK)


@kernel
def add_new(found, count, q):
    """Append ``q`` to the first ``count`` entries if it is not among them; how many there are then."""
    for i in range(count):
        if found[i] == q:
            return count
    found[count] = q
    return count + 1


@kernel
def list_liberties(position, p, found, limit):
    """Write the distinct liberties of the chain of the stone at ``p`` to ``found``, at most ``limit``; how many."""
    stride = position.stride
    count = np.int64(0)
    stone = np.int64(p)
    while True:
        if empty_neighbours(position, stone):
            for q in (stone - stride, stone - 1, stone + 1, stone + stride):
                if position.colour[q] == EMPTY:
                    count = add_new(found, count, q)
                    if count == limit:
                        return count
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            return count


@kernel
def count_liberties(position, p):
    """The exact number of liberties of the chain of the stone at ``p``."""
    found = np.empty(position.empty_count, np.int64)
    return list_liberties(position, p, found, found.size)


@kernel
def liberties_after(position, p, colour, limit):
    """How many liberties the chain of a stone of ``colour`` played at the empty point ``p`` would have, at most ``limit``.

    Captures are taken into account; the move is assumed to be legal.
    """
    p = np.uint64(p)
    stride = np.uint64(position.stride)
    enemy = 3 - colour
    found = array_on_stack(MOST_CELLS, np.uint64)
    count = np.int64(0)
    takes = False
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        is_taken = _is_taken(position, q, enemy, p)
        takes |= is_taken
        if is_taken or position.colour[q] == EMPTY:
            found[count] = q
            count += 1
            if count == limit:
                return count
    one, two, three = np.uint64(0), np.uint64(0), np.uint64(0)  # the chains joined so far
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        name = np.uint64(position.chain[q])
        if position.colour[q] != colour or name == one or name == two or name == three:
            continue
        one, two, three = name, one, two
        stone = q
        while True:
            if takes or empty_neighbours(position, stone):
                for s in (stone - stride, stone - _ONE, stone + _ONE, stone + stride):
                    is_free = position.colour[s] == EMPTY or takes and _is_taken(position, s, enemy, p)
                    if is_free and s != p:
                        count = add_new(found, count, s)
                        if count == limit:
                            return count
            stone = np.uint64(position.next_stone[stone])
            if stone == q:
                break
    return count


@kernel
def _is_taken(position, q, enemy, p):
    """Whether a stone at ``q`` is ``enemy``'s and has its last liberty at ``p``."""
    liberties = position.liberties[position.chain[q]]
    return (position.colour[q] == enemy) & (liberties == (liberties & _COUNT_MASK) * packed_liberty(p))


@kernel
def swap_empties(position, i, j):
    """Exchange two entries of the list of empty points."""
    a, b = position.empties[i], position.empties[j]
    position.empties[i], position.empties[j] = b, a
    position.slot[b], position.slot[a] = i, j


@kernel
def _add_empty(position, p):
    index = position.empty_count
    position.empties[index] = p
    position.slot[p] = index
    position.empty_count = index + 1


@kernel
def _remove_empty(position, p):
    index = position.empty_count - 1
    position.empty_count = index
    moved = position.empties[index]
    hole = position.slot[p]
    position.empties[hole] = moved
    position.slot[moved] = hole


@kernel
def _remove_chain(position, p, colour):
    """Take the chain of the stone at ``p`` off the board; how many stones it had."""
    stride = np.uint64(position.stride)
    change = (1 << _EMPTY_SHIFT) - (1 if colour == BLACK else 1 << _WHITE_SHIFT)
    zobrist = np.uint64((colour - 1) * 1024)
    count = 0
    stone = p
    while True:
        following = np.uint64(position.next_stone[stone])
        position.colour[stone] = EMPTY
        position.chain[stone] = 0
        position.hash ^= ZOBRIST[zobrist + stone]
        _add_empty(position, stone)
        packed = packed_liberty(stone)
        for q in (stone - stride, stone - _ONE, stone + _ONE, stone + stride):
            position.neighbours[q] += change
            position.liberties[position.chain[q]] += packed
        count += 1
        if following == p:
            return count
        stone = following


@kernel
def _join(position, a, b):
    """Make one chain of the chains named ``a`` and ``b``; the name it has then."""
    if position.stones[a] < position.stones[b]:
        a, b = b, a
    stone = b
    while True:
        position.chain[stone] = a
        stone = np.uint64(position.next_stone[stone])
        if stone == b:
            break
    position.next_stone[a], position.next_stone[b] = position.next_stone[b], position.next_stone[a]
    position.stones[a] += position.stones[b]
    position.liberties[a] += position.liberties[b]
    return a


@kernel
def _credit(position, colour, prisoners):
    if colour == BLACK:
        position.black_captures += prisoners
    else:
        position.white_captures += prisoners


@kernel
def place(position, p, colour):
    """Put a stone on an empty point, take what it captures (its own chain if it is suicide); how many enemy stones.

    Sets the simple ko point: the point of a lone captured stone that could be retaken at once and alone.
    """
    p = np.uint64(p)
    colour = np.int64(colour)
    stride = np.uint64(position.stride)
    enemy = 3 - colour
    packed = packed_liberty(p)
    change = (1 if colour == BLACK else 1 << _WHITE_SHIFT) - (1 << _EMPTY_SHIFT)
    _remove_empty(position, p)
    position.colour[p] = colour
    position.next_stone[p] = p
    position.stones[p] = 1
    position.hash ^= ZOBRIST[np.uint64((colour - 1) * 1024) + p]
    own_liberties = np.int64(0)
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        position.neighbours[q] += change
        position.liberties[position.chain[q]] -= packed
        own_liberties += packed_liberty(q) * (position.colour[q] == EMPTY)
    position.liberties[p] = own_liberties
    position.chain[p] = p
    name = p
    captured = 0
    taken = np.uint64(0)
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        there = position.colour[q]
        other = np.uint64(position.chain[q])
        if (there == colour) & (other != name):
            name = _join(position, name, other)
        elif (there == enemy) & (position.liberties[other] == 0):
            captured += _remove_chain(position, q, enemy)
            taken = q
    position.ko = 0
    if captured:
        _credit(position, colour, captured)
        if captured == 1 and position.stones[name] == 1 and position.liberties[name] == packed_liberty(taken):
            position.ko = np.int64(taken)
    elif position.liberties[name] == 0:
        lost = _remove_chain(position, p, colour)
        _credit(position, enemy, lost)
    return captured


@kernel
def play(position, p, colour):
    """Like ``place``, but takes PASS too, which lifts the ko."""
    if p == PASS:
        position.ko = 0
        return 0
    return place(position, p, colour)


@kernel
def empty_neighbours(position, p):
    """How many neighbours of ``p`` are empty."""
    return np.int64(position.neighbours[p]) >> _EMPTY_SHIFT


@kernel
def has_room(position, p, colour):
    """Whether a stone on a point with no empty neighbour would have a liberty: by capture or by a friend's."""
    p = np.uint64(p)
    stride = np.uint64(position.stride)
    room = False  # no early return: this is hot, and which neighbour decides cannot be predicted
    for q in (p - stride, p - _ONE, p + _ONE, p + stride):
        there = position.colour[q]
        room |= (there != EDGE) & ((there != colour) == is_single(position.liberties[position.chain[q]]))
    return room


@kernel
def is_legal(position, p, colour, suicide):
    """Whether ``colour`` may play at the point ``p`` under simple ko and the given allowance of suicide."""
    p = np.int64(p)
    if position.colour[p] != EMPTY:
        return False
    if p == position.ko:  # closed to the side that lost a stone there; the other side may fill it
        return is_surrounded(position, p, colour)
    if empty_neighbours(position, p):
        return True
    if suicide == SUICIDE_ALLOWED or has_room(position, p, np.int64(colour)):
        return True
    return suicide == SUICIDE_MULTI and touches(position, p, colour)


@kernel
def touches(position, p, colour):
    """Whether some neighbour of ``p`` is a stone of ``colour``: not every one is empty, the enemy's or the edge."""
    others = position.neighbours[p] >> (_WHITE_SHIFT if colour == BLACK else 0) & _NIBBLE
    return others + empty_neighbours(position, p) < 4


@kernel
def is_surrounded(position, p, colour):
    """Whether every neighbour of ``p`` is a stone of ``colour`` or the edge."""
    shift = 0 if colour == BLACK else _WHITE_SHIFT
    return position.neighbours[p] >> shift & _NIBBLE == 4


@kernel
def is_eye(position, p, colour):
    """Whether ``p`` looks like a single-point eye of ``colour``.

    All neighbours are its own, and of the diagonal points at most one is the enemy's (none at the edge).
    """
    if not is_surrounded(position, p, colour):
        return False
    p = np.uint64(p)
    stride = np.uint64(position.stride)
    enemy = 3 - colour
    enemies = 0
    edges = 0
    for q in (p - stride - _ONE, p - stride + _ONE, p + stride - _ONE, p + stride + _ONE):
        enemies += position.colour[q] == enemy
        edges |= position.colour[q] == EDGE
    return enemies + edges < 2


@kernel
def legal_moves(position, colour, suicide, found):
    """Write all legal points to ``found`` in the order of the board; how many."""
    size, stride = position.board_size, position.stride
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if is_legal(position, p, colour, suicide):
                found[count] = p
                count += 1
    return count
