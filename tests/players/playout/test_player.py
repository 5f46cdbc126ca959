"""The playout policy as a player."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS
from engine.go.game import Game
from engine.go.rules import CHINESE, TROMP_TAYLOR
from players import registry
from players.genome import Genome
from players.playout.player import PlayoutPlayer, load_player
from players.search.policy import hand_set_weights


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
