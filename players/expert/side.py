"""The network by itself as a side of compiled games: no search, the move that it likes best.

The last two moves are among what it sees. A game in compiled code does not tell them, so that the side finds out by
comparing the board with what it was.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import MAX_SIZE, PASS, cells
from engine.go.rng import uniform
from engine.kernels import kernel
from players.expert.features import see
from players.expert.network import build, look, new_sight
from players.play.sides import register
from players.scripted.reading import new_work


class Expert(NamedTuple):
    """A network, how it plays, and its working space."""

    network: np.record
    temperature: float  # moves are drawn in proportion to policy ^ (1 / temperature); 0: always the best
    sight: np.record
    work: np.ndarray
    colours: np.ndarray  # uint8, by cell: the board as it was
    moves: np.ndarray  # int64 [2]: the last move and the one before


def side_of(parameters, temperature=0.0):
    """The side of a parameter vector."""
    colours, moves = np.zeros(cells(MAX_SIZE), np.uint8), np.zeros(2, np.int64)
    return Expert(build(parameters), float(temperature), new_sight(), new_work(), colours, moves)


@kernel
def draw_move(sight, size, temperature, rng):
    """A move by the policy in ``sight``."""
    policy = sight.policy
    points = size * size
    best = PASS
    for k in range(points):
        if policy[sight.points[k]] > policy[best]:
            best = sight.points[k]
    if temperature <= 0:
        return best
    total = (policy[PASS] / policy[best]) ** (1.0 / temperature)
    for k in range(points):
        total += (policy[sight.points[k]] / policy[best]) ** (1.0 / temperature)
    left = total * uniform(rng)
    for k in range(points):
        left -= (policy[sight.points[k]] / policy[best]) ** (1.0 / temperature)
        if left < 0:
            return sight.points[k]
    return np.int64(PASS)


@kernel
def choose_move(network, sight, work, position, history, own, last, before, temperature, rng):
    """The move of ``own`` after the moves ``before`` and ``last``."""
    see(position, history, own, last, before, work, sight.found, sight.bits)
    look(network, sight, position.board_size, 0.0)
    return draw_move(sight, position.board_size, temperature, rng)


@kernel
def _begin(side, position, own):
    side.moves[:] = PASS
    for p in range(cells(position.board_size)):
        side.colours[p] = position.colour[p]


@kernel
def _choose(side, position, history, own, rng):
    return choose_move(
        side.network, side.sight, side.work, position, history, own, side.moves[0], side.moves[1], side.temperature, rng
    )


@kernel
def _observe(side, position, own, mover):
    played = np.int64(PASS)
    for p in range(cells(position.board_size)):
        if position.colour[p] != side.colours[p]:
            if position.colour[p] == mover:
                played = np.int64(p)
            side.colours[p] = position.colour[p]
    side.moves[1] = side.moves[0]
    side.moves[0] = played


register(Expert, begin_kernel=_begin, choose_kernel=_choose, observe_kernel=_observe)
