"""A substrate as a side of compiled games (§4)."""

from typing import NamedTuple

import numpy as np

from engine.kernels import kernel
from players.hyperneat.selector import choose_move
from players.play.sides import register


class Substrate(NamedTuple):
    """A network over one board, and how its outputs become a move."""

    weights: np.ndarray
    inputs: int  # sheets
    rule: int


@kernel
def _choose(side, position, history, own, rng):
    return choose_move(side.weights, side.inputs, side.rule, position, history, own, rng)


register(Substrate, choose_kernel=_choose)
