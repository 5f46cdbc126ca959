"""Evolution on islands in a ring (Section V): what happens between two generations.

    1. Every ``every`` generations copies of the best of each island go to the next island and replace its worst.
    2. On each island the best individual lives on as it is (our reading of "elite" in "elite tournament selection").
    3. The others are made in pairs: two parents, each the best of a few (two in the paper) drawn at random; crossover, or
       copies of them; now and then a mutation; and every real constant of a child moves a little.

A population is a list of islands, an island a list of programs; fitness has the same shape.
"""

from dataclasses import dataclass

import numpy as np

from players.organism import breeding


UNITS = ("child", "node")  # what the rate of mutation is of


@dataclass(frozen=True)
class Rates:
    """How the islands change."""

    tournament: int  # how many are drawn for each parent
    crossover: float
    mutation: float
    spread: float  # standard deviation of the step of every real constant
    initial_rules: int  # at most, in a fresh program
    most_rules: int
    per_node: bool = False  # whether the rate of mutation is of every node of a child, not of the child


def ranking(fitness):
    """Numbers of individuals, best first; the earlier of equals first."""
    return np.argsort(-np.asarray(fitness, float), kind="stable")


def migrants(share, island_size):
    """How many leave an island: at least one, and never so many that its own best would be replaced."""
    return max(0, min(max(1, round(share * island_size)), island_size - 1))


def migrate(population, fitness, count):
    """Let copies of the ``count`` best of each island replace the worst of the next; new (population, fitness)."""
    orders = [ranking(values) for values in fitness]
    new_population, new_fitness = [], []
    for i, (programs, values) in enumerate(zip(population, fitness)):
        before = i - 1  # the first island is next to the last
        programs, values = list(programs), list(values)
        if len(population) > 1:
            worst = orders[i][len(programs) - count :]
            for place, source in zip(worst, orders[before][:count]):
                programs[place], values[place] = population[before][source], fitness[before][source]
        new_population.append(programs)
        new_fitness.append(values)
    return new_population, new_fitness


def _tournament(generator, fitness, count):
    """The number of the best of ``count`` drawn at random, the first of equals."""
    return max(generator.integers(0, len(fitness), count).tolist(), key=fitness.__getitem__)


def _mutations(generator, child, rates):
    """How many nodes of a child mutate."""
    if rates.per_node:
        return int(generator.binomial(breeding.count_nodes(child), rates.mutation))
    return int(generator.random() < rates.mutation)


def breed(generator, programs, fitness, rates):
    """The next generation of an island."""
    new = [programs[int(ranking(fitness)[0])]]
    while len(new) < len(programs):
        children = [programs[_tournament(generator, fitness, rates.tournament)] for _ in range(2)]
        if generator.random() < rates.crossover:
            children = breeding.crossover(generator, *children, rates.most_rules)
        for child in children[: len(programs) - len(new)]:
            for _ in range(_mutations(generator, child, rates)):
                child = breeding.mutate(generator, child, rates.initial_rules, rates.most_rules)
            new.append(breeding.jitter(generator, child, rates.spread))
    return new
