import numpy as np
import pytest

from engine.go.rng import new_stream
from players.hyperneat import neat
from players.hyperneat.cppn import LINK, compile_links
from players.hyperneat.neat import Evolution, Innovations, share_out
from players.hyperneat.trainer import Config
from tests.players.hyperneat.networks import genome

CONFIG = Config(population=60)
INPUTS, OUTPUTS = 3, 2  # hidden nodes are 5, 6, …


def _rates(**changes):
    return neat._rates(Config(**changes))


def _room(links, more=8):
    row = np.zeros(len(links) + more, LINK)
    row[: len(links)] = links
    return row


def _cross(a, a_fitness, b, b_fitness, seed=1, both=1):
    child = np.zeros(len(a) + len(b), LINK)
    count = neat.cross(
        a, len(a), float(a_fitness), b, len(b), float(b_fitness), both, INPUTS, OUTPUTS, child, np.zeros(99, np.uint8), new_stream(seed)
    )
    return child[:count]


def _evolution(seed=1, config=CONFIG):
    evolution = Evolution(config, INPUTS, OUTPUTS)
    evolution.begin(new_stream(seed))
    return evolution


# Innovation numbers


def test_a_link_has_one_number_for_the_whole_run():
    known = Innovations(INPUTS, OUTPUTS)
    numbers = [known.number(s, t) for s, t in [(0, 3), (1, 3), (0, 3), (3, 0), (1, 3)]]
    assert numbers == [0, 1, 0, 2, 1]
    many = [known.number(i, i + 7) for i in range(3000)]  # the table grows
    assert many == list(range(3, 3003)) and known.number(1, 3) == 1


def test_begin_links_all_inputs_to_all_outputs():
    evolution = _evolution()
    for i in range(CONFIG.population):
        links = evolution.genome(i)
        assert sorted(zip(links["source"], links["target"])) == [(s, t) for s in range(3) for t in (3, 4)]
        assert list(links["innovation"]) == list(range(6))
    assert np.abs(evolution.links["weight"]).max() <= CONFIG.new_weight
    assert evolution.links["weight"].std() > 1


def _split(known, links, splits, rates=_rates(activations=("sine",)), seed=1):
    row = _room(links)
    count = neat.add_node(row, len(links), rates, 9, known.table, known.functions, known.counts, splits, new_stream(seed))
    return row[:count]


def test_add_node_keeps_the_link_at_half_weight():
    known = Innovations(INPUTS, OUTPUTS)
    links = genome((known.number(0, 3), 0, 3, 4.0))
    splits = np.full((9, 3), -1, np.int64)
    grown = _split(known, links, splits)
    assert [(g["innovation"], g["source"], g["target"], g["weight"], g["birth"]) for g in grown] == [
        (0, 0, 3, 2.0, 0),
        (1, 0, 5, 1.0, 9),
        (2, 5, 3, 4.0, 9),
    ]
    # The same invention in the same generation has the same numbers; in the next generation it is another node.
    assert np.array_equal(_split(known, links, splits), grown)
    assert _split(known, links, np.full((9, 3), -1, np.int64))["target"][1] == 6
    # A genome that has the node already gets another one.
    again = _split(known, grown[:1], splits.copy())
    assert 5 in again["target"]
    twice = _split(known, grown, splits, seed=3)
    assert len(np.unique(twice["innovation"])) == len(twice) == 5


def test_add_node_as_in_the_authors_code():
    known = Innovations(INPUTS, OUTPUTS)
    links, splits = genome((known.number(0, 3), 0, 3, 4.0)), np.full((9, 3), -1, np.int64)
    for changes, expected in [
        ({"split_weight": 0.25}, (2.0, 0, 1.0, 1.0)),
        ({"split_renews": True}, (2.0, 9, 1.0, 4.0)),
    ]:
        grown = _split(known, links, splits.copy(), _rates(**changes))
        assert (grown["weight"][0], grown["birth"][0], *grown["weight"][1:]) == expected
        assert list(grown["birth"][1:]) == [9, 9]


def test_add_link_never_closes_a_cycle_nor_doubles_a_link():
    known = Innovations(1, 1)
    functions_room = np.zeros(99, np.uint8)
    links = genome((known.number(0, 1), 0, 1, 1.0), (known.number(0, 2), 0, 2, 1.0), (known.number(2, 3), 2, 3, 1.0))
    for seed in range(40):
        row, count = _room(links, 30), len(links)
        rng = new_stream(seed)
        for _ in range(10):
            count = neat.add_link(row, count, _rates(), 1, known.table, known.counts, 1, 1, functions_room, rng)
        pairs = set(zip(row["source"][:count].tolist(), row["target"][:count].tolist()))
        assert len(pairs) == count
        assert pairs <= {(0, 1), (0, 2), (0, 3), (2, 3), (2, 1), (3, 1)}  # all there are without a cycle
        assert list(row["innovation"][:count]) == sorted(row["innovation"][:count])
        assert not functions_room.any()


# Crossover and distance


A = genome((0, 0, 3, 1.0), (1, 1, 3, 1.0), (3, 0, 5, 1.0), (4, 5, 3, 1.0))
B = genome((0, 0, 3, -1.0), (2, 1, 4, -1.0), (3, 0, 5, -1.0), (6, 2, 4, -1.0))


def test_a_child_has_the_genes_of_both():
    child = _cross(A, 5, B, 5)
    assert list(child["innovation"]) == [0, 1, 2, 3, 4, 6]
    by_number = {int(g["innovation"]): float(g["weight"]) for g in child}
    assert (by_number[1], by_number[4], by_number[2], by_number[6]) == (1, 1, -1, -1)


def test_unmatched_genes_from_the_fitter_parent_alone():
    assert list(_cross(A, 2, B, 1, both=0)["innovation"]) == [0, 1, 3, 4]
    assert list(_cross(A, 1, B, 2, both=0)["innovation"]) == [0, 2, 3, 6]


def test_matching_genes_come_from_parents_in_proportion_to_fitness():
    share = np.mean([_cross(A, 30, B, 10, seed)["weight"][[0, 3]] > 0 for seed in range(1000)])
    assert share == pytest.approx(0.75, abs=0.04)
    assert all(np.all(_cross(B, 0, A, 7, seed)["weight"][[0, 3]] > 0) for seed in range(50))
    share = np.mean([_cross(A, 0, B, 0, seed)["weight"][0] > 0 for seed in range(1000)])
    assert share == pytest.approx(0.5, abs=0.06)


def test_crossover_leaves_out_what_would_close_a_cycle():
    a = genome((0, 0, 5, 1.0), (1, 5, 6, 1.0), (2, 6, 3, 1.0))
    b = genome((0, 0, 5, 1.0), (3, 6, 5, 1.0), (4, 0, 6, 1.0))
    assert list(_cross(a, 2, b, 1)["innovation"]) == [0, 1, 2, 4]
    assert list(_cross(a, 1, b, 2)["innovation"]) == [0, 2, 3, 4]


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (A, A, 0.0),
        (A, B, 2.0 * 4 + 2.0),  # numbers 1, 2, 4 are disjoint, 6 is excess; the matching weights differ by 2
        (A, A[:2], 4.0),
        (A[:1], B[:1], 2.0),
        (A[:0], B, 8.0),
    ],
)
def test_distance_is_not_relative_to_the_size(a, b, expected):
    assert neat.distance(a, len(a), b, len(b), _rates()) == pytest.approx(expected)
    assert neat.distance(b, len(b), a, len(a), _rates()) == pytest.approx(expected)


# Mutation of weights


@pytest.mark.parametrize("per, births, expected", [("link", 0, 0.08), ("link", 10, 0.8), ("child", 10, 0.8), ("child", 0, 0.08)])
def test_young_links_mutate_often_and_old_ones_seldom(per, births, expected):
    changed = []
    for seed in range(300):
        links = genome(*((i, 0, 3 + i, 0.0, births) for i in range(20)))
        neat.mutate_weights(links, 20, _rates(mutate_weight_per=per), 18, new_stream(seed))
        changed.append(np.mean(links["weight"] != 0))
        assert np.abs(links["weight"]).max() <= 2.5
    assert np.mean(changed) == pytest.approx(expected, abs=0.07)
    if per == "child" and births:
        assert set(changed) == {0.0, 1.0}


def test_each_child_may_draw_how_far_its_weights_change():
    largest = []
    for seed in range(300):
        links = genome(*((i, 0, 3 + i, 0.0, 10) for i in range(50)))
        neat.mutate_weights(links, 50, _rates(mutate_weight=1.0, finest_step=0.025), 18, new_stream(seed))
        largest.append(np.abs(links["weight"]).max())
    assert 0.02 < min(largest) < 0.05 and 2.0 < max(largest) <= 2.5
    assert np.mean(np.array(largest) < 0.25) == pytest.approx(0.5, abs=0.1)  # half the powers of ten


def test_weights_stay_within_their_limit():
    links = genome(*((i, 0, 3, 4.9, 0) for i in range(200)))
    neat.mutate_weights(links, 200, _rates(), 1, new_stream(1))
    assert links["weight"].max() == 5.0


# Species and generations


def _fitness(evolution):
    """A landscape with several hills: by the sign of two weights."""
    w = evolution.links["weight"]
    return 10 + np.abs(w[:, 0]) + np.abs(w[:, 1]) * (w[:, 0] > 0)


def test_species_move_towards_their_target():
    evolution = _evolution()
    counts = []
    for generation in range(120):
        evolution.advance(_fitness(evolution), new_stream(1, generation))
        counts.append(len(evolution.species))
    assert 4 <= np.mean(counts[-40:]) <= 14
    before = evolution.threshold
    evolution.species = evolution.species[:1]
    evolution._move_threshold()
    assert evolution.threshold == pytest.approx(before - 0.3)


def test_the_threshold_follows_the_number_of_species():
    evolution = _evolution()
    for species, change in ((7, -0.3), (8, 0.0), (9, 0.3)):
        before = evolution.threshold
        evolution.species = [None] * species
        evolution._move_threshold()
        assert evolution.threshold - before == pytest.approx(change)


def test_champions_are_copied():
    evolution = _evolution(3)
    for generation in range(40):
        fitness = _fitness(evolution)
        best = evolution.genome(int(np.argmax(fitness))).copy()
        evolution.advance(fitness, new_stream(3, generation))
        children = [evolution.genome(i) for i in range(CONFIG.population)]
        assert any(np.array_equal(best, child) for child in children)
    assert _fitness(evolution).max() > 19


def test_stale_species_are_held_back_and_a_new_board_forgives():
    evolution = _evolution(2, Config(population=40, drop_off_age=2))
    flat = np.ones(40)
    for generation in range(6):
        evolution.advance(flat, new_stream(2, generation))
    assert max(species.stale for species in evolution.species) >= 2
    evolution.forget_records()
    assert all(species.stale == 0 and species.best == neat.NEVER for species in evolution.species)


@pytest.mark.parametrize("spared", [False, True])
def test_the_species_of_the_best_may_never_be_stale(spared):
    evolution = _evolution(2, Config(population=40, drop_off_age=3, best_never_stale=spared))
    held_back, others = 0, 0
    for generation in range(12):
        fitness = np.ones(40)
        fitness[7] = 2.0  # of a copied champion or of any other: no record is broken after the first time
        number = evolution._speciate()[7]
        best = evolution.species[number]
        evolution.advance(fitness, new_stream(2, generation))
        held_back += best.stale >= 3
        others += sum(species.stale >= 3 for species in evolution.species if species is not best)
    assert (held_back == 0) == spared
    assert others > 0


def test_genomes_stay_sound_as_they_grow():
    evolution = _evolution(4, Config(population=40, add_node=0.3, add_link=0.5))
    for generation in range(40):
        evolution.advance(_fitness(evolution), new_stream(4, generation))
    assert evolution.counts.mean() > 40
    nodes = {}
    for i in range(40):
        links = evolution.genome(i)
        assert np.all(np.diff(links["innovation"]) > 0)
        assert len(set(zip(links["source"].tolist(), links["target"].tolist()))) == len(links)
        compile_links(links, evolution.innovations.functions, INPUTS, OUTPUTS)  # would not end if there were a cycle
        for link in links:  # one number, one link
            assert nodes.setdefault(int(link["innovation"]), (link["source"], link["target"])) == (link["source"], link["target"])


def test_dump_and_load_go_on_alike():
    one = _evolution(5)
    for generation in range(10):
        one.advance(_fitness(one), new_stream(5, generation))
    two = Evolution.load(one.dump(), CONFIG, INPUTS, OUTPUTS)
    for generation in range(10, 20):
        for evolution in (one, two):
            evolution.advance(_fitness(evolution), new_stream(5, generation))
    assert np.array_equal(one.links[:, :6], two.links[:, :6]) and np.array_equal(one.counts, two.counts)
    assert one.threshold == two.threshold


@pytest.mark.parametrize(
    "total, worth, must, expected",
    [
        (10, [1, 1], 0, [5, 5]),
        (10, [2, 1], 0, [7, 3]),
        (10, [1, 0.001], 1, [9, 1]),
        (3, [0, 0, 0], 0, [1, 1, 1]),
        (5, [1, 1], 0, [3, 2]),
    ],
)
def test_children_are_shared_out(total, worth, must, expected):
    assert list(share_out(total, worth, must)) == expected
