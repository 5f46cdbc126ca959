"""Games, runs and the player: the same games wherever they are played, the same run however it is run."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, coordinates
from engine.go.game import Game
from engine.go.handicap import fixed_handicap_limit, fixed_handicap_points, handicap_points
from engine.go.history import KO_POSITIONAL
from engine.records.vertex import format_vertex
from players import genome
from players.play.loop import starting_position, wins_of
from players.play.schedule import Fixture
from players.registry import load_player
from players.sane import viewer
from players.sane.body import read_body
from players.sane.network import decode, unit_count
from players.sane.player import SanePlayer
from players.sane.population import random_population
from players.sane.side import MOVES_PER_POINT, RULES, play_network, side_of, terms
from players.sane.trainer import Trainer, first_line, opponent_name
from players.scripted.kernels import opponent
from players.training import config as configuration
from tests.players.training import products

ROOT = Path(__file__).parents[3]
TINY = {"size": 5, "generations": 4, "blueprints": 12, "network_neurons": 20, "games": 3}
TINY |= {"retest_every": 2, "retest_candidates": 2, "retest_games": 10}


def network(size=5, seed=1, neurons=40):
    drawn = random_population(np.random.default_rng(seed), unit_count(size), neurons, 12, 3, neurons, 2.0)
    return decode(drawn.labels, drawn.weights, size)


def train(folder, *words):
    return products.train("sane", folder, "a.json", *products.words_of(TINY), *words)


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """The folder of a small run with one worker."""
    folder = tmp_path_factory.mktemp("run")
    train(folder, "--workers", "1")
    return folder


# Games


def games(one, name="wally", count=20, key=7, stones=0):
    games_terms, colour = terms(one.size, stones)
    return play_network(Fixture(games_terms, (opponent(name, 0.1),), colour, key, 0, count), one)


@pytest.mark.parametrize("stones, colour, first", [(0, "black", BLACK), (1, "white", BLACK), (2, "white", WHITE)])
def test_who_is_who_with_a_handicap(stones, colour, first):
    games_terms, own = terms(5, stones)
    position, to_play = starting_position(5, games_terms.stones)
    assert (own, to_play) == (colour, first)
    assert (position.colour[board_points(5)] == BLACK).sum() == (stones if stones > 1 else 0)


@pytest.mark.parametrize("size", [5, 6, 7, 9, 13])
def test_handicap_points_are_those_of_gtp_where_it_has_them(size):
    for stones in range(2, 10):
        points = handicap_points(size, stones)
        assert len(set(points)) == stones
        assert all(0 <= axis < size for p in points for axis in coordinates(size, p))
        if stones <= fixed_handicap_limit(size):
            assert points == fixed_handicap_points(size, stones)


def test_a_network_that_passes_loses_to_the_first_stone():
    silent = decode([[0, 1]], [[1.0, 1.0]], 5)
    results = games(silent, "random", 10, 3)
    assert wins_of(results) < 10 and results.first[0] == PASS and results.over.all()
    assert games(silent, "wally", 10, 3).score.sum() == -250  # Wally alone owns the whole board


def test_an_endless_game_is_a_loss():
    # Two who fill everything, their eyes too, capture each other for ever.
    greedy = decode([[2 * 25 + unit] for unit in range(25)], [[1.0 + unit / 100] for unit in range(25)], 5)
    results = games(greedy, "random", 100, 1)
    endless = results[~results.over]
    assert len(endless) and (endless.score == -25).all() and (endless.length == MOVES_PER_POINT * 25).all()


@pytest.mark.parametrize("stones", [0, 1, 3])
def test_the_player_plays_as_in_training(stones):
    for seed in range(3):
        one = network(seed=seed)
        games_terms, colour = terms(5, stones)
        fixture = Fixture(games_terms, (opponent("wally", 0.1),), colour, seed, 0, 1)
        (result,), (moves,) = fixture.play(side_of(one), keep_moves=True)
        own = BLACK if result.a_is_black else WHITE
        player, game = SanePlayer(one), Game(5, 0.0, RULES)
        if stones > 1:
            game.place_handicap(handicap_points(5, stones))
        for p in map(int, moves):
            colour = game.to_play
            if colour == own:
                assert player.choose(game, colour, None) == p
                values = player.policy(game, colour)
                legal = game.legal_points(colour)
                assert p == PASS or values[p] == max(values[q] for q in legal)
            game.play(colour, p)


# Runs


@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers_does_the_same(champion, tmp_path, workers):
    assert train(tmp_path, "--workers", str(workers)) == products.products(champion, "a.json")


def test_a_resumed_run_does_the_same(champion, tmp_path):
    trainer = Trainer(configuration.make(Trainer.Config, TINY))
    state, kept = trainer.init(), []
    for generation in range(4):
        state = trainer.load(json_tree(trainer.dump(state)))
        kept.append(trainer.advance(state, generation))
    log = [json.loads(line) for line in products.products(champion, "a.json")[1].splitlines()]
    assert [{name: entry[name] for name in metrics} for entry, metrics in zip(log, kept)] == kept


def json_tree(tree):
    """What a checkpoint makes of a tree: tuples become lists, arrays stay."""
    if isinstance(tree, dict):
        return {key: json_tree(value) for key, value in tree.items()}
    return [json_tree(value) for value in tree] if isinstance(tree, (list, tuple)) else tree


def test_a_run_stops_when_a_network_is_good_enough(tmp_path):
    train(tmp_path, "--until", "0.05", "--until-games", "20", "--opponents", "random", "--games", "5")
    log = [json.loads(line) for line in (tmp_path / "a.run" / "metrics.jsonl").read_text().splitlines()]
    assert len(log) < TINY["generations"] and log[-1]["test_wins"] >= 0.05 and log[-1]["tested"] == 40
    assert log[-1]["champion"]["candidates"] <= 2  # the network that passed, and perhaps a reigning champion


def trials(trainer, state):
    """The Results of 30 games of the best network."""
    items = trainer.trials(state, 0, trainer.candidates(state, 1)[0], 5, 30)
    return trainer.judge(state, 0, [trainer.evaluate(item) for item in items]).results


def test_stones_are_raised_as_networks_get_better():
    values = TINY | {"until": 0.01, "until_games": 20, "raise_stones": True, "opponent": ["random"], "games": 5}
    trainer = Trainer(configuration.make(Trainer.Config, values))
    state, stones = trainer.init(), []
    for generation in range(3):
        stones.append(trainer.advance(state, generation)["stones"])
    assert stones == [0, 1, 2]
    (result,) = trials(trainer, state)
    assert (result.opponent, result.colour, result.games) == ("random (2 stones)", "white", 30)


def test_several_opponents_are_all_played():
    """Who is named twice is met twice as often."""
    values = TINY | {"opponent": ["wally", "random", "wally"], "opponent_randomness": 0.2}
    trainer = Trainer(configuration.make(Trainer.Config, values))
    state = trainer.init()
    metrics = trainer.advance(state, 0)
    assert metrics["games"] == 12 * 3 * 3
    found = [(result.opponent, result.games) for result in trials(trainer, state)]
    assert found == [("wally,randomness=0.2", 60), ("random", 30)]


def test_the_general_player_has_both_colours_a_komi_and_superko():
    values = {**Trainer.presets["general"], **TINY, "opponents": ["wally", "random"], "games": 4}
    trainer = Trainer(configuration.make(Trainer.Config, values))
    state = trainer.init()
    assert trainer.ask(state, 0)[0].fixture.terms.rules.ko == KO_POSITIONAL
    trainer.advance(state, 0)
    found = trials(trainer, state)
    assert [(result.colour, result.komi) for result in found] == [("both", 7.5)] * 2
    (body, *_) = trainer.candidates(state, 1)
    assert (body["inputs"], body["reach"]) == ("tactics", 2)
    results = trainer.evaluate(trainer.ask(state, 1)[0])
    assert results.a_is_black.tolist() == [True, False] * 4 and results.opponent.tolist() == [0, 0, 1, 1] * 2
    assert all(score % 1 == 0.5 or score == -25 for score in results.score.tolist())


@pytest.mark.parametrize("inputs", ["liberties", "tactics"])
def test_a_champion_that_sees_more_is_saved_and_shown(tmp_path, inputs):
    train(tmp_path, "--workers", "1", "--inputs", inputs, "--colour", "both")
    saved = genome.load(tmp_path / "a.json")
    assert saved.body["inputs"] == inputs
    player = load_player(str(tmp_path / "a.json"))
    assert player.network(5).start.size == unit_count(5, inputs) + 1
    assert "-> " in viewer.describe(saved) and viewer.neurons_of(saved.body)[0].copies >= 1
    for picture in viewer.pictures(saved, []):
        for frame in picture.frames:
            ElementTree.fromstring(frame)
    assert any(neuron.moves for neuron in viewer.neurons_of(saved.body))


def test_a_champion_whose_neurons_stand_everywhere_plays_on_every_board(tmp_path):
    train(tmp_path, "--workers", "1", "--inputs", "tactics", "--reach", "1", "--network-neurons", "6", "--colour", "both")
    saved, player = genome.load(tmp_path / "a.json"), load_player(str(tmp_path / "a.json"))
    assert saved.body["reach"] == 1 and np.max(saved.body["labels"]) < 12 * 9
    assert saved.sizes == list(player.sizes) == list(range(2, 26))
    for size in (3, 5, 9):
        game = Game(size)
        chosen = player.choose(game, BLACK)
        assert chosen == PASS or game.is_legal(BLACK, chosen)
        assert np.isfinite(player.policy(game, BLACK)[board_points(size)]).all()
    told = viewer.describe(saved)
    assert told.startswith("SANE network for every board: 6 hidden neurons") and "first move on 5x5: " in told
    assert "here" in told and "(+1,+0)" in told
    for picture in viewer.pictures(saved, []):
        for frame in picture.frames:
            ElementTree.fromstring(frame)
    assert any(neuron.edge for neuron in viewer.neurons_of(saved.body))


@pytest.mark.parametrize(
    "values, word",
    [
        ({"reach": 2}, "reach"),  # with 200 neurons
        ({"opponents": ["nobody"]}, "opponents"),
        ({"opponents": []}, "opponents"),
        ({"give_stones": 10}, "give-stones"),
        ({"randomness": 1.5}, "randomness"),
        ({"until": 0.0}, "until"),
        ({"raise_stones": True}, "raise-stones"),
        ({"give_stones": 2, "colour": "both"}, "gives stones"),
        ({"inputs": "smells"}, "inputs"),
        ({"blueprints": 2}, "blueprints"),
        ({"games": 0}, "games"),
    ],
)
def test_bad_parameters_are_refused_in_a_line(values, word):
    with pytest.raises(configuration.ConfigError, match=word):
        configuration.make(Trainer.Config, values)


@pytest.mark.parametrize("size, neurons, hidden", [(5, 2000, 100), (7, 3000, 150), (9, 4000, 200)])
def test_populations_grow_with_the_board(size, neurons, hidden):
    config = configuration.make(Trainer.Config, {"size": size})
    assert (config.neuron_count, config.blueprints, config.neurons_in_network) == (neurons, 200, hidden)


@pytest.mark.parametrize("fitness, narrow_wins_are_better", [("points", False), ("wins", True)])
def test_what_games_are_worth(fitness, narrow_wins_are_better):
    config = configuration.make(Trainer.Config, {"size": 5, "fitness": fitness})
    narrow, large = np.array([0.5, 0.5, -20.5]), np.array([24.5, -0.5, -0.5])
    assert (config.worth(narrow) > config.worth(large)) == narrow_wins_are_better
    assert config.worth(large) > config.worth(large - 1.0)


@pytest.mark.parametrize("col, row, line", [(0, 3, 1), (1, 1, 2), (4, 4, 5), (8, 8, 1), (6, 4, 3)])
def test_lines_are_counted_from_the_edge(col, row, line):
    assert first_line((row + 1) * 10 + col + 1, 9) == line


def test_opponents_are_named_as_the_registry_does():
    assert opponent_name("wally", 0.1, 0) == "wally,randomness=0.1"
    assert opponent_name("random", 0.1, 1) == "random (first move)"


# The saved champion


def test_a_champion_plays_its_own_size_only(champion):
    player = load_player(str(champion / "a.json"))
    assert list(player.sizes) == [5]
    game = Game(5)
    assert player.choose(game, BLACK, None) in {PASS, *map(int, board_points(5))}
    for ask in (lambda: player.choose(Game(7), BLACK, None), lambda: player.policy(Game(9), BLACK)):
        with pytest.raises(ValueError, match="5x5 only"):
            ask()


def gtp(path, script, *words):
    command = [sys.executable, str(ROOT / "gtp_main.py"), "gtp", "--player", str(path), *words]
    return subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)


def test_gtp_refuses_other_sizes(champion):
    done = gtp(champion / "a.json", "boardsize 7\nboardsize 5\nquit\n")
    assert done.stdout.split("\n\n")[:2] == ["? unacceptable size", "= "]


def test_the_command_line_refuses_other_sizes(champion):
    done = gtp(champion / "a.json", "genmove b\nquit\n", "--size", "7")
    assert done.returncode != 0 and "7x7" in done.stderr and "Traceback" not in done.stderr


def test_gtp_plays_as_in_training(champion):
    """A game of the training kernel, move by move through GTP; the rules are those with simple ko."""
    one = read_body(genome.load(champion / "a.json").body)
    fixture = Fixture(terms(5, 0)[0], (opponent("wally", 0.1),), "black", 3, 0, 1)
    _, (moves,) = fixture.play(side_of(one), keep_moves=True)
    names = [format_vertex(int(p), 5) for p in moves]
    script = [f"play w {name}" if number % 2 else "genmove b" for number, name in enumerate(names)]
    done = gtp(champion / "a.json", "\n".join([*script, "quit", ""]), "--raw", "--rules", "japanese", "--size", "5")
    answers = [answer.removeprefix("= ").removeprefix("=") for answer in done.stdout.split("\n\n")[: len(names)]]
    assert answers == ["" if number % 2 else name for number, name in enumerate(names)]


def test_the_output_is_drawn_for_every_point(champion):
    (view,) = load_player(str(champion / "a.json")).views()
    rows = [[float(word) for word in line.split()] for line in view.draw(Game(5), []).splitlines()]
    assert [len(row) for row in rows] == [5] * 5 and max(abs(x) for row in rows for x in row) == 1.0


def test_what_show_draws(champion):
    saved = [genome.load(path) for path in sorted((champion / "a.run" / "champions").iterdir())]
    assert "SANE network for 5x5: 20 hidden neurons" in viewer.describe(saved[-1])
    neurons, first_moves = viewer.pictures(saved[-1], saved)
    assert [frame.count("<figure>") for frame in neurons.frames] == [viewer.STRONGEST]
    assert [frame.count("<figure>") for frame in first_moves.frames] == [len(saved)]
    for frame in neurons.frames + first_moves.frames:
        ElementTree.fromstring(frame)
    for record in viewer.games(saved[-1]):
        assert record.size == 5 and 2 <= len(record.moves) <= MOVES_PER_POINT * 25
        game = Game(5, 0.0, RULES)
        for colour, p in record.moves:
            game.play(colour, p)


def test_a_genome_without_a_network_is_refused():
    with pytest.raises(ValueError, match="not a SANE genome: size is missing"):
        read_body({})
