"""What the body of a HyperNEAT genome must be: see ``genes`` for what it means."""

from engine import limits
from engine.go.board import MAX_SIZE
from players.genome import GenomeError
from players.hyperneat.cppn import ACTIVATIONS
from players.hyperneat.selector import RULES
from players.hyperneat.sheets import NAMES
from players.hyperneat.substrate import CONTINUOUS, DISCRETE, Geometry
from players.schema import Flag, Integer, List, Number, Row, SchemaError, Table, Text, check

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
    },
)
BODY = Table(
    {
        "geometry": GEOMETRY,
        "selector": Text(tuple(RULES)),
        "nodes": List(Row((_NODE, Text(tuple(ACTIVATIONS)))), limits.HYPERNEAT_NODES),
        "links": List(Row((_NODE, _NODE, _WEIGHT)), limits.HYPERNEAT_LINKS),
    }
)


def check_body(body):
    """GenomeError unless ``body`` holds a network without cycles."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not a HyperNEAT genome: {error}") from None
    geometry = Geometry(**body["geometry"])
    inputs, fixed = geometry.inputs, geometry.inputs + geometry.outputs
    known = {*range(fixed), *(node for node, _ in body["nodes"])}
    for source, target, _ in body["links"]:
        if source not in known or target not in known:
            raise GenomeError(f"not a HyperNEAT genome: a link from {source} to {target}, one of which is not a node")
        if target < inputs or inputs <= source < fixed:
            raise GenomeError(f"not a HyperNEAT genome: a link from {source} to {target} is backwards")
    if _has_cycle(body["links"]):
        raise GenomeError("not a HyperNEAT genome: its links make no network without cycles")


def _has_cycle(links):
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
