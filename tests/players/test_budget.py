"""Players keep to their budgets, whatever their options; with no time left a move is there at once.

Measured in processor time, so that a busy machine does not matter; the best of a few tries, since caches may be cold.
"""

import time

import pytest

from engine.contest.player import AT_ONCE, Budget
from engine.go.board import BLACK, PASS, RESIGN
from engine.go.game import Game
from engine.go.rules import CGOS, CHINESE, JAPANESE
from players.manners import Manners
from players.registry import load_player

ENDLESS = ("search,threads=1", "search,threads=1,guide=isn-9x9,simulations=100000000")
AT_ONCE_SECONDS = 0.02
TRIES = 5


def game_after(size, moves, rules=CGOS):
    """A game at random."""
    game, player = Game(size, 7.5, rules), load_player("random", 3)
    while len(game.moves) < moves:
        game.play(game.to_play, player.choose(game, game.to_play))
    return game


def quickest(function):
    """Seconds of processor time, at best, and the last answer."""
    taken = []
    for _ in range(TRIES):
        began = time.process_time()
        answer = function()
        taken.append(time.process_time() - began)
    return min(taken), answer


@pytest.fixture(scope="module", params=ENDLESS)
def endless(request):
    """A player that would think for hours, or for seconds at least."""
    player = load_player(request.param, 1)
    player.choose(Game(9), BLACK, Budget(0.01))  # compiled, and begun
    return player


@pytest.mark.parametrize("rules", [CGOS, CHINESE, JAPANESE])
@pytest.mark.parametrize("size, moves", [(9, 0), (9, 40), (9, 75), (9, 130), (19, 0), (19, 150), (19, 330)])
def test_a_move_at_once(endless, size, moves, rules):
    game = game_after(size, moves, rules)
    manners = Manners(endless, resign=0.01)
    seconds, p = quickest(lambda: manners.choose(game, game.to_play, Budget(0.0)))
    assert seconds < AT_ONCE_SECONDS
    assert p in (PASS, RESIGN) or game.is_legal(game.to_play, p)


def test_a_pass_is_answered_at_once(endless):
    game = game_after(9, 90)
    game.play(game.to_play, PASS)
    manners = Manners(endless)
    assert quickest(lambda: manners.choose(game, game.to_play, Budget(0.0)))[0] < AT_ONCE_SECONDS
    assert quickest(lambda: manners.choose_cleanup(game, game.to_play, Budget(0.0)))[0] < AT_ONCE_SECONDS


@pytest.mark.parametrize("size, moves", [(9, 10), (9, 75), (19, 330)])
def test_manners_and_player_share_one_budget(endless, size, moves):
    game = game_after(size, moves)
    manners = Manners(endless, resign=0.01)
    seconds, _ = quickest(lambda: manners.choose(game, game.to_play, Budget(0.15)))
    assert seconds < 0.15 + AT_ONCE_SECONDS


def test_a_stop_is_heard(endless):
    budget = Budget()
    budget.stop.set()
    assert quickest(lambda: endless.choose(game_after(9, 20), BLACK, budget))[0] < AT_ONCE_SECONDS


def test_an_evaluation_keeps_to_its_budget(endless):
    game = game_after(9, 20)
    assert quickest(lambda: endless.evaluate(game, Budget(0.1)))[0] < 0.1 + AT_ONCE_SECONDS
    assert quickest(lambda: endless.evaluate(game, AT_ONCE))[0] < AT_ONCE_SECONDS


def test_nothing_is_thought_twice(endless):
    """After a move, what it was worth and what else was looked at are there without another simulation."""
    game = game_after(9, 20)
    p = endless.choose(game, game.to_play, Budget(0.1))
    found = endless.variations(game, game.to_play, AT_ONCE)
    assert next(iter(found)) == p and found[p].visits > 10
    black = found[p].winrate if game.to_play == BLACK else 1 - found[p].winrate
    assert endless.evaluate(game, AT_ONCE).winrate == pytest.approx(black)
    assert endless.variations(game, game.to_play, AT_ONCE)[p].visits == found[p].visits


@pytest.mark.parametrize("spec", ["random", "gojen", "isn-9x9", "strongest"])
def test_every_player_takes_a_budget(spec):
    player, game = load_player(spec, 1), game_after(9, 30)
    for budget in (Budget(), Budget(0.0), Budget(0.05)):
        assert game.is_legal(game.to_play, player.choose(game, game.to_play, budget))
        player.evaluate(game, budget)
        player.variations(game, game.to_play, budget)


def test_what_is_left_of_a_budget():
    assert Budget().left is None and not Budget().is_over and Budget().part(0.5).left is None
    assert 9 < Budget(10.0).left <= 10.0
    assert 4 < Budget(10.0).part(0.5).left <= 5.0
    late = Budget(1.0, began=time.monotonic() - 2.0)
    assert late.left == 0.0 and late.is_over and late.part(0.5).is_over
    assert AT_ONCE.is_over
    budget = Budget()
    budget.part(0.5).stop.set()
    assert budget.is_over
