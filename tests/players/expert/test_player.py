"""The network as a player: by itself in games of both forms, and as the guide of a search."""

import numpy as np
import pytest

from engine.contest import match
from engine.go.board import BLACK, PASS, WHITE, board_points
from engine.go.game import Game
from engine.go.rules import CHINESE, TROMP_TAYLOR
from players.expert.network import PASSING, POLICY, SHARPNESS, unpack
from players.expert.player import ExpertPlayer, load_player
from players.genome import Genome, GenomeError
from players.play.contest import CompiledGames
from players.registry import load_player as load_any
from players.search import tree
from players.search.guide import Guide
from players.search.player import Search
from players.search.policy import hand_set_weights
from players.search.tree import new_tuning
from tests.players.expert.reference import random_game, random_network


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_compiled_games_are_those_of_single_moves(temperature):
    player, other = ExpertPlayer(random_network(1), temperature, ahead=False), load_any("naixt")
    settings = match.Settings(5, 4.5, CHINESE, seed=3)
    results = CompiledGames(player, other).play(settings, [0, 1, 2, 3])
    table = match.Table(player, other)
    played = [match.play_game(table, settings, number) for number in range(4)]
    assert results.length.tolist() == [game.length for game in played]
    assert player.side(5, TROMP_TAYLOR) is None  # a suicide is not seen there


def test_it_likes_what_it_plays():
    player = ExpertPlayer(random_network(2), ahead=False, seed=1)
    for seed in range(5):
        game = random_game(seed, 7, 20)
        policy, p = player.policy(game, game.to_play), player.choose(game, game.to_play)
        assert p == PASS or policy[p] == np.nanmax(policy)
        assert np.isnan(policy[PASS]) and "likes it" in player.explain()


def test_it_looks_one_move_ahead():
    parameters = random_network(2)
    unpack(parameters)["heads"][:, POLICY] *= 0.1  # likes many moves
    player = ExpertPlayer(parameters, seed=1)
    others = 0
    for seed in range(5):
        game = random_game(seed, 7, 20)
        colour = game.to_play
        shares = player.sight(game, colour).policy.copy()
        shares[PASS] = 0  # nobody has won 20 moves into a game
        chosen = player.choose(game, colour)
        worth = {}
        for p in board_points(7):
            if shares[p] >= 0.01:
                later = game.copy()
                later.play(colour, int(p))
                worth[int(p)] = 1 - player.sight(later, 3 - colour).win + 0.05 * np.log(shares[p])
        best = sorted(worth, key=lambda p: -shares[p])[:12]
        assert chosen == max(best, key=worth.get) and "by its own opinion" in player.explain()
        others += chosen != np.argmax(shares)
    assert others and player.side(7, CHINESE) is None


def test_boards_of_any_size_one_after_the_other():
    player = ExpertPlayer(random_network(2), seed=1)
    for size in (13, 5, 9, 7, 19, 5):
        game = random_game(size, size, 9)
        assert game.is_legal(game.to_play, player.choose(game, game.to_play))
        assert (np.isfinite(player.policy(game, game.to_play)).nonzero()[0][:, None] == board_points(size)).any(axis=1).all()


def test_it_does_not_pass_while_the_stones_on_the_board_do_not_win():
    parameters = random_network(2)
    parts = unpack(parameters)
    parts["said_bias"][PASSING] = 30  # a network that likes nothing better than to pass …
    parts["said_bias"][SHARPNESS] = -30  # … and thinks the same of all positions
    for komi, passes in ((-30.5, True), (30.5, False)):
        game = Game(5, komi, CHINESE)
        game.play(BLACK, int(board_points(5)[12]))
        game.play(WHITE, PASS)
        player = ExpertPlayer(parameters, seed=1)
        assert (player.choose(game, BLACK) == PASS) == passes, komi


def test_evaluations_are_blacks():
    player = ExpertPlayer(random_network(3))
    game = random_game(3, 9, 31, komi=0.5)
    assert game.to_play == WHITE
    found = player.evaluate(game)
    sight = player.sight(game, WHITE)
    assert found.winrate == pytest.approx(1 - sight.win) and found.score == pytest.approx(-9 * sight.lead, rel=1e-4)
    assert found.score == pytest.approx(found.ownership[board_points(9)].sum() - 0.5, abs=1e-3)


def test_odd_genomes_and_options():
    with pytest.raises(GenomeError, match="not an expert's network"):
        load_player(Genome("expert", [9], {"parameters": [1.0, 2.0]}))
    with pytest.raises(ValueError, match="temperature"):
        ExpertPlayer(random_network(1), -1.0)


def test_views(capsys):
    player, game = ExpertPlayer(random_network(1)), random_game(1, 5, 6)
    for view in player.views():
        assert len(view.draw(game, []).splitlines()) == 5


def searched(guide=None, threads=1, simulations=400, **tuning):
    guide = guide and Guide(guide, "expert")
    player = Search(hand_set_weights(), simulations, threads=threads, guide=guide, seed=1, tuning=new_tuning(**tuning))
    return player, player.variations(Game(7), BLACK)


def test_the_tree_asks_the_network():
    guide = ExpertPlayer(random_network(1))
    player, found = searched(guide)
    moves = player._forest.moves_of(player._forest.root)
    policy = guide.policy(Game(7), BLACK)
    assert np.allclose(moves.share[:-1], policy[moves.point[:-1]]) and moves.point[-1] == PASS
    assert moves.share.sum() == pytest.approx(1, abs=1e-4)
    assert player._forest.root.black == pytest.approx(guide.sight(Game(7), BLACK).win, abs=0.5)  # the komi is another
    assert found == searched(guide)[1]  # with one thread everything is exact
    assert {p: v.visits for p, v in found.items()} != {p: v.visits for p, v in searched()[1].items()}


def test_what_the_network_likes_is_looked_at_more():
    parameters = random_network(1)
    unpack(parameters)["heads"][:] *= 30  # a network that is sure of itself
    guide = ExpertPlayer(parameters, ahead=False)
    liked = guide.choose(Game(7), BLACK)
    ways = {"follow": 0.0, "like": 0.0}, {"follow": 2.0, "like": 0.0}, {"follow": 0.0, "like": 60.0}
    without, followed, preferred = (searched(guide, **way)[1].get(liked) for way in ways)
    assert (without.visits if without else 0) < min(followed.visits, preferred.visits)


def test_the_network_is_believed():
    parameters = random_network(1)
    unpack(parameters)["said_bias"][0] = 20  # whoever is to move wins
    doubted, believed = (next(iter(searched(ExpertPlayer(parameters), believe=x)[1].values())) for x in (0.0, 0.9))
    assert abs(doubted.winrate - 0.5) < 0.45 and believed.visits > 0
    assert believed.winrate != doubted.winrate


def test_the_network_is_believed_most_of_moves_with_few_games():
    """Of two moves the games of one were won more often, and the network likes the other one better."""
    nodes, tuning = np.zeros(3, tree.NODE).view(np.recarray), new_tuning(believe_half=50.0)
    nodes[0].first, nodes[0].count = 1, 2
    nodes.prior_visits = 1e-9
    for visits, chosen in ((4, 2), (40, 2), (400, 1), (4000, 1)):
        nodes.visits[1:] = visits
        nodes.wins[1:] = 0.55 * visits, 0.45 * visits
        nodes.hope[1:] = -0.2 * visits, 0.2 * visits
        assert tree._descend(nodes, 0, tuning, 0.0, 0.5) == chosen
        assert tree._descend(nodes, 0, tuning, 0.0, 0.0) == 1


def test_threads_share_the_network():
    assert sum(v.visits for v in searched(ExpertPlayer(random_network(1)), 3)[1].values()) >= 300
