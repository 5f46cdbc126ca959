"""What the body of a SANE genome must be: the board size, and for each neuron the labels and weights of its connections.

``inputs`` says what the input units are; the paper's if it is missing.
"""

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE
from players.genome import GenomeError
from players.sane.network import INPUTS, STONES, decode, unit_count
from players.schema import Integer, List, Number, SchemaError, Table, Text, check


def _table(item):
    return List(List(item, limits.SANE_CONNECTIONS, least=1), limits.SANE_NEURONS, least=1)


BODY = Table(
    {
        "size": Integer(MIN_SIZE, MAX_SIZE),
        "labels": _table(Integer(0, max(unit_count(MAX_SIZE, inputs) for inputs in INPUTS) - 1)),
        "weights": _table(Number(-limits.WEIGHT, limits.WEIGHT)),
    },
    optional={"inputs": Text(tuple(INPUTS))},
)


def read_body(body):
    """The Network in the body of a genome; GenomeError if it holds none."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not a SANE genome: {error}") from None
    lengths = {len(row) for table in ("labels", "weights") for row in body[table]}
    if len(lengths) > 1 or len(body["labels"]) != len(body["weights"]):
        raise GenomeError("not a SANE genome: it needs a label and a weight for every connection of every neuron")
    size, inputs = body["size"], body.get("inputs", STONES)
    units = unit_count(size, inputs)
    if any(label >= units for row in body["labels"] for label in row):
        raise GenomeError(f"not a SANE genome: a label is not between 0 and {units - 1}, the units of a {size}x{size} board")
    return decode(body["labels"], body["weights"], size, inputs)


def make_body(labels, weights, size, inputs):
    """The body of a genome."""
    told = {} if inputs == STONES else {"inputs": inputs}
    return {"size": size, **told, "labels": labels, "weights": weights}
