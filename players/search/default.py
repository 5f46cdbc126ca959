"""A player as the default policy: what is played out from the tree are games that it plays with itself.

The outlook of the HyperNEAT paper (§6); S. Gelly, D. Silver, "Combining online and offline knowledge in UCT" (ICML 2007), who
found that a policy which plays better need not be better for this. Any player will do whose side in compiled games keeps
nothing in mind from one move to the next.

A player that always chooses the same move would play the same game again and again, and most players pass when all is
settled, before all is counted. So a move at random takes the place of one move in five, and of every pass.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from engine.go.board import PASS
from engine.go.history import HISTORY, KO_SIMPLE, new_history
from engine.go.playout import random_move
from engine.go.rng import uniform
from engine.go.rules import CHINESE
from engine.kernels import kernel
from players.play.sides import choose, is_forgetful
from players.search.policy import lend, next_move

STRAYS = 0.2  # our choice


class DefaultPolicy(NamedTuple):
    """A side in the place of the playout policy."""

    side: tuple
    history: np.ndarray  # of HISTORY, of games without superko: a single one that never changes
    strays: float


class Default:
    """A player whose games are played out; ValueError if it cannot be one."""

    def __init__(self, player, name):
        self.player = player
        side = player.side(next(iter(player.sizes)), CHINESE)
        if side is None or not is_forgetful(side):
            raise ValueError(f"{name[:40]!r} is no playout policy, nor a player whose moves depend on the board alone")

    def policy(self, size, rules):
        """The DefaultPolicy on a board: each thread needs its own."""
        side = self.player.side(size, rules)
        history = np.recarray(1, HISTORY)
        history[0] = new_history(KO_SIMPLE)
        return DefaultPolicy(side, history, STRAYS)


@kernel
def _default_move(position, colour, policy, weighed, rng):
    lend(weighed.stream, rng)
    p = np.int64(PASS)
    if uniform(rng) >= policy.strays:
        p = np.int64(choose(policy.side, position, policy.history[0], colour, rng))
    if p == PASS:
        p = np.int64(random_move(position, colour, rng))
    lend(rng, weighed.stream)
    return p


@overload(next_move, inline="always")
def _next_move(position, colour, last, before, policy, weighed, rng):
    if isinstance(policy, types.NamedTuple) and policy.instance_class is DefaultPolicy:
        return lambda position, colour, last, before, policy, weighed, rng: _default_move(
            position, colour, policy, weighed, rng
        )
