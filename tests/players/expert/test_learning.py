"""The gradient against finite differences, and that steps along it teach."""

import numpy as np
import pytest

from engine.go.board import PASS, board_points, cells
from players.expert import samples
from players.expert.learning import OWNER_WEIGHT, TARGET, WIN_WEIGHT, Adam, Teacher
from players.expert.network import _PARTS, PARAMETERS, new_sight, random_parameters, unpack
from tests.players.expert.reference import features_of, grid, random_game, random_network, say


def some_samples(count, sizes=(5, 6, 9)):
    """Positions with targets that nobody found."""
    generator, found = np.random.default_rng(5), []
    for number in range(count):
        size = sizes[number % len(sizes)]
        game = random_game(number, size, int(generator.integers(2, size * size // 2)))
        visits, owner = np.zeros(cells(size)), np.zeros(cells(size))
        legal = game.legal_points(game.to_play)
        visits[generator.choice(legal, 3)] = 10, 20, 60
        visits[PASS] = 10
        owner[board_points(size)] = generator.choice([-1, 1], size * size)
        komi, win = float(generator.normal(0, 5)), float(generator.random())
        found.append(samples.sample(features_of(game), visits, owner, size, komi, win, number))
    return samples.joined(found)


def error_of(parameters, album, number, size):
    """The error of a sample by the definition of the network."""
    sight, target = new_sight(), np.zeros(1, TARGET).view(np.recarray)[0]
    _, komi = album.put(number, sight, target)
    policy, passing, owner, win = say(parameters, grid(sight.bits, size), komi)
    wanted, truth = grid(target.policy, size).astype(float), grid(target.owner, size).astype(float)
    candidates = policy > 0
    error = -(wanted[candidates] * np.log(policy[candidates])).sum() - target.policy[PASS] * np.log(passing)
    owners = -(truth * np.log(owner) + (1 - truth) * np.log(1 - owner))
    result = float(target.win)
    return error + OWNER_WEIGHT * owners.mean() - WIN_WEIGHT * (result * np.log(win) + (1 - result) * np.log(1 - win))


@pytest.mark.parametrize("number", range(2))
def test_the_gradient_is_that_of_finite_differences(number):
    found = some_samples(2)
    album, size = samples.Album(found), int(found.size[number])
    parameters = random_network(6)
    gradient, _ = Teacher().gradient(parameters, album, [number])
    generator, start = np.random.default_rng(7), 0
    for name, shape in _PARTS:
        length = int(np.prod(shape))
        largest = start + int(np.abs(gradient[start : start + length]).argmax())
        for at in {largest, start + int(generator.integers(length))}:
            step = np.zeros(PARAMETERS)
            step[at] = 1e-7  # little enough that no unit changes from silent to loud
            difference = error_of(parameters + step, album, number, size) - error_of(parameters - step, album, number, size)
            assert gradient[at] == pytest.approx(difference / 2e-7, rel=5e-3, abs=2e-5), name
        start += length


def test_steps_teach():
    found = some_samples(6)
    album, teacher, everything = samples.Album(found), Teacher(), list(range(6))
    parameters, adam = random_parameters(np.random.default_rng(1)), Adam(np.zeros(PARAMETERS), np.zeros(PARAMETERS), 0)
    errors = []
    for _ in range(60):
        gradient, report = teacher.gradient(parameters, album, everything)
        errors.append(report[1:].sum() / report[0])
        parameters = adam.step(parameters, gradient, 3e-3, 1e-4)
    assert errors[-1] < 0.6 * errors[0] and np.abs(unpack(parameters)["board"]).max() < 2


def test_samples_come_back():
    found = some_samples(7)
    assert found.positions == 7 and found.starts[-1] == len(found.bits) == len(found.owner)
    later = found.since(4)
    assert later.positions == 3 and later.iteration.tolist() == [4, 5, 6]
    again = samples.joined([later.since(4), samples.no_samples()])
    assert all(np.array_equal(a, b) for a, b in zip(again, later))
    one, two = new_sight(), new_sight()
    target, other = (np.zeros(1, TARGET).view(np.recarray)[0] for _ in range(2))
    assert samples.Album(found).put(5, one, target) == samples.Album(later).put(1, two, other)
    assert np.array_equal(one.bits, two.bits) and np.array_equal(target.policy, other.policy)
    assert target.policy.sum() == pytest.approx(1)
