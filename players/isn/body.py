"""What the body of an ISN genome must be: its parameters, its rewards, and whether it knows whose turn it is."""

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


def check_body(body):
    """GenomeError unless ``body`` holds a network."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not an internal symmetry network: {error}") from None
