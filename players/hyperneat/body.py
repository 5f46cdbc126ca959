"""The body of a HyperNEAT genome: what it must be, how it is read, and how it is made.

``nodes``     pairs (node, activation function), outputs and hidden nodes
``links``     triples (source, target, weight), in the order of their innovation numbers, which keeps sums the same
``geometry``  the fields of ``substrate.Geometry``
and the fields of ``selector.Rule``: how outputs become moves. Older files have ``selector`` alone, and play with what the
others are if nothing is said: the sanity check that they were evolved with left dead stones on the board by mistake.
"""

from typing import NamedTuple

import numpy as np

from engine import limits
from engine.go.board import MAX_SIZE
from players.genome import GenomeError
from players.hyperneat.cppn import ACTIVATIONS, LINK, SIGMOID
from players.hyperneat.selector import SELECTORS, Rule
from players.hyperneat.sheets import NAMES
from players.hyperneat.substrate import CONTINUOUS, DISCRETE, HIDDEN, Geometry
from players.schema import Flag, Integer, List, Maybe, Number, Row, SchemaError, Table, Text, check

MOST_NUMBER = 1 << 20  # of a node: a run counts all that it invents, and few of them are in one genome
_NODE = Integer(0, MOST_NUMBER)
_WEIGHT = Number(-limits.WEIGHT, limits.WEIGHT)
GEOMETRY = Table(
    {},
    optional={  # what is missing is as it was before there was a choice
        "extrapolation": Text((DISCRETE, CONTINUOUS)),
        "largest": Integer(2, MAX_SIZE),
        "deltas": Flag(),
        "bias": _WEIGHT,
        "sheets": Text(tuple(NAMES)),
        "border": Flag(),
        "leo": Flag(),
        "absolute": Flag(),
        "reach": Maybe(Integer(1, MAX_SIZE)),
        "folded": Flag(),
        "hidden": Integer(*HIDDEN),
        "direct": Flag(),
    },
)
BODY = Table(
    {
        "geometry": GEOMETRY,
        "selector": Text(tuple(SELECTORS)),
        "nodes": List(Row((_NODE, Text(tuple(ACTIVATIONS)))), limits.HYPERNEAT_NODES),
        "links": List(Row((_NODE, _NODE, _WEIGHT)), limits.HYPERNEAT_LINKS),
    },
    optional={"capture_dead": Flag(), "avoid_enemy": Flag()},
)


class Body(NamedTuple):
    """What a body holds."""

    geometry: Geometry
    rule: Rule
    links: np.ndarray  # of LINK; innovation numbers only keep the order, nodes are counted without gaps
    functions: np.ndarray  # by node


def _check(body):
    """GenomeError unless ``body`` holds a network without cycles."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not a HyperNEAT genome: {error}") from None
    geometry = Geometry(**body["geometry"])
    if not (geometry.absolute or geometry.deltas):
        raise GenomeError("not a HyperNEAT genome: its CPPN sees neither places nor differences")
    inputs, fixed = geometry.inputs, geometry.inputs + geometry.outputs
    known = {*range(fixed), *(node for node, _ in body["nodes"])}
    for source, target, _ in body["links"]:
        if source not in known or target not in known:
            raise GenomeError(f"not a HyperNEAT genome: a link from {source} to {target}, one of which is not a node")
        if target < inputs or inputs <= source < fixed:
            raise GenomeError(f"not a HyperNEAT genome: a link from {source} to {target} is backwards")
    if has_cycle(body["links"]):
        raise GenomeError("not a HyperNEAT genome: its links make no network without cycles")


def has_cycle(links):
    """Whether some node hears itself: follow each link once, from nodes that hear nothing more that was not followed."""
    heard, followers = {}, {}  # by node: how many links into it are left, and where the links out of it go
    for source, target, _ in links:
        heard[target] = heard.get(target, 0) + 1
        followers.setdefault(source, []).append(target)
    ready = [node for node in followers if node not in heard]
    followed = 0
    while ready:
        for target in followers.get(ready.pop(), ()):
            followed += 1
            heard[target] -= 1
            if heard[target] == 0:
                ready.append(target)
    return followed < len(links)


def read_body(body):
    """The Body in the body of a genome; GenomeError if it holds no network without cycles."""
    _check(body)
    geometry = Geometry(**body["geometry"])
    nodes = [*range(geometry.inputs + geometry.outputs)]
    nodes += sorted({node for node, _ in body["nodes"] if node >= len(nodes)})
    place = {node: number for number, node in enumerate(nodes)}
    functions = np.full(len(nodes), SIGMOID, np.uint8)
    for node, name in body["nodes"]:
        functions[place[node]] = ACTIVATIONS.index(name)
    links = np.zeros(len(body["links"]), LINK)
    for i, (source, target, weight) in enumerate(body["links"]):
        links[i] = i, place[source], place[target], weight, 0
    rule = Rule(**{name: body[name] for name in Rule._fields if name in body})
    return Body(geometry, rule, links, functions)


def hidden_nodes(links, geometry):
    """The hidden nodes of a genome, as a sorted array."""
    nodes = np.unique(links["target"])
    return nodes[nodes >= geometry.inputs + geometry.outputs]


def make_body(links, functions, geometry, rule):
    """The body of a genome; ``functions`` is the activation function by node, ``rule`` a ``selector.Rule``."""
    outputs = range(geometry.inputs, geometry.inputs + geometry.outputs)
    nodes = [*outputs, *hidden_nodes(links, geometry).tolist()]
    return {
        "geometry": geometry._asdict(),
        **rule._asdict(),
        "nodes": [[node, ACTIVATIONS[functions[node]]] for node in nodes],
        "links": [[int(link["source"]), int(link["target"]), float(link["weight"])] for link in links],
    }
