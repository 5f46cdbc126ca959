"""A genome as the body of a genome file, and back.

``nodes``     pairs (node, activation function), outputs and hidden nodes
``links``     triples (source, target, weight), in the order of their innovation numbers, which keeps sums the same
``geometry``  the fields of ``substrate.Geometry``
and the fields of ``selector.Rule``: how outputs become moves. Older files have ``selector`` alone, and play with what the
others are if nothing is said: the sanity check that they were evolved with left dead stones on the board by mistake.
"""

import math

import numpy as np

from engine.go.board import MAX_SIZE
from players.genome import GenomeError
from players.hyperneat.cppn import ACTIVATIONS, LINK, SIGMOID
from players.hyperneat.selector import SELECTORS, Rule
from players.hyperneat.sheets import NAMES
from players.hyperneat.substrate import CONTINUOUS, DISCRETE, Geometry

_MOST_NODES = 1 << 20  # far beyond any run; a node number is an index


def hidden_nodes(links, geometry):
    """The hidden nodes of a genome, as a sorted array."""
    nodes = np.unique(links["target"])
    return nodes[nodes >= geometry.inputs + geometry.outputs]


def to_body(links, functions, geometry, rule):
    """The body of a genome; ``functions`` is the activation function by node, ``rule`` a ``selector.Rule``."""
    outputs = range(geometry.inputs, geometry.inputs + geometry.outputs)
    nodes = [*outputs, *hidden_nodes(links, geometry).tolist()]
    return {
        "geometry": geometry._asdict(),
        **rule._asdict(),
        "nodes": [[node, ACTIVATIONS[functions[node]]] for node in nodes],
        "links": [[int(link["source"]), int(link["target"]), float(link["weight"])] for link in links],
    }


def geometry_of(body):
    """The Geometry in a body; GenomeError if it makes no sense."""
    try:
        geometry = Geometry(**body["geometry"])
        sound = (
            geometry.extrapolation in (DISCRETE, CONTINUOUS)
            and geometry.sheets in NAMES
            and 2 <= int(geometry.largest) <= MAX_SIZE
            and math.isfinite(geometry.bias)
            and (geometry.absolute or geometry.deltas)
            and (geometry.reach is None or 1 <= int(geometry.reach) <= MAX_SIZE)
        )
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise GenomeError("not a HyperNEAT genome: its geometry makes no sense")
    return geometry


def rule_of(body):
    """The Rule by which outputs become moves; GenomeError if it makes no sense."""
    said = {name: body[name] for name in Rule._fields if name in body}
    rule = Rule(**said)
    flags = (rule.capture_dead, rule.avoid_enemy)
    if "selector" not in said or rule.selector not in tuple(SELECTORS) or not all(isinstance(flag, bool) for flag in flags):
        raise GenomeError("not a HyperNEAT genome: its selector makes no sense")
    return rule


def from_body(body):
    """The links of a body (LINK records; their innovation numbers only keep the order) and the function by node.

    GenomeError if they are no network without cycles.
    """
    geometry = geometry_of(body)
    inputs, fixed = geometry.inputs, geometry.inputs + geometry.outputs
    try:
        links = np.zeros(len(body["links"]), LINK)
        for i, (source, target, weight) in enumerate(body["links"]):
            links[i] = i, source, target, weight, 0
        highest = max([fixed - 1, *(int(node) for node, _ in body["nodes"])])
        if highest >= _MOST_NODES:
            raise ValueError
        functions = np.full(highest + 1, SIGMOID, np.uint8)
        for node, name in body["nodes"]:
            functions[node] = ACTIVATIONS.index(name)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        raise GenomeError("not a HyperNEAT genome: its nodes or links make no sense") from None
    ends = np.concatenate((links["source"], links["target"]))
    sound = (
        np.all((ends >= 0) & (ends <= highest))
        and np.all(links["target"] >= inputs)
        and not np.any((links["source"] >= inputs) & (links["source"] < fixed))
        and np.all(np.isfinite(links["weight"]))
        and not _has_cycle(links)
    )
    if not sound:
        raise GenomeError("not a HyperNEAT genome: its links make no network without cycles")
    return links, functions


def _has_cycle(links):
    """Whether some node hears itself: take away links into which nothing leads, until none is left or none can go."""
    left = links
    while len(left):
        heard = np.isin(left["source"], left["target"])
        if heard.all():
            return True
        left = left[heard]
    return False
