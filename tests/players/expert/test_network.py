"""The network: what its kernels say, and that symmetries of the board change nothing but the place."""

import numpy as np
import pytest

from engine.go.board import PASS, board_points
from players.expert.network import PARAMETERS, build, look, new_sight, random_parameters
from tests.players.expert.reference import features_of, grid, random_game, random_network, say

VIEWS = [(turns, mirrored) for turns in range(4) for mirrored in (False, True)]


def turned(board, view):
    turns, mirrored = view
    board = np.rot90(board, turns)
    return board.T if mirrored else board


def looked(parameters, bits, komi):
    """What the kernel says of bits [row, column], as ``reference.say`` gives it."""
    sight, size = new_sight(), len(bits)
    sight.bits[:] = np.uint32(1 << 31)
    sight.bits[board_points(size)] = bits.ravel()
    look(build(parameters), sight, size, komi)
    return grid(sight.policy, size), float(sight.policy[PASS]), grid(sight.owner, size), float(sight.win)


@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_kernel_and_definition_agree(size):
    for seed in range(2):
        parameters, bits = random_network(seed), grid(features_of(random_game(seed, size, size * size // 2)), size)
        for found, wanted in zip(looked(parameters, bits, 2.5), say(parameters, bits, 2.5)):
            assert np.abs(found - wanted).max() < 1e-4


@pytest.mark.parametrize("view", VIEWS)
def test_whatever_is_done_to_the_board_is_done_to_the_outputs(view):
    parameters, bits = random_network(3), grid(features_of(random_game(3, 9, 40)), 9)
    policy, passing, owner, win = looked(parameters, bits, -1.5)
    other = looked(parameters, turned(bits, view), -1.5)
    assert np.allclose(other[0], turned(policy, view), atol=1e-5) and np.allclose(other[2], turned(owner, view), atol=1e-5)
    assert abs(other[1] - passing) < 1e-5 and abs(other[3] - win) < 1e-5


def test_the_policy_is_over_moves_that_may_be_played():
    game = random_game(1, 7, 30)
    policy, passing, _, _ = looked(random_network(1), grid(features_of(game), 7), 0.0)
    legal = np.zeros(len(game.position.colour), bool)
    legal[game.legal_points(game.to_play)] = True
    assert policy.sum() + passing == pytest.approx(1, abs=1e-5) and passing > 0
    assert not policy[~grid(legal, 7)].any()


def test_komi_counts_for_the_chance_to_win_alone():
    parameters, bits = random_network(2), grid(features_of(random_game(2, 9, 30)), 9)
    few, many = looked(parameters, bits, -5.5), looked(parameters, bits, 5.5)
    assert (few[0] == many[0]).all() and (few[2] == many[2]).all() and few[3] > many[3]


def test_a_sight_serves_boards_of_different_sizes():
    parameters, sight = random_network(4), new_sight()
    bits = {size: grid(features_of(random_game(4, size, 20)), size) for size in (13, 5)}
    for size in (13, 5, 13):
        sight.bits[:] = np.uint32(1 << 31)
        sight.bits[board_points(size)] = bits[size].ravel()
        look(build(parameters), sight, size, 0.5)
        assert np.array_equal(grid(sight.owner, size), looked(parameters, bits[size], 0.5)[2])


def test_a_fresh_network_has_no_opinion():
    policy, passing, owner, _ = looked(random_parameters(np.random.default_rng(1)), np.full((5, 5), 1 << 8, np.uint32), 0.0)
    assert np.allclose(policy, passing) and np.allclose(owner, 0.5)


def test_odd_parameters_are_refused():
    for parameters in (np.zeros(PARAMETERS - 1), np.full(PARAMETERS, np.nan)):
        with pytest.raises(ValueError, match="finite parameters"):
            build(parameters)
