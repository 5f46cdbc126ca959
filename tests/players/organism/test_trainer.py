"""Island evolution on the run loop: presets, migration, selection; the same run however it is run; what show prints."""

import dataclasses
import json
from xml.etree import ElementTree

import numpy as np
import pytest

import gtp_main
from players import genome as genomes
from players.organism import viewer
from players.organism.body import read_body
from players.organism.breeding import nodes
from players.organism.islands import Rates, breed, migrants, migrate
from players.organism.program import MEDIATORS, from_text, is_valid
from players.organism.trainer import Config, Trainer, play_item
from players.registry import load_player
from players.training import config as configuration
from players.training.checkpoint import decode, encode
from players.training.config import ConfigError
from tests.players.organism.programs import FIGHTER, SILENT, genome

TINY = {"islands": 3, "island_size": 6, "generations": 4, "games": 2, "migrate_every": 2, "opponents": ("random", "naixt")}
TINY |= {"retest_every": 2, "retest_candidates": 2, "retest_games": 12, "boards": (4, 5), "board_generations": 2}
STILL = Rates(2, 0.0, 0.0, 0.0, 3, 9)


# Islands


def numbered(*numbers):
    """Programs that tell themselves apart."""
    return [from_text([f"if size > {number} then die"]) for number in numbers]


def test_the_best_go_to_the_next_island_and_replace_its_worst():
    population = [numbered(1, 2, 3), numbered(4, 5, 6), numbered(7, 8, 9)]
    fitness = [[0.1, 0.9, 0.5], [0.3, 0.2, 0.1], [0.6, 0.7, 0.8]]
    moved, values = migrate(population, fitness, 1)
    assert moved == [numbered(9, 2, 3), numbered(4, 5, 2), numbered(4, 8, 9)]
    assert values == [[0.8, 0.9, 0.5], [0.3, 0.2, 0.9], [0.3, 0.7, 0.8]]
    assert migrate(population[:1], fitness[:1], 1) == (population[:1], fitness[:1])


@pytest.mark.parametrize("share, size, count", [(0.05, 100, 5), (0.05, 6, 1), (0.9, 2, 1), (1.0, 10, 9)])
def test_how_many_migrate(share, size, count):
    assert migrants(share, size) == count


def test_the_best_lives_on_and_the_better_of_two_breeds():
    programs, fitness = numbered(*range(1, 10)), [0.0] * 8 + [1.0]
    bred = breed(np.random.default_rng(1), programs, fitness, STILL)
    assert bred[0] == programs[8] and len(bred) == 9
    counts = [
        breed(np.random.default_rng(seed), programs, list(range(9)), STILL)[1:].count(programs[8]) for seed in range(300)
    ]
    assert np.mean(counts) == pytest.approx(8 * 17 / 81, rel=0.15)  # 1 - (8/9)² of the draws
    bred = breed(np.random.default_rng(1), programs, fitness, dataclasses.replace(STILL, tournament=500))
    assert bred == [programs[8]] * 9  # among so many draws the best is always there
    bred = breed(np.random.default_rng(1), programs, fitness, Rates(2, 0.95, 1.0, 0.1, 3, 9))
    assert all(is_valid(rule) for program in bred for rule in program)


def test_mutation_is_of_children_or_of_every_node():
    program = numbered(*range(1, 10))[0] * 8  # of 8 rules, 5 nodes each
    assert len(nodes(program)) == 40

    def changed(**rates):
        bred = breed(np.random.default_rng(2), [program] * 401, [0.0] * 401, dataclasses.replace(STILL, **rates))
        return np.mean([child != program for child in bred[1:]])

    assert changed(mutation=0.05) == pytest.approx(0.05, abs=0.04)
    # of 40 nodes; a fresh one may be as the old one was
    assert 0.7 < changed(mutation=0.05, per_node=True) <= 1 - 0.95**40 + 0.03
    assert changed(mutation=0.0, per_node=True) == 0.0


def test_the_bound_on_rules_holds():
    programs, longest = [sum(numbered(*range(1, 7)), ())] * 20, []
    for generation in range(12):
        programs = breed(np.random.default_rng(generation), programs, [0.0] * 20, Rates(2, 1.0, 1.0, 0.0, 9, 12))
        longest.append(max(map(len, programs)))
    assert max(longest) == 12


# Configurations


@pytest.mark.parametrize("name, opponents, games", [("1N", 1, 32), ("2RG", 2, 32), ("3RNG", 3, 36), ("paper", 3, 36)])
def test_presets_are_the_paper_s(name, opponents, games):
    config = configuration.make(Config, Trainer.presets[name])
    assert (len(config.opponents), config.games * opponents) == (opponents, games)
    assert (config.islands, config.island_size, config.generations, config.boards) == (30, 100, 400, (5,))
    assert (config.crossover, config.mutation, config.constant_step) == (0.95, 0.01, 0.0075)
    assert config.tournament == 2 and not config.ancestor
    assert migrants(config.migrate_share, config.island_size) == 5 and config.migrate_every == 5


@pytest.mark.parametrize("name", Trainer.presets)
def test_presets_are_sound(name):
    configuration.make(Config, Trainer.presets[name])


@pytest.mark.parametrize(
    "values",
    [
        {"boards": ()},
        {"boards": (99,)},
        {"games": 3},
        {"games": 0},
        {"opponents": ("gnugo",)},
        {"opponents": ()},
        {"crossover": 1.5},
        {"island_size": 1},
        {"most_rules": 3},
        {"regular_cycles": -1},
        {"constant_step": -0.1},
        {"randomness": 2.0},
        {"tournament": 0},
        {"ancestor": ("if it rains then die",)},
        {"ancestor": ("if size > 0 then die",) * 41},
    ],
)
def test_bad_parameters_are_refused(values):
    with pytest.raises(ConfigError):
        configuration.make(Config, values)


def test_boards_grow():
    trainer = Trainer(configuration.make(Config, {"boards": (5, 7, 9), "board_generations": 2}))
    assert [trainer.board(generation) for generation in range(7)] == [5, 5, 7, 7, 9, 9, 9]


# Runs


def test_half_of_the_first_generation_descends_from_the_ancestor():
    ancestor = Trainer.presets["champion"]["ancestor"]
    population = Trainer(configuration.make(Config, TINY | {"ancestor": ancestor})).init().population
    rules = set(from_text(ancestor))
    kin = [[len(rules & set(program)) for program in island] for island in population]
    assert np.mean([island[::2] for island in kin]) > len(ancestor) / 2
    assert not any(any(island[1::2]) for island in kin)


def test_resuming_at_any_generation_changes_nothing():
    trainer = Trainer(configuration.make(Config, TINY))
    straight, broken = trainer.init(), trainer.init()
    for generation in range(4):
        broken = trainer.load(decode(encode(trainer.dump(broken))))
        assert trainer.advance(straight, generation) == trainer.advance(broken, generation)
        assert straight == broken
    assert all(1 <= len(program) <= 40 for island in straight.population for program in island)


def train(folder, *words):
    options = []
    for name, value in TINY.items():
        options += [f"--{name.replace('_', '-')}", ",".join(map(str, value)) if isinstance(value, tuple) else str(value)]
    return gtp_main.main(["train", "organism", "--quiet", "--out", str(folder / "a.json"), *options, *words])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    assert train(folder, "--workers", "1") == 0
    return folder


def products(folder):
    files = [folder / "a.json", folder / "a.run" / "metrics.jsonl", *sorted((folder / "a.run" / "champions").iterdir())]
    return [file.read_bytes() for file in files]


def test_the_number_of_workers_changes_nothing(run, tmp_path):
    assert train(tmp_path, "--workers", "3") == 0
    assert products(tmp_path) == products(run)


def test_the_champion_is_readable_and_plays(run):
    saved = genomes.load(run / "a.json", "organism")
    assert all(line.startswith("if ") for line in saved.body["rules"])
    assert {(result.opponent, result.colour) for result in saved.results} == {("random", "both"), ("naixt", "both")}
    assert {result.komi for result in saved.results} == {4.5}
    assert saved.sizes == list(range(2, 26))
    assert load_player(str(run / "a.json")).name == "a"
    log = [json.loads(line) for line in products(run)[1].splitlines()]
    assert [entry["size"] for entry in log] == [4, 4, 5, 5] and log[0]["games"] == 3 * 6 * 4


def test_the_genome_says_how_it_lives():
    names = {"zygote": "two-two", "clones": "one", "absorbers": "cells"}
    trainer = Trainer(configuration.make(Config, TINY | names))
    state = trainer.init()
    trainer.advance(state, 0)
    (body,) = trainer.candidates(state, 1)
    assert {name: body[name] for name in names} == names
    assert read_body(body)[1] == trainer.config.habits != Config().habits
    item = trainer.item(from_text(body["rules"]), 5, 3, 0, 6)
    assert item.habits == trainer.config.habits
    plain = Trainer(configuration.make(Config, TINY)).candidates(state, 1)[0]
    assert not names.keys() & plain.keys() and read_body(plain)[1] == Config().habits


def test_trials_meet_every_opponent_with_both_colours():
    trainer = Trainer(configuration.make(Config, TINY))
    state = trainer.init()
    trainer.advance(state, 0)
    items = trainer.trials(state, 0, genome(FIGHTER).body, 5, 32)
    verdict = trainer.judge(state, 0, [play_item(item) for item in items])
    assert [(result.opponent, result.colour, result.games) for result in verdict.results] == [
        ("random", "both", 16),
        ("naixt", "both", 16),
    ]


# What show prints


def test_rules_are_printed_with_dead_ones_marked():
    text = viewer.describe(genome(FIGHTER))
    assert "8 rules, 1 of them dead" in text
    (marked,) = [line for line in text.splitlines() if "dead:" in line]
    assert "become own stone" in marked and marked.startswith("  8.")


@pytest.mark.parametrize("lines, config", [(FIGHTER, {"boards": [5], "opponents": ["random", "gojen"]}), (SILENT, {})])
def test_pictures_and_games(lines, config):
    subject = genome(lines, **config)
    growth, life = viewer.pictures(subject, [])
    assert len(growth.frames) == len(growth.labels) == 1 + 2 * (5 if config else 7)
    assert growth.labels[-1].endswith("25 cells" if config else "49 cells")
    assert len(life.frames) == len(life.labels) > 2
    assert growth.first == -1 and 0 < life.first < len(life.frames)  # what is grown, and in the middle of its game
    for frame in growth.frames + life.frames:
        assert len(list(ElementTree.fromstring(frame).iter("svg"))) == 1 + MEDIATORS
    records = viewer.games(subject)
    assert len(records) == viewer.SHOWN_GAMES and {record.komi for record in records} == {4.5}
    assert {record.black for record in records} >= {"diGO"} and {record.white for record in records} >= {"diGO"}


def test_show_of_a_run(run, tmp_path, capsys):
    assert gtp_main.main(["show", str(run / "a.json")]) == 0
    assert "cell program of" in capsys.readouterr().out
    assert gtp_main.main(["show", str(run / "a.run"), "--html", str(tmp_path / "a.html")]) == 0
    assert "Growth before the game" in (tmp_path / "a.html").read_text()
