"""A substrate as a side of compiled games (§4)."""

from typing import NamedTuple

from engine.kernels import kernel
from players.hyperneat.selector import choose_move
from players.hyperneat.substrate import Network
from players.play.sides import register


class Substrate(NamedTuple):
    """A network over one board, and how its outputs become a move."""

    network: Network
    rule: int


@kernel
def _choose(side, position, history, own, rng):
    return choose_move(side.network, side.rule, position, history, own, rng)


register(Substrate, choose_kernel=_choose)
