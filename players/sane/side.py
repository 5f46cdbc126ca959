"""A network as a side of compiled games, and the games of its training (paper, "Evaluation function").

No komi, simple ko, no suicide; every stone left on the board counts as alive; a game that reaches the cap of moves is
lost. Against a handicap the roles of the colours are the usual ones: the opponent is Black. A general player may have both
colours, a komi and superko instead.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import SUICIDE_FORBIDDEN
from engine.go.handicap import handicap_points
from engine.go.history import KO_POSITIONAL, KO_SIMPLE
from engine.go.rules import AREA, Rules
from engine.kernels import kernel
from players.play.loop import Terms
from players.play.sides import register
from players.sane.network import choose_move, new_activity

# Our choice, lower than the cap of other games: since such a game is lost, evolution learns to end it.
MOVES_PER_POINT = 2
RULES = Rules("sane", AREA, KO_SIMPLE, SUICIDE_FORBIDDEN, komi=0.0)
SUPERKO = Rules("sane-superko", AREA, KO_POSITIONAL, SUICIDE_FORBIDDEN, komi=0.0)


class Network(NamedTuple):
    """A decoded network and its working space."""

    start: np.ndarray
    neuron: np.ndarray
    weight: np.ndarray
    bias: np.ndarray
    activity: np.ndarray


@kernel
def _choose(side, position, history, own, rng):
    return choose_move(side.start, side.neuron, side.weight, side.bias, position, history, own, side.activity)


register(Network, choose_kernel=_choose)


def side_of(network):
    """The side that plays a ``network.Network``."""
    return Network(*network[:4], new_activity(network))


def terms(size, give_stones, komi=RULES.komi, rules=RULES):
    """The Terms of games in which the network gives so many stones, and its colour unless it has both.

    One stone means that the opponent moves first; from two on they stand on the board, and the network moves first.
    """
    stones = tuple(handicap_points(size, give_stones)) if give_stones > 1 else ()
    longest = MOVES_PER_POINT * size * size
    return Terms(size, komi, rules, stones=stones, most_moves=longest), "white" if give_stones else "black"


def play_network(fixture, network):
    """The RESULTs of a ``network.Network`` in a Fixture; a game that reaches the cap on moves is lost by all points."""
    results = fixture.play(side_of(network))
    results.score[~results.over] = -(network.size**2)
    return results
