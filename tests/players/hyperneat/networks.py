"""Hand-made genomes for the tests."""

import numpy as np

from players.hyperneat.cppn import LINK, SIGMOID, compile_links
from players.hyperneat.substrate import Geometry


def genome(*links):
    """LINK records from (innovation, source, target, weight) or the same with a birth."""
    records = np.zeros(len(links), LINK)
    for record, link in zip(records, links):
        record["innovation"], record["source"], record["target"], record["weight"] = link[:4]
        record["birth"] = link[4] if len(link) > 4 else 0
    return records


def random_program(seed=1, hidden=5, geometry=Geometry()):
    """A CPPN with all kinds of nodes, each hidden one hearing the inputs and the one before it."""
    rng = np.random.default_rng(seed)
    fixed = geometry.inputs + geometry.outputs
    pairs = [(i, o) for i in range(geometry.inputs) for o in range(geometry.inputs, fixed)]
    for h in range(fixed, fixed + hidden):
        pairs += [(i, h) for i in range(geometry.inputs)] + [(h, o) for o in range(geometry.inputs, fixed)]
        pairs += [(h - 1, h)] if h > fixed else []
    links = genome(*((n, s, t, rng.uniform(-2, 2)) for n, (s, t) in enumerate(pairs)))
    functions = np.full(fixed + hidden, SIGMOID, np.uint8)
    functions[fixed:] = np.arange(hidden) % 4
    return links, functions, compile_links(links, functions, geometry.inputs, geometry.outputs)
