"""Compositional pattern producing networks (CPPNs): a genome's links, and the program that paints with them (§2.2).

A genome is an array of ``LINK`` records, sorted by innovation number, over nodes that are numbers: first the inputs, then
the outputs, then hidden nodes as evolution invents them. A node's activation function is fixed when it is invented, and
is kept in a table by node. ``compile_links`` turns a genome into a ``Program``, whose nodes stand in an order in which
each comes after all it hears; ``paint`` runs it for many queries at once.

The activation functions are defined here down to the last bit, by polynomials instead of the C library: a run gives the
same genome whatever library is installed, and the compiler can compute several values at a time.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels import kernel

# Paper §4.1: the functions that a node may have. The paper's "signed activation" is the sigmoid from -1 to 1.
SIGMOID, GAUSSIAN, SINE, LINEAR = range(4)
ACTIVATIONS = ("sigmoid", "gaussian", "sine", "linear")
LINEAR_LIMIT = 3.0  # author's code: the linear function is x / 3, cut off at -1 and 1

LINK = np.dtype(
    [
        ("innovation", np.int32),  # which structural invention this link is; the same in all genomes that have it
        ("source", np.int32),  # a node
        ("target", np.int32),
        ("weight", np.float32),
        ("birth", np.int32),  # the generation in which the link was added to this line of descent
    ],
    align=True,
)


class Program(NamedTuple):
    """A CPPN ready to run. Slots 0 … inputs-1 are the inputs; node k of the program writes slot inputs + k."""

    activation: np.ndarray  # uint8 by program node
    first: np.ndarray  # int32: node k adds up the entries first[k] … first[k + 1] - 1 of the next two
    source: np.ndarray  # int32: slot
    weight: np.ndarray  # float32
    outputs: np.ndarray  # int32: the slots of the CPPN's outputs


# Activation functions. float32 throughout; errors below 3e-7. numba's "numpy" error model: Python's would test each
# divisor for zero, and so keep the compiler from computing several values at a time.

_LOG2_E = np.float32(1.4426950408889634)
_ONE, _HALF, _TWO = np.float32(1.0), np.float32(0.5), np.float32(2.0)
_LOWEST = np.float32(-125.0)  # the smallest power of two that is asked for
# 2**f for -1/2 ≤ f ≤ 1/2, by interpolation at Chebyshev's points
_E1, _E2, _E3, _E4, _E5 = (
    np.float32(c) for c in (0.6931471824645996, 0.2402210682630539, 0.05550356954336166, 0.009676031768321991, 0.001339086331427097)
)
# sin(r) / r for |r| ≤ pi / 2 as a polynomial in r², likewise
_S1, _S2, _S3, _S4 = (
    np.float32(c) for c in (-0.16666658222675323, 0.008333049714565277, -0.0001980895467568189, 2.604960855023819e-06)
)
_PI_HIGH, _PI_LOW = np.float32(3.140625), np.float32(9.67653589793e-4)  # together pi; the first has few bits
_ONE_OVER_PI = np.float32(0.3183098861837907)
_LIMIT = np.float32(LINEAR_LIMIT)


@kernel(error_model="numpy")
def exp_falling(x):
    """e**x for x ≤ 0."""
    t = x * _LOG2_E
    t = t if t > _LOWEST else _LOWEST
    whole = np.floor(t + _HALF)
    f = t - whole
    power = ((((_E5 * f + _E4) * f + _E3) * f + _E2) * f + _E1) * f + _ONE
    return power * np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)).view(np.float32)


@kernel(error_model="numpy")
def sigmoid(x):
    """The symmetric sigmoid 2 / (1 + e**-x) - 1."""
    e = exp_falling(-abs(x))
    return np.copysign((_ONE - e) / (_ONE + e), x)


@kernel(error_model="numpy")
def gaussian(x):
    """e**-x²."""
    return exp_falling(-(x * x))


@kernel(error_model="numpy")
def sine(x):
    """sin(x)."""
    turns = np.floor(x * _ONE_OVER_PI + _HALF)
    r = (x - turns * _PI_HIGH) - turns * _PI_LOW
    z = r * r
    value = ((((_S4 * z + _S3) * z + _S2) * z + _S1) * z + _ONE) * r
    odd = turns - _TWO * np.floor(turns * _HALF)
    return value - _TWO * odd * value


@kernel(error_model="numpy")
def linear(x):
    """x / 3, cut off at -1 and 1."""
    return min(max(x, -_LIMIT), _LIMIT) / _LIMIT


@kernel(error_model="numpy")
def activate(kind, values):
    """Apply an activation function to each of ``values`` in place."""
    if kind == SIGMOID:
        for i in range(values.size):
            values[i] = sigmoid(values[i])
    elif kind == GAUSSIAN:
        for i in range(values.size):
            values[i] = gaussian(values[i])
    elif kind == SINE:
        for i in range(values.size):
            values[i] = sine(values[i])
    else:
        for i in range(values.size):
            values[i] = linear(values[i])


# Programs


@kernel
def _order(links, count, inputs, outputs, slot, order):
    """Put the computed nodes (outputs and hidden) into an order in which sources come first; how many there are.

    ``slot`` gets the slot of each node that takes part, by node; ``order`` the nodes. Nodes of one depth keep the order of
    their numbers.
    """
    depth = np.full(slot.size, -1, np.int32)
    depth[: inputs + outputs] = 0
    depth[inputs : inputs + outputs] = 1
    changed = True
    while changed:  # ends because there is no cycle
        changed = False
        for i in range(count):
            below = depth[links[i].source]
            if below < 0:  # a hidden node that nothing was heard of yet: at least 1
                below = depth[links[i].source] = 1
            if depth[links[i].target] <= below:
                depth[links[i].target] = below + 1
                changed = True
    deepest = 0
    for node in range(slot.size):
        deepest = max(deepest, depth[node])
    for node in range(inputs):
        slot[node] = node
    placed = 0
    for level in range(1, deepest + 1):
        for node in range(inputs, slot.size):
            if depth[node] == level:
                order[placed] = node
                slot[node] = inputs + placed
                placed += 1
    return placed


@kernel
def _compile(links, count, table, inputs, outputs):
    highest = inputs + outputs - 1
    for i in range(count):
        highest = max(highest, links[i].source, links[i].target)
    slot = np.full(highest + 1, -1, np.int32)
    order = np.empty(highest + 1, np.int32)
    placed = _order(links, count, inputs, outputs, slot, order)
    activation = np.empty(placed, np.uint8)
    first = np.zeros(placed + 1, np.int32)
    source = np.empty(count, np.int32)
    weight = np.empty(count, np.float32)
    for k in range(placed):
        activation[k] = table[order[k]]
    for i in range(count):
        first[slot[links[i].target] - inputs + 1] += 1
    for k in range(placed):
        first[k + 1] += first[k]
    fill = first.copy()
    for i in range(count):
        k = slot[links[i].target] - inputs
        source[fill[k]] = slot[links[i].source]
        weight[fill[k]] = links[i].weight
        fill[k] += 1
    return activation, first, source, weight, slot[inputs : inputs + outputs].copy()


def compile_links(links, table, inputs, outputs):
    """The Program of a genome: ``links`` (LINK records without a cycle), ``table`` the activation function by node."""
    return Program(*_compile(links, len(links), table, inputs, outputs))


_BLOCK = 256  # queries computed together: long enough for vector instructions, short enough for the fastest cache


@kernel
def paint(activation, first, source, weight, outputs, queries, painted):
    """Run a program for every column of ``queries`` (inputs × queries); ``painted`` (outputs × queries) gets its outputs."""
    inputs, total = queries.shape
    nodes = activation.size
    values = np.empty((nodes, _BLOCK), np.float32)
    for start in range(0, total, _BLOCK):
        end = min(start + _BLOCK, total)
        width = end - start
        for k in range(nodes):
            row = values[k, :width]
            row[:] = np.float32(0.0)
            for j in range(first[k], first[k + 1]):
                w = weight[j]
                s = source[j]
                heard = queries[s, start:end] if s < inputs else values[s - inputs, :width]
                for i in range(width):
                    row[i] += w * heard[i]
            activate(activation[k], row)
        for o in range(outputs.size):
            painted[o, start:end] = values[outputs[o] - inputs, :width]
