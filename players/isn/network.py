"""The network as kernels see it: one small net for each point of the board, its weights shared over points (§III).

Reading guide
    NETWORK      the weights of an anatomy as kernels want them; ``build`` makes them of a parameter vector.
    SIGHT        what a network sees and says of one position, by cell of the padded board.
    Kernels      ``classify`` (stones → inputs), ``look`` (inputs → outputs), ``see`` (both).

Networks of one number of hidden units and passes share the types of these records, whatever their inputs are: the arrays in
a record have fixed lengths, by which the compiler unrolls loops. Rows are whole numbers of ``Lanes``, the places that are left
over 0.
"""

from functools import lru_cache

import numpy as np

from engine.go.board import EDGE, EMPTY, MAX_SIZE, WHITE, cells, in_atari, last_liberty, list_liberties
from engine.kernels import fast_kernel, kernel
from players.isn.anatomy import (
    BLACK_KIND,
    CLASS_STEP,
    CROSS,
    EDGE_KIND,
    EMPTY_KIND,
    EYE_BLACK,
    EYE_WHITE,
    KINDS,
    KO,
    KO_KIND,
    LADDER_STEP,
    LADDERS,
    LIBERTIES,
    LIBERTY_STEP,
    LINE_KINDS,
    LINES,
    NEIGHBOUR_STEP,
    NEIGHBOURS,
    OUTPUTS,
    PAPER,
    WHITE_KIND,
    Z_EMPTY,
    entries,
    expand_again,
    kinds_of,
    plane_names,
    swap_colours,
    unpack,
    wiring,
)
from players.isn.lanes import LANES, fill, higher, load, lower, store
from players.scripted.reading import FIRST_BOARD, ladder_move, new_work, saves

# The outputs have a row of LANES, one more than they are. The spare one is always 1, so that a linear function of the outputs
# may have a constant term: its bias is beyond the point from which on ``tanh`` is 1.
_LAST, _ALWAYS = 7, 40.0
_CELLS = cells(MAX_SIZE)
_DEEP = LINE_KINDS + 1  # the line number of all points further inside; cells off the board have 0

# Thresholds of the group classes (§IV.B), as sums of whole numbers: a sum of them does not depend on its order.
_UNIT = 1 << 20
_LOW, _HIGH = int(0.75 * _UNIT), int(1.5 * _UNIT)


def width_of(hidden):
    """How many places the hidden units have in a row."""
    return -(-hidden // LANES) * LANES


@lru_cache(maxsize=None)
def network_type(hidden):
    """NETWORK: weights, or their gradient, with so many hidden units. A row has a place for each of them and each output."""
    width = width_of(hidden)
    return np.dtype(
        [
            ("liberties", np.bool_),  # which inputs there are
            ("ladders", np.bool_),
            ("neighbours", np.bool_),
            ("ko", np.bool_),
            ("lines", np.bool_),
            ("table", np.float32, (9, KINDS, width + LANES)),  # what a neighbour of some kind adds to a cell's sums; biases in [0]
            ("line_table", np.float32, (9, _DEEP + 1, width + LANES)),  # what a neighbour on some line adds besides
            ("readout", np.float32, (5 * hidden // 3, LANES)),  # from features of the hidden units to the outputs
            ("again", np.float32, (CROSS, hidden, width)),  # from the hidden units around to those of the next pass
        ],
        align=True,
    )


@lru_cache(maxsize=None)
def sight_type(hidden, passes):
    """SIGHT: what a network sees and says."""
    width = width_of(hidden)
    return np.dtype(
        [
            ("kind", np.uint8, _CELLS),  # all that is told of a cell
            ("line", np.uint8, _CELLS),
            ("sums", np.float32, (_CELLS, width + LANES)),  # of what the inputs give to hidden units and outputs
            ("hidden", np.float32, (passes, _CELLS, width)),
            ("drive", np.float32, (_CELLS, LANES)),  # of what inputs and hidden units give to the outputs
            ("outputs", np.float32, (_CELLS, LANES)),
            ("mark", np.int64, _CELLS),  # liberties that were counted for a chain, in the making of ``kind``
        ],
        align=True,
    )


def new_network(anatomy=PAPER):
    """A NETWORK of nothing but zeros."""
    return np.zeros(1, network_type(anatomy.hidden)).view(np.recarray)[0]


def clear_network(network):
    """Make all weights 0."""
    for name in ("table", "line_table", "readout", "again"):
        network[name][:] = 0


def build(parameters, anatomy=PAPER):
    """The NETWORK of a parameter vector; ValueError if it is not one."""
    network = new_network(anatomy)
    network.liberties, network.ladders, network.neighbours, network.ko, network.lines = (
        name in anatomy.inputs for name in (LIBERTIES, LADDERS, NEIGHBOURS, KO, LINES)
    )
    set_weights(network, parameters, anatomy)
    return network


def set_weights(network, parameters, anatomy):
    """Give a NETWORK of that anatomy the weights of a parameter vector; ValueError if it is not one."""
    parameters = np.asarray(parameters, float)
    if parameters.shape != (anatomy.parameters,) or not np.isfinite(parameters).all():
        raise ValueError(f"the network needs {anatomy.parameters} finite parameters")
    units, out = anatomy.hidden, width_of(anatomy.hidden)
    which, sign = entries(anatomy)
    parts = unpack(parameters, anatomy)
    rows = np.zeros((9, anatomy.planes, out + LANES))
    found = sign * parameters[which]
    rows[..., :units], rows[..., out : out + OUTPUTS] = found[..., :units], found[..., units:]
    known = [*kinds_of(anatomy), EDGE_KIND]  # no other kinds are ever seen
    table = wiring(anatomy)[known] @ rows
    table[0, :, : anatomy.trivial] += parts["hidden_bias"]
    table[0, :, out : out + OUTPUTS] += parts["output_bias"]
    table[0, :, out + _LAST] = _ALWAYS
    network.table[:, known] = table
    if network.lines:
        first = plane_names(anatomy).index("line 1")
        network.line_table[:, 1:_DEEP] = rows[:, first : first + LINE_KINDS]
    network.readout[:, :OUTPUTS] = parts["read"]
    if anatomy.passes > 1:
        network.again[:, :, :units] = expand_again(parameters, anatomy)


def build_pair(parameters, turn_aware, anatomy=PAPER):
    """The networks that see a position after a move of White and after a move of Black.

    In the paper they are one. A network that is ``turn_aware`` sees the side that has moved as White: so it knows whose turn
    it is, and a chain that is attacked and may still run looks different from one that cannot.
    """
    after_white = build(parameters, anatomy)
    return after_white, build(swap_colours(parameters, anatomy), anatomy) if turn_aware else after_white


def new_sight(anatomy=PAPER):
    """A SIGHT record with nothing in it; hidden units off the board must stay 0."""
    return np.zeros(1, sight_type(anatomy.hidden, anatomy.passes)).view(np.recarray)[0]


# Kernels
#
# Division must not look for zero, and sums may be taken in any order, so that the compiler can work on whole rows.

_F0, _F1, _F2, _QUARTER, _HALF, _LARGEST = (np.float32(x) for x in (0, 1, 2, 0.25, 0.5, 9))
# Convergent of the continued fraction of tanh, right to 1e-7 where it is used.
_P0, _P1, _P2, _Q1, _Q2 = (np.float32(x) for x in (10395, 1260, 21, 4725, 210))


@fast_kernel
def tanh(x):
    """The hyperbolic tangent of Lanes: from a quarter of the argument, doubled twice, with one division at the end."""
    y = lower(higher(x, fill(-_LARGEST)), fill(_LARGEST)) * fill(_QUARTER)
    square = y * y
    above = y * (fill(_P0) + square * (fill(_P1) + square * fill(_P2)))
    below = fill(_P0) + square * (fill(_Q1) + square * (fill(_Q2) + square))
    above, below = fill(_F2) * above * below, below * below + above * above
    return fill(_F2) * above * below / (below * below + above * above)


@fast_kernel
def sigmoid(x):
    """What the output units make of their sums."""
    return fill(_HALF) + fill(_HALF) * tanh(fill(_HALF) * x)


@fast_kernel
def _sum_inputs(network, sight, p, stride):
    """Sum what the nine inputs around the cell ``p`` give to its hidden and output units."""
    table, sums, kind = network.table, sight.sums, sight.kind
    for i in range(0, sums.shape[1], LANES):
        x = load(table, (0, kind[p], i))
        step = 0
        for q in (p + 1, p - stride, p - 1, p + stride, p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1):
            step += 1
            x = x + load(table, (step, kind[q], i))
        store(sums, (p, i), x)


@fast_kernel
def _sum_lines(network, sight, p, stride):
    """Add what the lines of the nine cells give."""
    table, sums, line = network.line_table, sight.sums, sight.line
    for i in range(0, sums.shape[1], LANES):
        x = load(sums, (p, i))
        step = -1
        for q in (
            *(p, p + 1, p - stride, p - 1, p + stride),
            *(p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1),
        ):
            step += 1
            x = x + load(table, (step, line[q], i))
        store(sums, (p, i), x)


@kernel
def _draw_lines(sight, size):
    """Write the line of every cell to ``sight.line``."""
    for p in range(cells(size)):
        sight.line[p] = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            sight.line[row * (size + 1) + col] = min(min(row, size + 1 - row), min(col, size + 1 - col), _DEEP)


@fast_kernel
def fire(sums, hidden, p):
    """The hidden units of the cell ``p`` in the first pass, from its sums."""
    for i in range(0, hidden.shape[2], LANES):
        store(hidden, (0, p, i), tanh(load(sums, (p, i))))


@fast_kernel
def fire_again(network, sums, hidden, t, p, stride):
    """The hidden units of the cell ``p`` in pass ``t``, from its sums and the pass before."""
    again = network.again
    for i in range(0, hidden.shape[2], LANES):
        x = load(sums, (p, i))
        step = -1
        for q in (p, p + 1, p - stride, p - 1, p + stride):
            step += 1
            for j in range(again.shape[1]):
                x = x + fill(hidden[t - 1, q, j]) * load(again, (step, j, i))
        store(hidden, (t, p, i), tanh(x))


@fast_kernel
def _add(drive, p, x):
    store(drive, (p, 0), load(drive, (p, 0)) + x)


@fast_kernel
def tell(network, hidden, p, stride, direct, drive):
    """Add what the row ``p`` of ``hidden``, units or what they have changed by, gives to the outputs around to ``drive``.

    ``direct`` is added to those of the cell itself. Cells off the board are told as well.
    """
    readout = network.readout
    units = network.again.shape[1]
    t, u = units // 3, units // 6
    centre, sides, corners = direct, fill(_F0), fill(_F0)
    for i in range(t):
        x = fill(hidden[p, i])
        centre = centre + x * load(readout, (i, 0))
        sides = sides + x * load(readout, (t + i, 0))
        corners = corners + x * load(readout, (2 * t + i, 0))
    signed, diagonal = fill(_F0), fill(_F0)
    east, north, east_corner, north_corner = fill(_F0), fill(_F0), fill(_F0), fill(_F0)
    for i in range(u):
        f = 3 * t + i
        signed = signed + fill(hidden[p, t + i]) * load(readout, (f, 0))
        diagonal = diagonal + fill(hidden[p, t + u + i]) * load(readout, (f + u, 0))
        x, y = fill(hidden[p, t + 2 * u + i]), fill(hidden[p, t + 3 * u + i])
        axis, corner = load(readout, (f + 2 * u, 0)), load(readout, (f + 3 * u, 0))
        east, north = east + x * axis, north + y * axis
        east_corner, north_corner = east_corner + x * corner, north_corner + y * corner
    # The cell that has p to its east is west of it, and so on round.
    _add(drive, p, centre)
    _add(drive, p - 1, sides + signed + east)
    _add(drive, p + 1, sides + signed - east)
    _add(drive, p + stride, sides - signed + north)
    _add(drive, p - stride, sides - signed - north)
    _add(drive, p + stride - 1, corners + diagonal + (east_corner + north_corner))
    _add(drive, p - stride + 1, corners + diagonal - (east_corner + north_corner))
    _add(drive, p + stride + 1, corners - diagonal - (east_corner - north_corner))
    _add(drive, p - stride - 1, corners - diagonal + (east_corner - north_corner))


@fast_kernel
def look(network, sight, size):
    """Everything that the network says of the inputs in ``sight.kind``."""
    stride = size + 1
    passes, width = sight.hidden.shape[0], sight.hidden.shape[2]
    if network.lines:
        _draw_lines(sight, size)
    for p in range(cells(size)):
        # Cells off the board have no hidden units; they may hold some from a board of another size.
        store(sight.drive, (p, 0), fill(_F0))
        for t in range(passes):
            for i in range(0, width, LANES):
                store(sight.hidden, (t, p, i), fill(_F0))
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            _sum_inputs(network, sight, p, stride)
            if network.lines:
                _sum_lines(network, sight, p, stride)
            fire(sight.sums, sight.hidden, p)
    for t in range(1, passes):
        for row in range(1, size + 1):
            for p in range(row * stride + 1, row * stride + size + 1):
                fire_again(network, sight.sums, sight.hidden, t, p, stride)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            tell(network, sight.hidden[passes - 1], p, stride, load(sight.sums, (p, width)), sight.drive)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            store(sight.outputs, (p, 0), sigmoid(load(sight.drive, (p, 0))))


@kernel
def few_liberties(position, p):
    """How many liberties the chain of the stone at ``p`` has: 1, 2, or 3 if more."""
    if in_atari(position, p):
        return 1
    found = np.empty(3, np.int64)
    return list_liberties(position, p, found, found.size)


@kernel
def _touches_in_atari(position, p):
    """Whether the chain at ``p`` touches an enemy in atari."""
    stride = position.stride
    enemy = 3 - position.colour[p]
    stone = np.int64(p)
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == enemy and in_atari(position, q):
                return True
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            return False


@kernel
def is_caught(position, p, liberties, work):
    """Whether the chain at ``p``, of one or two liberties, is lost in a ladder.

    In atari it moves first and may run or take an enemy in atari; with two liberties the enemy does.
    """
    if liberties == 2:
        return ladder_move(position, p, work, FIRST_BOARD) != 0
    return not (_touches_in_atari(position, p) or saves(position, p, last_liberty(position, p), work))


@kernel
def _nearest_to_capture(position, p):
    """The fewest liberties of an enemy that the chain at ``p`` touches, 1 or 2; 0 if all have more."""
    stride = position.stride
    enemy = 3 - position.colour[p]
    fewest, known = 0, np.int64(0)
    stone = np.int64(p)
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == enemy and position.chain[q] != known:
                known = np.int64(position.chain[q])
                liberties = few_liberties(position, q)
                if liberties == 1:
                    return 1
                if liberties == 2:
                    fewest = 2
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            return fewest


@kernel
def chain_kind(network, position, p, before, sight, stamp, work):
    """The kind of the stones of the chain at ``p``, its class from the outputs at its liberties in the sight ``before``.

    ``sight.mark`` holds no ``stamp`` yet; ``work`` is what ladders are read on.
    """
    stride = position.stride
    white = position.colour[p] == WHITE
    eye = EYE_WHITE if white else EYE_BLACK
    territory = np.int64(0)
    eyes = np.int64(0)
    liberties = 0
    stone = np.int64(p)
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == EMPTY and sight.mark[q] != stamp:
                sight.mark[q] = stamp
                z = np.int64(before.outputs[q, Z_EMPTY] * _UNIT)
                territory += z if white else _UNIT - z
                eyes += np.int64(before.outputs[q, eye] * _UNIT)
                liberties += 1
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            break
    if eyes < _LOW:
        found = 0 if territory < _LOW else 1 if territory < _HIGH else 2
    elif eyes < _HIGH:
        found = 3 if territory < _HIGH else 4
    else:
        found = 5
    kind = found * CLASS_STEP + (WHITE_KIND if white else BLACK_KIND)
    if network.liberties:
        kind += (min(liberties, 3) - 1) * LIBERTY_STEP
    if network.ladders and liberties < 3 and is_caught(position, np.int64(p), liberties, work):
        kind += LADDER_STEP
    if network.neighbours:
        kind += _nearest_to_capture(position, p) * NEIGHBOUR_STEP
    return kind


@kernel
def classify(network, position, before, sight):
    """Write the kind of every cell to ``sight.kind``; ``before`` is the sight of the position before (§IV.B)."""
    size, stride = position.board_size, position.stride
    n = cells(size)
    work = new_work()
    for p in range(n):
        sight.mark[p] = 0
        sight.kind[p] = EDGE_KIND if position.colour[p] == EDGE else EMPTY_KIND
    if network.ko and position.ko:
        sight.kind[position.ko] = KO_KIND
    for p in range(stride + 1, n - stride):
        if position.chain[p] == p:
            kind = chain_kind(network, position, p, before, sight, p, work)
            stone = p
            while True:
                sight.kind[stone] = kind
                stone = np.int64(position.next_stone[stone])
                if stone == p:
                    break


@kernel
def see(network, position, before, sight):
    """What the network says of a position; ``before``, another record, is its sight of the position before."""
    classify(network, position, before, sight)
    look(network, sight, position.board_size)


@kernel
def see_first(network, position, sight, other):
    """What the network says of the first position of a game: its step before is the empty board. ``other`` is for work."""
    size = position.board_size
    for p in range(cells(size)):
        other.kind[p] = EDGE_KIND if position.colour[p] == EDGE else EMPTY_KIND
    look(network, other, size)
    see(network, position, other, sight)
