"""A player's games with itself in the place of the playout policy's."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, new_position
from engine.go.game import Game
from engine.go.rng import new_stream
from engine.go.rules import CHINESE
from players import registry
from players.play.sides import is_forgetful
from players.search.default import Default
from players.search.player import Search
from players.search.policy import hand_set_weights, new_policy, new_weighed, play_out


def played_out(policy, seed):
    """(the end of a game that is played out from the empty board, who first played where)."""
    position, mover_at = new_position(5), np.zeros(64, np.uint8)
    play_out(position, BLACK, PASS, PASS, policy, new_weighed(), new_stream(seed), mover_at)
    return position, mover_at


def test_the_player_moves_unless_it_strays_or_passes():
    default = Default(registry.load_player("hyperneat-any"), "hyperneat-any")
    policy = default.policy(5, CHINESE)._replace(strays=0.0)
    firsts = {played_out(policy, seed)[0].hash for seed in range(4)}
    game = Game(5)
    chosen = default.player.choose(game, BLACK, None)
    for seed in range(4):
        assert played_out(policy, seed)[1][chosen] == BLACK
    assert len(firsts) <= len({played_out(default.policy(5, CHINESE), seed)[0].hash for seed in range(4)}) == 4


def test_games_are_played_until_all_is_counted():
    """Passes of the player do not end them: no empty point is left but eyes."""
    policy = Default(registry.load_player("hyperneat-any"), "hyperneat-any").policy(5, CHINESE)
    for seed in range(5):
        end, _ = played_out(policy, seed)
        for p in map(int, end.empties[: end.empty_count]):
            around = {int(end.colour[q]) for q in (p - 6, p - 1, p + 1, p + 6)} - {3}
            assert 0 not in around  # EMPTY


def test_the_usual_policy_is_another():
    usual = new_policy(hand_set_weights())
    player = Default(registry.load_player("hyperneat-any"), "hyperneat-any").policy(5, CHINESE)
    assert any(played_out(usual, seed)[0].hash != played_out(player, seed)[0].hash for seed in range(3))


@pytest.mark.parametrize("name", ["sane-7x7", "wally", "random"])
def test_players_that_forget_can_be_played_out(name):
    player = registry.load_player(f"search,playout={name},simulations=60,threads=1", seed=1)
    game = Game(7)
    assert game.is_legal(BLACK, player.choose(game, BLACK))
    player.close()


def test_sides_that_remember_are_known():
    forgetful = {name: is_forgetful(registry.load_player(name).side(9, CHINESE)) for name in ("liberty", "organism-9x9")}
    assert forgetful == {"liberty": True, "organism-9x9": False}


def test_two_threads_do_not_disturb_each_other():
    """A SANE network has working space: each thread has its own."""
    default = Default(registry.load_player("sane-5x5"), "sane-5x5")
    a, b = default.policy(5, CHINESE), default.policy(5, CHINESE)
    assert a.side.activity is not b.side.activity
    search = Search(hand_set_weights(), 200, threads=2, seed=1, default=default)
    assert search.sizes == [5]
    assert search.choose(Game(5), BLACK) != PASS
    search.close()
