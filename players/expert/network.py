"""The network: symmetric layers over the board, and what they say of a position.

Reading guide
    Layers      *windows* look at the features of a point and of the eight around it, each in all eight positions of the
                square, and what the eight say is averaged: so a window finds its pattern however it is turned. Beside them
                *plain* units tell apart only the centre, the sides and the corners. Then LAYERS layers of WIDTH units in
                which every unit hears its own point, the sum of the four beside it, the sum of the four diagonal ones and
                the mean over the board, and adds to what it was. So whatever is done to the board is done to all layers.
    Outputs     for each point a policy (how likely the search plays there; the same for a pass) and who will own it; for
                the board who wins: the lead in points that the owners add up to, times a sharpness that depends on the
                position, and something for the move.
    Parameters  a flat vector; ``unpack`` names its parts, ``build`` makes of it what kernels want, ``contract`` is the
                transpose of that.
    Kernels     ``look`` (features → outputs).
"""

import numpy as np

from engine.go.board import MAX_SIZE, PASS, cells
from engine.kernels import fast_kernel
from players.expert.features import EMPTY_SETS, FEATURES, OFF_BOARD, is_candidate
from players.expert.tiles import GROUP_WIDTH, TILE_ROWS, add_up_parts, fire, hear_point, sum_rows

# Sizes are our choice: an evaluation on 9×9 takes as long as some two simulations of the search.
WINDOWS, PLAIN = 24, 24
WIDTH = WINDOWS + PLAIN
LAYERS = 4
POSES, TAPS, RINGS = 8, 9, 3
ROW = POSES * WINDOWS + PLAIN  # units of the first layer: the poses one after the other, the plain ones last
_PLAIN_AT = POSES * WINDOWS
HEARD = RINGS * WIDTH  # what a unit hears: its point, the sides, the corners
POLICY, OWNER = 0, 1  # outputs of a point
HEADS = 2
TEMPO, SHARPNESS, PASSING = 0, 1, 2  # outputs of the board, from the mean of the last layer
SAID = 3
FIRST_SHARPNESS = 0.5  # of a fresh network: a lead of a point for each line of the board counts for half

_CELLS = cells(MAX_SIZE)
_ROW_ROOM = -(-ROW // GROUP_WIDTH) * GROUP_WIDTH  # with columns of 0 behind the units of the first layer
_POINTS = MAX_SIZE * MAX_SIZE + TILE_ROWS

# Where a table has rows for features it has rows for the sets of features of empty points too, behind them: the first layer then
# adds up half as many.
_SET_OF = np.zeros((len(EMPTY_SETS), FEATURES))
for _number, _set in enumerate(EMPTY_SETS):
    _SET_OF[_number, list(_set)] = 1
_INPUTS = FEATURES + len(EMPTY_SETS)
_LOWEST = min(min(features) for features in EMPTY_SETS)
_SET_BITS = np.uint32(sum(1 << feature for feature in {f for features in EMPTY_SETS for f in features}))
_INPUT_OF = np.zeros(int(_SET_BITS >> np.uint32(_LOWEST)) + 1, np.uint8)  # by those bits of a point: its input, 0 for none
for _number, _set in enumerate(EMPTY_SETS):
    _INPUT_OF[sum(1 << feature - _LOWEST for feature in _set)] = FEATURES + _number

# Taps are the cells of the 3×3 square row by row.
RING_OF = np.array([2, 1, 2, 1, 0, 1, 2, 1, 2])
_SQUARE = np.arange(TAPS).reshape(3, 3)
POSE = np.array([np.rot90(view, turns).ravel() for view in (_SQUARE, _SQUARE.T) for turns in range(4)])

_PARTS = (
    ("windows", (WINDOWS, FEATURES, TAPS)),
    ("plain", (PLAIN, FEATURES, RINGS)),
    ("first_bias", (WIDTH,)),
    ("layers", (LAYERS, HEARD, WIDTH)),
    ("board", (LAYERS, WIDTH, WIDTH)),  # from the mean over the board
    ("bias", (LAYERS, WIDTH)),
    ("heads", (HEARD, HEADS)),
    ("head_bias", (HEADS,)),
    ("said", (WIDTH, SAID)),
    ("said_bias", (SAID,)),
)
_AS_THEY_ARE = ("layers", "board", "bias", "head_bias", "said", "said_bias")  # what kernels take without a change
PARAMETERS = sum(int(np.prod(shape)) for _, shape in _PARTS)

NETWORK = np.dtype(
    [
        ("table", np.float32, (TAPS, _INPUTS, _ROW_ROOM)),  # what an input at a tap adds to the first layer
        ("first_bias", np.float32, (1, _ROW_ROOM)),
        ("layers", np.float32, (LAYERS, HEARD, WIDTH)),
        ("turned", np.float32, (LAYERS, WIDTH, HEARD)),  # the same with rows for columns, for going back
        ("board", np.float32, (LAYERS, WIDTH, WIDTH)),
        ("bias", np.float32, (LAYERS, WIDTH)),
        ("heads", np.float32, (HEADS, HEARD)),
        ("head_bias", np.float32, HEADS),
        ("said", np.float32, (WIDTH, SAID)),
        ("said_bias", np.float32, SAID),
    ],
    align=True,
)
SIGHT = np.dtype(
    [
        ("bits", np.uint32, _CELLS),  # features of each cell
        ("points", np.int64, _POINTS),  # the points of the board, and behind them a cell that nobody hears
        ("count", np.int64, _CELLS),  # by cell: how many inputs are on …
        ("on", np.uint8, (_CELLS, FEATURES)),  # … and which
        ("rows", np.int64, TAPS * FEATURES),  # of the table, that a point adds up
        ("first", np.float32, (_POINTS, _ROW_ROOM)),  # the first layer, by number of the point
        ("units", np.float32, (LAYERS + 1, _CELLS + 1, WIDTH)),  # the layers by cell; 0 off the board
        ("mean", np.float32, (LAYERS + 1, WIDTH)),  # of them over the board
        ("heard", np.float32, (_POINTS, HEARD)),
        ("row", np.float32, (1, WIDTH)),  # room for one of a layer
        ("policy", np.float32, _CELLS),  # chances of the moves, that of a pass at PASS; they add up to 1
        ("owner", np.float32, _CELLS),  # chance that the point becomes the mover's
        ("said", np.float32, SAID),
        ("lead", np.float32),  # of the mover, komi included, in points for each line of the board
        ("win", np.float32),  # the mover's chance
        ("found", np.int64, 8),  # room for ``features.see``
    ],
    align=True,
)


# Parameters


def unpack(parameters):
    """The parts of a parameter vector by name, as views of it."""
    parts, start = {}, 0
    for name, shape in _PARTS:
        length = int(np.prod(shape))
        parts[name] = parameters[start : start + length].reshape(shape)
        start += length
    return parts


def random_parameters(generator):
    """Fresh parameters: the first layer random, the others nearly silent at first, all outputs the same everywhere."""
    parameters = np.zeros(PARAMETERS)
    parts = unpack(parameters)
    parts["windows"][:] = generator.normal(0.0, 0.3, parts["windows"].shape)  # some 18 inputs are on
    parts["plain"][:] = generator.normal(0.0, 0.3, parts["plain"].shape)
    # Units are never negative, so that sums over four points are about four times as large as one of them. All three
    # together then add about half of what a unit was.
    spread = np.repeat([1.0, 0.25, 0.25], WIDTH)[:, None] * 0.3 / np.sqrt(WIDTH)
    parts["layers"][:] = generator.normal(0.0, 1.0, parts["layers"].shape) * spread
    parts["board"][:] = generator.normal(0.0, 0.25 / np.sqrt(WIDTH), parts["board"].shape)
    parts["said_bias"][SHARPNESS] = np.log(np.expm1(FIRST_SHARPNESS))
    return parameters


def build(parameters):
    """The NETWORK record of a parameter vector; ValueError if it is not one."""
    parameters = np.asarray(parameters, float)
    if parameters.shape != (PARAMETERS,) or not np.isfinite(parameters).all():
        raise ValueError(f"the network needs {PARAMETERS} finite parameters")
    network, parts = np.zeros(1, NETWORK).view(np.recarray)[0], unpack(parameters)
    for name in _AS_THEY_ARE:
        network[name][:] = parts[name]
    network.turned[:] = parts["layers"].transpose(0, 2, 1)
    network.heads[:] = parts["heads"].T
    posed = parts["windows"][:, :, POSE]  # [window, feature, pose, tap]
    table = np.zeros((TAPS, FEATURES, _ROW_ROOM))
    table[:, :, :_PLAIN_AT] = posed.transpose(3, 1, 2, 0).reshape(TAPS, FEATURES, _PLAIN_AT)
    table[:, :, _PLAIN_AT:ROW] = parts["plain"][:, :, RING_OF].transpose(2, 1, 0)
    network.table[:, :FEATURES], network.table[:, FEATURES:] = table, _SET_OF @ table
    network.first_bias[0, :_PLAIN_AT] = np.tile(parts["first_bias"][:WINDOWS], POSES)
    network.first_bias[0, _PLAIN_AT:ROW] = parts["first_bias"][WINDOWS:]
    return network


def contract(gradient):
    """The gradient by parameter from the gradient by NETWORK entry."""
    found = np.zeros(PARAMETERS)
    parts = unpack(found)
    for name in _AS_THEY_ARE:
        parts[name][:] = gradient[name]
    parts["heads"][:] = gradient.heads.T
    table = np.asarray(gradient.table[:, :, :ROW], float)
    table = table[:, :FEATURES] + _SET_OF.T @ table[:, FEATURES:]
    posed = table[:, :, :_PLAIN_AT].reshape(TAPS, FEATURES, POSES, WINDOWS)
    for pose in range(POSES):
        parts["windows"][:, :, POSE[pose]] += posed[:, :, pose].transpose(2, 1, 0)
    for tap in range(TAPS):
        parts["plain"][:, :, RING_OF[tap]] += table[tap, :, _PLAIN_AT:].T
    parts["first_bias"][:WINDOWS] = gradient.first_bias[0, :_PLAIN_AT].reshape(POSES, WINDOWS).sum(axis=0)
    parts["first_bias"][WINDOWS:] = gradient.first_bias[0, _PLAIN_AT:ROW]
    return found


def new_sight():
    """A SIGHT record with nothing in it; it serves any number of positions on any board, one after the other."""
    return np.zeros(1, SIGHT).view(np.recarray)[0]


# Kernels. Sums may be taken in any order, and division need not look for zero, so that whole rows are worked on at a time.

_ZERO, _EIGHTH = np.float32(0), np.float32(1 / POSES)


@fast_kernel
def _list_points(sight, size):
    """Write the points of the board and what is on at each cell; units off the board become 0."""
    stride = size + 1
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            sight.points[count] = p
            count += 1
    for k in range(count, count + TILE_ROWS):
        sight.points[k] = _CELLS
    for p in range(cells(size)):
        bits = sight.bits[p]
        if bits == OFF_BOARD:
            for layer in range(LAYERS + 1):
                for i in range(WIDTH):
                    sight.units[layer, p, i] = _ZERO
        on = 0
        of_set = _INPUT_OF[(bits & _SET_BITS) >> np.uint32(_LOWEST)]
        if of_set:
            sight.on[p, on] = of_set
            on += 1
            bits &= ~_SET_BITS
        feature = 0
        while bits:
            if bits & np.uint32(1):
                sight.on[p, on] = feature
                on += 1
            bits >>= np.uint32(1)
            feature += 1
        sight.count[p] = on
    return count


@fast_kernel
def list_rows(sight, p, stride):
    """Write to ``sight.rows`` the rows of the table that the inputs around ``p`` stand for; how many."""
    count = 0
    tap = 0
    for q in (
        *(p - stride - 1, p - stride, p - stride + 1, p - 1, p),
        *(p + 1, p + stride - 1, p + stride, p + stride + 1),
    ):
        for j in range(sight.count[q]):
            sight.rows[count] = tap * _INPUTS + sight.on[q, j]
            count += 1
        tap += 1
    return count


@fast_kernel
def _fire_first(network, sight, size, count):
    """The first layer, and what its poses say together."""
    first, units, together = sight.first, sight.units[0], sight.row
    table = network.table.reshape(TAPS * _INPUTS, _ROW_ROOM)
    for k in range(count):
        p = sight.points[k]
        on = list_rows(sight, p, size + 1)
        sum_rows(table, sight.rows, on, network.first_bias, first, k, _ROW_ROOM)
        add_up_parts(first, k, POSES // 2, together, 0, WIDTH)  # two poses are as wide as a layer
        for i in range(WINDOWS):
            units[p, i] = _EIGHTH * (together[0, i] + together[0, WINDOWS + i])
        for i in range(PLAIN):
            units[p, WINDOWS + i] = max(first[k, _PLAIN_AT + i], _ZERO)


@fast_kernel
def hear(units, points, stride, count, heard):
    """What the points hear of a layer: their own units, the sums over the sides, the sums over the corners."""
    for k in range(count):
        hear_point(units, points[k], stride, heard, k, WIDTH)


@fast_kernel
def _average(sight, layer, count):
    """The mean of a layer over the board."""
    mean = sight.mean
    for i in range(WIDTH):
        sight.row[0, i] = _ZERO
    sum_rows(sight.units[layer], sight.points, count, sight.row, mean, layer, WIDTH)
    share = np.float32(1.0 / count)
    for i in range(WIDTH):
        mean[layer, i] *= share


@fast_kernel
def _fire_layer(network, sight, layer, size, count):
    """Layer number ``layer`` + 1 from the one below."""
    units, above, mean = sight.units[layer], sight.units[layer + 1], sight.mean[layer]
    common = sight.row
    for o in range(WIDTH):
        common[0, o] = network.bias[layer, o]
    for i in range(WIDTH):
        for o in range(WIDTH):
            common[0, o] += mean[i] * network.board[layer, i, o]
    hear(units, sight.points, size + 1, count, sight.heard)
    fire(sight.heard, network.layers[layer], common, units, above, sight.points, count, HEARD, WIDTH)


@fast_kernel
def _say(network, sight, size, count, komi):
    """The outputs from the last layer; ``komi`` is what the mover has to win by."""
    hear(sight.units[LAYERS], sight.points, size + 1, count, sight.heard)
    for j in range(SAID):
        total = network.said_bias[j]
        for i in range(WIDTH):
            total += network.said[i, j] * sight.mean[LAYERS, i]
        sight.said[j] = total
    largest = sight.said[PASSING]
    owned = 0.0
    for k in range(count):
        p = sight.points[k]
        policy, owner = network.head_bias[POLICY], network.head_bias[OWNER]
        for i in range(HEARD):
            policy += sight.heard[k, i] * network.heads[POLICY, i]
            owner += sight.heard[k, i] * network.heads[OWNER, i]
        sight.owner[p] = np.float32(1) / (np.float32(1) + np.exp(-owner))
        owned += 2.0 * sight.owner[p] - 1.0
        sight.policy[p] = policy
        if is_candidate(sight.bits[p]):
            largest = max(largest, policy)
    total = sight.policy[PASS] = np.exp(sight.said[PASSING] - largest)
    for k in range(count):
        p = sight.points[k]
        sight.policy[p] = np.exp(sight.policy[p] - largest) if is_candidate(sight.bits[p]) else _ZERO
        total += sight.policy[p]
    sight.policy[PASS] /= total
    for k in range(count):
        sight.policy[sight.points[k]] /= total
    sight.lead = (owned - komi) / size
    sharpness = np.log1p(np.exp(min(np.float64(sight.said[SHARPNESS]), 30.0)))
    sight.win = 1.0 / (1.0 + np.exp(-(sight.lead * sharpness + sight.said[TEMPO])))


@fast_kernel
def look(network, sight, size, komi):
    """Everything that the network says of the features in ``sight.bits``; ``komi`` is what the mover has to win by."""
    count = _list_points(sight, size)
    _fire_first(network, sight, size, count)
    for layer in range(LAYERS):
        _average(sight, layer, count)
        _fire_layer(network, sight, layer, size, count)
    _average(sight, LAYERS, count)
    _say(network, sight, size, count, komi)
    return count
