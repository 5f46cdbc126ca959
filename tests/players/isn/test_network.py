"""The network's shape, its symmetries, and that kernels compute what the paper writes."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, cells, new_position, play
from players.isn import anatomy as net
from players.isn.anatomy import EDGE_KIND, EMPTY_KIND, INPUTS, KO_KIND, PAPER, Anatomy, class_of_kind, expand, expand_again
from players.isn.network import build, classify, look, new_sight, see_first
from tests.diagrams import position_of
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

ALL = tuple(INPUTS)
# The paper's, every input by itself, all of them, more hidden units and passes.
ANATOMIES = [PAPER, *(Anatomy((name,)) for name in INPUTS), Anatomy(ALL), Anatomy(ALL, 24, 3)]


def kernel_outputs(parameters, kinds, anatomy=PAPER, sight=None):
    sight = sight or new_sight(anatomy)
    sight.kind[:] = as_cells(kinds, len(kinds), EDGE_KIND)
    look(build(parameters, anatomy), sight, len(kinds))
    return grid(sight.outputs, len(kinds))[..., : net.OUTPUTS]


def test_free_parameters():
    assert PAPER.weights == 714
    assert PAPER.parameters == 714 + 4 + 7
    seen, direct, read = expand(np.ones(PAPER.parameters))
    assert seen.shape == (12, 14, 9) and direct.shape == (7, 14, 9) and read.shape == (7, 12, 9)
    assert Anatomy(("liberties",)).weights == 1698
    assert Anatomy((), 12, 2).weights == Anatomy((), 12, 4).weights == 714 + 108


@pytest.mark.parametrize("anatomy", [PAPER, Anatomy(ALL), Anatomy((), 24, 3)], ids=str)
def test_every_parameter_matters_and_none_twice(anatomy):
    biases = np.concatenate([part.ravel() for name, part in places(anatomy).items() if name.endswith("bias")])
    weights = np.delete(np.eye(anatomy.parameters), biases, axis=0)
    rows = []
    for one in weights:
        parts = [*expand(one, anatomy), *([expand_again(one, anatomy)] if anatomy.passes > 1 else [])]
        rows.append(np.concatenate([part.ravel() for part in parts]))
    matrix = np.array(rows)
    assert len(matrix) == anatomy.weights
    assert (np.abs(matrix).sum(axis=1) > 0).all()
    assert (np.count_nonzero(matrix, axis=0) <= 1).all()


@pytest.mark.parametrize("size", [2, 5, 9, 13])
def test_kernel_is_the_paper(size):
    generator = np.random.default_rng(size)
    sight = new_sight()
    for seed in range(4):
        parameters, kinds = random_network(seed), random_kinds(generator, size)
        assert np.abs(kernel_outputs(parameters, kinds, PAPER, sight) - outputs_of(parameters, kinds)).max() < 2e-6


@pytest.mark.parametrize("anatomy", ANATOMIES[1:], ids=str)
def test_kernel_is_what_it_should_be_with_any_anatomy(anatomy):
    sight = new_sight(anatomy)
    for size in (6, 9, 5):
        parameters = random_network(size, 0.3, anatomy)
        kinds = random_kinds(np.random.default_rng(size), size, anatomy)
        said = kernel_outputs(parameters, kinds, anatomy, sight)
        assert np.abs(said - outputs_of(parameters, kinds, anatomy)).max() < 5e-6


@pytest.mark.parametrize("anatomy", ANATOMIES, ids=str)
@pytest.mark.parametrize("outputs", [kernel_outputs, outputs_of])
@pytest.mark.parametrize("size", [5, 8, 9])
def test_all_eight_symmetries(outputs, size, anatomy):
    generator = np.random.default_rng(size)
    for seed in range(2):
        parameters, kinds = random_network(seed, 0.3, anatomy), random_kinds(generator, size, anatomy)
        said = outputs(parameters, kinds, anatomy)
        for turned, image in zip(symmetries(kinds), symmetries(said)):
            assert np.abs(outputs(parameters, np.ascontiguousarray(turned), anatomy) - image).max() < 5e-6


@pytest.mark.parametrize("anatomy", ANATOMIES, ids=str)
def test_colours_exchanged(anatomy):
    generator = np.random.default_rng(1)
    parameters, kinds = random_network(1, 0.3, anatomy), random_kinds(generator, 7, anatomy)
    swapped = net.swap_colours(parameters, anatomy)
    assert (net.swap_colours(swapped, anatomy) == parameters).all()
    other = net.exchanged_kinds()[kinds]
    assert (net.exchanged_kinds()[other] == kinds).all()
    there, here = outputs_of(swapped, other, anatomy), outputs_of(parameters, kinds, anatomy)
    expected = np.concatenate([1 - here[..., [0, 2, 1]], here[..., [4, 3, 6, 5]]], axis=2)
    assert np.allclose(there, expected)


PLAIN = build(np.zeros(PAPER.parameters))


@pytest.mark.parametrize("size", [5, 9])
def test_group_classes(size):
    generator = np.random.default_rng(size)
    sight, before = new_sight(), new_sight()
    seen = set()
    for number in range(150 // size):
        position = random_position(generator, size, size * size * (1 + number % 5) // 3)
        before.outputs[:] = generator.uniform(0, 0.5, before.outputs.shape)
        before.outputs[:, net.Z_EMPTY] += np.float32(0.25)
        classify(PLAIN, position, before, sight)
        for p in map(int, board_points(size)):
            if position.colour[p] == 0:
                assert sight.kind[p] == EMPTY_KIND
            else:
                first = net.WHITE_KIND if position.colour[p] == 2 else net.BLACK_KIND
                assert sight.kind[p] - first == net.CLASS_STEP * class_of(position, p, before.outputs)
                seen.add(int(sight.kind[p]))
        assert set(map(int, np.delete(sight.kind[: cells(size)], board_points(size)))) == {EDGE_KIND}
    assert seen | {EMPTY_KIND} == set(net.kinds_of(PAPER))


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
            assert class_of_kind(int(first.kind[p])) == class_of(position, p, empty.outputs)


# What is told of the stones at some points (row, column), besides their class.
TOLD = [
    (
        """
        X O . . .
        . X . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        {(0, 0): {"1 liberty", "beside 1"}, (0, 1): {"1 liberty", "beside 1"}, (1, 1): {"3 liberties", "beside 1"}},
    ),
    (
        """
        . . . . .
        . . . . .
        . . . . .
        X X X . .
        X O . . .
        """,
        {(4, 1): {"1 liberty", "caught"}, (3, 2): {"3 liberties", "beside 1"}, (4, 0): {"3 liberties", "beside 1"}},
    ),
    (
        """
        . . . . .
        . . . . .
        . . . . .
        X X X . .
        . O . . .
        """,
        {(4, 1): {"2 liberties", "caught"}, (3, 0): {"3 liberties", "beside 2"}},
    ),
    (
        """
        . . . . .
        . O X . .
        . X . . .
        . . . . .
        . . . . X
        """,
        {(1, 1): {"2 liberties", "caught"}, (1, 2): {"3 liberties", "beside 2"}, (4, 4): {"2 liberties", "caught"}},
    ),
]


def told_of(position, row, col, anatomy=Anatomy(ALL)):
    """What the planes of a stone say besides its class."""
    sight, before = new_sight(), new_sight()
    classify(build(np.zeros(anatomy.parameters), anatomy), position, before, sight)
    kind = sight.kind[(row + 1) * (int(position.board_size) + 1) + col + 1]
    names = [net.plane_names(anatomy)[number] for number in np.flatnonzero(net.wiring(anatomy)[kind])]
    words = [name.split(" ", 1)[1] for name in names]  # without the colour
    return {word.split(" ", 1)[1] if word.startswith("C") else word for word in words}


@pytest.mark.parametrize("diagram, expected", TOLD)
def test_what_the_other_inputs_tell(diagram, expected):
    position = position_of(diagram)
    assert {where: told_of(position, *where) for where in expected} == expected
    for (row, col), told in expected.items():
        without = told_of(position, row, col, Anatomy(("liberties", "neighbours")))
        assert without == told - {"caught"}


def test_ko_is_told_until_a_pass():
    position = position_of(". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .")
    anatomy, sight = Anatomy(("ko",)), new_sight()
    network = build(np.zeros(anatomy.parameters), anatomy)
    play(position, 15, BLACK)
    classify(network, position, new_sight(), sight)
    assert position.ko == 14 and sight.kind[14] == KO_KIND and (sight.kind == KO_KIND).sum() == 1
    classify(PLAIN, position, new_sight(), sight)
    assert sight.kind[14] == EMPTY_KIND
    play(position, PASS, WHITE)
    classify(network, position, new_sight(), sight)
    assert sight.kind[14] == EMPTY_KIND


def places(anatomy):
    """By part of a parameter vector, the numbers of its entries."""
    return net.unpack(np.arange(anatomy.parameters), anatomy)


@pytest.mark.parametrize("wrong", [np.zeros(724), np.full(725, np.nan)])
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match="725 finite parameters"):
        build(wrong)
