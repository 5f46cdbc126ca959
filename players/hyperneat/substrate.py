"""The substrate: the network that plays, and how a CPPN paints its weights (§2.2, §3).

Three sheets of the board's size, input → hidden → output, each node connected to all nodes of the next sheet. The weight
of a connection is what the CPPN answers when asked with the coordinates of its two ends; one CPPN output for each pair of
sheets. Nodes of a sheet are counted row by row from the top left; x grows to the right and y downwards.

Where the coordinates lie decides how a network grows with the board (§3.2, §3.3):

discrete      neighbours are always as far apart as on the largest board of the run, and smaller boards sit in the middle:
              what was learned on a small board stays the same on a bigger one, and is continued outwards
continuous    every board fills -1 … 1: what was learned is stretched
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

from players.hyperneat.cppn import paint

DISCRETE, CONTINUOUS = "discrete", "continuous"
SIGNED, SPLIT = "signed", "split"

EXPRESSED_ABOVE = np.float32(0.2)  # paper §4.1: what is not louder is no connection
LARGEST_WEIGHT = np.float32(3.0)  # author's code: weights are scaled to -3 … 3
_SPAN = np.float32(1.0) - EXPRESSED_ABOVE


class Geometry(NamedTuple):
    """How coordinates become questions to a CPPN."""

    extrapolation: str = DISCRETE  # paper §3.3
    largest: int = 7  # the board whose corners are at -1 and 1 (discrete)
    deltas: bool = True  # author's code: the CPPN also sees x1 - x2 and y1 - y2
    bias: float = 0.3  # author's code
    sheets: str = SIGNED  # input: one sheet with +1 for own stones and -1 for the enemy's, or a sheet for each

    @property
    def inputs(self):
        """How many inputs the CPPN has."""
        return len(self.input_names)

    @property
    def input_names(self):
        return ("x1", "y1", "x2", "y2") + (("x1-x2", "y1-y2") if self.deltas else ()) + ("bias",)

    @property
    def outputs(self):
        """How many outputs the CPPN has: one for each pair of sheets that is connected."""
        return len(self.output_names)

    @property
    def output_names(self):
        if self.sheets == SPLIT:
            return "own→hidden", "enemy→hidden", "hidden→output"
        return "input→hidden", "hidden→output"


def node_count(size):
    """How many nodes a substrate with one input sheet has."""
    return 3 * size**2


def connection_count(size):
    """How many connections it may have."""
    return 2 * size**4


def coordinates(size, geometry):
    """The coordinates of the columns (or rows) of a board."""
    across = geometry.largest if geometry.extrapolation == DISCRETE else size
    return (2 * np.arange(size) - (size - 1)) / (across - 1)


@lru_cache(maxsize=32)
def queries(size, geometry):
    """The CPPN inputs for every connection between two sheets: inputs × (source, target), float32."""
    at = coordinates(size, geometry).astype(np.float32)
    y, x = (grid.ravel() for grid in np.meshgrid(at, at, indexing="ij"))
    x1, y1 = np.repeat(x, size**2), np.repeat(y, size**2)
    x2, y2 = np.tile(x, size**2), np.tile(y, size**2)
    rows = [x1, y1, x2, y2]
    if geometry.deltas:
        rows += [x1 - x2, y1 - y2]
    rows.append(np.full(size**4, geometry.bias, np.float32))
    return np.stack(rows)


@njit(cache=True, nogil=True)
def express(values):
    """Turn CPPN outputs into weights, in place: quiet ones into 0, the others scaled."""
    for i in range(values.size):
        loudness = abs(values[i])
        weight = (loudness - EXPRESSED_ABOVE) / _SPAN * LARGEST_WEIGHT
        values[i] = np.float32(0.0) if loudness <= EXPRESSED_ABOVE else np.copysign(weight, values[i])


@njit(cache=True, nogil=True)
def _build(activation, first, source, weight, outputs, asked, weights):
    paint(activation, first, source, weight, outputs, asked, weights)
    express(weights.reshape(weights.size))


def build(program, size, geometry):
    """The weights of the substrate of a board: float32, by pair of sheets, source node, target node."""
    weights = np.empty((geometry.outputs, size**4), np.float32)
    _build(*program, queries(size, geometry), weights)
    return weights.reshape(geometry.outputs, size**2, size**2)
