"""A network as arrays, and the move it proposes (paper, "Network parameters").

The units of an n×n board are numbered: own stone at point i is unit i, enemy stone there unit n² + i, the output for
the point unit 2n² + i (points row by row from the top left). With other inputs there are more units before those of the
output: stones by the liberties of their chains, and points by what a move there would do (``INPUTS``). A neuron is a fixed
number of connections, each the label of a unit and a weight; those to input units are summed up, pass through the sigmoid,
and what comes out goes through the connections to output units, which are linear. The paper's network is always Black and
sees black and white stones; ours sees its own and the enemy's, which is the same for Black and makes White possible.

With a ``reach`` (not in the paper) labels are relative: a neuron stands on every point of the board, as in ``stamps``.

``decode`` sorts all connections by unit. The stones on the board then find the neurons they excite, and each empty
point finds the neurons that speak for it: only what is there is ever added up.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import EMPTY, PASS, cells
from engine.go.history import may_play
from engine.kernels import kernel
from players.hyperneat.sheets import LIBERTIES, NAMES, SPLIT, TACTICS, show
from players.sane.stamps import NOWHERE, relative_units, stamp

STONES = "stones"  # paper
# The kinds of input units; kernels know them by their number.
INPUTS = {STONES: NAMES[SPLIT], LIBERTIES: NAMES[LIBERTIES], TACTICS: NAMES[TACTICS]}


class Network(NamedTuple):
    """A decoded network: unit u has the connections ``start[u]`` … ``start[u + 1]`` - 1."""

    start: np.ndarray  # int64, by unit, and one more
    neuron: np.ndarray  # int64, by connection
    weight: np.ndarray  # float64, by connection
    bias: np.ndarray  # float64, by neuron: what it hears on any board
    size: int  # of the board that it is made for

    @property
    def neurons(self):
        return len(self.bias)


def unit_count(size, inputs=STONES, reach=None):
    """How many units labels may name, on a board or within a reach."""
    if reach is not None:
        return relative_units(len(INPUTS[inputs]), reach)
    return (len(INPUTS[inputs]) + 1) * size * size


def decode(labels, weights, size, inputs=STONES, reach=None):
    """The Network of neurons whose connections are the rows of ``labels`` and ``weights``.

    ValueError if these are not two tables of one shape, or a label is no unit of this board or reach.
    """
    labels, weights = np.asarray(labels, np.int64), np.asarray(weights, np.float64)
    if labels.ndim != 2 or labels.shape != weights.shape:
        raise ValueError("a network needs a label and a weight for every connection of every neuron")
    units = unit_count(size, inputs, reach)
    if labels.size and not (0 <= labels.min() and labels.max() < units):
        raise ValueError(f"a label is not between 0 and {units - 1}, the units of {described(size, reach)}")
    bias = np.zeros(len(labels))
    if reach is not None:
        labels, bias = stamp(labels, weights, size, len(INPUTS[inputs]), reach)
    flat = labels.ravel()
    order = np.argsort(flat, kind="stable")[np.count_nonzero(flat == NOWHERE) :]
    start = np.zeros(unit_count(size, inputs) + 1, np.int64)
    np.cumsum(np.bincount(flat[order], minlength=len(start) - 1), out=start[1:])
    heaviness = weights.ravel()[order % max(1, weights.size)]  # neurons that stand in many places have the same everywhere
    return Network(start, order // max(1, labels.shape[1]), heaviness, bias, size)


def described(size, reach):
    """What has the units that labels name, in words."""
    return f"a {size}x{size} board" if reach is None else f"neurons that reach {reach} lines"


def new_activity(network):
    """Working space for the moves of a network: by neuron the sum of its inputs, that of the last move, its output.

    The sigmoid is most of the work, and from one move to the next most neurons see no change: only those that do are
    calculated anew, which gives exactly the same as calculating all of them.
    """
    activity = np.empty((3, network.neurons))
    activity[1] = np.nan  # equal to nothing
    return activity


@kernel
def _input_units(start, size):
    """How many units come before those of the output."""
    return start.size - 1 - size * size


@kernel
def excite(start, neuron, weight, bias, position, colour, activity):
    """Write to the last row of ``activity`` what the neurons give for ``colour`` to move."""
    size = position.board_size
    area = size * size
    sums, known, given = activity[0], activity[1], activity[2]
    sums[:] = bias
    shown = np.empty(area, np.int64)
    show(position, colour, _input_units(start, size) // area, shown)
    for node in range(area):
        if shown[node] >= 0:
            seen = shown[node] * area + node
            for i in range(start[seen], start[seen + 1]):
                sums[neuron[i]] += weight[i]
    for i in range(sums.size):
        if sums[i] != known[i]:
            known[i] = sums[i]
            given[i] = 1.0 / (1.0 + np.exp(-sums[i]))


@kernel
def _output(start, neuron, weight, given, unit):
    total = 0.0
    for i in range(start[unit], start[unit + 1]):
        total += weight[i] * given[neuron[i]]
    return total


@kernel
def choose_move(start, neuron, weight, bias, position, history, colour, activity):
    """The point with the largest positive output that ``colour`` may play, or PASS; the first of equals."""
    size, stride = position.board_size, position.stride
    excite(start, neuron, weight, bias, position, colour, activity)
    given = activity[2]
    best = np.int64(PASS)
    best_value = 0.0
    unit = _input_units(start, size)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY:
                value = _output(start, neuron, weight, given, unit)
                if value > best_value and may_play(position, history, p, colour):
                    best, best_value = np.int64(p), value
            unit += 1
    return best


@kernel
def _outputs(start, neuron, weight, bias, position, colour, activity, values):
    size, stride = position.board_size, position.stride
    excite(start, neuron, weight, bias, position, colour, activity)
    unit = _input_units(start, size)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            values[p] = _output(start, neuron, weight, activity[2], unit)
            unit += 1


def outputs(network, position, colour):
    """The output for every point by cell of the padded board, nan off the board."""
    values = np.full(cells(network.size), np.nan)
    _outputs(*network[:4], position, colour, new_activity(network), values)
    return values
