"""What happens between two generations (paper, "SANE"; details from the published code).

    1. a neuron's fitness is the mean of the fitness of the networks it was in; both populations are ranked
    2. every elite neuron mates with one ranked above it; the two offspring of each couple replace the worst neurons
    3. the neurons below the elite mutate
    4. every elite blueprint mates in the same way, and the offspring replace the worst blueprints
    5. the blueprints below the elite mutate in two ways: some pointers go to any neuron, and pointers to a neuron that
       bred go to one of its offspring half of the time, so that new neurons are tried in networks known to be good

A blueprint points to places in the population of neurons: one that had a bad neuron has its replacement afterwards. So
even the best network is not what it was; ``Rates.kept`` (not in the paper) spares the neurons of the best ones.
"""

from dataclasses import dataclass

import numpy as np

from players.sane.population import Population, rounded


@dataclass(frozen=True)
class Rates:
    """How strongly the populations change."""

    neuron_elite: float  # share of the neurons that breed
    blueprint_elite: float
    label: float  # chance that a label is drawn anew
    weight: float  # chance that a weight moves by N(0, weight_step)
    weight_step: float
    sign: float  # chance that a weight changes its sign
    pointer: float  # chance that a pointer goes to any neuron
    offspring: float  # chance that a pointer to a neuron that bred goes to its offspring
    kept: int = 0  # so many of the best blueprints keep all their neurons as they are


def neuron_fitness(blueprints, fitness, neurons):
    """The mean fitness of the networks that each neuron was in; minus infinity, the worst, if it was in none.

    A neuron that a blueprint names twice counts twice there, as in the paper's pseudocode.
    """
    pointers = blueprints.ravel()
    total = np.bincount(pointers, np.repeat(fitness, blueprints.shape[1]), neurons)
    count = np.bincount(pointers, minlength=neurons)
    return np.where(count > 0, total / np.maximum(count, 1), -np.inf)


def ranking(fitness):
    """Numbers of individuals, best first; the older of equals first."""
    return np.argsort(-np.asarray(fitness, float), kind="stable")


def elite_size(count, share):
    """How many breed: two offspring of each must fit below them."""
    return max(1, min(int(count * share), count // 3))


def spare(order, kept, share):
    """The ranking with the neurons in ``kept`` moved up to just below the elite, and how many of it are not to change.

    Offspring replace the worst; if too many are to be kept, the worst of these go nevertheless.
    """
    elite, rest = np.split(order, [elite_size(len(order), share)])
    chosen = np.isin(rest, kept)
    return np.concatenate([elite, rest[chosen], rest[~chosen]]), len(elite) + int(chosen.sum())


def mates(generator, elite):
    """For each rank of the elite a rank above it, and for the first any of the elite."""
    above = np.arange(elite)
    above[0] = elite
    return generator.integers(0, above)


def crossing(generator, couples, length):
    """Where each couple's chromosomes cross at one point, as a mask of what its first offspring has from the mother."""
    cut = generator.integers(1, max(2, length), couples)
    return np.arange(length) < cut[:, None]


def breed_neurons(generator, population, order, rates):
    """Let the elite of the neurons mate, in place; the places of each couple's offspring, in the order of the elite."""
    elite = elite_size(len(order), rates.neuron_elite)
    mothers, fathers = order[:elite], order[mates(generator, elite)]
    places = order[len(order) - 2 * elite :][::-1].reshape(elite, 2)
    own = crossing(generator, elite, population.labels.shape[1])
    for genes in (population.labels, population.weights):
        first = np.where(own, genes[mothers], genes[fathers])
        second = np.where(own, genes[fathers], genes[mothers])
        genes[places[:, 0]], genes[places[:, 1]] = first, second
    return places


def mutate_neurons(generator, population, chosen, units, rates):
    """Change labels and weights of the ``chosen`` neurons in place."""
    labels, weights = population.labels[chosen], population.weights[chosen]
    drawn = generator.random(labels.shape) < rates.label
    population.labels[chosen] = np.where(drawn, generator.integers(0, units, labels.shape), labels)
    moved = generator.random(labels.shape) < rates.weight
    weights = np.where(moved, weights + generator.normal(0.0, rates.weight_step, labels.shape), weights)
    flipped = generator.random(labels.shape) < rates.sign
    population.weights[chosen] = rounded(np.where(flipped, -weights, weights))


def breed_blueprints(generator, blueprints, order, rates):
    """Let the elite of the blueprints mate, in place."""
    elite = elite_size(len(order), rates.blueprint_elite)
    mothers, fathers = blueprints[order[:elite]], blueprints[order[mates(generator, elite)]]
    places = order[len(order) - 2 * elite :][::-1].reshape(elite, 2)
    own = crossing(generator, *mothers.shape)
    blueprints[places[:, 0]] = np.where(own, mothers, fathers)
    blueprints[places[:, 1]] = np.where(own, fathers, mothers)


def mutate_blueprints(generator, blueprints, chosen, neurons, bred, places, rates):
    """Change pointers of the ``chosen`` blueprints in place.

    Couple i of the neurons ``bred`` has its offspring at ``places[i]``.
    """
    pointers = blueprints[chosen]
    offspring = np.full((neurons, 2), -1)
    offspring[bred] = places
    children = offspring[pointers, generator.integers(0, 2, pointers.shape)]
    follows = (children >= 0) & (generator.random(pointers.shape) < rates.offspring)
    pointers = np.where(follows, children, pointers)
    strays = generator.random(pointers.shape) < rates.pointer
    blueprints[chosen] = np.where(strays, generator.integers(0, neurons, pointers.shape), pointers)


def next_generation(generator, population, fitness, units, rates):
    """The Population that follows one whose blueprints have the given fitness; the old one stays as it is.

    ``units`` is how many a network has.
    """
    new = Population(population.labels.copy(), population.weights.copy(), population.blueprints.copy())
    neurons = len(new.labels)
    blueprint_order = ranking(fitness)
    kept = np.unique(new.blueprints[blueprint_order[: rates.kept]])
    neuron_order, safe = spare(ranking(neuron_fitness(new.blueprints, fitness, neurons)), kept, rates.neuron_elite)
    places = breed_neurons(generator, new, neuron_order, rates)
    bred = neuron_order[: len(places)]
    mutate_neurons(generator, new, neuron_order[safe:], units, rates)
    breed_blueprints(generator, new.blueprints, blueprint_order, rates)
    rest = blueprint_order[elite_size(len(blueprint_order), rates.blueprint_elite) :]
    mutate_blueprints(generator, new.blueprints, rest, neurons, bred, places, rates)
    return new
