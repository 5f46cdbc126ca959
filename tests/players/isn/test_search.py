"""The search finds what a plain minimax finds, keeps to the rules, and to its time."""

import math
import time

import numpy as np
import pytest

from engine.board import BLACK, PASS, WHITE, new_position
from engine.clock import Budget
from engine.game import Game
from engine.rules import CHINESE, JAPANESE
from players.isn.candidates import judge_moves, new_turn
from players.isn.network import build_pair, new_sight, see
from players.isn.player import Isn
from players.isn.rewards import values_of
from tests.diagrams import game_of
from tests.players.isn.reference import random_network
from tests.players.isn.test_candidates import SHARP


def judged(networks, game, colour, sight, c, s):
    """The candidates as a list of (value, point), best first."""
    turn = new_turn()
    count = judge_moves(
        networks[colour], game.position, game.history, new_position(game.size), sight, turn, new_sight(),
        values_of(c, s), c, colour, True,
    )  # fmt: skip
    order = np.argsort(-turn.value[:count], kind="stable")
    return [(float(turn.value[i]), int(turn.point[i])) for i in order]


def minimax(networks, game, colour, sight, depth, width, c, s):
    """(value, line) as the module describes it, with no cut and no trick."""
    moves = judged(networks, game, colour, sight, c, s)
    if depth == 1:
        return moves[0][0], [moves[0][1]]
    best = -math.inf, []
    for value, p in moves[:width]:
        line = [p]
        if p != PASS or game.passes == 0:
            later = game.copy()
            taken = later.play(colour, p)
            seen = new_sight()
            see(networks[colour], later.position, sight, seen)
            reply, rest = minimax(networks, later, 3 - colour, seen, depth - 1, width, c, s)
            value, line = c * taken - reply, [p, *rest]
        if value > best[0]:
            best = value, line
    return best


def check_against_minimax(game, parameters, depth, width, turn_aware):
    player = Isn(parameters, turn_aware=turn_aware, depth=depth, width=width, seed=1)
    after_white, after_black = build_pair(parameters, turn_aware)
    networks = {WHITE: after_white, BLACK: after_black}
    c, s = player._scoring(game.rules)
    sight = player.sight(game)
    colour = game.to_play
    value, line = minimax(networks, game, colour, sight, depth, width, c, s)
    for exact in (False, True):
        found = player._search(game, colour, exact)
        assert found.values[0] == pytest.approx(value, abs=1e-4) and found.depth == depth
        assert len(found.lines[0]) == len(line) and found.lines[0][0] == found.points[0]
        # Where the board is symmetric, moves are equally good; otherwise the lines are the same.
        assert found.lines[0] == line or game.size == 3
    for p, value, line in zip(*found[:3]):  # exact: every first move has its value
        later, seen = game.copy(), new_sight()
        if p == PASS and game.passes:
            continue
        taken = later.play(colour, p)
        see(networks[colour], later.position, player.sight(game), seen)
        reply, rest = minimax(networks, later, 3 - colour, seen, depth - 1, width, c, s)
        assert value == pytest.approx(c * taken - reply, abs=1e-4) and len(line) == 1 + len(rest)
    assert player.choose(game, colour) == found.points[0]


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE])
@pytest.mark.parametrize("diagram", [SHARP[0], SHARP[2]])
def test_sharp_positions(diagram, rules):
    for seed, (depth, width) in enumerate([(2, 30), (2, 4), (3, 5), (4, 3)]):
        for to_play in (BLACK, WHITE):
            game = game_of(diagram, to_play=to_play, rules=rules)
            check_against_minimax(game, random_network(seed), depth, width, turn_aware=seed % 2 == 0)


def test_games_to_the_end():
    """Full boards, where a side has nothing left but to pass, and superko forbids moves."""
    for seed in range(4):
        game, generator = Game(3), np.random.default_rng(seed)
        for _ in range(24):
            check_against_minimax(game, random_network(seed), 3, 6, turn_aware=True)
            game.play(game.to_play, int(generator.choice([*game.legal_points(game.to_play), PASS])))


def positions(size, moves, seed):
    """Games after some random moves each."""
    generator = np.random.default_rng(seed)
    game = Game(size)
    for _ in range(moves):
        yield game.copy()
        game.play(game.to_play, int(generator.choice(game.legal_points(game.to_play))))


def test_one_move_ahead_is_the_player_of_the_paper():
    """Every move is judged by the position that it leads to, and the best one is played."""
    player = Isn(random_network(2), turn_aware=True, seed=1)
    after_white, after_black = build_pair(player.parameters, True)
    for game in positions(5, 20, 1):
        colour = game.to_play
        c, s = player._scoring(game.rules)
        best, second, *_ = judged({WHITE: after_white, BLACK: after_black}, game, colour, player.sight(game), c, s)
        assert player._search(game, colour, False) is None and player.variations(game, colour) is None
        if best[0] > second[0] + 1e-6:
            assert player.choose(game, colour) == best[1]


def test_a_search_leaves_the_game_alone_and_chooses_the_same_again():
    parameters = random_network(3)
    player = Isn(parameters, turn_aware=True, depth=3, width=4, seed=1)
    for game in positions(4, 30, 2):
        colour, before = game.to_play, game.copy()
        if not len(game.legal_points(colour)):
            break
        chosen = player.choose(game, colour)
        assert chosen == PASS or game.is_legal(colour, chosen)
        assert game.position.hash == before.position.hash and game.history.count == before.history.count
        game.play(colour, chosen)
        player.choose(game, 3 - colour)
        game.undo()
        assert player.choose(game, colour) == chosen
        assert Isn(parameters, turn_aware=True, depth=3, width=4, seed=9).choose(before, colour) == chosen


def test_superko_holds_along_a_line():
    """White has just taken a ko: no line begins with Black's retaking it, and lines may use what a threat allows."""
    game = game_of(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .", to_play=WHITE)
    ko = 14  # the point inside
    game.play(WHITE, ko)
    taken = ko + 1
    assert not game.is_legal(BLACK, taken)
    for seed in range(5):
        found = Isn(random_network(seed), depth=4, width=6, seed=1)._search(game, BLACK, True)
        for line in found.lines:
            later = game.copy()
            for number, p in enumerate(line):
                later.play(BLACK if number % 2 == 0 else WHITE, p)  # IllegalMove if it is


def test_the_time_is_kept():
    player = Isn(random_network(1), depth=8, width=20, seed=1)
    game = Game(13)
    player.choose(game, BLACK, Budget(0.05))  # compiles
    for seconds in (0.01, 0.1, 0.3):
        player.choose(game, BLACK, Budget(0.2))  # it gets to know its speed
        began = time.monotonic()
        p = player.choose(game, BLACK, Budget(seconds))
        assert game.is_legal(BLACK, p) and time.monotonic() - began < seconds + 1.0
    stopped = Budget()
    stopped.stop.set()
    assert game.is_legal(BLACK, player.choose(game, BLACK, stopped))


def test_a_finite_beta_draws_among_the_moves_that_were_followed():
    player, game = Isn(random_network(4), beta=0.5, depth=2, width=5, seed=1), Game(5)
    found = player._search(game, BLACK, True)
    drawn = {player.choose(game, BLACK) for _ in range(60)}
    assert 1 < len(drawn) and drawn <= set(found.points) and len(found.points) == 5


def test_policy_and_variations_come_from_the_search():
    player = Isn(random_network(5), turn_aware=True, depth=3, width=4, seed=1)
    for game in positions(5, 8, 3):
        policy, lines = player.policy(game, game.to_play), player.variations(game, game.to_play)
        best = player.choose(game, game.to_play)
        assert policy[best] == np.nanmax(policy) and lines[best][0] == best and len(lines) == 4
        others = [p for p in game.legal_points(game.to_play) if p not in lines]
        assert np.nan_to_num(policy[others], nan=0.0).max(initial=0.0) <= min(policy[list(lines)])


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 9}, {"width": 0}, {"depth": 2, "runtime": "onnx"}])
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match="depth"):
        Isn(random_network(1), **wrong)
