"""A saved playout policy as a player: it draws each move as a playout does, on any board."""

import numpy as np

from engine.contest.player import Player
from engine.go.board import EMPTY, PASS, cells
from engine.go.rng import any_seed, new_stream, uniform
from players.playout.body import read_body
from players.search.policy import distribution, named_weights, new_policy, new_weighed


class PlayoutPlayer(Player):
    """Draws a legal move by the shares of the policy; passes when no point is playable."""

    name = "playout"

    def __init__(self, weights, seed=None):
        self.weights = dict(weights)
        self._policy, self._weighed = new_policy(weights), new_weighed()
        self._said = None
        self.seed(any_seed() if seed is None else seed)

    def seed(self, seed):
        self._rng = new_stream(seed)

    def _shares(self, game, colour):
        """By cell, how likely a move is; illegal ones, which playouts do not know by superko, have none."""
        last = game.moves[-1].point if game.moves and game.moves[-1].colour != colour else PASS
        before = game.moves[-2].point if len(game.moves) > 1 and game.moves[-2].colour == colour else PASS
        shares = np.empty(cells(game.size))
        distribution(game.position, colour, last, before, self._policy, self._weighed, shares)
        for p in np.flatnonzero(shares):
            if not game.is_legal(colour, int(p)):
                shares[p] = 0.0
        total = shares.sum()
        return shares / total if total > 0 else shares

    def choose(self, game, colour, budget=None):
        shares = self._shares(game, colour)
        points = np.flatnonzero(shares)
        if not points.size:
            self._said = "no point is playable"
            return PASS
        p = points[min(np.searchsorted(shares[points].cumsum(), uniform(self._rng), side="right"), points.size - 1)]
        self._said = f"drawn with a chance of {100 * shares[p]:.1f}%"
        return int(p)

    def policy(self, game, colour):
        """The shares; nan where a stone stands."""
        shares = self._shares(game, colour)
        shares[game.position.colour[: len(shares)] != EMPTY] = np.nan
        return shares

    def explain(self):
        return self._said


OPTIONS = ()


def weights_of(spec, load=None):
    """The weights of a policy: HAND, UNIFORM, or a player that ``load(spec)`` gives. ValueError if it is something else."""
    weights = named_weights(spec)
    if weights is not None:
        return weights
    if load is None:
        from players.registry import load_player as load  # which knows all players, this one among them
    player = load(spec)
    if not isinstance(player, PlayoutPlayer):
        raise ValueError(f"{spec[:40]!r} is no playout policy")
    return player.weights


def load_player(genome):
    """The player of a saved genome; GenomeError if its body holds no policy."""
    return PlayoutPlayer(read_body(genome.body))
