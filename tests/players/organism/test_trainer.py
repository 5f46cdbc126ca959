"""Island evolution on the run loop: presets, migration, selection; the same run however it is run; what show prints."""

import dataclasses
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import gtp_main
from engine.go.board import BLACK, WHITE, board_points
from players import genome as genomes
from players.organism import viewer
from players.organism.analysis import without_dead
from players.organism.body import read_body
from players.organism.breeding import count_nodes
from players.organism.islands import Rates, breed, migrants, migrate
from players.organism.cells import amounts, states
from players.organism.player import Life
from players.organism.program import flat, from_text, is_valid
from players.organism.scenes import scenes
from players.organism.trainer import Config, Trainer, play_item
from players.organism.worth import known, measured, name_of
from players.registry import load_player
from players.training import config as configuration
from players.training.checkpoint import decode, encode
from players.training.config import ConfigError
from tests.players.organism.programs import FIGHTER, SILENT, genome
from tests.players.training import products

MODELS = Path(__file__).resolve().parents[3] / "models"
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
    assert count_nodes(program) == 40

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
        {"rival": ("if it rains then die",)},
        {"programs": "many"},
        {"mutation_per": "planet"},
        {"zygote": "moon"},
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
    ancestor = Trainer.presets["quick"]["ancestor"]
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
    return products.train("organism", folder, "a.json", *products.words_of(TINY), *words)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    train(folder, "--workers", "1")
    return folder


def test_the_number_of_workers_changes_nothing(run, tmp_path):
    assert train(tmp_path, "--workers", "3") == products.products(run, "a.json")


def test_the_champion_is_readable_and_plays(run):
    saved = genomes.load(run / "a.json", "organism")
    assert all(line.startswith("if ") for line in saved.body["rules"])
    assert {(result.opponent, result.colour) for result in saved.results} == {("random", "both"), ("naixt", "both")}
    assert {result.komi for result in saved.results} == {4.5}
    assert saved.sizes == list(range(2, 26))
    assert load_player(str(run / "a.json")).name == "a"
    log = [json.loads(line) for line in products.products(run, "a.json")[1].splitlines()]
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


def test_programs_for_stages_and_regions_evolve():
    for name, parts in (("stages", {1, 2, 3}), ("regions", {4, 5, 6})):
        trainer = Trainer(configuration.make(Config, TINY | {"programs": name}))
        state = trainer.init()
        trainer.advance(state, 0)
        assert {rule.part for island in state.population for program in island for rule in program} == parts
        assert trainer.load(decode(encode(trainer.dump(state)))) == state


def test_a_rival_is_one_more_opponent():
    trainer = Trainer(configuration.make(Config, TINY | {"rival": FIGHTER, "boards": (5,)}))
    state = trainer.init()
    metrics = trainer.advance(state, 0)
    assert metrics["games"] == 3 * 6 * 2 * 3 and 0 <= metrics["mean_rival"] < 0.5
    item = trainer.item(from_text(FIGHTER), 5, 8, 0, 60)
    results = play_item(item)
    own = results[results.opponent == 2]
    assert len(own) == 20 and 0.2 < (own.score > 0).mean() < 0.8  # against itself
    assert (play_item(item) == results).all()
    verdict = trainer.judge(state, 0, [results])
    assert [result.opponent for result in verdict.results] == ["random", "naixt", "rival"]


def test_programs_that_never_move_play_the_same_without_their_rules():
    trainer = Trainer(configuration.make(Config, TINY))
    item = trainer.item(from_text(SILENT), 5, 8, 0, 8)
    assert len(item.rules) == 0
    assert (play_item(item) == play_item(item._replace(rules=flat(from_text(SILENT))))).all()


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
    black, rules, white = viewer.pictures(subject, [])
    assert "diGO against" in black.caption and "against diGO" in white.caption
    for picture in (black, white):
        (frame,) = picture.frames
        assert json.loads(ElementTree.fromstring(frame).find("script").text)["size"] == (5 if config else 7)
    assert rules.frames[0].count("<tr>") == 1 + len(lines) and "has not been measured" in rules.caption
    records = viewer.games(subject)
    assert len(records) == viewer.SHOWN_GAMES and {record.komi for record in records} == {4.5}
    assert {record.black for record in records} >= {"diGO"} and {record.white for record in records} >= {"diGO"}


def test_scenes_are_the_life_of_the_player():
    """Every step is what the organism was then: its cells, sizes and mediators, and which rules fired for which cells."""
    subject = genome(FIGHTER, boards=[5], opponents=["naixt"])
    program, habits = read_body(subject.body)
    game = viewer.games(subject)[1]
    data = scenes(program, habits, game, WHITE)
    assert data["dead"] == 1 and len(data["rules"]) == 7 and data["own"] == WHITE
    labels = [step["label"] for step in data["steps"]]
    assert labels[:2] == ["the zygote", "before the game, cycle 1 of 10"] and labels[10].endswith("cycle 10 of 10")
    assert len(labels) == 11 + (1 + habits.regular) * len(game.moves)
    assert data["steps"][0]["states"].count("1") == 1 and data["steps"][10]["states"] == "2" * 25
    assert data["steps"][1]["fired"] == {0: "1000", 3: "1000"}
    life = Life(flat([rule for number, rule in enumerate(program) if number != 7]), habits, WHITE)
    life.begin(5)
    for number, move in enumerate(game.moves):
        life.play(move)
        step = data["steps"][10 + (number + 1) * (1 + habits.regular)]
        points = board_points(5)
        assert step["states"] == "".join(map(str, states(life.organism)[points]))
        shown = [data["sizes"][data["levels"].index(sign)] for sign in step["sizes"]]
        assert shown == pytest.approx(life.organism.cell_size[points], abs=1e-4)
        for mediator, (text, most) in enumerate(zip(step["amounts"], data["most"])):
            shown = [data["levels"].index(sign) / (len(data["levels"]) - 1) * most for sign in text or "0" * 25]
            assert shown == pytest.approx(amounts(life.organism, mediator)[points], abs=most / 40 + 1e-9)
        stones = {i for i, sign in enumerate(step["states"]) if sign == "3"}
        releasing = int(step["fired"].get(1, "0"), 16)
        assert {i for i in range(25) if releasing >> i & 1} == stones


def test_long_lives_are_cut(monkeypatch):
    monkeypatch.setattr("players.organism.scenes.MOST_STEPS", 40)
    subject = genome(FIGHTER, boards=[5], opponents=["naixt"])
    assert 30 < len(scenes(*read_body(subject.body), viewer.games(subject)[0], BLACK)["steps"]) <= 40


# What rules are worth


def test_what_a_rule_is_worth():
    program, habits = read_body(genome(FIGHTER).body)
    found = measured(program, habits, 5, ("random", "naixt"), 30)
    assert list(found["rules"]) == [str(number) for number in range(1, 8)]  # the last one is dead
    assert found == measured(program, habits, 5, ("random", "naixt"), 30)
    assert found["rules"]["4"]["wins"][0] < found["wins"][0]  # without it nothing is ever played
    assert 0 < found["rules"]["1"]["cycles"] < 1 and found["rules"]["4"]["cells"] >= 1
    assert name_of(program, habits) != name_of(program[:-1], habits)


def test_what_is_known_of_the_champions_that_ship():
    for name in ("organism-5x5", "organism-9x9"):
        subject = genomes.load(MODELS / f"{name}.json", "organism")
        program, habits = read_body(subject.body)
        entry = known(program, habits)
        assert entry["size"] == subject.config["boards"][-1] and entry["games"] == 1000
        assert len(entry["rules"]) == len(without_dead(program))
        (picture,) = [one for one in viewer.pictures(subject, []) if one.title == "What each rule is worth"]
        assert picture.frames[0].count("%") == 3 * len(entry["rules"])
    assert known(from_text(FIGHTER), habits) is None


def test_show_of_a_run(run, tmp_path, capsys):
    assert gtp_main.main(["show", str(run / "a.json")]) == 0
    assert "cell program of" in capsys.readouterr().out
    assert gtp_main.main(["show", str(run / "a.run"), "--html", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "Life as White" in page and 'class="scenes"' in page
