"""What the body of an ISN genome must be: its parameters, its rewards, and whether it knows whose turn it is."""

from typing import NamedTuple

import numpy as np

from engine import limits
from players.genome import GenomeError
from players.isn.network import PARAMETERS
from players.schema import Flag, List, Number, SchemaError, Table, check

BODY = Table(
    {
        "parameters": List(Number(-limits.WEIGHT, limits.WEIGHT), PARAMETERS, least=PARAMETERS),
        "c": Number(0, 1),
        "s": Number(0, 1),
        "turn_aware": Flag(),
    }
)


class Body(NamedTuple):
    """What a body holds."""

    parameters: np.ndarray
    c: float
    s: float
    turn_aware: bool


def read_body(body):
    """The Body in the body of a genome; GenomeError if it holds no network."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not an internal symmetry network: {error}") from None
    return Body(np.array(body["parameters"], float), float(body["c"]), float(body["s"]), body["turn_aware"])
