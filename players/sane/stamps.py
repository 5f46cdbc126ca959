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
    """(labels, weights, bias) of the neurons that stand on the board, by the units of the board."""
    width = 2 * reach + 1
    kind, place = np.divmod(labels.astype(np.int32), width * width)  # on large boards there are many
    away = np.stack(np.divmod(place, width), -1) - reach  # neuron, connection, (down, right)
    turned = np.einsum("tij,ncj->tnci", _TURNS, away)
    stands = np.stack(np.divmod(np.arange(size * size, dtype=np.int32), size), -1)
    at = stands[:, None, None, None, :] + turned  # point, turn, neuron, connection, (row, column)
    on_board = ((at >= 0) & (at < size)).all(-1)
    named = np.where(on_board & (kind <= inputs), (kind * size + at[..., 0]) * size + at[..., 1], NOWHERE)
    weights = np.broadcast_to(weights, named.shape)
    bias = np.where(~on_board & (kind == inputs + 1), weights, 0.0).sum(-1)
    connections = labels.shape[1]
    return named.reshape(-1, connections), weights.reshape(-1, connections), bias.ravel()
