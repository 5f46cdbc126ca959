"""A search that does not always play what it found: some of its moves are drawn as in its playouts, natural small mistakes.

So there are opponents between a player that never looks ahead and the smallest search.
"""

import numpy as np

from engine.contest.player import Wrapped
from engine.go.rng import stream_key
from players.playout.player import PlayoutPlayer

_SALT = 0x57A7  # when it strays is drawn from another stream than what it then plays


class Straying(Wrapped):
    """A ``Search`` of which a ``share`` of the moves, drawn at random, are those of a player that draws by ``weights``."""

    files = ()  # set by whoever loads it

    def __init__(self, search, weights, share):
        if not 0 <= share <= 1:
            raise ValueError(f"strays must be from 0 to 1, not {share:g}")
        super().__init__(search)
        self._share, self._other = share, PlayoutPlayer(weights)
        self._strayed = False
        self._generator = np.random.default_rng()

    def seed(self, seed):
        super().seed(seed)
        self._other.seed(seed)
        self._generator = np.random.Generator(np.random.PCG64(stream_key(seed, _SALT)))

    def choose(self, game, colour, budget=None):
        chosen = super().choose(game, colour, budget)
        self._strayed = self._generator.random() < self._share
        return self._other.choose(game, colour, budget) if self._strayed else chosen

    def explain(self):
        return f"strayed: {self._other.explain()}" if self._strayed else super().explain()
