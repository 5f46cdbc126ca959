"""What the network should have said, and the step that brings it nearer.

The error of a position is the cross entropy of its policy with the visits of the search, that of the owners of the points
with who had them at the end of the game, and that of the chance to win with the result. ``add_gradient`` goes back through
the layers by hand; ``Adam`` makes the steps.
"""

import numpy as np

from engine.go.board import PASS
from engine.kernels import fast_kernel, kernel
from players.expert.features import is_candidate
from players.expert.network import (
    _CELLS,
    _PLAIN_AT,
    _POINTS,
    HEARD,
    LAYERS,
    NETWORK,
    OWNER,
    PASSING,
    PLAIN,
    POLICY,
    POSES,
    ROW,
    SAID,
    SHARPNESS,
    TEMPO,
    WIDTH,
    WINDOWS,
    build,
    contract,
    hear,
    list_rows,
    look,
    new_sight,
)
from players.expert.tiles import TILE_ROWS, add_product

# What a report adds up: positions, and the three errors.
POSITIONS, POLICY_ERROR, OWNER_ERROR, WIN_ERROR = range(4)
# How much each error counts. Our choice: the policy's is largest by itself, and what guides most.
OWNER_WEIGHT, WIN_WEIGHT = 1.5, 1.0

# What a position should have said.
TARGET = np.dtype(
    [
        ("policy", np.float32, _CELLS),  # shares of the visits, that of a pass at PASS
        ("owner", np.float32, _CELLS),  # 1 where the mover had the point in the end, 0 where the other had it
        ("win", np.float32),
    ],
    align=True,
)
# Room for going back.
BACK = np.dtype(
    [
        ("units", np.float32, (_CELLS, WIDTH)),  # by cell: the error of the units of a layer
        ("heard", np.float32, (_CELLS, HEARD)),  # … of what a cell hears; 0 off the board
        ("rows", np.float32, (_POINTS, HEARD)),  # the same by number of the point
        ("sums", np.float32, (_POINTS, WIDTH)),
    ],
    align=True,
)
_ZERO, _EIGHTH = np.float32(0), np.float32(1 / POSES)


@fast_kernel
def _go_back_outputs(network, sight, target, size, count, gradient, back, report):
    """Errors of the outputs: to what the last layer is heard as (``back.rows``), and to its mean (returned)."""
    sharpness = np.log1p(np.exp(min(np.float64(sight.said[SHARPNESS]), 30.0)))
    off = np.float64(sight.win) - target.win
    report[POSITIONS] += 1
    report[WIN_ERROR] -= target.win * np.log(max(sight.win, 1e-7)) + (1 - target.win) * np.log(max(1 - sight.win, 1e-7))
    off *= WIN_WEIGHT
    said = np.zeros(SAID, np.float32)
    said[TEMPO] = off
    said[SHARPNESS] = off * sight.lead / (1.0 + np.exp(-np.float64(sight.said[SHARPNESS])))
    said[PASSING] = sight.policy[PASS] - target.policy[PASS]
    if target.policy[PASS] > 0:
        report[POLICY_ERROR] -= target.policy[PASS] * np.log(max(sight.policy[PASS], 1e-9))
    of_owner = np.float32(OWNER_WEIGHT / count)
    of_lead = np.float32(2.0 * off * sharpness / size)
    owners = 0.0
    for k in range(count):
        p = sight.points[k]
        policy = _ZERO
        if is_candidate(sight.bits[p]):
            policy = sight.policy[p] - target.policy[p]
            if target.policy[p] > 0:
                report[POLICY_ERROR] -= target.policy[p] * np.log(max(sight.policy[p], 1e-9))
        chance, truth = sight.owner[p], target.owner[p]
        owners -= truth * np.log(max(chance, 1e-7)) + (1 - truth) * np.log(max(1 - chance, 1e-7))
        owner = of_owner * (chance - truth) + of_lead * chance * (1 - chance)
        gradient.head_bias[POLICY] += policy
        gradient.head_bias[OWNER] += owner
        for i in range(HEARD):
            x = sight.heard[k, i]
            gradient.heads[POLICY, i] += x * policy
            gradient.heads[OWNER, i] += x * owner
            back.rows[k, i] = network.heads[POLICY, i] * policy + network.heads[OWNER, i] * owner
    report[OWNER_ERROR] += owners / count
    of_mean = np.zeros(WIDTH, np.float32)
    for j in range(SAID):
        gradient.said_bias[j] += said[j]
        for i in range(WIDTH):
            gradient.said[i, j] += sight.mean[LAYERS, i] * said[j]
            of_mean[i] += network.said[i, j] * said[j]
    return of_mean


@fast_kernel
def _unhear(sight, size, count, back, of_mean, keep):
    """From the errors of what is heard (``back.rows``) and of the mean to those of the units.

    Who hears a point are those around it: the transpose of hearing is to hear. With ``keep``, ``back.sums`` are added, since
    a unit adds to what it was.
    """
    stride = size + 1
    heard, units = back.heard, back.units
    for k in range(count):
        p = sight.points[k]
        for i in range(HEARD):
            heard[p, i] = back.rows[k, i]
    share = np.float32(1.0 / count)
    for k in range(count):
        p = sight.points[k]
        n, s = p - stride, p + stride
        for i in range(WIDTH):
            j, m = WIDTH + i, 2 * WIDTH + i
            sides = heard[p - 1, j] + heard[p + 1, j] + heard[n, j] + heard[s, j]
            corners = heard[n - 1, m] + heard[n + 1, m] + heard[s - 1, m] + heard[s + 1, m]
            units[p, i] = heard[p, i] + sides + corners + share * of_mean[i] + (back.sums[k, i] if keep else _ZERO)


@fast_kernel
def _go_back_layer(network, sight, layer, size, count, gradient, back):
    """From the errors of the units of layer ``layer`` + 1 to those of the layer below."""
    above, sums = sight.units[layer + 1], back.sums
    common = np.zeros(WIDTH, np.float32)
    for k in range(count):
        p = sight.points[k]
        for o in range(WIDTH):
            sums[k, o] = back.units[p, o] if above[p, o] > _ZERO else _ZERO
            common[o] += sums[k, o]
    of_mean = np.zeros(WIDTH, np.float32)
    for o in range(WIDTH):
        gradient.bias[layer, o] += common[o]
    for i in range(WIDTH):
        total = _ZERO
        for o in range(WIDTH):
            gradient.board[layer, i, o] += sight.mean[layer, i] * common[o]
            total += network.board[layer, i, o] * common[o]
        of_mean[i] = total
    hear(sight.units[layer], sight.points, size + 1, count, sight.heard)
    add_product(sight.heard.T, sums, gradient.layers[layer], HEARD, count, WIDTH)
    for k in range(count + TILE_ROWS):
        for i in range(HEARD):
            back.rows[k, i] = _ZERO
    add_product(sums, network.turned[layer], back.rows, count, WIDTH, HEARD)
    _unhear(sight, size, count, back, of_mean, True)


@fast_kernel
def _go_back_first(sight, size, count, gradient, back):
    """From the errors of the lowest units to the tables of the first layer."""
    row = np.empty(ROW, np.float32)
    table = gradient.table.reshape(-1, gradient.table.shape[2])
    for k in range(count):
        p = sight.points[k]
        for pose in range(POSES):
            for i in range(WINDOWS):
                at = pose * WINDOWS + i
                row[at] = _EIGHTH * back.units[p, i] if sight.first[k, at] > _ZERO else _ZERO
        for i in range(PLAIN):
            row[_PLAIN_AT + i] = back.units[p, WINDOWS + i] if sight.first[k, _PLAIN_AT + i] > _ZERO else _ZERO
        for i in range(ROW):
            gradient.first_bias[0, i] += row[i]
        for j in range(list_rows(sight, p, size + 1)):
            at = sight.rows[j]
            for i in range(ROW):
                table[at, i] += row[i]


@kernel
def add_gradient(network, sight, target, size, komi, gradient, back, report):
    """Look at the features in ``sight.bits``; add the gradient of the position's error to ``gradient``, a NETWORK."""
    count = look(network, sight, size, komi)
    for p in range((size + 1) * (size + 2) + 1):
        for i in range(HEARD):
            back.heard[p, i] = _ZERO
    of_mean = _go_back_outputs(network, sight, target, size, count, gradient, back, report)
    _unhear(sight, size, count, back, of_mean, False)
    for layer in range(LAYERS - 1, -1, -1):
        _go_back_layer(network, sight, layer, size, count, gradient, back)
    _go_back_first(sight, size, count, gradient, back)


class Teacher:
    """Gradients of the mean error over some samples (see ``samples``)."""

    def __init__(self):
        self._sight, self._target = new_sight(), np.zeros(1, TARGET).view(np.recarray)[0]
        self._back, self._gradient = (np.zeros(1, kind).view(np.recarray)[0] for kind in (BACK, NETWORK))

    def gradient(self, parameters, samples, chosen):
        """(gradient by parameter, report) of the mean error of the samples with the numbers ``chosen``."""
        network, report = build(parameters), np.zeros(4)
        for name in NETWORK.names:
            self._gradient[name][:] = 0
        for number in chosen:
            size, komi = samples.put(number, self._sight, self._target)
            add_gradient(network, self._sight, self._target, size, komi, self._gradient, self._back, report)
        return contract(self._gradient) / len(chosen), report


class Adam:
    """D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization" (2015), with weights that decay by themselves."""

    MOMENTUM, MEMORY, LEAST = 0.9, 0.999, 1e-8  # its usual values

    def __init__(self, mean, variance, steps):
        self.mean, self.variance, self.steps = mean, variance, steps

    def step(self, parameters, gradient, rate, decay):
        """The parameters after one step."""
        self.steps += 1
        self.mean = self.MOMENTUM * self.mean + (1 - self.MOMENTUM) * gradient
        self.variance = self.MEMORY * self.variance + (1 - self.MEMORY) * gradient**2
        mean = self.mean / (1 - self.MOMENTUM**self.steps)
        deviation = np.sqrt(self.variance / (1 - self.MEMORY**self.steps))
        return parameters * (1 - rate * decay) - rate * mean / (deviation + self.LEAST)
