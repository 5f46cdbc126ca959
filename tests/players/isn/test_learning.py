"""Gradients against finite differences, and games of self-play that can be repeated."""

import numpy as np
import pytest

from engine.go.board import cells
from players.isn.anatomy import BLACK_KIND, EDGE_KIND, EMPTY_KIND, INPUTS, PAPER, Anatomy, contract, linear_mask
from players.isn.learning import LENGTH, LOSS, SCORE, Recipe, add_gradient, gradient_of_games, learn_games
from players.isn.network import build, new_network, new_sight
from players.isn.rewards import SAYS, set_targets
from players.scripted.kernels import opponent
from tests.players.isn.reference import as_cells, grid, outputs_of, random_kinds, random_network

RECIPE = Recipe(size=5, c=0.4, s=0.4, beta=4.0, trace=0.9, spare_eyes=True, longest=75, turn_aware=False)


def reference_loss(parameters, kinds, returns, c, anatomy):
    outputs = outputs_of(parameters, kinds, anatomy)
    total, targets = 0.0, np.zeros(7)
    for where in np.ndindex(kinds.shape):
        state = 0 if kinds[where] >= EMPTY_KIND else 2 if kinds[where] >= BLACK_KIND else 1
        set_targets(state, *returns[where], c, targets)
        said = outputs[where]
        use = SAYS[state, :7] == 1
        total -= (targets * np.log(said) + (1 - targets) * np.log(1 - said))[use].sum()
    return total


RICH = [Anatomy(tuple(INPUTS)), Anatomy(("liberties", "lines"), 24, 3), Anatomy(("ko",), 12)]


@pytest.mark.parametrize("anatomy", [PAPER, *RICH], ids=str)
@pytest.mark.parametrize("size", [4, 7])
def test_gradient_against_finite_differences(size, anatomy):
    generator = np.random.default_rng(size)
    parameters, kinds = random_network(size, 0.3, anatomy), random_kinds(generator, size, anatomy)
    returns = np.zeros((cells(size), 2))
    returns[:] = generator.uniform(-1.2, 1.2, returns.shape)
    sight, report, by_entry = new_sight(anatomy), np.zeros(5), new_network(anatomy)
    sight.kind[:] = as_cells(kinds, size, EDGE_KIND)
    add_gradient(build(parameters, anatomy), sight, size, returns, 0.4, by_entry, report)
    gradient = contract(by_entry, anatomy)
    on_board = grid(returns, size)
    assert report[LOSS] == pytest.approx(reference_loss(parameters, kinds, on_board, 0.4, anatomy), rel=1e-5)
    step = 1e-4
    count = anatomy.parameters
    biases = range(anatomy.weights, count)
    for i in generator.choice(count, 120, replace=False).tolist() + list(biases):
        change = np.zeros(count)
        change[i] = step
        higher, lower = (reference_loss(parameters + sign * change, kinds, on_board, 0.4, anatomy) for sign in (1, -1))
        assert gradient[i] == pytest.approx((higher - lower) / (2 * step), rel=1e-3, abs=2e-4)


def test_games_are_those_of_their_key():
    parameters = random_network(1, 0.1)
    first, report = gradient_of_games(parameters, RECIPE, 7, range(3))
    again, same = gradient_of_games(parameters, RECIPE, 7, range(3))
    assert (first == again).all() and (report == same).all()
    assert (gradient_of_games(parameters, RECIPE, 8, range(3))[0] != first).any()
    parts = [gradient_of_games(parameters, RECIPE, 7, [game])[0] for game in range(3)]
    assert np.allclose(sum(parts), first)
    assert 3 * 2 <= report[LENGTH] <= 3 * 75 and abs(report[SCORE]) <= 75


def test_partners_beat_a_network_that_knows_nothing():
    parameters, partners = random_network(1, 0.1), (None, opponent("gojen"))
    met = [game for game in range(32) if game // 2 % 2 == 1]  # the others are games of self-play
    for colour, sign in ((0, -1), (1, 1)):  # the network as Black, then as White
        games = [game for game in met if game % 2 == colour]
        gradient, report = gradient_of_games(parameters, RECIPE, 7, games, partners)
        assert sign * report[SCORE] > 10 * len(games) and gradient.any()
    alone = [game for game in range(8) if game not in met]
    same = gradient_of_games(parameters, RECIPE, 7, alone, partners)[0]
    assert (same == gradient_of_games(parameters, RECIPE, 7, alone)[0]).all()


def test_the_papers_recipe_updates_after_each_game():
    parameters, mask = random_network(1, 0.1), linear_mask()
    gradient, _ = gradient_of_games(parameters, RECIPE, 7, [0])
    learnt, _ = learn_games(parameters, RECIPE, 7, [0], 0.01, 0.9, mask)
    assert np.allclose(learnt[mask], 0.9 * (parameters - 0.01 * gradient)[mask])
    assert (learnt[~mask] == parameters[~mask]).all()
    one, _ = learn_games(learnt, RECIPE, 7, [1], 0.01, 0.9, mask)
    both, _ = learn_games(parameters, RECIPE, 7, [0, 1], 0.01, 0.9, mask)
    assert (one == both).all()


@pytest.mark.parametrize("anatomy", [PAPER, Anatomy(tuple(INPUTS)), Anatomy(("liberties",), 24, 3)], ids=str)
@pytest.mark.parametrize("turn_aware", [False, True])
def test_gradient_of_a_game(turn_aware, anatomy):
    # Along its own gradient the loss of one and the same game falls as fast as the gradient says: with λ = 1 the targets
    # stay, and the step is too small to change a move or the class of a group, in most games.
    recipe = RECIPE._replace(trace=1.0, turn_aware=turn_aware, anatomy=anatomy)
    parameters = random_network(2, 0.1, anatomy)
    found = []
    for game in range(7):
        gradient, _ = gradient_of_games(parameters, recipe, 7, [game])
        step = 1e-5 / np.abs(gradient).max()
        _, higher = gradient_of_games(parameters + step * gradient, recipe, 7, [game])
        _, lower = gradient_of_games(parameters - step * gradient, recipe, 7, [game])
        found.append((higher[LOSS] - lower[LOSS]) / (2 * step) / (gradient**2).sum())
    assert np.median(found) == pytest.approx(1, rel=1e-3)


def test_it_learns():
    # The loss of fresh games falls when the linear part alone is trained for a moment.
    parameters, mask = np.zeros(PAPER.parameters), linear_mask()
    recipe = RECIPE
    _, before = gradient_of_games(parameters, recipe, 1, range(10))
    parameters, _ = learn_games(parameters, recipe, 2, range(60), 3e-4, 1.0, mask)
    _, after = gradient_of_games(parameters, recipe, 3, range(10))
    assert after[LOSS] / after[4] < 0.93 * before[LOSS] / before[4]
