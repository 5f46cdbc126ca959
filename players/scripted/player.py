"""What the scripted opponents share as players: a random stream of their own around a kernel."""


import numpy as np

from engine.contest.player import Option, Player
from engine.go.rng import any_seed, new_stream
from players.scripted.chance import strays, uniform_point


class ScriptedPlayer(Player):
    """A player whose moves come from a kernel and one random stream.

    ``option`` is the number that ``kernels.scripted_move`` takes for it: how often the player strays, that is, plays
    any legal point instead of its own choice.
    """

    options = (Option("randomness", 0.0, "how often it plays any legal point instead of its own choice"),)

    def __init__(self, randomness=0.0, seed=None):
        """ValueError unless 0 <= randomness <= 1. Without a seed the stream is one that nobody can repeat."""
        randomness = float(randomness)
        if not 0 <= randomness <= 1:
            raise ValueError(f"randomness {randomness:g} is not between 0 and 1")
        self.option = randomness
        self.seed(any_seed() if seed is None else seed)

    def seed(self, seed):
        self.rng = new_stream(seed)

    @property
    def kind(self):
        """Its name in ``kernels.OPPONENTS``."""
        return self.name

    def side(self, size, rules):
        from players.scripted.kernels import OPPONENTS, Scripted  # which import this module

        return Scripted(OPPONENTS[self.kind], float(self.option))

    def choose(self, game, colour, budget=None):
        if strays(self.option, self.rng):
            return int(uniform_point(game.position, game.history, colour, self.rng, False))
        return int(self._move(game.position, game.history, colour))

    def _move(self, position, history, colour):
        """What the player plays when it does not stray."""
        raise NotImplementedError


def policy_of(game, colour, scores):
    """Scores by cell as a policy: nan where there is none (0), and where ``colour`` may not play."""
    values = np.where(scores > 0, scores, np.nan)
    for p in np.flatnonzero(scores):
        if not game.is_legal(colour, p):
            values[p] = np.nan
    return values
