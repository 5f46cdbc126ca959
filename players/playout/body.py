"""What the body of a playout policy's genome must be: a weight for each feature that has one."""

from players.genome import GenomeError
from players.schema import Number, SchemaError, Table, check
from players.search.policy import LARGEST_WEIGHT, NAMES

_WEIGHT = Number(-LARGEST_WEIGHT, LARGEST_WEIGHT)
BODY = Table({"weights": Table({}, optional=dict.fromkeys(NAMES, _WEIGHT))})


def read_body(body):
    """The weights in the body of a genome, by name; GenomeError if it holds none."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not a playout policy: {error}") from None
    return body["weights"]
