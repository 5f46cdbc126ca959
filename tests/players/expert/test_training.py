"""Runs that can be repeated, resumed and spread over workers, the games that they learn from, and what comes of them."""

import json

import numpy as np
import pytest

import gtp_main
from engine.go.board import BLACK, EMPTY, PASS, WHITE, board_points
from engine.go.game import longest_game
from players import genome
from players.expert import experiment
from players.expert.network import PARAMETERS
from players.expert.player import load_player
from players.expert.selfplay import Recipe, SelfPlay, owners
from players.expert.trainer import Config, Trainer
from players.genome import Genome
from players.onnx.files import load_genome
from players.search.policy import hand_set_weights, vector
from tests.diagrams import game_of
from tests.players.expert.reference import random_network
from tests.players.training import products

TINY = ["--boards", "4,5", "--election-boards", "5", "--generations", "3", "--games", "3", "--full", "24", "--quick", "12"]
TINY += ["--guided-from", "1", "--retest-every", "1", "--retest-games", "4", "--opponents", "random", "--batch", "8"]
WEIGHTS = vector(hand_set_weights())


def train(folder, *words):
    return products.train("expert", folder, "a.onnx", *TINY, *words)


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """The folder of a small run with one worker, and what it wrote."""
    folder = tmp_path_factory.mktemp("run")
    return folder, train(folder, "--workers", "1")


def test_any_number_of_workers_does_the_same(champion, tmp_path):
    assert train(tmp_path, "--workers", "3") == champion[1]


def test_a_resumed_run_does_the_same(champion, tmp_path):
    train(tmp_path, "--hours", "1e-9", "--checkpoint-seconds", "0")  # one iteration
    assert len((tmp_path / "a.run" / "metrics.jsonl").read_text().splitlines()) == 1
    assert gtp_main.main(["train", "--quiet", "--resume", str(tmp_path / "a.run")]) == 0
    assert (tmp_path / "a.onnx").read_bytes() == champion[1][0]


def test_a_run_may_begin_with_a_network_that_is_gone_when_it_goes_on(champion, tmp_path):
    known = str(champion[0] / "a.onnx")
    state = Trainer(Config(start=known)).init()
    assert np.array_equal(state.parameters, load_player(load_genome(known)).parameters)
    assert np.array_equal(state.average, state.parameters)
    begin = tmp_path / "begin.onnx"
    begin.write_bytes((champion[0] / "a.onnx").read_bytes())
    train(tmp_path, "--start", str(begin), "--hours", "1e-9", "--checkpoint-seconds", "0")
    begin.unlink()
    assert gtp_main.main(["train", "--quiet", "--resume", str(tmp_path / "a.run"), "--hours", "1e-9"]) == 0


@pytest.mark.parametrize("option", ["start", "playout"])
@pytest.mark.parametrize("name", ["random", "isn-9x9", "no-such-player"])
def test_a_run_begins_with_nothing_but_what_it_can_use(option, name, tmp_path, capsys):
    assert gtp_main.main(["train", "expert", "--quiet", "--out", str(tmp_path / "a.onnx"), *TINY, f"--{option}", name]) == 1
    [said] = capsys.readouterr().err.splitlines()[-1:]
    assert said.startswith(f"evogo train: {option}: ") and name in said
    assert not list(tmp_path.glob("*.onnx"))


def test_what_a_run_tells(champion):
    log = [json.loads(line) for line in champion[1][1].splitlines()]
    assert [entry["window"] for entry in log] == np.cumsum([entry["positions"] for entry in log]).tolist()
    assert all(0 < entry["policy_error"] < 10 and entry["games"] == 3 for entry in log)
    saved = load_genome(champion[0] / "a.onnx")
    assert saved.kind == "expert" and saved.results and len(saved.body["parameters"]) == PARAMETERS


def test_only_the_last_iterations_are_learned_from():
    trainer = Trainer(Config(boards=(4,), games=1, full=8, quick=4, full_share=1.0, window=2, reuse=0.1))
    state = trainer.init()
    told = [trainer.advance(state, generation) for generation in range(4)]
    assert told[3]["window"] == told[2]["positions"] + told[3]["positions"]
    assert set(state.window["iteration"]) == {2, 3}
    assert state.leads[4] != 7 and state.leads[5] == 7


@pytest.mark.parametrize("parameters", [np.zeros(0), random_network(1)], ids=["unguided", "guided"])
def test_games_of_self_play(parameters):
    recipe = Recipe((5,), (3.0,), 0.2, 30, 10, 0.5, 1.0, 0.25)
    found, report = SelfPlay(parameters, WEIGHTS, recipe).play(1, 2, 7)
    again, same = SelfPlay(parameters, WEIGHTS, recipe).play(1, 2, 7)
    other, _ = SelfPlay(parameters, WEIGHTS, recipe).play(1, 3, 7)
    assert report == same and all(np.array_equal(a, b) for a, b in zip(found, again))
    assert not np.array_equal(found.bits, other.bits)
    assert 0 < found.positions < report.length <= longest_game(5) and set(found.iteration) == {7}
    # Both sides' owners add up to the score, and each result is mixed with what the search thought.
    sums = found.owner.reshape(-1, 25).sum(axis=1)
    assert set(np.abs(sums)) == {abs(report.score)}
    black = sums == report.score if report.score else found.komi > 0
    assert (np.abs(found.komi) % 1 == 0.5).all()
    assert ((found.win > 0.7) | (found.win < 0.3) | (np.abs(found.win - 0.5) < 0.26)).all()
    won = black == report.black_won
    assert (found.win[won] >= 0.75).all() and (found.win[~won] <= 0.25).all()
    assert (found.shares.reshape(-1, 26).sum(axis=1) > 65_000).all()


def test_owners():
    game = game_of(
        """
        . X . O O
        X X O O .
        . X O . O
        X X O O O
        . X . O .
        """
    )
    held = owners(game.position)[board_points(5)].reshape(5, 5)
    assert held.tolist() == [[1, 1, 0, -1, -1], [1, 1, -1, -1, -1], [1, 1, -1, -1, -1], [1, 1, -1, -1, -1], [1, 1, 0, -1, -1]]
    assert {BLACK, WHITE, EMPTY} == {1, 2, 0} and PASS == 0


def test_the_learning_curve(tmp_path, capsys):
    for number in (1, 4, 5, 9):
        saved = Genome("expert", [5], {"parameters": random_network(number).tolist()}, generation=number)
        (tmp_path / "a.run" / "champions").mkdir(parents=True, exist_ok=True)
        genome.save(saved, tmp_path / "a.run" / "champions" / f"{number:06d}.json")
    words = ["--run", str(tmp_path / "a.run"), "--out", str(tmp_path), "--games", "4", "--size", "5", "--snapshots", "3"]
    words += ["--search-games", "2", "--simulations", "12"]
    assert gtp_main.main(["experiment", "expert", "curve", *words]) == 0
    said = capsys.readouterr().out
    assert said.count("networks  iteration") == 3 and said.count("searches  iteration") == 4 and "iteration    9" in said
    assert "<svg" in (tmp_path / "expert-curve.svg").read_text()
    before = (tmp_path / "curve.json").read_bytes()
    assert gtp_main.main(["experiment", "expert", "curve", *words]) == 0  # nothing is played again
    assert (tmp_path / "curve.json").read_bytes() == before


def test_elo_of_the_curve():
    entries = [{"pair": [1, 2], "wins": 25, "games": 100}, {"pair": [2, 3], "wins": 50, "games": 100}]
    (first, base), (_, second), (_, third) = experiment.rated(entries)
    assert first == 1 and base.elo == 0 and second.elo == pytest.approx(191, abs=1) == pytest.approx(third.elo, abs=1)
    assert second.low < second.elo < second.high


def test_pages(champion, tmp_path):
    assert gtp_main.main(["show", str(champion[0] / "a.run"), "--html", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "What it says of a game" in page and "Error of the policy" in page


def test_a_genome_is_played(champion):
    player = load_player(load_genome(champion[0] / "a.onnx"))
    assert player.parameters.shape == (PARAMETERS,)
