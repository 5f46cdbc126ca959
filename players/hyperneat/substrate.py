"""The substrate: the network that plays, and how a CPPN paints its weights (§2.2, §3).

Three sheets of the board's size, input → hidden → output, each node connected to all nodes of the next sheet. The weight
of a connection is what the CPPN answers when asked with the coordinates of its two ends; one CPPN output for each pair of
sheets. Nodes of a sheet are counted row by row from the top left; x grows to the right and y downwards. Beyond the paper
there may be several hidden sheets side by side, and connections from the input straight to the output.

Where the coordinates lie decides how a network grows with the board (§3.2, §3.3):

discrete      neighbours are always as far apart as on the largest board of the run, and smaller boards sit in the middle:
              what was learned on a small board stays the same on a bigger one, and is continued outwards
continuous    every board fills -1 … 1: what was learned is stretched
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.kernels import kernel
from players.hyperneat import sheets as show
from players.hyperneat.cppn import GAUSSIAN, paint

DISCRETE, CONTINUOUS = "discrete", "continuous"
HIDDEN = (1, 8)  # hidden sheets that there may be

EXPRESSED_ABOVE = np.float32(0.2)  # paper §4.1: what is not louder is no connection
LARGEST_WEIGHT = np.float32(3.0)  # author's code: weights are scaled to -3 … 3
_SPAN = np.float32(1.0) - EXPRESSED_ABOVE


class Geometry(NamedTuple):
    """How coordinates become questions to a CPPN."""

    extrapolation: str = DISCRETE  # paper §3.3
    largest: int = 7  # the board whose corners are at -1 and 1 (discrete)
    deltas: bool = True  # author's code: the CPPN also sees x1 - x2 and y1 - y2
    bias: float = 0.3  # author's code
    sheets: str = show.SIGNED  # what the input shows, and on how many sheets
    border: bool = False  # the points around the board are one more input sheet, on which all are 1
    leo: bool = False  # a CPPN output of its own says which connections there are
    absolute: bool = True  # paper: the CPPN sees places; without them it sees differences alone, the same everywhere
    reach: int | None = None  # paper: connections of any length; else of at most so many steps across and down
    folded: bool = False  # differences have no direction: all eight symmetries of the board are the network's
    hidden: int = 1  # hidden sheets, each of which hears the input and is heard by the output
    direct: bool = False  # the output hears the input as well

    @property
    def inputs(self):
        """How many inputs the CPPN has."""
        return len(self.input_names)

    @property
    def input_names(self):
        differences = ("long", "short") if self.folded else ("x1-x2", "y1-y2")
        return ("x1", "y1", "x2", "y2") * self.absolute + differences * self.deltas + ("bias",)

    @property
    def input_sheets(self):
        """How many input sheets there are, that of the border left out."""
        return len(show.NAMES[self.sheets])

    @property
    def pairs(self):
        """The names of the pairs of sheets of the board's size that are connected, in the order in which kernels use them."""
        inputs, hidden = show.NAMES[self.sheets], self._hidden_names
        return (
            *(f"{name}→{to}" for to in hidden for name in inputs),
            *(f"{name}→output" for name in hidden),
            *(f"{name}→output" for name in inputs if self.direct),
        )

    @property
    def _hidden_names(self):
        return ("hidden",) if self.hidden == 1 else tuple(f"hidden {number}" for number in range(1, self.hidden + 1))

    @property
    def outputs(self):
        """How many outputs the CPPN has."""
        return len(self.output_names)

    @property
    def output_names(self):
        """One for each pair of sheets, then those of the border, then that which expresses."""
        around = tuple(f"border→{to}" for to in self._hidden_names if self.border)
        return self.pairs + around + ("expression",) * self.leo


def node_count(size):
    """How many nodes a substrate with one input sheet has."""
    return 3 * size**2


def connection_count(size):
    """How many connections it may have."""
    return 2 * size**4


def _step(size, geometry):
    """How far apart the coordinates of neighbours are."""
    return 2 / ((geometry.largest if geometry.extrapolation == DISCRETE else size) - 1)


def coordinates(size, geometry):
    """The coordinates of the columns (or rows) of a board."""
    across = geometry.largest if geometry.extrapolation == DISCRETE else size
    return (2 * np.arange(size) - (size - 1)) / (across - 1)


def _all_pairs(sources, targets):
    """The arrays x1, y1, x2, y2 for each of ``sources`` with each of ``targets``, which are pairs (xs, ys)."""
    return *(np.repeat(at, len(targets[0])) for at in sources), *(np.tile(at, len(sources[0])) for at in targets)


def _grid(at):
    y, x = (grid.ravel() for grid in np.meshgrid(at, at, indexing="ij"))
    return x, y


def _ends(size, at, border):
    """The sources and the targets of connections, at coordinates ``at`` of -1 … size; ``border``: from outside the board."""
    inside = _grid(at[1:-1])
    if not border:
        return inside, inside
    places = np.arange(-1, size + 1)
    x, y = _grid((places < 0) | (places >= size))
    around = x | y
    return tuple(grid[around] for grid in _grid(at)), inside


def _differences(across, down, geometry):
    """What a CPPN sees of them: both, or, folded, the longer one's length and the shorter one's."""
    if not geometry.folded:
        return across, down
    across, down = abs(across), abs(down)
    return np.maximum(across, down), np.minimum(across, down)


class Questions(NamedTuple):
    """What a CPPN is asked about the connections between two sheets."""

    inputs: np.ndarray  # inputs × questions, float32
    answer: np.ndarray | None  # by (source, target): its question, or as many as there are where none is asked; None: in order
    steps: np.ndarray  # by question: how long such connections are, in steps across or down, whichever is more


@lru_cache(maxsize=32)
def queries(size, geometry, border=False):
    """The Questions about the connections between two sheets, or from the points around the board to a sheet (``border``).

    A CPPN that sees only differences is asked once for all connections with the same; about those beyond reach, never.
    """
    lines = np.arange(-1, size + 1)
    x1, y1, x2, y2 = _all_pairs(*_ends(size, lines, border))
    across, down = x1 - x2, y1 - y2
    steps = np.maximum(abs(across), abs(down))
    near = steps <= (geometry.reach or size)
    if geometry.absolute:
        at = coordinates(size, geometry).astype(np.float32)
        step = at[1] - at[0]
        at = np.concatenate((at[:1] - step, at, at[-1:] + step))
        x1, y1, x2, y2 = (part[near] for part in _all_pairs(*_ends(size, at, border)))
        rows = [x1, y1, x2, y2]
        if geometry.deltas:
            rows += _differences(x1 - x2, y1 - y2, geometry)
        answer = None if near.all() else np.where(near, np.cumsum(near) - 1, near.sum())
        steps = steps[near]
    else:
        seen = _differences(across[near], down[near], geometry)
        _, known, answer = np.unique(seen[0] * (4 * size) + seen[1], return_index=True, return_inverse=True)
        rows = [(part[known] * _step(size, geometry)).astype(np.float32) for part in seen]
        where = np.full(len(near), len(known))
        where[near] = answer
        answer = where
        steps = steps[near][known]
    return Questions(np.stack([*rows, np.full(len(rows[0]), geometry.bias, np.float32)]), answer, steps)


@kernel
def express(values):
    """Turn CPPN outputs into weights, in place: quiet ones into 0, the others scaled."""
    for i in range(values.size):
        loudness = abs(values[i])
        weight = (loudness - EXPRESSED_ABOVE) / _SPAN * LARGEST_WEIGHT
        values[i] = np.float32(0.0) if loudness <= EXPRESSED_ABOVE else np.copysign(weight, values[i])


@kernel
def _express_where(values, said):
    """The same where a CPPN output says which connections there are: those where ``said`` is above 0."""
    for i in range(values.size):
        values[i] = values[i] * LARGEST_WEIGHT if said[i] > 0 else np.float32(0.0)


@kernel
def _build(activation, first, source, weight, outputs, asked, leo, painted):
    """Paint, and turn what was painted into weights; the last row is no pair of sheets if there is ``leo``."""
    paint(activation, first, source, weight, outputs, asked, painted)
    if leo:
        for pair in range(len(painted) - 1):
            _express_where(painted[pair], painted[-1])
    else:
        express(painted.reshape(painted.size))


def _weights(program, questions, geometry, wanted):
    """(the weights by CPPN output, of which a slice is ``wanted``, and connection; the longest one that there is, in steps)"""
    count = questions.inputs.shape[1]
    painted = np.empty((geometry.outputs, count), np.float32)
    _build(*program, questions.inputs, geometry.leo, painted)
    painted = painted[wanted]
    longest = int(questions.steps[painted.any(axis=0)].max(initial=0))
    if questions.answer is None:
        return painted, longest
    return np.concatenate((painted, np.zeros((len(painted), 1), np.float32)), axis=1)[:, questions.answer], longest


class Network(NamedTuple):
    """The substrate of a board."""

    weights: np.ndarray  # float32, by pair of sheets, source node, target node
    inputs: int  # sheets
    reach: int  # how long the longest connection is, in steps across or down; those of the border are not counted


def build(program, size, geometry):
    """The Network of a board.

    With a border each pair has one more source, the border as a whole: what hidden nodes hear of it never changes. It
    stands in the first pair of each hidden sheet.
    """
    pairs, nodes = len(geometry.pairs), size**2
    weights, reach = _weights(program, queries(size, geometry), geometry, slice(pairs))
    weights = weights.reshape(pairs, nodes, nodes)
    if geometry.border:
        around, _ = _weights(program, queries(size, geometry, True), geometry, slice(pairs, pairs + geometry.hidden))
        heard = np.zeros((pairs, 1, nodes), np.float32)
        firsts = np.arange(geometry.hidden) * geometry.input_sheets
        heard[firsts, 0] = around.reshape(geometry.hidden, -1, nodes).sum(axis=1)
        weights = np.concatenate((weights, heard), axis=1)
    return Network(weights, geometry.input_sheets, reach)


# The first expression: connections between neighbours, diagonal ones included (the "locality seed" of P. Verbancsics and
# K. O. Stanley, GECCO 2011). Two Gaussian nodes hear the differences in x and y; their sum is above the bias's share where
# neither is more than one step of the board. Our numbers: e**-0.3 · 2 > 1.4 > 1 + e**-1.2. Of folded differences the longer
# one says it all, and is below the bias's share up to half a step beyond the neighbours.
_STEEPNESS = 0.55
_NEAR = 1.4
_FOLDED_STEEPNESS = 0.3


def locality_seed(geometry, neighbours=1):
    """(functions of hidden nodes, links as (source, target, weight)) that all first genomes have for their expression.

    What is at most ``neighbours`` steps away is connected, one step if differences are not folded. Hidden nodes are numbered
    from 0 on, after inputs and outputs.
    """
    steps = (geometry.largest - 1) / 2
    expression, hidden = geometry.inputs + geometry.outputs - 1, geometry.inputs + geometry.outputs
    bias = geometry.input_names.index("bias")
    if geometry.folded:
        nearness = (geometry.input_names.index("long"), expression, -_FOLDED_STEEPNESS * steps)
        return (), (nearness, (bias, expression, (neighbours + 0.5) * _FOLDED_STEEPNESS / geometry.bias))
    across, down = (geometry.input_names.index(name) for name in ("x1-x2", "y1-y2"))
    return (GAUSSIAN, GAUSSIAN), (
        (across, hidden, _STEEPNESS * steps),
        (down, hidden + 1, _STEEPNESS * steps),
        (hidden, expression, 1.0),
        (hidden + 1, expression, 1.0),
        (bias, expression, -_NEAR / geometry.bias),
    )
