"""The search finds what a plain minimax finds, keeps to the rules, and to its time."""

import math

import numpy as np
import pytest

from engine.board import BLACK, PASS, WHITE, new_position
from engine.game import Game
from engine.rules import CHINESE, JAPANESE
from players.isn.candidates import judge_moves, new_turn
from players.isn.network import build_pair, new_sight, see
from players.isn.player import Isn
from players.isn.rewards import values_of
from tests.diagrams import game_of
from tests.players.isn.reference import random_network
from tests.players.isn.test_candidates import SHARP


def judged(networks, game, colour, sight, c, s, may_pass):
    """The candidates as a list of (value, point), best first."""
    turn = new_turn()
    count = judge_moves(
        networks[colour], game.position, game.history, new_position(game.size), sight, turn, new_sight(),
        values_of(c, s), c, colour, True, may_pass,
    )  # fmt: skip
    order = np.argsort(-turn.value[:count], kind="stable")
    return [(float(turn.value[i]), int(turn.point[i])) for i in order]


def minimax(networks, game, colour, sight, depth, width, c, s, may_pass):
    """(value, line) as the module describes it, with no cut and no trick."""
    moves = judged(networks, game, colour, sight, c, s, may_pass)
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
            reply, rest = minimax(networks, later, 3 - colour, seen, depth - 1, width, c, s, may_pass)
            value, line = c * taken - reply, [p, *rest]
        if value > best[0]:
            best = value, line
    return best


def check_against_minimax(game, parameters, depth, width, turn_aware):
    player = Isn(parameters, turn_aware=turn_aware, depth=depth, width=width, seed=1)
    after_white, after_black = build_pair(parameters, turn_aware)
    networks = {WHITE: after_white, BLACK: after_black}
    c, s = player._scoring(game)
    sight = player.sight(game)
    colour, may_pass = game.to_play, game.rules is JAPANESE
    value, line = minimax(networks, game, colour, sight, depth, width, c, s, may_pass)
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
        reply, rest = minimax(networks, later, 3 - colour, seen, depth - 1, width, c, s, may_pass)
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
