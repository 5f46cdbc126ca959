"""Runs that can be repeated, resumed and spread over workers, and what comes of them."""

import json

import numpy as np
import pytest

import gtp_main
from players import genome, registry
from players.genome import Genome
from players.playout import viewer
from players.playout.player import weights_of
from players.playout.positions import Recipe
from players.playout.trainer import Config, Trainer, Trial
from players.search import shapes
from players.search.policy import NAMES, hand_set_weights, vector
from players.training.config import ConfigError
from tests.players.training import products

TINY = ["--size", "5", "--komi", "4.5", "--gathering", "2", "--games", "4", "--quick", "16", "--deep", "40", "--positions", "4"]
TINY += ["--generations", "4", "--steps", "2", "--batch", "8", "--playouts", "16", "--pairs", "2", "--exam", "8"]
TINY += ["--trial", "16", "--retest-every", "2", "--retest-games", "3"]


def train(folder, *words):
    return products.train("playout", folder, "a.json", *TINY, *words)


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """The folder of a small run with one worker, and what it wrote."""
    folder = tmp_path_factory.mktemp("run")
    return folder, train(folder, "--workers", "1")


def test_any_number_of_workers_does_the_same(champion, tmp_path):
    assert train(tmp_path, "--workers", "3") == champion[1]


@pytest.mark.parametrize("calls", [1, 3], ids=["while it gathers", "while it learns"])
def test_a_resumed_run_does_the_same(champion, tmp_path, calls):
    train(tmp_path, "--hours", "1e-9", "--checkpoint-seconds", "0")  # one generation
    for _ in range(calls - 1):
        assert gtp_main.main(["train", "--quiet", "--resume", str(tmp_path / "a.run"), "--hours", "1e-9"]) == 0
    assert len((tmp_path / "a.run" / "metrics.jsonl").read_text().splitlines()) == calls
    assert gtp_main.main(["train", "--quiet", "--resume", str(tmp_path / "a.run")]) == 0
    assert (tmp_path / "a.json").read_bytes() == champion[1][0]


def test_what_a_run_tells(champion):
    log = [json.loads(line) for line in champion[1][1].splitlines()]
    assert log[0]["positions"] < log[1]["positions"] == log[2]["positions"] == log[3]["positions"] <= 32
    assert [("error" in entry, entry["games"]) for entry in log] == [(False, 4), (False, 4), (True, 0), (True, 0)]
    assert log[2]["largest_change"] > 0
    assert log[3]["error"] / log[2]["error"] == pytest.approx(log[3]["to_hand"] / log[2]["to_hand"])
    saved = genome.load(champion[0] / "a.json")
    assert saved.kind == "playout" and [(result.opponent, result.games % 3) for result in saved.results] == [
        ("search,playout=hand,simulations=16,threads=1", 0)
    ]


def test_features_that_are_fixed_keep_their_weights(champion, tmp_path):
    start, learned = hand_set_weights(), genome.load(sorted((champion[0] / "a.run" / "champions").iterdir())[-1])
    train(tmp_path, "--fixed", "escape,hane", "--method", "evolution")
    log = [json.loads(line) for line in (tmp_path / "a.run" / "metrics.jsonl").read_text().splitlines()]
    assert log[-1]["largest_change"] > 0
    for fixed in (("press_last", "press_catch", "extend", "nakade"), ("single_shapes",)):
        tiny = {"gathering": 1, "games": 3, "quick": 8, "deep": 8, "positions": 4, "steps": 2, "batch": 4, "playouts": 8, "exam": 4}
        trainer = Trainer(Config(size=5, fixed=fixed, **tiny))
        state = trainer.init()
        for generation in range(2):
            trainer.advance(state, generation)
        changed = {name for name, old, new in zip(NAMES, state.start, state.weights) if old != new}
        assert changed and not changed & set(fixed)
        assert bool(changed & set(shapes.DRAWN)) == (fixed != ("single_shapes",))
    for name in ("press_last", "press_catch", "extend"):
        assert learned.body["weights"][name] == start[name]


def test_learning_by_games(tmp_path, capsys):
    words = ["--method", "games", "--fixed", "single_shapes,nakade", "--generations", "2"]
    first = train(tmp_path, *words, "--workers", "1")
    log = [json.loads(line) for line in first[1].splitlines()]
    assert [entry["games"] for entry in log] == [8, 8] and log[0]["largest_change"] > 0 and "error" not in log[0]
    (tmp_path / "again").mkdir()
    assert train(tmp_path / "again", *words, "--workers", "2") == first


def test_a_step_by_games_goes_to_where_they_are_won():
    """Games that whoever weighs captures more wins, and nothing else decides."""
    capture, fixed = NAMES.index("take_last"), NAMES.index("nakade")
    trainer = Trainer(Config(size=5, method="games", pairs=8, steps=6, fixed=("nakade", "single_shapes")))
    state = trainer.init()

    def play(items):
        return [(2 * int(item.weights[capture] > item.others[capture]), 2) for item in items]

    trainer.tell(state, 0, [], play)
    assert state.weights[capture] - state.start[capture] == np.abs(state.weights - state.start).max() > 0.1
    assert state.weights[fixed] == state.start[fixed]


def test_better_playouts_win_trials():
    recipe = Recipe(5, 4.5, 60, 0, 3, 0.0, 0)
    bad = vector({**hand_set_weights(), "take_last": -6.0, "take_far": -6.0, "escape": -6.0})
    good = vector(hand_set_weights())
    wins, games = Trial(bad, good, recipe, 1, 0, 12).do()
    assert games == 12 and wins <= 4
    assert Trial(good, bad, recipe, 1, 0, 12).do()[0] >= 8
    assert Trial(bad, good, recipe, 1, 4, 2).do() == Trial(bad, good, recipe, 1, 4, 2).do()


def test_policies_by_name(tmp_path):
    assert weights_of("hand") == hand_set_weights() and weights_of("uniform") == {}
    genome.save(Genome("playout", [9], {"weights": {"escape": 2.0}}), tmp_path / "mine.json")
    assert weights_of(str(tmp_path / "mine.json")) == {"escape": 2.0}
    for spec in ("hand", "uniform", str(tmp_path / "mine.json")):
        player = registry.load_player(f"search,playout={spec},simulations=10,threads=1")
        assert len(player.files) == (spec == str(tmp_path / "mine.json"))
    for spec in ("organism-5x5", "nobody"):  # an organism remembers, so that its games cannot be played out from anywhere
        with pytest.raises(ValueError):
            registry.load_player(f"search,playout={spec}")


@pytest.mark.parametrize("changes", [{"rate": 0.0}, {"spread": 0.0}, {"method": "evolution", "playouts": 15}])
def test_configurations_that_cannot_be(changes):
    with pytest.raises(ConfigError):
        Config(**changes)


def test_a_start_that_is_no_policy_is_told(tmp_path, capsys):
    for spec in ("organism-5x5", "nobody"):  # an organism remembers, so that its games cannot be played out from anywhere
        assert gtp_main.main(["train", "playout", "--start", spec, "--out", str(tmp_path / "b.json")]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_pages(champion, tmp_path, monkeypatch):
    for name, value in {"_SIZE": 5, "_SIMULATIONS": 10, "_THOUGHT": 10, "_POSITIONS": 2}.items():
        monkeypatch.setattr(viewer, name, value)
    assert gtp_main.main(["show", str(champion[0] / "a.run"), "--html", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "Families of shapes, the strongest first" in page and "Error on positions kept back" in page


def test_numbers_of_equal_playouts():
    config = Config(method="evolution", playouts=100, pairs=8)
    step = 2 * config.pairs * 2  # candidates, and errors of each
    assert step * config.shared_playouts <= 2 * config.playouts < step * (config.shared_playouts + 1)
