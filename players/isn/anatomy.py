"""What a network is made of: its inputs, hidden units and passes, and the weights that symmetry leaves free (§III).

Reading guide
    Inputs       every cell has one *kind*, a number for all that may be told of it, and a row of *planes*: the inputs of the
                 network, each 0 or 1. Which planes there are is a choice (INPUTS); without any they are the paper's 14.
    Anatomy      the choice: inputs, number of hidden units, passes. PAPER is the paper's network.
    Parameters   a flat vector of free weights and biases (714 and 11 in the paper); ``unpack`` names its parts, ``expand``
                 makes the weights of every connection of it.

A hidden unit of a cell belongs to a representation of the group of the board's symmetries: T is left alone by all of
them, S, D and the pairs F change sign or place. What a weight must be so that the whole commutes with the symmetries
follows from the representation (the paper's appendix): each unit has a few *features* of its 3×3 neighbourhood, sums
of cells with fixed signs, and a free weight for each. ``basis`` is that table of signs. The same features serve
twice: from the inputs to a hidden unit, and from the hidden units around a cell to its outputs.

With more than one pass the network is recurrent, as §III outlines it: in every further pass a hidden unit also hears what
the hidden units of its cell and of the four beside it were in the pass before; ``links`` says which weights are free there.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

# Inputs besides the paper's, by name. None of them changes when the board is turned or mirrored.
INPUTS = {
    "liberties": "group classes divided by the liberties of the group: 1, 2, 3 or more",
    "ladders": "whether a group is caught in a ladder",
    "neighbours": "whether a group touches an enemy with 1 liberty, or with 2",
    "ko": "the point that ko forbids",
    "lines": "the distance to the edge: the first, second, third line",
}
LIBERTIES, LADDERS, NEIGHBOURS, KO, LINES = INPUTS

# Kinds: white stones, black stones, empty, empty and forbidden by ko, off the board. Those of a stone are counted through by
# class (C1 … C6), liberties (1, 2, more), whether it is caught (no, yes), and the liberties of enemies (more, 1, 2); what a
# network does not look at is always the first of its values.
CLASSES = 6
LIBERTY_STEP, LADDER_STEP, NEIGHBOUR_STEP = 6, 3, 1  # between the kinds of one class that differ in one of these alone
CLASS_STEP = 18
WHITE_KIND, BLACK_KIND, EMPTY_KIND, KO_KIND, EDGE_KIND = 0, 108, 216, 217, 218
KINDS = EDGE_KIND + 1
LINE_KINDS = 3  # lines that are told apart; the others are alike

OUTPUTS = 7
Z_EMPTY, Z_WHITE, Z_BLACK, EYE_WHITE, EYE_BLACK, LOST_WHITE, LOST_BLACK = range(OUTPUTS)
OUTPUT_NAMES = ("Z+", "Zo", "Z*", "A+o", "A+*", "Ao", "A*")  # as in Table IV, o for White and * for Black
RINGS = 3  # centre, sides, corners: what an output may tell apart among the inputs around it
# The paper's 12 units, T 4, S 2, D 2 and F twice 2 (C has no weights at all), or some times as many of each.
HIDDEN_CHOICES = (12, 24, 36, 48)
MOST_PASSES = 4

# The neighbourhood: the cell itself, then E N W S, then NE NW SW SE, as steps (to the east, to the north).
STEPS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
CROSS = 5  # of them, how many the passes reach: the cell and those beside it
_RING_OF = np.array([0, 1, 1, 1, 1, 2, 2, 2, 2])


class Anatomy(NamedTuple):
    """What a network is made of."""

    inputs: tuple = ()  # names among INPUTS, in that order
    hidden: int = 12
    passes: int = 1

    @property
    def trivial(self):
        """How many hidden units are of the representation T; the first ones."""
        return self.hidden // 3

    @property
    def features(self):
        return 5 * self.trivial

    @property
    def planes(self):
        """How many inputs a cell has, the one for cells off the board among them."""
        return len(plane_names(self))

    @property
    def one_of(self):
        """How many of the first planes are such that one of them is on, on the board."""
        return plane_names(self).index("empty") + 1

    @property
    def weights(self):
        """How many free weights there are, biases not counted."""
        recurrent = links(self.hidden).count if self.passes > 1 else 0
        return self.planes * (self.features + RINGS * OUTPUTS) + self.features * OUTPUTS + recurrent

    @property
    def parameters(self):
        """The length of a parameter vector: a bias on any hidden unit but T would break the symmetry."""
        return self.weights + self.trivial + OUTPUTS


PAPER = Anatomy()


def anatomy_of(inputs, hidden, passes):
    """The Anatomy with these parts, in whatever order the inputs are named."""
    return Anatomy(tuple(name for name in INPUTS if name in inputs), int(hidden), int(passes))


# Inputs


@lru_cache(maxsize=None)
def plane_names(anatomy):
    """The names of the planes, in the order of the weights."""
    inputs = anatomy.inputs
    told = (" 1 liberty", " 2 liberties", " 3 liberties") if LIBERTIES in inputs else ("",)
    names = [f"{colour} C{number + 1}{some}" for colour in ("white", "black") for number in range(CLASSES) for some in told]
    names.append("empty")
    if LADDERS in inputs:
        names += ["white caught", "black caught"]
    if NEIGHBOURS in inputs:
        names += ["white beside 1", "white beside 2", "black beside 1", "black beside 2"]
    if KO in inputs:
        names.append("ko")
    if LINES in inputs:
        names += [f"line {number + 1}" for number in range(LINE_KINDS)]
    return (*names, "edge")


def _planes_of(anatomy, kind):
    """The names of the planes that are on in a cell of that kind, besides its line."""
    inputs = anatomy.inputs
    if kind == EDGE_KIND:
        return ["edge"]
    if kind >= EMPTY_KIND:
        return ["empty", "ko"] if kind == KO_KIND and KO in inputs else ["empty"]
    colour = "black" if kind >= BLACK_KIND else "white"
    number, variant = divmod(kind % BLACK_KIND, CLASS_STEP)
    liberties, rest = divmod(variant, LIBERTY_STEP)
    caught, beside = divmod(rest, LADDER_STEP)
    told = (" 1 liberty", " 2 liberties", " 3 liberties")[liberties] if LIBERTIES in inputs else ""
    names = [f"{colour} C{number + 1}{told}"]
    if caught and LADDERS in inputs:
        names.append(f"{colour} caught")
    if beside and NEIGHBOURS in inputs:
        names.append(f"{colour} beside {beside}")
    return names


@lru_cache(maxsize=None)
def wiring(anatomy):
    """[kind, plane]: 1 where a cell of that kind has the plane on."""
    names = plane_names(anatomy)
    wires = np.zeros((KINDS, len(names)))
    for kind in range(KINDS):
        wires[kind, [names.index(name) for name in _planes_of(anatomy, kind)]] = 1
    wires.flags.writeable = False
    return wires


@lru_cache(maxsize=None)
def kinds_of(anatomy):
    """The kinds of points on the board that the network tells apart, the lowest of each."""
    _, first = np.unique(wiring(anatomy)[:EDGE_KIND], axis=0, return_index=True)
    return tuple(sorted(first.tolist()))


def class_of_kind(kind):
    """The class of a stone's group, from 0."""
    return kind % BLACK_KIND // CLASS_STEP


def exchanged_kinds():
    """By kind, what it becomes when Black and White are exchanged."""
    kinds = np.arange(KINDS)
    return np.where(kinds < BLACK_KIND, kinds + BLACK_KIND, np.where(kinds < EMPTY_KIND, kinds - BLACK_KIND, kinds))


@lru_cache(maxsize=None)
def _exchanged_planes(anatomy):
    names = plane_names(anatomy)
    other = {"white": "black", "black": "white"}
    swapped = [" ".join(other.get(word, word) for word in name.split(" ")) for name in names]
    return np.array([names.index(name) for name in swapped])


# Hidden units


@lru_cache(maxsize=None)
def basis(hidden):
    """[unit, feature, step]: the sign with which a feature counts a neighbour for a hidden unit.

    The units are T, S, D, the eastern ones of the pairs F, the northern ones; the features T's centre, sides and corners,
    then S's, D's, and F's along the axes and the diagonals.
    """
    t, u = hidden // 3, hidden // 6
    signs = np.zeros((hidden, 5 * t, 9))
    for i in range(t):
        signs[i, i, 0] = 1
        signs[i, t + i, 1:5] = 1
        signs[i, 2 * t + i, 5:9] = 1
    for i in range(u):
        s, d, east, north = t + i, t + u + i, t + 2 * u + i, t + 3 * u + i
        first = 3 * t + i
        signs[s, first, 1:5] = (1, -1, 1, -1)
        signs[d, first + u, 5:9] = (1, -1, 1, -1)
        signs[east, first + 2 * u, 1:5] = (1, 0, -1, 0)
        signs[north, first + 2 * u, 1:5] = (0, 1, 0, -1)
        signs[east, first + 3 * u, 5:9] = (1, -1, -1, 1)
        signs[north, first + 3 * u, 5:9] = (1, 1, -1, -1)
    signs.flags.writeable = False
    return signs


class Links(NamedTuple):
    """Which weight is at work between hidden units, from one pass to the next."""

    count: int  # of free weights
    which: np.ndarray  # [step, from, to]: the number of the weight …
    sign: np.ndarray  # … and its sign, 0 where units are not linked
    exchanged: np.ndarray  # by weight: the one that does the same between the units' partners


# The free weights between two representations, each a list of (step, component from, component to, sign). Components are
# those of F, east (0) and north (1). As functions of the step (x, y) to a neighbour, S is like x² - y², D like xy, F like
# (x, y).
_SAME = [[(0, 0, 0, 1)], [(1, 0, 0, 1), (2, 0, 0, 1), (3, 0, 0, 1), (4, 0, 0, 1)]]
_SIGNED = [[(1, 0, 0, 1), (2, 0, 0, -1), (3, 0, 0, 1), (4, 0, 0, -1)]]
_ALONG = [[(1, 0, 0, 1), (3, 0, 0, -1), (2, 0, 1, 1), (4, 0, 1, -1)]]
_ALONG_SIGNED = [[(1, 0, 0, 1), (3, 0, 0, -1), (2, 0, 1, -1), (4, 0, 1, 1)]]
_ACROSS = [[(2, 0, 0, 1), (4, 0, 0, -1), (1, 0, 1, 1), (3, 0, 1, -1)]]
_PAIRS = [
    [(0, 0, 0, 1), (0, 1, 1, 1)],
    [(1, 0, 0, 1), (3, 0, 0, 1), (2, 1, 1, 1), (4, 1, 1, 1)],
    [(2, 0, 0, 1), (4, 0, 0, 1), (1, 1, 1, 1), (3, 1, 1, 1)],
]


def _back(weights):
    return [[(step, there, here, sign) for step, here, there, sign in weight] for weight in weights]


_FREE = {
    ("T", "T"): _SAME,
    ("S", "S"): _SAME,
    ("D", "D"): _SAME,
    ("T", "S"): _SIGNED,
    ("S", "T"): _SIGNED,
    ("T", "F"): _ALONG,
    ("F", "T"): _back(_ALONG),
    ("S", "F"): _ALONG_SIGNED,
    ("F", "S"): _back(_ALONG_SIGNED),
    ("D", "F"): _ACROSS,
    ("F", "D"): _back(_ACROSS),
    ("F", "F"): _PAIRS,
}


@lru_cache(maxsize=None)
def links(hidden):
    """The Links of a network with that many hidden units."""
    t, u = hidden // 3, hidden // 6
    units = {"T": (t, 0), "S": (u, t), "D": (u, t + u), "F": (u, t + 2 * u)}  # how many, and where they begin
    which, sign = np.zeros((CROSS, hidden, hidden), int), np.zeros((CROSS, hidden, hidden))
    count = 0
    for (here, there), weights in _FREE.items():
        (some, first), (others, second) = units[here], units[there]
        for weight in weights:
            for i in range(some):
                for j in range(others):
                    for step, a, b, value in weight:
                        where = step, first + a * u + i, second + b * u + j
                        which[where], sign[where] = count, value
                    count += 1
    partner = np.arange(hidden) ^ 1
    exchanged = np.empty(count, int)
    used = sign != 0
    exchanged[which[used]] = which[:, partner][:, :, partner][used]
    return Links(count, which, sign, exchanged)


# Parameters


def _parts(anatomy):
    parts = [
        ("seen", (anatomy.features, anatomy.planes)),  # inputs → hidden
        ("direct", (RINGS, anatomy.planes, OUTPUTS)),  # inputs → outputs
        ("read", (anatomy.features, OUTPUTS)),  # hidden → outputs
        ("hidden_bias", (anatomy.trivial,)),
        ("output_bias", (OUTPUTS,)),
    ]
    if anatomy.passes > 1:
        parts.append(("again", (links(anatomy.hidden).count,)))  # hidden → hidden of the next pass
    return parts


def unpack(parameters, anatomy=PAPER):
    """The parts of a parameter vector by name, as views of it."""
    parts, start = {}, 0
    for name, shape in _parts(anatomy):
        length = int(np.prod(shape))
        parts[name] = parameters[start : start + length].reshape(shape)
        start += length
    return parts


def random_parameters(generator, spread, anatomy=PAPER):
    """Fresh parameters: what a hidden unit sees is random, all else is 0.

    The first outputs are then all one half, and the hidden units are silent until something reads them.
    """
    parameters = np.zeros(anatomy.parameters)
    seen = unpack(parameters, anatomy)["seen"]
    seen[:] = generator.normal(0.0, spread, seen.shape)
    return parameters


def linear_mask(anatomy=PAPER):
    """True for the parameters that the linear phase trains: inputs → outputs and the outputs' biases."""
    mask = np.zeros(anatomy.parameters, bool)
    parts = unpack(mask, anatomy)
    parts["direct"][:] = parts["output_bias"][:] = True
    return mask


def swap_colours(parameters, anatomy=PAPER):
    """The parameters of the network that sees and says the same with Black and White exchanged.

    Hidden units go over to their partner of the same representation; what counts for White counts against Black.
    """
    partner = np.arange(anatomy.features) ^ 1
    order = [Z_EMPTY, Z_BLACK, Z_WHITE, EYE_BLACK, EYE_WHITE, LOST_BLACK, LOST_WHITE]
    sign = np.array([-1, -1, -1, 1, 1, 1, 1])
    planes = _exchanged_planes(anatomy)
    swapped = np.empty(anatomy.parameters)
    old, new = unpack(np.asarray(parameters, float), anatomy), unpack(swapped, anatomy)
    new["seen"][:] = old["seen"][partner][:, planes]
    new["direct"][:] = old["direct"][:, planes][..., order] * sign
    new["read"][:] = old["read"][partner][:, order] * sign
    new["hidden_bias"][:] = old["hidden_bias"][partner[: anatomy.trivial]]
    new["output_bias"][:] = old["output_bias"][order] * sign
    if anatomy.passes > 1:
        new["again"][:] = old["again"][links(anatomy.hidden).exchanged]
    return swapped


def expand(parameters, anatomy=PAPER):
    """All weights of a pass: V_HI [hidden, plane, step], V_OI [output, plane, step], V_OH [output, hidden, step]."""
    parts = unpack(np.asarray(parameters, float), anatomy)
    signs = basis(anatomy.hidden)
    seen = np.einsum("hfn,fk->hkn", signs, parts["seen"])
    direct = parts["direct"][_RING_OF].transpose(2, 1, 0)
    read = np.einsum("hfn,fo->ohn", signs, parts["read"])
    return seen, direct, read


def expand_again(parameters, anatomy):
    """The weights [step, from, to] from the hidden units of one pass to those of the next."""
    found = links(anatomy.hidden)
    return found.sign * unpack(np.asarray(parameters, float), anatomy)["again"][found.which]


@lru_cache(maxsize=None)
def entries(anatomy):
    """Which parameter is what a plane gives to a hidden unit or an output, [step, plane, unit and output], and with which sign.

    They are the weights that ``expand`` makes of parameters that are numbered through.
    """
    seen, direct, _ = expand(np.arange(1, anatomy.parameters + 1), anatomy)
    numbers = np.concatenate([seen, direct]).transpose(2, 1, 0)
    return np.maximum(np.abs(numbers).astype(int) - 1, 0), np.sign(numbers)


def contract(gradient, anatomy=PAPER):
    """The gradient by parameter from one by entry of a NETWORK: the transpose of what ``network.build`` does."""
    units, out = anatomy.hidden, gradient.again.shape[2]  # the places of hidden units in a row; where the outputs begin
    known = [*kinds_of(anatomy), EDGE_KIND]
    table = np.delete(gradient.table[:, known].astype(float), np.s_[units:out], axis=2)[..., : units + OUTPUTS]
    planes = wiring(anatomy)[known].T @ table
    if LINES in anatomy.inputs:
        first = plane_names(anatomy).index("line 1")
        lines = np.delete(gradient.line_table[:, 1 : 1 + LINE_KINDS], np.s_[units:out], axis=2)
        planes[:, first : first + LINE_KINDS] += lines[..., : units + OUTPUTS]
    which, sign = entries(anatomy)
    found = np.bincount(which.ravel(), (sign * planes).ravel(), minlength=anatomy.parameters)
    parts = unpack(found, anatomy)
    parts["read"][:] = gradient.readout[:, :OUTPUTS]
    # Every cell on the board has one kind, and every kind a row with the biases in it.
    parts["hidden_bias"][:] = table[0, :, : anatomy.trivial].sum(axis=0)
    parts["output_bias"][:] = table[0, :, units:].sum(axis=0)
    if anatomy.passes > 1:
        linked = links(anatomy.hidden)
        weighted = (linked.sign * np.asarray(gradient.again[:, :, :units], float)).ravel()
        parts["again"][:] = np.bincount(linked.which.ravel(), weighted, minlength=linked.count)
    return found
