"""The two populations: neurons, and blueprints that point to them (paper, "SANE")."""

from dataclasses import dataclass

import numpy as np

WEIGHT_DECIMALS = 4  # weights are rounded to so many, so that a file holds them exactly and stays small


@dataclass
class Population:
    """A neuron is a row of ``labels`` and ``weights``; a network is a row of ``blueprints``, the numbers of neurons."""

    labels: np.ndarray  # int64, neurons × connections
    weights: np.ndarray  # float64, neurons × connections
    blueprints: np.ndarray  # int64, blueprints × neurons of a network

    def genes(self, blueprint):
        """(labels, weights) of the network that a row of ``blueprints`` stands for."""
        return self.labels[blueprint], self.weights[blueprint]


def rounded(weights):
    """Weights as the population keeps them."""
    return np.round(weights, WEIGHT_DECIMALS)


def random_population(generator, units, neurons, connections, blueprints, network_neurons, spread):
    """Labels are drawn from all ``units``, weights from N(0, ``spread``), and blueprints from all neurons."""
    shape = neurons, connections
    return Population(
        generator.integers(0, units, shape),
        rounded(generator.normal(0.0, spread, shape)),
        generator.integers(0, neurons, (blueprints, network_neurons)),
    )
