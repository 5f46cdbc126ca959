"""An evolution strategy over the weights of one CPPN, whose structure stays as it is (beyond the paper).

After Salimans, Ho, Chen, Sidor and Sutskever, Evolution Strategies as a Scalable Alternative to Reinforcement Learning (2017):
pairs of networks on opposite sides of the present one play, what they win is replaced by its rank, and the present network
moves towards those that won more, by Adam's rule. NEAT's children differ from their parents in a few links; here
what a hundred children did, each different in all links, is put together in one step. Steps of one size up or down stand for the
normal distribution, so that nothing depends on a library's logarithm.
"""

import numpy as np

from engine.go.rng import uniform
from players.hyperneat.neat import Evolution
from players.training.checkpoint import require_sound

_MOMENTUM, _SCALE, _TINY = 0.9, 0.99, 1e-8  # Adam: what is kept of mean and mean square; the second is our choice


class Refinement(Evolution):
    """An Evolution without species. The first individual is the present network; the others stand around it in pairs.

    A generation: 1. rank all individuals of pairs; 2. sum up over pairs how they differ, times by how many ranks; 3. move the
    present network that way; 4. draw new pairs.
    """

    def begin(self, rng, seed=((), ())):
        super().begin(rng, seed)
        self._rest()

    def begin_with(self, genome, functions):
        super().begin_with(genome, functions)
        self._rest()

    def _rest(self):
        """Nothing is known of which way to move."""
        self.mean, self.square = np.zeros(self.links.shape[1]), np.zeros(self.links.shape[1])

    def promising(self, fitness):
        """The present network, then the individuals by fitness."""
        order = super().promising(fitness)
        return np.concatenate(([0], order[order != 0]))

    def advance(self, fitness, rng):
        settings, weights = self.settings, self.links["weight"]
        up, down = self._pairs()
        ranks = np.empty(len(fitness))
        ranks[np.argsort(fitness, kind="stable")] = np.arange(len(fitness)) / len(fitness)
        better = (ranks[up] - ranks[down])[:, None]
        towards = (better * (weights[up].astype(np.float64) - weights[down])).mean(axis=0)
        self.generation += 1
        self.mean = _MOMENTUM * self.mean + (1 - _MOMENTUM) * towards
        self.square = _SCALE * self.square + (1 - _SCALE) * towards**2
        mean, square = self.mean / (1 - _MOMENTUM**self.generation), self.square / (1 - _SCALE**self.generation)
        present = weights[0] + settings.refine_step * mean / (np.sqrt(square) + _TINY)
        most, spread = settings.weight_limit, settings.refine_spread
        weights[:] = np.clip(present, -most, most)
        for first, second in zip(up, down):
            steps = np.array([spread if uniform(rng) < 0.5 else -spread for _ in present])
            weights[first], weights[second] = np.clip(present + steps, -most, most), np.clip(present - steps, -most, most)

    def _pairs(self):
        """The numbers of the individuals on one side, and on the other; if one is left over, it is the present network too."""
        count = (len(self.counts) - 1) // 2
        return np.arange(1, 1 + count), np.arange(1 + count, 1 + 2 * count)

    def dump(self):
        return super().dump() | {"mean": self.mean, "square": self.square}

    @classmethod
    def load(cls, tree, settings, inputs, outputs):
        refinement = super().load(tree, settings, inputs, outputs)
        refinement.mean, refinement.square = tree["mean"], tree["square"]
        for part in (refinement.mean, refinement.square):
            require_sound(part.shape == refinement.links.shape[1:], "the steps of the refinement are not those of its links")
        return refinement
