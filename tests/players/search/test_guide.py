"""Any player that has a policy guides the search."""

import numpy as np
import pytest

from engine.contest.player import Player
from engine.go.board import BLACK, PASS, cells, point
from engine.go.game import Game
from players import registry
from players.search.guide import GUIDE_AT, GUIDE_GAMES, Guide
from players.search.player import Search
from players.search.policy import hand_set_weights


class Likes(Player):
    """Likes one point best, and notes what it is asked about."""

    name = "likes"

    def __init__(self, p):
        self.p, self.asked = p, []

    def policy(self, game, colour):
        self.asked.append((len(game.moves), colour))
        policy = np.zeros(cells(game.size))
        policy[self.p] = 3.0
        return policy


def guided(player, simulations=1500, threads=1):
    return Search(hand_set_weights(), simulations, threads=threads, guide=Guide(player, "likes"), seed=1)


def test_the_guide_is_asked_about_the_root_and_what_is_visited_often():
    likes, game = Likes(point(7, 2, 3)), Game(7)
    player = guided(likes)
    player.choose(game, BLACK)
    assert likes.asked[0] == (0, BLACK) and len(likes.asked) > 2
    assert all(colour == BLACK + moves % 2 for moves, colour in likes.asked)
    nodes = player._forest.nodes[: int(player._forest._workers[0].pool[0])]
    often = [n for n in range(1, len(nodes)) if nodes[n].visits >= 2 * GUIDE_AT and nodes[n].count]
    assert often and len(likes.asked) >= len(often)
    unguided = Search(hand_set_weights(), 1500, threads=1, seed=1)
    unguided.choose(game, BLACK)
    before = {int(m.point): m for m in unguided._forest.moves_of(unguided._forest.root)}
    for move in player._forest.moves_of(player._forest.root):
        old = before[int(move.point)]
        if move.point == PASS:  # a guide has no opinion about it
            assert move.prior_visits == old.prior_visits
        else:
            assert move.prior_visits == old.prior_visits + GUIDE_GAMES
            assert move.prior_wins == old.prior_wins + (GUIDE_GAMES if move.point == likes.p else 0)


def test_what_the_guide_likes_is_looked_at_more():
    p = point(9, 1, 1)  # which nobody else likes
    with_guide, without = guided(Likes(p), 400), Search(hand_set_weights(), 400, threads=1, seed=1)
    visits = [player.variations(Game(9), BLACK) for player in (with_guide, without)]
    assert visits[0][p].visits > visits[1].get(p, visits[0][p]._replace(visits=0)).visits


def test_a_player_without_a_policy_cannot_guide():
    with pytest.raises(ValueError, match="has no policy"):
        guided(Player()).choose(Game(5), BLACK)


@pytest.mark.parametrize("name", ["isn-9x9", "hyperneat-any", "organism-9x9", "sane-9x9", "playout-9x9"])
def test_every_kind_of_champion_guides(name):
    player = registry.load_player(f"search,guide={name},simulations=250,threads=1", seed=1)
    game = Game(9)
    game.play(BLACK, player.choose(game, BLACK))
    assert game.is_legal(game.to_play, player.choose(game, game.to_play))
    player.close()


def test_names_that_mean_nothing_are_refused():
    with pytest.raises(registry.PlayerError, match="nobody"):
        registry.load_player("search,guide=nobody")
    with pytest.raises(registry.PlayerError, match="no playout policy"):
        registry.load_player("search,playout=organism-9x9")  # which remembers its cells from move to move
