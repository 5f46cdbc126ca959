"""What the body of an ISN genome must be: its parameters, its rewards, whether it knows whose turn it is, and its anatomy.

The paper's network says nothing of its anatomy; any other names its inputs, hidden units and passes.
"""

from typing import NamedTuple

import numpy as np

from engine import limits
from players.genome import GenomeError
from players.isn.anatomy import HIDDEN_CHOICES, INPUTS, MOST_PASSES, PAPER, Anatomy, anatomy_of
from players.schema import Anything, Flag, Integer, List, Number, SchemaError, Table, Text, check

ANATOMY = {
    "inputs": List(Text(tuple(INPUTS)), len(INPUTS)),
    "hidden": Integer(min(HIDDEN_CHOICES), max(HIDDEN_CHOICES)),
    "passes": Integer(1, MOST_PASSES),
}


class Body(NamedTuple):
    """What a body holds."""

    parameters: np.ndarray
    c: float
    s: float
    turn_aware: bool
    anatomy: Anatomy


def anatomy_in(body):
    """The Anatomy that a body, or any dict with the same names, speaks of; SchemaError if there is none such."""
    if not any(name in body for name in ANATOMY):
        return PAPER
    said = {name: body[name] for name in ANATOMY if name in body}
    check(Table(ANATOMY), said)
    if said["hidden"] not in HIDDEN_CHOICES:
        raise SchemaError(f"hidden must be one of {', '.join(map(str, HIDDEN_CHOICES))}, not {said['hidden']}")
    if said["inputs"] != [name for name in INPUTS if name in said["inputs"]]:
        raise SchemaError("inputs must be named once each, in their order")
    return anatomy_of(**said)


def body_of(parameters, c, s, turn_aware, anatomy):
    """The body of a genome."""
    body = {"parameters": parameters, "c": c, "s": s, "turn_aware": turn_aware}
    if anatomy != PAPER:
        body |= {"inputs": list(anatomy.inputs), "hidden": anatomy.hidden, "passes": anatomy.passes}
    return body


def read_body(body):
    """The Body in the body of a genome; GenomeError if it holds no network."""
    try:
        check(Table({}, others=Anything()), body)
        anatomy = anatomy_in(body)
        count = anatomy.parameters
        check(
            Table(
                {
                    "parameters": List(Number(-limits.WEIGHT, limits.WEIGHT), count, least=count),
                    "c": Number(0, 1),
                    "s": Number(0, 1),
                    "turn_aware": Flag(),
                },
                optional=ANATOMY,
            ),
            body,
        )
    except SchemaError as error:
        raise GenomeError(f"not an internal symmetry network: {error}") from None
    return Body(np.array(body["parameters"], float), float(body["c"]), float(body["s"]), body["turn_aware"], anatomy)
