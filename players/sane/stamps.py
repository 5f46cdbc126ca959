"""Neurons that stand on every point of the board, in all eight directions (not in the paper).

A label then names no point but a place near the one where the neuron stands: a kind of unit, and how many lines down and to
the right it is, at most ``reach`` either way. Kinds are those of the inputs, the output, and beyond the edge: a place that is
not on the board, which excites a neuron as a stone does. What such a neuron has learned it knows everywhere, on boards of
all sizes and whichever way they are turned, as a child knows a ladder.
"""

import numpy as np

NOWHERE = -1  # the label of a connection that leaves the board
_MIRRORS = np.array([[[a, 0], [0, b]] for a in (1, -1) for b in (1, -1)], np.int32)
_TURNS = np.concatenate([_MIRRORS, _MIRRORS[:, ::-1]])  # matrices for (down, right)


def relative_units(inputs, reach):
    """How many units neurons with so many kinds of inputs can name."""
    return (inputs + 2) * (2 * reach + 1) ** 2


def stamp(labels, weights, size, inputs, reach):
    """The neurons that stand on the board: (labels by the units of the board, bias).

    There are those of each direction in turn, and in each of them those of each point, in the order of ``labels``.
    """
    width = 2 * reach + 1
    kind, place = np.divmod(labels.astype(np.int32), width * width)  # small numbers: on large boards there are many
    away = np.stack(np.divmod(place, width)) - reach  # (down, right), neuron, connection
    stands = np.stack(np.divmod(np.arange(size * size, dtype=np.int32), size))[:, :, None, None]
    parts = [_stamp_turned(np.tensordot(turn, away, 1)[:, None] + stands, kind, weights, size, inputs) for turn in _TURNS]
    named, bias = (np.concatenate(part) for part in zip(*parts))
    return named.reshape(-1, labels.shape[1]), bias.ravel()


def _stamp_turned(at, kind, weights, size, inputs):
    """In one direction, with the rows and columns ``at`` which connections of each neuron on each point end."""
    on_board = ((at >= 0) & (at < size)).all(0)
    named = np.where(on_board & (kind <= inputs), (kind * size + at[0]) * size + at[1], NOWHERE)
    return named, np.where(~on_board & (kind == inputs + 1), weights, 0.0).sum(-1)
