"""A genome as the body of a genome file, and back.

``nodes``     pairs (node, activation function), outputs and hidden nodes
``links``     triples (source, target, weight), in the order of their innovation numbers, which keeps sums the same
``geometry``  the fields of ``substrate.Geometry``
``selector``  how outputs become moves

``body`` declares the type and range of each of them.
"""

import numpy as np

from players.hyperneat.body import check_body
from players.hyperneat.cppn import ACTIVATIONS, LINK, SIGMOID
from players.hyperneat.selector import RULES
from players.hyperneat.substrate import Geometry


def hidden_nodes(links, geometry):
    """The hidden nodes of a genome, as a sorted array."""
    nodes = np.unique(links["target"])
    return nodes[nodes >= geometry.inputs + geometry.outputs]


def to_body(links, functions, geometry, selector):
    """The body of a genome; ``functions`` is the activation function by node."""
    outputs = range(geometry.inputs, geometry.inputs + geometry.outputs)
    nodes = [*outputs, *hidden_nodes(links, geometry).tolist()]
    return {
        "geometry": geometry._asdict(),
        "selector": selector,
        "nodes": [[node, ACTIVATIONS[functions[node]]] for node in nodes],
        "links": [[int(link["source"]), int(link["target"]), float(link["weight"])] for link in links],
    }


def from_body(body):
    """The Geometry, the number of the selector, the links and the function by node in a body.

    The links are LINK records whose innovation numbers only keep the order; nodes are counted without gaps, in the order of
    their numbers. GenomeError if they are no network without cycles.
    """
    check_body(body)
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
    return geometry, RULES[body["selector"]], links, functions
