"""Priors from any player that has a policy: it says where to look, and the games what is found there.

A guide is asked, in Python, about the root and about every node that has been visited GUIDE_AT times: nodes that matter, and
few enough that any kind of player can be asked. What it likes best gets the games of a prior, all won; what it likes least
gets as many, all lost; the rest lie between, by its numbers.

The network of ``players.expert`` is not asked here: the tree does that itself.
"""

import numpy as np

from engine.go.board import PASS
from players.expert.player import ExpertPlayer

NONE = "none"
# Our choice: to ask a network takes the time of some tens of simulations.
GUIDE_AT = 100  # visits of a node when its moves are shown to the guide
GUIDE_GAMES = 20.0  # games of the prior that a guide gives each move


class Guide:
    """A player as a guide; ValueError if it has no policy on the board at hand when it is asked."""

    def __init__(self, player, name):
        self.player, self.name = player, name
        self.network = player.network if isinstance(player, ExpertPlayer) else None  # for the tree to ask

    def opinions(self, game, colour, points):
        """For each of the given points, 1 for what the guide likes best, 0 least, nan where it has no opinion."""
        policy = self.player.policy(game, colour)
        if policy is None:
            raise ValueError(f"{self.name} has no policy and cannot guide a search")
        values = np.asarray(policy, float)[points]
        values[points == PASS] = np.nan
        low, high = (np.nanmin(values), np.nanmax(values)) if np.isfinite(values).any() else (0.0, 0.0)
        return (values - low) / (high - low) if high > low else np.full(len(points), np.nan)

    def advise(self, game, colour, moves):
        """Add the guide's opinion to the priors of ``moves``, the nodes of the moves from a position."""
        opinions = self.opinions(game, colour, moves.point)
        known = ~np.isnan(opinions)
        moves.prior_visits[known] += GUIDE_GAMES
        moves.prior_wins[known] += GUIDE_GAMES * opinions[known]
