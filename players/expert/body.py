"""What the body of an expert's genome must be: its parameters."""

import numpy as np

from engine import limits
from players.expert.network import PARAMETERS
from players.genome import GenomeError
from players.schema import List, Number, SchemaError, Table, check

BODY = Table({"parameters": List(Number(-limits.WEIGHT, limits.WEIGHT), PARAMETERS, least=PARAMETERS)})


def read_body(body):
    """The parameters in the body of a genome; GenomeError if it holds no network."""
    try:
        check(BODY, body)
    except SchemaError as error:
        raise GenomeError(f"not an expert's network: {error}") from None
    return np.array(body["parameters"], float)
