"""What the body of a SANE genome must be: the board size, and for each neuron the labels and weights of its connections.

``inputs`` says what the input units are; the paper's if it is missing. With ``reach`` labels are relative (``stamps``), and the
network plays on boards of all sizes.
"""

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE
from players.genome import GenomeError
from players.sane.network import INPUTS, STONES, decode, described, unit_count
from players.schema import Integer, List, Number, SchemaError, Table, Text, check


def _table(item):
    return List(List(item, limits.SANE_CONNECTIONS, least=1), limits.SANE_NEURONS, least=1)


BODY = Table(
    {
        "size": Integer(MIN_SIZE, MAX_SIZE),
        "labels": _table(Integer(0, max(unit_count(MAX_SIZE, inputs) for inputs in INPUTS) - 1)),
        "weights": _table(Number(-limits.WEIGHT, limits.WEIGHT)),
    },
    optional={"inputs": Text(tuple(INPUTS)), "reach": Integer(0, limits.SANE_REACH)},
)


def read_body(body, size=None):
    """The Network in the body of a genome; GenomeError if it holds none.

    It is for the board that it was evolved on, or for one of another ``size`` if its labels are relative.
    """
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not a SANE genome: {error}") from None
    lengths = {len(row) for table in ("labels", "weights") for row in body[table]}
    if len(lengths) > 1 or len(body["labels"]) != len(body["weights"]):
        raise GenomeError("not a SANE genome: it needs a label and a weight for every connection of every neuron")
    inputs, reach = body.get("inputs", STONES), body.get("reach")
    if reach is not None and len(body["labels"]) * len(body["labels"][0]) > limits.SANE_EVERYWHERE:
        most = f"{limits.SANE_EVERYWHERE:,}"
        raise GenomeError(f"not a SANE genome: neurons that stand everywhere have more than {most} connections together")
    units = unit_count(body["size"], inputs, reach)
    if any(label >= units for row in body["labels"] for label in row):
        named = described(body["size"], reach)
        raise GenomeError(f"not a SANE genome: a label is not between 0 and {units - 1}, the units of {named}")
    board = body["size"] if reach is None or size is None else size
    return decode(body["labels"], body["weights"], board, inputs, reach)


def make_body(labels, weights, size, inputs, reach=None):
    """The body of a genome."""
    told = {"inputs": inputs} if inputs != STONES else {}
    if reach is not None:
        told["reach"] = reach
    return {"size": size, **told, "labels": labels, "weights": weights}
