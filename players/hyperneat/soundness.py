"""Whether an evolution that was read from a file can go on: kernels trust the numbers that they are given.

An index that is too large would be read from anywhere, a full table of innovations searched for ever, and a network with a
cycle never compiled.
"""

import math

import numpy as np

from players.hyperneat.body import MOST_NUMBER, has_cycle
from players.hyperneat.cppn import ACTIVATIONS, LINK
from players.training.checkpoint import require_sound


def check_evolution(evolution, best):
    """ValueError, in a line, unless ``evolution`` and the genomes in ``best`` are such as a run comes to."""
    _check_innovations(evolution.innovations)
    links, counts = evolution.links, evolution.counts
    size = evolution.settings.population
    require_sound(counts.shape == (size,) and len(links) == size, "the population is not as large as the configuration says")
    require_sound(counts.min() >= 0 and counts.max() <= links.shape[1], "a genome has more links than there is room for")
    require_sound(math.isfinite(evolution.threshold) and evolution.generation >= 0, "a number of NEAT is none")
    for species in evolution.species:
        numbers = (species.number, species.stale, evolution.next_species)
        require_sound(all(type(number) is int and number >= 0 for number in numbers), "a species is not counted")
        require_sound(type(species.best) in (int, float) and not math.isnan(species.best), "a species has no fitness")
    genomes = [evolution.genome(i) for i in range(size)]
    for genome in [*genomes, *(species.links for species in evolution.species), *best]:
        _check_genome(genome, evolution.innovations)


def check_past(past):
    """ValueError, in a line, unless ``past`` holds sums over some games, by network."""
    for name, (total, games) in past.items():
        numbers = type(total) in (int, float) and math.isfinite(total) and total >= 0 and type(games) is int and games > 0
        require_sound(isinstance(name, str) and numbers, "what a network did before is no sum over games")


def _check_innovations(known):
    table, functions, counts = known.table, known.functions, known.counts
    require_sound(counts.shape == (2,) and table.shape[1] == 2, "the table of innovations has another form")
    links, nodes = map(int, counts)
    rows = len(table)
    used = table[table[:, 0] != 0]
    require_sound(
        rows & (rows - 1) == 0 and 2 * links <= rows and np.array_equal(np.sort(used[:, 1]), np.arange(links)),
        "the table of innovations does not fit their number",
    )
    fixed = known.inputs + known.outputs
    require_sound(fixed <= nodes <= min(len(functions), MOST_NUMBER), "the nodes are not as many as their functions")
    require_sound(functions.max() < len(ACTIVATIONS), "a node has a function that there is not")


def _check_genome(links, known):
    require_sound(isinstance(links, np.ndarray) and links.dtype == LINK and links.ndim == 1, "a genome is no list of links")
    if not len(links):
        return
    number, source, target = links["innovation"], links["source"], links["target"]
    fixed = known.inputs + known.outputs
    require_sound(
        0 <= number[0] and (np.diff(number) > 0).all() and number[-1] < known.counts[0], "a link is no known innovation"
    )
    nodes = min(source.min(), target.min() - known.inputs) >= 0 and max(source.max(), target.max()) < known.counts[1]
    forwards = not ((known.inputs <= source) & (source < fixed)).any()
    require_sound(nodes and forwards, "a link leads where there is no node for it")
    require_sound(np.isfinite(links["weight"]).all(), "a weight is no number")
    require_sound(not has_cycle(links[["source", "target", "weight"]].tolist()), "a network has a cycle")
