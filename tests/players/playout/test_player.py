"""The playout policy as a player, and what ``show`` shows of it."""

from xml.etree import ElementTree

import numpy as np
import pytest

from engine.go.board import BLACK, PASS
from engine.go.game import Game
from engine.go.rules import CHINESE, TROMP_TAYLOR
from players import registry
from players.genome import Genome
from players.playout import viewer
from players.playout.pictures import MEANT, feature_bars, family_panels, single_panels
from players.playout.player import PlayoutPlayer, load_player
from players.search import shapes
from players.search.policy import NAMES, TACTICS, hand_set_weights


@pytest.mark.parametrize("rules", [CHINESE, TROMP_TAYLOR])
def test_whole_games_are_legal_and_end(rules):
    player, game = PlayoutPlayer(hand_set_weights(), seed=1), Game(5, rules=rules)
    while not game.is_over and len(game.moves) < 300:
        shares = player.policy(game, game.to_play)
        move = player.choose(game, game.to_play)
        assert move == PASS or shares[move] > 0
        game.play(game.to_play, move)
    assert game.is_over


def test_a_seed_repeats_the_draws():
    games = []
    for _ in range(2):
        player = registry.load_player("playout-9x9", seed=3)
        games.append([player.choose(Game(9), BLACK) for _ in range(8)])
    assert games[0] == games[1] and len(set(games[0])) > 1
    assert "%" in player.explain()
    assert np.nansum(player.policy(Game(9), BLACK)) == pytest.approx(1)


@pytest.mark.parametrize("body", [{}, {"weights": [1]}, {"weights": {"escape": "much"}}, {"weights": {"ladders": 1.0}}])
def test_a_genome_without_a_policy_is_refused(body):
    with pytest.raises(ValueError):
        load_player(Genome("playout", [9], body))


# What show shows


def test_shapes_and_features_stand_the_strongest_first():
    weights = {name: -0.01 * number for number, name in enumerate(NAMES)} | {"edge_cut": 3.0, "escape": 2.0}
    drawn = ElementTree.fromstring(family_panels(weights))
    words = [caption.text for caption in drawn.iter("figcaption")]
    assert len(words) == len(shapes.NAMES) and words[0] == "edge cut: ×20.09"
    factors = [float(text.split("×")[1].replace(",", "")) for text in words]
    assert factors == sorted(factors, reverse=True)
    single = [caption.text for caption in ElementTree.fromstring(single_panels(weights)).iter("figcaption")]
    factors = [float(text[1:].replace(",", "")) for text in single]
    assert factors == sorted(factors, reverse=True) and len(factors) > 60
    bars = ElementTree.fromstring(feature_bars(weights))
    named = [span.text.replace(" ", "_") for span in bars.iter("span")]
    assert named[0] == "escape" and sorted(named) == sorted(TACTICS) == sorted(MEANT)
    striped = [bar.get("class") == "minus" for bar in bars.iter("i")]
    assert striped == [weights[name] < 0 for name in named]  # what makes moves rarer can be told without colours


def test_the_search_at_work(monkeypatch):
    for name, value in {"_SIZE": 5, "_SIMULATIONS": 20, "_THOUGHT": 60, "_POSITIONS": 3}.items():
        monkeypatch.setattr(viewer, name, value)
    genome = Genome("playout", [5], {"weights": hand_set_weights() | {".O./.*./...": 5.0}})
    searched, policy = viewer.games(genome)
    assert searched.result and policy.result and searched.moves
    _, single, thinking, _ = viewer.pictures(genome, [])
    assert "×148" in single.frames[0]
    assert len(thinking.frames) == len(thinking.labels) == 3
    visits, shares, owned, line = ElementTree.fromstring(thinking.frames[0]).iter("svg")
    for drawn in (visits, shares):
        assert sum(float(word) for word in drawn.get("data-values").split()) == pytest.approx(100, abs=2)
    assert all(abs(float(word)) <= 1 for word in owned.get("data-values").split())
    assert "move\u00a01" in line.get("data-values")
    described = viewer.describe(genome)
    assert described.count("\n") == len(TACTICS) + len(shapes.NAMES) + 1 and "1 of 1,107 single shapes" in described
