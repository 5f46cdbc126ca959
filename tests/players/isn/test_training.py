"""Runs that can be repeated, resumed and spread over workers, and the players that they make."""

import json
import re
import signal
from xml.etree import ElementTree

import numpy as np
import pytest

import gtp_main
from engine.go.board import BLACK, EMPTY, PASS, WHITE, board_points, cells
from engine.go.game import Game
from engine.go.rules import CHINESE, JAPANESE
from players.isn import viewer
from players.isn.anatomy import INPUTS, OUTPUTS, class_of_kind, expand
from players.isn.candidates import SAME
from players.isn.player import IsnPlayer, load_genome
from players.isn.trainer import Config, Trainer, between
from players.play.loop import Terms
from players.play.schedule import Fixture
from players.registry import PlayerError, load_player
from players.scripted.kernels import opponent
from players.training import config as configuration
from players.training.config import ConfigError
from tests.diagrams import game_of
from tests.players.isn.reference import random_network
from tests.players.training import products

TINY = {"size": 5, "generations": 4, "games": 6, "linear_generations": 1, "opponents": "random"}
TINY |= {"retest_every": 2, "retest_games": 6, "most_moves": 2.0}
BATCH = {**TINY, "update": "batch", "rate": 0.01, "last_rate": 0.001, "last_beta": 8.0, "decay": 1.0}


def train(folder, options, *words):
    extra = ["--turn-aware", "--spare-eyes"] if options is BATCH else []
    return products.train("isn", folder, "a.onnx", *products.words_of(options), *extra, *words)


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """The folder of a small run with one worker, and what it wrote."""
    folder = tmp_path_factory.mktemp("run")
    return folder, train(folder, BATCH, "--workers", "1")


def test_any_number_of_workers_does_the_same(champion, tmp_path):
    assert train(tmp_path, BATCH, "--workers", "3") == champion[1]


@pytest.mark.parametrize("kind", [["isn"], []])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(champion, tmp_path, monkeypatch, kind):
    tell, told = Trainer.tell, []

    def ctrl_c_at_the_second(self, *arguments):
        told.append(1)
        if len(told) == 2:
            signal.raise_signal(signal.SIGINT)
        return tell(self, *arguments)

    monkeypatch.setattr(Trainer, "tell", ctrl_c_at_the_second)
    options = [word for name, value in BATCH.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    words = ["--quiet", "--out", str(tmp_path / "a.onnx"), *options, "--turn-aware", "--spare-eyes", "--workers", "1"]
    gtp_main.main(["train", "isn", *words])
    assert len(told) < BATCH["generations"]
    assert gtp_main.main(["train", *kind, "--resume", str(tmp_path / "a.run"), "--quiet"]) == 0
    assert len(told) == BATCH["generations"]
    assert products.products(tmp_path, "a.onnx") == champion[1]


@pytest.mark.parametrize("options", [BATCH, TINY, {**BATCH, "averaging": 0.5}])
def test_a_state_survives_a_checkpoint(options):
    trainer = Trainer(configuration.make(Trainer.Config, {**options, "opponents": ["random"]}))
    straight, broken = trainer.init(), trainer.init()
    for generation in range(2):
        trainer.advance(straight, generation)
        broken = trainer.load(trainer.dump(broken))
        trainer.advance(broken, generation)
    assert all(np.array_equal(value, vars(broken)[name]) for name, value in vars(straight).items())


def test_the_mean_of_the_network_stands_for_election():
    given = {**BATCH, "opponents": ["random"], "averaging": 0.6}
    trainer, plain = (Trainer(configuration.make(Trainer.Config, {**given, "averaging": memory})) for memory in (0.6, 0.0))
    state, same = trainer.init(), plain.init()
    networks = []
    for generation in range(4):
        trainer.advance(state, generation)
        plain.advance(same, generation)
        assert np.array_equal(state.parameters, same.parameters)
        networks.append(state.parameters)
    mean = (networks[0] + networks[1]) / 2  # of all, until there are more than the memory has room for
    for network in networks[2:]:
        mean = 0.6 * mean + 0.4 * network
    assert np.allclose(trainer.candidates(state, 1)[0]["parameters"], mean)
    assert np.array_equal(plain.candidates(same, 1)[0]["parameters"], networks[-1])


def test_partners_are_met_from_their_generation_on():
    given = {**BATCH, "opponents": ["random"], "partners": ["wally", "gojen"], "partners_from": 1}
    with_partners = Trainer(configuration.make(Trainer.Config, given))
    alone = Trainer(configuration.make(Trainer.Config, {**given, "partners": []}))
    one, other = with_partners.init(), alone.init()
    for generation in range(2):
        assert np.array_equal(one.parameters, other.parameters)
        found = with_partners.advance(one, generation), alone.advance(other, generation)
    assert found[0]["length"] != found[1]["length"] and not np.array_equal(one.parameters, other.parameters)


def test_the_linear_phase_leaves_the_hidden_units_alone():
    trainer = Trainer(configuration.make(Trainer.Config, {**BATCH, "opponents": ["random"], "linear_generations": 2}))
    state = trainer.init()
    first = state.parameters.copy()
    for generation in range(4):
        trainer.advance(state, generation)
        changed = state.parameters != first
        assert (changed[:280].any() or changed[574:714].any()) == (generation >= 2)
        assert changed[280:574].any()


def test_presets_are_configurations():
    for name, preset in Trainer.presets.items():
        assert configuration.make(Trainer.Config, preset).size in (5, 9), name
    paper = Config()
    assert (paper.c, paper.s, paper.trace, paper.beta, paper.rate, paper.decay) == (0.4, 0.4, 0.9, 4.0, 5e-6, 0.99999)
    assert paper.generations * paper.games == 860_000


def test_the_first_training_of_the_readme_succeeds(tmp_path, capsys):
    """In seconds, and it wins most of its games; what the last line says of it is what fresh games say.

    Against one opponent alone it may be otherwise: the order of sums, which is the compiler's, makes another network.
    """
    out = tmp_path / "mine.json"
    assert gtp_main.main(["train", "isn", "--preset", "quick", "--out", str(out)]) == 0
    told = re.findall(r"([\d.]+)% of \d+ fresh games against (\w+) on 5x5", capsys.readouterr().err.splitlines()[-1])
    assert [name for _, name in told] == ["naixt", "wally", "gojen"] and sum(float(share) for share, _ in told) > 3 * 60
    gtp_main.main(["match", str(out), "gojen", "--size", "5", "--games", "200", "--json"])
    share = json.loads(capsys.readouterr().out)["win_rate"]
    assert share == pytest.approx(float(told[2][0]) / 100, abs=0.15)


BOTH = {"turn_aware": True, "colour_symmetry": True}


@pytest.mark.parametrize("wrong", [{"trace": 1.5}, {"beta": 0.0}, {"size": 2}, {"games": 0}, {"opponents": []}, BOTH])
def test_wrong_configurations(wrong):
    with pytest.raises(ConfigError):
        configuration.make(Trainer.Config, wrong)


def test_annealing():
    assert between(4.0, None, 0.5) == 4.0
    assert between(4.0, 16.0, 0.5) == pytest.approx(8.0)
    assert between(4.0, 16.0, 3.0) == pytest.approx(16.0)


# The player


def test_the_champion_plays(champion):
    folder, _ = champion
    path = str(folder / "a.onnx")
    player, same = load_player(f"{path},beta=20", 1), load_player(f"{path},beta=20,runtime=onnx", 1)
    game = Game(7)
    for _ in range(40):
        p = player.choose(game, game.to_play, None)
        assert same.choose(game, game.to_play, None) == p
        game.play(game.to_play, p)
        assert player.evaluate(game).score == pytest.approx(same.evaluate(game).score, abs=1e-3)
    saved = sorted((folder / "a.run" / "champions").iterdir())[-1]
    assert load_player(str(saved), 1).choose(game, game.to_play, None) is not None
    genome = load_genome(path)
    assert genome.config["seed"] == 1 and genome.results[0].opponent == "random"
    assert "714 free weights" in viewer.describe(genome)


def test_what_show_draws(champion):
    genome = load_genome(str(champion[0] / "a.onnx"))
    said, hidden = viewer.pictures(genome, [])
    assert 2 < len(said.frames) == len(said.labels) and 0 < said.first < len(said.frames)
    player, record = load_player(str(champion[0] / "a.onnx"), 1), viewer.games(genome)[0]
    moves = int(said.labels[said.first].split()[1].rstrip(":"))
    game = Game(record.size, record.komi)
    for move in record.moves[:moves]:
        game.play(*move)
    seen = player.sight(game)
    points = board_points(game.size)
    classes, *maps = ElementTree.fromstring(said.frames[said.first]).iter("svg")
    told = [text.text for text in classes.iter("text")]
    assert told == [f"C{class_of_kind(int(seen.kind[p])) + 1}" for p in points if game.position.colour[p] != EMPTY] and told
    assert len(maps) == OUTPUTS
    for number, drawn in enumerate(maps):
        values = [float(word) for word in drawn.get("data-values").split()]
        assert np.allclose(values, seen.outputs[points, number], atol=0.006)
    units = list(ElementTree.fromstring(hidden.frames[0]).iter("figure"))
    assert len(units) == 12
    weights = [rect.get("data-tip") for rect in units[0].iter("rect") if rect.get("data-tip")]
    heard, _, read = expand(genome.body["parameters"])
    expected = [f"{weight:+.3f}" for part in (heard[0], read[:, 0]) for window in part for weight in window if weight]
    assert weights == expected


@pytest.mark.parametrize(
    "option, words",
    [("beta=0", "beta"), ("runtime=gpu", "runtime"), ("scoring=none", "scoring")],
)
def test_wrong_options(champion, option, words):
    with pytest.raises(PlayerError, match=words):
        load_player(f"{champion[0] / 'a.onnx'},{option}")


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE])
@pytest.mark.parametrize("scoring", ["learned", "rules"])
def test_the_player_plays_as_its_side_does(rules, scoring):
    player = IsnPlayer(random_network(4), scoring=scoring, turn_aware=scoring == "learned", seed=1)
    fixture = Fixture(Terms(5, 0.0, rules), (opponent("liberty"),), "white", 7, 0, 3, salt=5)
    _, games = fixture.play(player.side(5, rules), keep_moves=True)
    for moves in games:
        game = Game(5, 0.0, rules)
        for p in map(int, moves):
            if game.to_play == WHITE:
                policy = player.policy(game, WHITE)
                assert p == PASS or policy[p] == pytest.approx(np.nanmax(policy), abs=SAME)  # equal ones are drawn
            game.play(game.to_play, p)


def test_undo_and_variations_give_what_a_fresh_player_gives():
    parameters, generator = random_network(5), np.random.default_rng(1)
    player, game = IsnPlayer(parameters, turn_aware=True, seed=1), Game(6)
    for _ in range(60):
        if game.moves and generator.random() < 0.3:
            game.undo(int(generator.integers(1, min(4, len(game.moves)) + 1)))
        elif generator.random() < 0.05:
            game.place_handicap(board_points(6)[[7, 28]].tolist())
        else:
            game.play(game.to_play, int(generator.choice([*game.legal_points(game.to_play), PASS])))
        mine, fresh = player.evaluate(game), IsnPlayer(parameters, turn_aware=True, seed=1).evaluate(game)
        assert mine.score == fresh.score and (mine.ownership == fresh.ownership).all()


def test_evaluation_under_both_rules():
    parameters = random_network(6, 0.2)
    player = IsnPlayer(parameters, seed=1)
    for rules in (CHINESE, JAPANESE):
        game = game_of(". X O . .\nX X O O .\n. X O . O\nX X O O .\n. X O . .", rules=rules)
        even, behind = player.evaluate(game), None
        assert 0 < even.winrate < 1 and np.abs(even.ownership).max() <= 1 and len(even.ownership) == cells(5)
        game.komi = 30.0
        behind = player.evaluate(game)
        assert behind.score == pytest.approx(even.score - 30) and behind.winrate < even.winrate
    # With s = 0 stones that stay are worth nothing: the two scorings differ.
    assert IsnPlayer(parameters, seed=1).evaluate(game_of("X . .\n. . .\n. . .", rules=CHINESE)) is not None


def test_views():
    player = IsnPlayer(random_network(7), seed=1)
    game = game_of(". X .\nO . X\n. . .", to_play=WHITE)
    views = {view.label: view.draw(game, []) for view in player.views()}
    assert len(views) == 9
    for text in views.values():
        assert [len(row.split()) for row in text.splitlines()] == [3, 3, 3]
    assert views["ISN Group Classes"].split()[1].startswith("C") and views["ISN Group Classes"].split()[0] == '""'
    assert views["ISN Move Values"].split()[1] == '""'
    assert all(-1 <= float(number) <= 1 for number in views["ISN White Territory"].split())


def test_policy_prefers_the_chosen_move():
    player = IsnPlayer(random_network(8), seed=1)
    game = game_of(". X .\nO . X\n. . .")
    policy = player.policy(game, BLACK)
    assert int(np.nanargmax(policy)) == player.choose(game, BLACK, None)
    assert np.isnan(policy[0]) and "points" in player.explain()


def test_any_anatomy_is_trained_and_played(tmp_path):
    """From the options of the command to the player of the model, by kernels and by onnxruntime, and what show says."""
    words = ["--inputs", "lines,liberties,ladders,ko,neighbours", "--hidden", "24", "--passes", "3", "--generations", "2"]
    files = train(tmp_path, BATCH, *words)
    assert files
    genome = load_genome(str(tmp_path / "a.onnx"))
    assert genome.body["inputs"] == list(INPUTS) and (genome.body["hidden"], genome.body["passes"]) == (24, 3)
    player, same = (load_player(f"{tmp_path / 'a.onnx'},beta=20{more}", 1) for more in ("", ",runtime=onnx"))
    game = Game(7)
    for _ in range(30):
        p = player.choose(game, game.to_play, None)
        assert same.choose(game, game.to_play, None) == p
        game.play(game.to_play, p)
    assert "3640 free weights" in viewer.describe(genome) and "caught in a ladder" in viewer.describe(genome)
    drawn = ElementTree.fromstring(viewer.pictures(genome, [])[1].frames[0])
    assert len(list(drawn.iter("figure"))) == 24  # one for each hidden unit


def test_the_ablations(tmp_path, capsys):
    words = ["experiment", "isn", "ablations", "--out", str(tmp_path), "--size", "5", "--games", "2"]
    words += ["--training-games", "32"]
    assert gtp_main.main([*words, "--variants", "paper,liberties", "--seeds", "1,2"]) == 0
    entries = json.loads((tmp_path / "results.json").read_text())["ablations"]
    assert {(entry["variant"], entry["seed"]) for entry in entries.values()} == {
        (variant, seed) for variant in ("paper", "liberties") for seed in (1, 2)
    }
    rows = (tmp_path / "isn-ablations.md").read_text().splitlines()[2:]
    assert [row.split(" | ")[2:5] for row in rows] == [["paper", "714", "2"], ["liberties", "1,698", "2"]]
    assert rows == capsys.readouterr().out.splitlines()[-2:]
    # What is in the store is not done again.
    name = next(iter(entries))
    changed = {**entries, name: {**entries[name], "wins": dict.fromkeys(entries[name]["wins"], 0.5)}}
    (tmp_path / "results.json").write_text(json.dumps({"ablations": changed}))
    assert gtp_main.main([*words, "--variants", "paper,liberties", "--seeds", "1,2"]) == 0
    assert json.loads((tmp_path / "results.json").read_text())["ablations"] == changed
    assert gtp_main.main([*words, "--variants", "everything"]) == 1 and "everything" in capsys.readouterr().err


def test_figure_1(tmp_path, monkeypatch, capsys):
    """Every so many generations the network itself is kept, whether the run is interrupted or not, and all of them play."""
    monkeypatch.setitem(Trainer.presets, "paper", {**TINY, "opponents": ["random"], "generations": 8})
    words = ["experiment", "isn", "figure1", "--size", "5", "--every", "2", "--pair-games", "2", "--generations", "6"]
    assert gtp_main.main([*words, "--out", str(tmp_path / "a")]) == 0
    report = json.loads((tmp_path / "a" / "isn-figure1.json").read_text())
    assert [row["training_games"] for row in report["networks"]] == [0, 12, 24, 36]
    assert sum(row["share"] for row in report["networks"]) == pytest.approx(2)
    assert (report["beta"], report["komi"], report["games_of_a_pair"]) == (20.0, 3.5, 2)
    assert (tmp_path / "a" / "isn-figure1.svg").read_text().startswith("<svg xmlns")
    networks = {file.name: file.read_bytes() for file in (tmp_path / "a" / "figure1-networks").iterdir()}
    tell, told = Trainer.tell, []

    def ctrl_c_at_the_third(self, *arguments):
        told.append(1)
        if len(told) == 3:
            signal.raise_signal(signal.SIGINT)
        return tell(self, *arguments)

    monkeypatch.setattr(Trainer, "tell", ctrl_c_at_the_third)
    assert gtp_main.main([*words, "--out", str(tmp_path / "b")]) == 130
    assert gtp_main.main([*words, "--out", str(tmp_path / "b"), "--no-train"]) == 0  # with the two that there are
    capsys.readouterr()
    assert gtp_main.main([*words, "--out", str(tmp_path / "b")]) == 0
    assert networks == {file.name: file.read_bytes() for file in (tmp_path / "b" / "figure1-networks").iterdir()}
    assert json.loads((tmp_path / "b" / "isn-figure1.json").read_text()) == report
    assert gtp_main.main([*words, "--out", str(tmp_path / "c"), "--no-train"]) == 1
    assert "two networks" in capsys.readouterr().err


def test_metrics_are_numbers(champion):
    entries = [json.loads(line) for line in champion[1][1].splitlines()]
    assert len(entries) == 4 and all(entry["games"] == 6 and 0 < entry["loss"] < 2 for entry in entries)
    assert entries[0]["beta"] == 4.0 < entries[-1]["beta"]


def test_the_learning_curve(champion, tmp_path, capsys):
    run = ["--run", str(champion[0] / "a.run")]
    words = ["experiment", "isn", "curve", "--out", str(tmp_path), "--size", "5", "--games", "2", "--pair-games", "2"]
    assert gtp_main.main([*words, *run, "--opponents", "random"]) == 0
    report = json.loads((tmp_path / "isn-curve.json").read_text())
    shares = [row["round_robin_share"] for row in report["snapshots"]]
    assert all(0 <= row["wins"]["random"] <= 2 for row in report["snapshots"])
    assert len(shares) == 1 or sum(shares) == pytest.approx(len(shares) / 2)
    assert (tmp_path / "isn-curve.svg").read_text().startswith("<svg xmlns")
    # What is in the store is not played again.
    results = tmp_path / "results.json"
    name = f"{report['snapshots'][0]['generation']} random 5 2 1"
    results.write_text(json.dumps({"games": {**json.loads(results.read_text())["games"], name: 0.5}}))
    assert gtp_main.main([*words, *run, "--opponents", "random"]) == 0
    assert json.loads((tmp_path / "isn-curve.json").read_text())["snapshots"][0]["wins"]["random"] == 0.5
    assert gtp_main.main([*words, *run, "--opponents", "random", "--gnugo-games", "1", "--gnugo", "no-such-program"]) == 1
    assert "no-such-program" in capsys.readouterr().err
    assert gtp_main.main([*words, *run, "--opponents", "nobody"]) == 1 and "nobody" in capsys.readouterr().err
    assert gtp_main.main([*words, "--run", str(tmp_path)]) == 1 and "no snapshots" in capsys.readouterr().err
