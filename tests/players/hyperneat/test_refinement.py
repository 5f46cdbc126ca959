import numpy as np
import pytest

from engine.go.rng import new_stream
from players.hyperneat.neat import Evolution
from players.hyperneat.refinement import Refinement
from players.hyperneat.trainer import Config

INPUTS, OUTPUTS = 3, 4
CONFIG = Config(population=41, start="a network", refine=True, refine_spread=0.1, refine_step=0.1)
WANTED = np.linspace(-2, 2, INPUTS * OUTPUTS)


def _refinement(config=CONFIG, seed=1):
    parent = Evolution(config, INPUTS, OUTPUTS)
    parent.begin(new_stream(seed))
    refinement = Refinement(config, INPUTS, OUTPUTS)
    refinement.begin_with(parent.genome(0), parent.innovations.functions[: INPUTS + OUTPUTS])
    return refinement


def _distance(weights):
    return np.abs(weights - WANTED).mean(axis=-1)


def _advance(refinement, first, last):
    """Towards the wanted weights; what is told of the fitness is disturbed as much as it differs."""
    for generation in range(first, last):
        distance = _distance(refinement.links["weight"])
        luck = np.random.default_rng(generation).normal(0, 0.02, len(distance))
        refinement.advance(10 - distance + luck, new_stream(7, generation))


def test_the_present_network_moves_to_where_more_is_won():
    refinement = _refinement()
    begun = _distance(refinement.genome(0)["weight"])
    _advance(refinement, 0, 120)
    assert begun > 1 and _distance(refinement.genome(0)["weight"]) < 0.1 * begun


@pytest.mark.parametrize("population", [41, 42])
def test_the_others_stand_around_it_in_pairs(population):
    refinement = _refinement(Config(population=population, start="a network", refine=True, weight_limit=1.0))
    structure = refinement.genome(0)[["source", "target"]].tolist()
    _advance(refinement, 0, 5)
    weights = refinement.links["weight"].astype(float)
    present, pairs = weights[0], weights[1:41].reshape(2, 20, -1)
    assert abs(weights).max() <= 1
    free = abs(present) < 1 - CONFIG.refine_spread
    middle = np.broadcast_to(present, pairs[0].shape)
    inside = (abs(pairs) < 1).all(axis=0)
    assert pairs.mean(axis=0)[inside] == pytest.approx(middle[inside], abs=1e-6)
    assert abs(pairs - present)[:, :, free].max() == pytest.approx(0.2, abs=1e-6)
    assert np.array_equal(weights[41:], np.tile(weights[0], (population - 41, 1)))
    assert refinement.genome(population - 1)[["source", "target"]].tolist() == structure


def test_the_present_network_is_the_most_promising():
    fitness = np.arange(CONFIG.population, dtype=float)
    assert list(_refinement().promising(fitness)[:3]) == [0, 40, 39]


def test_dump_and_load_go_on_alike():
    one = _refinement()
    _advance(one, 0, 5)
    two = Refinement.load(one.dump(), CONFIG, INPUTS, OUTPUTS)
    for refinement in (one, two):
        _advance(refinement, 5, 10)
    assert np.array_equal(one.links, two.links)
    with pytest.raises(ValueError, match="steps of the refinement"):
        Refinement.load(one.dump() | {"mean": np.zeros(3)}, CONFIG, INPUTS, OUTPUTS)
