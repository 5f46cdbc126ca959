"""The network: one small net for each point of the board, its weights shared over points and bound by symmetry (§III).

Reading guide
    Parameters   a flat vector of 714 free weights and 11 biases; ``unpack`` names its parts, ``expand`` makes weights.
    NETWORK      the weights as kernels want them.
    SIGHT        what the network sees and says of one position, by cell of the padded board.
    Kernels      ``classify`` (stones → inputs), ``look`` (inputs → outputs), ``see`` (both).

A hidden unit of a cell belongs to a representation of the group of the board's symmetries: T is left alone by all of
them, S, D and the pairs F change sign or place. What a weight must be so that the whole commutes with the symmetries
follows from the representation (the paper's appendix): each unit has a few *features* of its 3×3 neighbourhood, sums
of cells with fixed signs, and a free weight for each. ``BASIS`` is that table of signs. The same 20 features serve
twice: from the inputs to a hidden unit, and from the hidden units around a cell to its outputs.
"""

import numpy as np
from numba import njit

from engine.go.board import EDGE, EMPTY, MAX_SIZE, WHITE, cells

KINDS = 14  # inputs of a cell, one of which is on: white C1–C6, black C1–C6, empty, off the board
WHITE_KIND, BLACK_KIND, EMPTY_KIND, EDGE_KIND = 0, 6, 12, 13
OUTPUTS = 7
Z_EMPTY, Z_WHITE, Z_BLACK, EYE_WHITE, EYE_BLACK, LOST_WHITE, LOST_BLACK = range(OUTPUTS)
OUTPUT_NAMES = ("Z+", "Zo", "Z*", "A+o", "A+*", "Ao", "A*")  # as in Table IV, o for White and * for Black
HIDDEN = 12
TRIVIAL, SIGNED, DIAGONAL, FAITHFUL = 4, 2, 2, 2  # how many units of each representation (§III); C has no weights at all
FEATURES = 3 * TRIVIAL + SIGNED + DIAGONAL + 2 * FAITHFUL
RINGS = 3  # centre, sides, corners: what an output may tell apart among the inputs around it
WEIGHTS = KINDS * FEATURES + KINDS * RINGS * OUTPUTS + FEATURES * OUTPUTS
PARAMETERS = WEIGHTS + TRIVIAL + OUTPUTS  # a bias on any hidden unit but T would break the symmetry

_OUT = HIDDEN  # where the outputs begin in a row of sums
_ROW = HIDDEN + 8  # a row has a spare place, so that it is a whole number of machine words
_LAST = 7  # the spare output: always 1, so that a linear function of the outputs may have a constant term

# The neighbourhood: the cell itself, then E N W S, then NE NW SW SE, as steps (to the east, to the north).
STEPS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
_CELLS = cells(MAX_SIZE)

# Thresholds of the group classes (§IV.B), as sums of whole numbers: a sum of them does not depend on its order.
_UNIT = 1 << 20
_LOW, _HIGH = int(0.75 * _UNIT), int(1.5 * _UNIT)

NETWORK = np.dtype(
    [
        ("table", np.float32, (9, KINDS, _ROW)),  # what a neighbour of some kind adds to the sums of a cell; biases in [0]
        ("readout", np.float32, (FEATURES, 8)),  # from features of the hidden units to the sums of the outputs
    ],
    align=True,
)
SIGHT = np.dtype(
    [
        ("kind", np.uint8, _CELLS),  # which input is on
        ("sums", np.float32, (_CELLS, _ROW)),  # of what the inputs give: to the hidden units, then to the outputs
        ("hidden", np.float32, (_CELLS, HIDDEN)),
        ("outputs", np.float32, (_CELLS, 8)),
        ("mark", np.int64, _CELLS),  # liberties that were counted for a chain, in the making of ``kind``
    ],
    align=True,
)


# Parameters


def _basis():
    """BASIS[unit, feature, step]: the sign with which a feature counts a neighbour for a hidden unit."""
    basis = np.zeros((HIDDEN, FEATURES, 9))
    for i in range(TRIVIAL):
        basis[i, i, 0] = 1
        basis[i, 4 + i, 1:5] = 1
        basis[i, 8 + i, 5:9] = 1
    for i in range(2):
        basis[4 + i, 12 + i, 1:5] = (1, -1, 1, -1)
        basis[6 + i, 14 + i, 5:9] = (1, -1, 1, -1)
        basis[8 + i, 16 + i, 1:5] = (1, 0, -1, 0)
        basis[10 + i, 16 + i, 1:5] = (0, 1, 0, -1)
        basis[8 + i, 18 + i, 5:9] = (1, -1, -1, 1)
        basis[10 + i, 18 + i, 5:9] = (1, 1, -1, -1)
    return basis


BASIS = _basis()
_RING_OF = np.array([0, 1, 1, 1, 1, 2, 2, 2, 2])
_PARTS = (
    ("seen", (FEATURES, KINDS)),  # inputs → hidden
    ("direct", (RINGS, KINDS, OUTPUTS)),  # inputs → outputs
    ("read", (FEATURES, OUTPUTS)),  # hidden → outputs
    ("hidden_bias", (TRIVIAL,)),
    ("output_bias", (OUTPUTS,)),
)


def unpack(parameters):
    """The parts of a parameter vector by name, as views of it."""
    parts, start = {}, 0
    for name, shape in _PARTS:
        length = int(np.prod(shape))
        parts[name] = parameters[start : start + length].reshape(shape)
        start += length
    return parts


def random_parameters(generator, spread):
    """Fresh parameters: what a hidden unit sees is random, all that leads to an output is 0.

    The first outputs are then all one half, and the hidden units are silent until something reads them.
    """
    parameters = np.zeros(PARAMETERS)
    unpack(parameters)["seen"][:] = generator.normal(0.0, spread, (FEATURES, KINDS))
    return parameters


def linear_mask():
    """True for the parameters that the linear phase trains: inputs → outputs and the outputs' biases."""
    mask = np.zeros(PARAMETERS, bool)
    parts = unpack(mask)
    parts["direct"][:] = parts["output_bias"][:] = True
    return mask


def _swap_kinds(kinds_last):
    """An array over kinds (its last axis) with the colours exchanged."""
    order = np.r_[6:12, 0:6, 12, 13]
    return kinds_last[..., order]


def swap_colours(parameters):
    """The parameters of the network that sees and says the same with Black and White exchanged.

    Hidden units go over to their partner of the same representation; what counts for White counts against Black.
    """
    partner = np.arange(FEATURES).reshape(-1, 2)[:, ::-1].ravel()
    order = [Z_EMPTY, Z_BLACK, Z_WHITE, EYE_BLACK, EYE_WHITE, LOST_BLACK, LOST_WHITE]
    sign = np.array([-1, -1, -1, 1, 1, 1, 1])
    swapped = np.empty(PARAMETERS)
    old, new = unpack(np.asarray(parameters, float)), unpack(swapped)
    new["seen"][:] = _swap_kinds(old["seen"])[partner]
    new["direct"][:] = _swap_kinds(old["direct"].transpose(0, 2, 1)).transpose(0, 2, 1)[..., order] * sign
    new["read"][:] = old["read"][partner][:, order] * sign
    new["hidden_bias"][:] = old["hidden_bias"][partner[:TRIVIAL]]
    new["output_bias"][:] = old["output_bias"][order] * sign
    return swapped


def expand(parameters):
    """The weights of every connection: V_HI [hidden, kind, step], V_OI [output, kind, step], V_OH [output, hidden, step]."""
    parts = unpack(np.asarray(parameters, float))
    seen = np.einsum("hfn,fk->hkn", BASIS, parts["seen"])
    direct = parts["direct"][_RING_OF].transpose(2, 1, 0)
    read = np.einsum("hfn,fo->ohn", BASIS, parts["read"])
    return seen, direct, read


def contract(gradient_table, gradient_readout):
    """The gradient by parameter from the gradients by NETWORK entry: the transpose of what ``build`` does."""
    gradient = np.empty(PARAMETERS)
    parts = unpack(gradient)
    table = np.asarray(gradient_table, float)
    parts["seen"][:] = np.einsum("hfn,nkh->fk", BASIS, table[:, :, :HIDDEN])
    rings = np.zeros((RINGS, 9))
    rings[_RING_OF, np.arange(9)] = 1
    parts["direct"][:] = np.einsum("rn,nko->rko", rings, table[:, :, _OUT : _OUT + OUTPUTS])
    parts["read"][:] = gradient_readout[:, :OUTPUTS]
    parts["hidden_bias"][:] = table[0, :, :TRIVIAL].sum(axis=0)
    parts["output_bias"][:] = table[0, :, _OUT : _OUT + OUTPUTS].sum(axis=0)
    return gradient


def build(parameters):
    """The NETWORK record of a parameter vector; ValueError if it is not one."""
    parameters = np.asarray(parameters, float)
    if parameters.shape != (PARAMETERS,) or not np.isfinite(parameters).all():
        raise ValueError(f"the network needs {PARAMETERS} finite parameters")
    network = np.recarray(1, NETWORK)[0]
    seen, direct, _ = expand(parameters)
    parts = unpack(parameters)
    network.table[:] = 0
    network.table[:, :, :HIDDEN] = seen.transpose(2, 1, 0)
    network.table[:, :, _OUT : _OUT + OUTPUTS] = direct.transpose(2, 1, 0)
    network.table[0, :, :TRIVIAL] += parts["hidden_bias"].astype(np.float32)
    network.table[0, :, _OUT : _OUT + OUTPUTS] += parts["output_bias"].astype(np.float32)
    network.readout[:] = 0
    network.readout[:, :OUTPUTS] = parts["read"]
    return network


def build_pair(parameters, turn_aware):
    """The networks that see a position after a move of White and after a move of Black.

    In the paper they are one. A network that is ``turn_aware`` sees the side that has moved as White: so it knows whose turn
    it is, and a chain that is attacked and may still run looks different from one that cannot.
    """
    after_white = build(parameters)
    return after_white, build(swap_colours(parameters)) if turn_aware else after_white


def new_sight():
    """A SIGHT record with nothing in it; hidden units off the board must stay 0."""
    sight = np.recarray(1, SIGHT)[0]
    for name in SIGHT.names:
        sight[name][:] = 0
    return sight


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
    k = np.int64(kind[p])
    for i in range(_ROW):
        sums[p, i] = table[0, k, i]
    step = 0
    for q in (p + 1, p - stride, p - 1, p + stride, p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1):
        step += 1
        k = np.int64(kind[q])
        for i in range(_ROW):
            sums[p, i] += table[step, k, i]


@njit(**_FAST)
def fire_hidden(sight, p):
    """The hidden units of the cell ``p`` from its sums."""
    sums, hidden = sight.sums, sight.hidden
    for i in range(HIDDEN):
        hidden[p, i] = tanh(sums[p, i])


@njit(**_FAST)
def gather(hidden, p, stride, features):
    """Write the features of the hidden units around the cell ``p`` to ``features``."""
    e, n, w, s = p + 1, p - stride, p - 1, p + stride
    ne, nw, sw, se = n + 1, n - 1, s - 1, s + 1
    for i in range(4):
        features[i] = hidden[p, i]
        features[4 + i] = hidden[e, i] + hidden[n, i] + hidden[w, i] + hidden[s, i]
        features[8 + i] = hidden[ne, i] + hidden[nw, i] + hidden[sw, i] + hidden[se, i]
    for i in range(2):
        features[12 + i] = hidden[e, 4 + i] - hidden[n, 4 + i] + hidden[w, 4 + i] - hidden[s, 4 + i]
        features[14 + i] = hidden[ne, 6 + i] - hidden[nw, 6 + i] + hidden[sw, 6 + i] - hidden[se, 6 + i]
        features[16 + i] = hidden[e, 8 + i] - hidden[w, 8 + i] + hidden[n, 10 + i] - hidden[s, 10 + i]
        features[18 + i] = (hidden[ne, 8 + i] - hidden[nw, 8 + i]) - (hidden[sw, 8 + i] - hidden[se, 8 + i]) + (
            (hidden[ne, 10 + i] + hidden[nw, 10 + i]) - (hidden[sw, 10 + i] + hidden[se, 10 + i])
        )


@njit(**_FAST)
def fire_outputs(network, sight, p, stride, features, outputs):
    """The outputs of the cell ``p`` into ``outputs`` (eight, the last one 1), from its sums and the hidden units around."""
    gather(sight.hidden, p, stride, features)
    sums, readout = sight.sums, network.readout
    for o in range(8):
        outputs[o] = sums[p, _OUT + o]
    for f in range(FEATURES):
        x = features[f]
        for o in range(8):
            outputs[o] += readout[f, o] * x
    for o in range(8):
        outputs[o] = _HALF + _HALF * tanh(_HALF * outputs[o])
    outputs[_LAST] = _F1


@njit(**_FAST)
def look(network, sight, size):
    """Everything that the network says of the inputs in ``sight.kind``."""
    stride = size + 1
    features, outputs = np.empty(FEATURES, np.float32), np.empty(8, np.float32)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            sum_inputs(network, sight, p, stride)
            fire_hidden(sight, p)
    # Cells off the board have no hidden units; they may hold some from a board of another size.
    for i in range(HIDDEN):
        for p in range(stride + 1):
            sight.hidden[p, i] = 0
        for row in range(1, size + 2):
            sight.hidden[row * stride, i] = 0
        for p in range((size + 1) * stride, (size + 2) * stride + 1):
            sight.hidden[p, i] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            fire_outputs(network, sight, p, stride, features, outputs)
            for o in range(8):
                sight.outputs[p, o] = outputs[o]


@njit(cache=True, nogil=True)
def chain_kind(position, p, before, sight, stamp):
    """The input for the stones of the chain at ``p``, from the outputs at its liberties in the sight ``before``.

    ``sight.mark`` holds no ``stamp`` yet.
    """
    stride = position.stride
    white = position.colour[p] == WHITE
    eye = EYE_WHITE if white else EYE_BLACK
    territory = np.int64(0)
    eyes = np.int64(0)
    stone = np.int64(p)
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[q] == EMPTY and sight.mark[q] != stamp:
                sight.mark[q] = stamp
                z = np.int64(before.outputs[q, Z_EMPTY] * _UNIT)
                territory += z if white else _UNIT - z
                eyes += np.int64(before.outputs[q, eye] * _UNIT)
        stone = np.int64(position.next_stone[stone])
        if stone == p:
            break
    if eyes < _LOW:
        found = 0 if territory < _LOW else 1 if territory < _HIGH else 2
    elif eyes < _HIGH:
        found = 3 if territory < _HIGH else 4
    else:
        found = 5
    return found + (WHITE_KIND if white else BLACK_KIND)


@njit(cache=True, nogil=True)
def classify(position, before, sight):
    """Write the input of every cell to ``sight.kind``; ``before`` is the sight of the position before (§IV.B)."""
    size, stride = position.board_size, position.stride
    n = cells(size)
    for p in range(n):
        sight.mark[p] = 0
        sight.kind[p] = EDGE_KIND if position.colour[p] == EDGE else EMPTY_KIND
    for p in range(stride + 1, n - stride):
        if position.chain[p] == p:
            kind = chain_kind(position, p, before, sight, p)
            stone = p
            while True:
                sight.kind[stone] = kind
                stone = np.int64(position.next_stone[stone])
                if stone == p:
                    break


@njit(cache=True, nogil=True)
def see(network, position, before, sight):
    """What the network says of a position; ``before``, another record, is its sight of the position before."""
    classify(position, before, sight)
    look(network, sight, position.board_size)


@njit(cache=True, nogil=True)
def see_first(network, position, sight, other):
    """What the network says of the first position of a game: its step before is the empty board. ``other`` is for work."""
    size = position.board_size
    for p in range(cells(size)):
        other.kind[p] = EDGE_KIND if position.colour[p] == EDGE else EMPTY_KIND
    look(network, other, size)
    see(network, position, other, sight)
