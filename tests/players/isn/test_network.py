"""The network's shape, its symmetries, and that kernels compute what the paper writes."""

import numpy as np
import pytest

from engine.go.board import board_points, cells, new_position
from players.isn import network as net
from players.isn.network import EDGE_KIND, EMPTY_KIND, PARAMETERS, WEIGHTS, build, expand, look, new_sight, see_first
from tests.players.isn.reference import (
    as_cells,
    class_of,
    grid,
    outputs_of,
    random_kinds,
    random_network,
    random_position,
    symmetries,
)


def kernel_outputs(parameters, kinds, sight=None):
    sight = sight or new_sight()
    sight.kind[:] = as_cells(kinds, len(kinds), EDGE_KIND)
    look(build(parameters), sight, len(kinds))
    return grid(sight.outputs, len(kinds))[..., : net.OUTPUTS]


def test_free_parameters():
    assert WEIGHTS == 714
    assert PARAMETERS == 714 + 4 + 7
    seen, direct, read = expand(np.ones(PARAMETERS))
    assert seen.shape == (12, 14, 9) and direct.shape == (7, 14, 9) and read.shape == (7, 12, 9)


def test_every_parameter_matters_and_none_twice():
    weights = [np.concatenate([part.ravel() for part in expand(one)]) for one in np.eye(PARAMETERS)[:WEIGHTS]]
    matrix = np.array(weights)
    assert (np.abs(matrix).sum(axis=1) > 0).all()
    assert (np.count_nonzero(matrix, axis=0) <= 1).all()


@pytest.mark.parametrize("size", [2, 5, 9, 13])
def test_kernel_is_the_paper(size):
    generator = np.random.default_rng(size)
    sight = new_sight()
    for seed in range(4):
        parameters, kinds = random_network(seed), random_kinds(generator, size)
        assert np.abs(kernel_outputs(parameters, kinds, sight) - outputs_of(parameters, kinds)).max() < 2e-6


@pytest.mark.parametrize("outputs", [kernel_outputs, outputs_of])
@pytest.mark.parametrize("size", [5, 8, 9])
def test_all_eight_symmetries(outputs, size):
    generator = np.random.default_rng(size)
    for seed in range(3):
        parameters, kinds = random_network(seed), random_kinds(generator, size)
        said = outputs(parameters, kinds)
        for turned, image in zip(symmetries(kinds), symmetries(said)):
            assert np.abs(outputs(parameters, np.ascontiguousarray(turned)) - image).max() < 2e-6


def test_colours_exchanged():
    generator = np.random.default_rng(1)
    parameters, kinds = random_network(1), random_kinds(generator, 7)
    assert (net.swap_colours(net.swap_colours(parameters)) == parameters).all()
    other = np.where(kinds < 6, kinds + 6, np.where(kinds < 12, kinds - 6, kinds))
    there, here = outputs_of(net.swap_colours(parameters), other), outputs_of(parameters, kinds)
    expected = np.concatenate([1 - here[..., [0, 2, 1]], here[..., [4, 3, 6, 5]]], axis=2)
    assert np.allclose(there, expected)


@pytest.mark.parametrize("size", [5, 9])
def test_group_classes(size):
    generator = np.random.default_rng(size)
    sight, before = new_sight(), new_sight()
    seen = set()
    for number in range(150 // size):
        position = random_position(generator, size, size * size * (1 + number % 5) // 3)
        before.outputs[:] = generator.uniform(0, 0.5, before.outputs.shape)
        before.outputs[:, net.Z_EMPTY] += np.float32(0.25)
        net.classify(position, before, sight)
        for p in map(int, board_points(size)):
            if position.colour[p] == 0:
                assert sight.kind[p] == EMPTY_KIND
            else:
                first = net.WHITE_KIND if position.colour[p] == 2 else net.BLACK_KIND
                assert sight.kind[p] - first == class_of(position, p, before.outputs)
                seen.add(int(sight.kind[p]))
        assert set(map(int, np.delete(sight.kind[: cells(size)], board_points(size)))) == {EDGE_KIND}
    assert seen == set(range(12))


def test_the_first_position_follows_the_empty_board():
    size = 7
    network = build(random_network(3))
    empty, first, other = new_sight(), new_sight(), new_sight()
    see_first(network, new_position(size), empty, other)
    assert (grid(empty.outputs, size) == grid(other.outputs, size)).all()
    position = random_position(np.random.default_rng(2), size, 20)
    see_first(network, position, first, other)
    for p in map(int, board_points(size)):
        if position.colour[p]:
            assert first.kind[p] % 6 == class_of(position, p, empty.outputs)


@pytest.mark.parametrize("wrong", [np.zeros(724), np.full(725, np.nan)])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match="725 finite parameters"):
        build(wrong)
