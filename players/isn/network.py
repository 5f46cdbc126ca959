"""The network as kernels see it: one small net for each point of the board, its weights shared over points (§III).

Reading guide
    NETWORK      the weights of an anatomy as kernels want them; ``build`` makes them of a parameter vector.
    SIGHT        what a network sees and says of one position, by cell of the padded board.
    Kernels      ``classify`` (stones → inputs), ``look`` (inputs → outputs), ``see`` (both).

Networks of one number of hidden units and passes share the types of these records, whatever their inputs are: the arrays in
a record have fixed lengths, by which the compiler unrolls loops.
"""

from functools import lru_cache

import numpy as np
from numba import njit

from engine.go.board import EDGE, EMPTY, MAX_SIZE, WHITE, cells, in_atari, last_liberty, list_liberties
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
    expand,
    expand_again,
    plane_names,
    swap_colours,
    unpack,
    wiring,
)
from players.scripted.reading import ladder_move, new_work, saves

SPARE = 8  # places in a row for the outputs: one more than there are, so that it is a whole number of machine words
_LAST = 7  # the spare output: always 1, so that a linear function of the outputs may have a constant term
_CELLS = cells(MAX_SIZE)
_DEEP = LINE_KINDS + 1  # the line number of all points further inside; cells off the board have 0

# Thresholds of the group classes (§IV.B), as sums of whole numbers: a sum of them does not depend on its order.
_UNIT = 1 << 20
_LOW, _HIGH = int(0.75 * _UNIT), int(1.5 * _UNIT)


@lru_cache(maxsize=None)
def network_type(hidden):
    """NETWORK: weights, or their gradient, with so many hidden units. A row has a place for each of them and each output."""
    row = hidden + SPARE
    return np.dtype(
        [
            ("liberties", np.bool_),  # which inputs there are
            ("ladders", np.bool_),
            ("neighbours", np.bool_),
            ("ko", np.bool_),
            ("lines", np.bool_),
            ("table", np.float32, (9, KINDS, row)),  # what a neighbour of some kind adds to a cell's sums; biases in [0]
            ("line_table", np.float32, (9, _DEEP + 1, row)),  # what a neighbour on some line adds besides
            ("readout", np.float32, (5 * hidden // 3, SPARE)),  # from features of the hidden units to the outputs
            ("again", np.float32, (CROSS, hidden, hidden)),  # from the hidden units around to those of the next pass
        ],
        align=True,
    )


@lru_cache(maxsize=None)
def sight_type(hidden, passes):
    """SIGHT: what a network sees and says."""
    return np.dtype(
        [
            ("kind", np.uint8, _CELLS),  # all that is told of a cell
            ("line", np.uint8, _CELLS),
            ("sums", np.float32, (_CELLS, hidden + SPARE)),  # of what the inputs give to hidden units and outputs
            ("hidden", np.float32, (passes, _CELLS, hidden)),
            ("outputs", np.float32, (_CELLS, SPARE)),
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
    parameters = np.asarray(parameters, float)
    if parameters.shape != (anatomy.parameters,) or not np.isfinite(parameters).all():
        raise ValueError(f"the network needs {anatomy.parameters} finite parameters")
    network = new_network(anatomy)
    network.liberties, network.ladders, network.neighbours, network.ko, network.lines = (
        name in anatomy.inputs for name in (LIBERTIES, LADDERS, NEIGHBOURS, KO, LINES)
    )
    out = anatomy.hidden
    seen, direct, _ = expand(parameters, anatomy)
    parts = unpack(parameters, anatomy)
    rows = np.concatenate([seen, direct]).transpose(2, 1, 0)  # [step, plane, hidden and output]
    network.table[:, :, : out + OUTPUTS] = wiring(anatomy) @ rows
    network.table[0, :, : anatomy.trivial] += parts["hidden_bias"].astype(np.float32)
    network.table[0, :, out : out + OUTPUTS] += parts["output_bias"].astype(np.float32)
    if network.lines:
        first = plane_names(anatomy).index("line 1")
        network.line_table[:, 1:_DEEP, : out + OUTPUTS] = rows[:, first : first + LINE_KINDS]
    network.readout[:, :OUTPUTS] = parts["read"]
    if anatomy.passes > 1:
        network.again[:] = expand_again(parameters, anatomy)
    return network


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
# The transcendental functions are our own so that the compiler can work on whole rows at a time. Division must not
# look for zero, and sums may be taken in any order, for the same reason.

_FAST = {"cache": True, "nogil": True, "fastmath": True, "error_model": "numpy"}
_F1, _F2, _QUARTER, _HALF, _LARGEST = (np.float32(x) for x in (1, 2, 0.25, 0.5, 9))
# Convergent of the continued fraction of tanh, right to 1e-7 where it is used.
_P0, _P1, _P2, _Q1, _Q2 = (np.float32(x) for x in (10395, 1260, 21, 4725, 210))


@njit(inline="always", **_FAST)
def tanh(x):
    """The hyperbolic tangent in float32: from a quarter of the argument, doubled twice."""
    y = min(max(x, -_LARGEST), _LARGEST) * _QUARTER
    square = y * y
    t = y * (_P0 + square * (_P1 + square * _P2)) / (_P0 + square * (_Q1 + square * (_Q2 + square)))
    t = _F2 * t / (_F1 + t * t)
    return _F2 * t / (_F1 + t * t)


@njit(**_FAST)
def sum_inputs(network, sight, p, stride):
    """Sum what the nine inputs around the cell ``p`` give to its hidden and output units."""
    table, sums, kind = network.table, sight.sums, sight.kind
    row = sums.shape[1]
    k = np.int64(kind[p])
    for i in range(row):
        sums[p, i] = table[0, k, i]
    step = 0
    for q in (p + 1, p - stride, p - 1, p + stride, p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1):
        step += 1
        k = np.int64(kind[q])
        for i in range(row):
            sums[p, i] += table[step, k, i]


@njit(**_FAST)
def _sum_lines(network, sight, p, stride):
    """Add what the lines of the nine cells give."""
    table, sums, line = network.line_table, sight.sums, sight.line
    step = -1
    for q in (
        *(p, p + 1, p - stride, p - 1, p + stride),
        *(p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1),
    ):
        step += 1
        number = np.int64(line[q])
        for i in range(sums.shape[1]):
            sums[p, i] += table[step, number, i]


@njit(cache=True, nogil=True)
def _draw_lines(sight, size):
    """Write the line of every cell to ``sight.line``."""
    for p in range(cells(size)):
        sight.line[p] = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            sight.line[row * (size + 1) + col] = min(min(row, size + 1 - row), min(col, size + 1 - col), _DEEP)


@njit(**_FAST)
def fire_hidden(sight, p):
    """The hidden units of the cell ``p`` in the first pass, from its sums."""
    sums, hidden = sight.sums, sight.hidden
    for i in range(hidden.shape[2]):
        hidden[0, p, i] = tanh(sums[p, i])


@njit(**_FAST)
def fire_again(network, sight, t, p, stride):
    """The hidden units of the cell ``p`` in pass ``t``, from its sums and the pass before."""
    sums, hidden, again = sight.sums, sight.hidden, network.again
    units = hidden.shape[2]
    for i in range(units):
        hidden[t, p, i] = sums[p, i]
    step = -1
    for q in (p, p + 1, p - stride, p - 1, p + stride):
        step += 1
        for j in range(units):
            x = hidden[t - 1, q, j]
            for i in range(units):
                hidden[t, p, i] += again[step, j, i] * x
    for i in range(units):
        hidden[t, p, i] = tanh(hidden[t, p, i])


@njit(**_FAST)
def gather(sight, p, stride, features):
    """Write the features of the hidden units around the cell ``p``, in the last pass, to ``features``."""
    hidden = sight.hidden
    t, u = hidden.shape[2] // 3, hidden.shape[2] // 6
    last = hidden.shape[0] - 1
    e, n, w, s = p + 1, p - stride, p - 1, p + stride
    ne, nw, sw, se = n + 1, n - 1, s - 1, s + 1
    for i in range(t):
        features[i] = hidden[last, p, i]
        features[t + i] = hidden[last, e, i] + hidden[last, n, i] + hidden[last, w, i] + hidden[last, s, i]
        features[2 * t + i] = hidden[last, ne, i] + hidden[last, nw, i] + hidden[last, sw, i] + hidden[last, se, i]
    for i in range(u):
        signed, diagonal, east, north = t + i, t + u + i, t + 2 * u + i, t + 3 * u + i
        f = 3 * t + i
        features[f] = (
            hidden[last, e, signed] - hidden[last, n, signed] + hidden[last, w, signed] - hidden[last, s, signed]
        )
        features[f + u] = (
            hidden[last, ne, diagonal] - hidden[last, nw, diagonal] + hidden[last, sw, diagonal] - hidden[last, se, diagonal]
        )
        features[f + 2 * u] = (
            hidden[last, e, east] - hidden[last, w, east] + hidden[last, n, north] - hidden[last, s, north]
        )
        features[f + 3 * u] = (hidden[last, ne, east] - hidden[last, nw, east]) - (
            hidden[last, sw, east] - hidden[last, se, east]
        ) + ((hidden[last, ne, north] + hidden[last, nw, north]) - (hidden[last, sw, north] + hidden[last, se, north]))


@njit(**_FAST)
def fire_outputs(network, sight, p, stride, features, outputs):
    """The outputs of the cell ``p`` into ``outputs`` (eight, the last one 1), from its sums and the hidden units around."""
    gather(sight, p, stride, features)
    sums, readout = sight.sums, network.readout
    out = sight.hidden.shape[2]
    for o in range(SPARE):
        outputs[o] = sums[p, out + o]
    for f in range(readout.shape[0]):
        x = features[f]
        for o in range(SPARE):
            outputs[o] += readout[f, o] * x
    for o in range(SPARE):
        outputs[o] = _HALF + _HALF * tanh(_HALF * outputs[o])
    outputs[_LAST] = _F1


@njit(**_FAST)
def look(network, sight, size):
    """Everything that the network says of the inputs in ``sight.kind``."""
    stride = size + 1
    passes, units = sight.hidden.shape[0], sight.hidden.shape[2]
    features, outputs = np.empty(network.readout.shape[0], np.float32), np.empty(SPARE, np.float32)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            sum_inputs(network, sight, p, stride)
    if network.lines:
        _draw_lines(sight, size)
        for row in range(1, size + 1):
            for p in range(row * stride + 1, row * stride + size + 1):
                _sum_lines(network, sight, p, stride)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            fire_hidden(sight, p)
    # Cells off the board have no hidden units; they may hold some from a board of another size.
    for t in range(passes):
        for i in range(units):
            for p in range(stride + 1):
                sight.hidden[t, p, i] = 0
            for row in range(1, size + 2):
                sight.hidden[t, row * stride, i] = 0
            for p in range((size + 1) * stride, (size + 2) * stride + 1):
                sight.hidden[t, p, i] = 0
    for t in range(1, passes):
        for row in range(1, size + 1):
            for p in range(row * stride + 1, row * stride + size + 1):
                fire_again(network, sight, t, p, stride)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            fire_outputs(network, sight, p, stride, features, outputs)
            for o in range(SPARE):
                sight.outputs[p, o] = outputs[o]


@njit(cache=True, nogil=True)
def few_liberties(position, p):
    """How many liberties the chain of the stone at ``p`` has: 1, 2, or 3 if more."""
    if in_atari(position, p):
        return 1
    found = np.empty(3, np.int64)
    return list_liberties(position, p, found, found.size)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def is_caught(position, p, liberties, work):
    """Whether the chain at ``p``, of one or two liberties, is lost in a ladder.

    In atari it moves first and may run or take an enemy in atari; with two liberties the enemy does.
    """
    if liberties == 2:
        return ladder_move(position, p, work, 0) != 0
    return not (_touches_in_atari(position, p) or saves(position, p, last_liberty(position, p), work))


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def see(network, position, before, sight):
    """What the network says of a position; ``before``, another record, is its sight of the position before."""
    classify(network, position, before, sight)
    look(network, sight, position.board_size)


@njit(cache=True, nogil=True)
def see_first(network, position, sight, other):
    """What the network says of the first position of a game: its step before is the empty board. ``other`` is for work."""
    size = position.board_size
    for p in range(cells(size)):
        other.kind[p] = EDGE_KIND if position.colour[p] == EDGE else EMPTY_KIND
    look(network, other, size)
    see(network, position, other, sight)
