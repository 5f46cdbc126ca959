"""The two populations and what happens to them, on small examples and as properties of random ones."""

import numpy as np
import pytest

from players.sane.evolve import (
    Rates,
    breed_neurons,
    elite_size,
    mates,
    mutate_blueprints,
    mutate_neurons,
    neuron_fitness,
    next_generation,
    ranking,
    spare,
)
from players.sane.network import unit_count
from players.sane.population import Population, random_population

STILL = Rates(0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
USUAL = Rates(0.25, 0.25, 0.02, 0.04, 1.0, 0.01, 0.01, 0.5)


def generator(seed=1):
    return np.random.default_rng(seed)


def population(seed=1, neurons=40, connections=6, blueprints=20, hidden=10, size=5):
    return random_population(generator(seed), unit_count(size), neurons, connections, blueprints, hidden, 2.0)


def test_a_neuron_has_the_mean_fitness_of_its_networks():
    blueprints = np.array([[0, 1], [1, 2], [1, 1], [2, 4]])
    fitness = np.array([10.0, -2.0, 5.0, 0.0])
    # neuron 0: 10; neuron 1: 10, -2 and twice 5; neuron 2: -2 and 0; neuron 3: nowhere; neuron 4: 0
    expected = [10.0, 18 / 4, -1.0, -np.inf, 0.0]
    assert neuron_fitness(blueprints, fitness, 5).tolist() == expected
    assert ranking(expected).tolist() == [0, 1, 4, 2, 3]


def test_first_networks_are_drawn_from_all_units_and_neurons():
    drawn = population(neurons=2000, connections=12, blueprints=200, hidden=100)
    assert set(np.unique(drawn.labels)) == set(range(unit_count(5)))
    assert drawn.weights.std() == pytest.approx(2.0, rel=0.02) and abs(drawn.weights.mean()) < 0.05
    counts = np.bincount(drawn.blueprints.ravel(), minlength=2000)
    assert counts.mean() == 10 and counts.min() >= 0 and len(counts) == 2000


@pytest.mark.parametrize("elite", [1, 2, 50])
def test_mates_stand_above_in_the_ranking(elite):
    for seed in range(20):
        chosen = mates(generator(seed), elite)
        assert 0 <= chosen[0] < elite
        assert all(chosen[rank] < rank for rank in range(1, elite))


@pytest.mark.parametrize("count", [3, 4, 10, 200, 2001])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.25, 1.0])
def test_offspring_never_replace_those_who_breed(count, share):
    elite = elite_size(count, share)
    assert 1 <= elite and 3 * elite <= count


def test_the_neurons_of_the_best_networks_can_be_kept():
    one = population(neurons=100, blueprints=20, hidden=10)
    fitness = generator(5).normal(size=20)
    best = one.blueprints[ranking(fitness)[:2]]
    rates = Rates(0.25, 0.25, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, kept=2)
    two = next_generation(generator(), one, fitness, unit_count(5), rates)
    assert (two.blueprints[ranking(fitness)[:2]] == best).all()
    assert (two.labels[best] == one.labels[best]).all() and (two.weights[best] == one.weights[best]).all()
    order, safe = spare(np.arange(9), np.array([1, 5, 8]), 0.25)
    assert order.tolist() == [0, 1, 5, 8, 2, 3, 4, 6, 7] and safe == 4


def test_one_point_crossover_gives_both_offspring():
    mixed = Population(np.arange(12)[:, None] * 100 + np.arange(6), np.zeros((12, 6)), np.zeros((1, 1), int))
    before = mixed.labels.copy()
    order = np.arange(12)
    places = breed_neurons(generator(), mixed, order, STILL)
    assert sorted(places.ravel()) == list(range(6, 12))  # three couples, the six worst
    assert (mixed.labels[:6] == before[:6]).all()
    for mother, (first, second) in enumerate(places):
        one, two = mixed.labels[first], mixed.labels[second]
        father = one[-1] // 100
        cut = int((one // 100 == mother).sum())
        if father != mother:
            assert father < mother or mother == 0
            assert 1 <= cut < 6
            assert one.tolist() == before[mother][:cut].tolist() + before[father][cut:].tolist()
            assert two.tolist() == before[father][:cut].tolist() + before[mother][cut:].tolist()


def test_mutation_rates_of_neurons():
    one = population(neurons=5000, connections=12)
    labels, weights = one.labels.copy(), one.weights.copy()
    chosen = np.arange(2500, 5000)
    rates = Rates(0.25, 0.25, 0.1, 0.2, 1.0, 0.0, 0.0, 0.0)
    mutate_neurons(generator(), one, chosen, 75, rates)
    assert (one.labels[:2500] == labels[:2500]).all() and (one.weights[:2500] == weights[:2500]).all()
    assert (one.labels != labels)[2500:].mean() == pytest.approx(0.1 * 74 / 75, abs=0.01)  # one draw of 75 is the same
    steps = (one.weights - weights)[2500:]
    assert (steps != 0).mean() == pytest.approx(0.2, abs=0.01)
    assert steps[steps != 0].std() == pytest.approx(1.0, abs=0.05)


def test_weights_can_change_sign():
    one = population()
    weights = one.weights.copy()
    mutate_neurons(generator(), one, np.arange(40), 75, Rates(0.25, 0.25, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    assert (one.weights == -weights).all()


def test_pointers_follow_offspring_at_their_rate():
    neurons, bred = 1000, np.arange(250)
    places = np.arange(500, 1000).reshape(250, 2)
    blueprints = generator(2).integers(0, 500, (400, 100))
    before = blueprints.copy()
    chosen = np.arange(100, 400)
    mutate_blueprints(generator(), blueprints, chosen, neurons, bred, places, Rates(0.25, 0.25, 0, 0, 0, 0, 0, 0.5))
    assert (blueprints[:100] == before[:100]).all()
    changed, old, new = (blueprints != before)[100:], before[100:], blueprints[100:]
    assert changed[old < 250].mean() == pytest.approx(0.5, abs=0.02)
    assert not changed[old >= 250].any()  # only neurons that bred have offspring
    parents, children = old[changed], new[changed]
    assert ((children - 500) // 2 == parents).all()
    assert ((children - 500) % 2).mean() == pytest.approx(0.5, abs=0.03)  # both of them


def test_pointers_stray_at_their_rate():
    blueprints = np.zeros((200, 100), int)
    none = np.empty(0, int)
    rates = Rates(0.25, 0.25, 0, 0, 0, 0, 0.05, 0.5)
    mutate_blueprints(generator(), blueprints, np.arange(200), 1000, none, none.reshape(0, 2), rates)
    assert (blueprints != 0).mean() == pytest.approx(0.05, abs=0.01)
    assert 0 <= blueprints.min() and blueprints.max() < 1000


def test_everything_stays_valid_for_many_generations():
    one = population()
    for step in range(50):
        fitness = generator(step).normal(size=20)
        best = one.blueprints[np.argmax(fitness)].copy()
        two = next_generation(generator(1000 + step), one, fitness, unit_count(5), USUAL)
        assert two.labels.shape == one.labels.shape and two.blueprints.shape == one.blueprints.shape
        assert 0 <= two.labels.min() and two.labels.max() < unit_count(5)
        assert 0 <= two.blueprints.min() and two.blueprints.max() < 40
        assert np.isfinite(two.weights).all() and (np.round(two.weights, 4) == two.weights).all()
        assert (two.blueprints[np.argmax(fitness)] == best).all()  # the elite does not mutate
        one = two


def test_the_old_generation_is_left_alone_and_the_new_one_repeatable():
    one, same = population(), population()
    fitness = generator(3).normal(size=20)
    first = next_generation(generator(7), one, fitness, unit_count(5), USUAL)
    second = next_generation(generator(7), one, fitness, unit_count(5), USUAL)
    for field in ("labels", "weights", "blueprints"):
        assert (getattr(one, field) == getattr(same, field)).all()
        assert (getattr(first, field) == getattr(second, field)).all()
