"""Decoding and the move of a network, on neurons made by hand."""

import math

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, new_position, place, point
from engine.go.history import KO_SIMPLE, begin, new_history
from players.sane.network import choose_move, decode, new_activity, outputs, unit_count

SIZE = 3
OWN, ENEMY, OUT = 0, 9, 18  # the first unit of each layer on 3x3


def at(col, row):
    return row * SIZE + col


def move(network, position, colour=BLACK):
    history = new_history(KO_SIMPLE)
    begin(position, history, colour)
    return choose_move(*network[:4], position, history, colour, new_activity(network))


def stones(*placed):
    position = new_position(SIZE)
    for colour, col, row in placed:
        place(position, point(SIZE, col, row), colour)
    return position


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def test_connections_are_sorted_by_unit():
    network = decode([[OUT, OWN + 4, ENEMY], [OWN + 4, OUT + 8, OUT]], [[1, 2, 3], [4, 5, 6]], SIZE)
    by_unit = {}
    for unit in range(27):
        for i in range(network.start[unit], network.start[unit + 1]):
            by_unit.setdefault(unit, []).append((int(network.neuron[i]), float(network.weight[i])))
    assert by_unit == {OWN + 4: [(0, 2.0), (1, 4.0)], ENEMY: [(0, 3.0)], OUT: [(0, 1.0), (1, 6.0)], OUT + 8: [(1, 5.0)]}
    assert network.neurons == 2 and network.size == SIZE and network.start[-1] == 6


# One neuron sees its own stone in the centre (weight 2), an enemy stone top left (-3), and proposes top right (4).
ONE = ([[OWN + at(1, 1), ENEMY + at(0, 0), OUT + at(2, 0)]], [[2.0, -3.0, 4.0]])


@pytest.mark.parametrize(
    "placed, excitation",
    [
        ([], 0),
        ([(BLACK, 1, 1)], 2),
        ([(WHITE, 1, 1)], 0),
        ([(WHITE, 0, 0)], -3),
        ([(BLACK, 0, 0)], 0),
        ([(BLACK, 1, 1), (WHITE, 0, 0)], -1),
    ],
)
def test_outputs_of_one_neuron(placed, excitation):
    network = decode(*ONE, SIZE)
    for colour in (BLACK, WHITE):  # White sees its own stones as Black sees black ones
        position = stones(*((stone if colour == BLACK else 3 - stone, col, row) for stone, col, row in placed))
        values = outputs(network, position, colour)
        expected = np.zeros(SIZE * SIZE)
        expected[at(2, 0)] = 4 * sigmoid(excitation)
        assert np.allclose(values[board_points(SIZE)], expected, atol=1e-12)
        assert np.isnan(np.delete(values, board_points(SIZE))).all()
        assert move(network, position, colour) == point(SIZE, 2, 0)


def test_connections_to_one_unit_add_up():
    network = decode([[OUT, OUT, OWN + 8, OWN + 8]], [[1.5, -0.5, 2.0, 1.0]], SIZE)
    values = outputs(network, stones((BLACK, 2, 2)), BLACK)
    assert values[point(SIZE, 0, 0)] == pytest.approx(sigmoid(3.0))


@pytest.mark.parametrize(
    "labels, weights, placed, expected",
    [
        ([OUT + 4, OUT + 0], [1.0, 2.0], [], (0, 0)),  # the largest
        ([OUT + 4, OUT + 0], [1.0, 1.0], [], (0, 0)),  # the first of equals in the order of the board
        ([OUT + 4, OUT + 0], [1.0, 2.0], [(WHITE, 0, 0)], (1, 1)),  # not where a stone stands
        ([OUT + 4, OUT + 0], [1.0, 2.0], [(WHITE, 1, 0), (WHITE, 0, 1)], (1, 1)),  # nor where it is not allowed
        ([OUT + 4, OUT + 0], [-1.0, -2.0], [], None),  # no positive output
        ([OUT + 4, OUT + 0], [0.0, 0.0], [], None),  # zero is not positive
        ([OWN + 4, ENEMY + 0], [1.0, 1.0], [], None),  # nothing is proposed at all
    ],
)
def test_moves_and_passes(labels, weights, placed, expected):
    chosen = move(decode([labels], [weights], SIZE), stones(*placed))
    assert chosen == (PASS if expected is None else point(SIZE, *expected))


@pytest.mark.parametrize(
    "labels, weights", [([[27]], [[1.0]]), ([[-1]], [[1.0]]), ([[1, 2]], [[1.0]]), ([1, 2], [1.0, 2.0])]
)
def test_what_is_no_network_is_refused(labels, weights):
    with pytest.raises(ValueError):
        decode(labels, weights, SIZE)


def test_inputs_by_liberties():
    """Units of 3x3 in the order of ``INPUTS``: an own stone with two liberties, and the point where a move is self-atari."""
    own_two, self_atari, out = 9, 6 * 9, 7 * 9
    labels = [[own_two + at(0, 0), out + at(2, 2)], [self_atari + at(0, 0), out + at(1, 1)]]
    network = decode(labels, [[2.0, 1.0], [3.0, 1.0]], SIZE, "liberties")

    def given(position, colour):
        values = outputs(network, position, colour)
        return values[point(SIZE, 2, 2)], values[point(SIZE, 1, 1)]

    assert given(stones((BLACK, 0, 0)), BLACK) == pytest.approx((sigmoid(2.0), 0.5))
    assert given(stones((BLACK, 0, 0)), WHITE) == pytest.approx((0.5, 0.5))
    assert given(stones((BLACK, 0, 0), (WHITE, 1, 0)), BLACK) == pytest.approx((0.5, 0.5))  # one liberty
    assert given(stones((WHITE, 1, 0)), BLACK) == pytest.approx((0.5, sigmoid(3.0)))  # one liberty is left in the corner


# Neurons that stand everywhere: places within one line, row by row, 4 the one where the neuron stands; kinds are own, enemy,
# output and beyond the edge.
HERE, RIGHT, BELOW_RIGHT = 4, 5, 8
WHERE_OWN, WHERE_ENEMY, WHERE_OUT, WHERE_EDGE = 0, 9, 18, 27


def test_a_neuron_that_stands_everywhere():
    """An enemy's stone beside it makes it propose the point where it stands, once for every way it is turned."""
    network = decode([[WHERE_ENEMY + RIGHT, WHERE_OUT + HERE]], [[2.0, 1.0]], SIZE, reach=1)
    values = outputs(network, stones((WHITE, 1, 1)), BLACK)[board_points(SIZE)]
    expected = np.full(9, 8 * sigmoid(0.0))
    for beside in (at(1, 0), at(0, 1), at(2, 1), at(1, 2)):
        expected[beside] = 2 * sigmoid(2.0) + 6 * sigmoid(0.0)  # of eight directions two look at a neighbour
    assert np.allclose(values, expected, atol=1e-12)


def test_it_feels_the_edge():
    network = decode([[WHERE_EDGE + RIGHT, WHERE_OUT + HERE]], [[2.0, 1.0]], SIZE, reach=1)
    values = outputs(network, new_position(SIZE), BLACK)[board_points(SIZE)]
    for edges, points in ((0, [at(1, 1)]), (1, [at(1, 0), at(0, 1)]), (2, [at(0, 0), at(2, 2)])):
        expected = 2 * edges * sigmoid(2.0) + (8 - 2 * edges) * sigmoid(0.0)
        assert np.allclose(values[points], expected, atol=1e-12)


def test_connections_that_leave_the_board_are_not_there():
    network = decode([[WHERE_OWN + HERE, WHERE_OUT + BELOW_RIGHT]], [[0.0, 1.0]], SIZE, reach=1)
    values = outputs(network, new_position(SIZE), BLACK)[board_points(SIZE)]
    diagonal_neighbours = np.array([1, 2, 1, 2, 4, 2, 1, 2, 1])
    assert np.allclose(values, 2 * sigmoid(0.0) * diagonal_neighbours, atol=1e-12)


@pytest.mark.parametrize("inputs", ["stones", "liberties", "tactics"])
def test_a_turned_board_turns_what_a_neuron_that_stands_everywhere_says(inputs):
    generator, size = np.random.default_rng(3), 5
    labels = generator.integers(0, unit_count(size, inputs, 2), (6, 12))
    network = decode(labels, generator.normal(0.0, 2.0, labels.shape), size, inputs, 2)
    board = generator.permuted(np.repeat([0, BLACK, WHITE], [13, 6, 6])).reshape(size, size)

    def said(board):
        position = new_position(size)
        for row, col in zip(*np.nonzero(board)):
            place(position, point(size, int(col), int(row)), int(board[row, col]))
        return outputs(network, position, BLACK)[board_points(size)].reshape(size, size)

    first = said(board)
    for turn in range(4):
        assert np.allclose(said(np.rot90(board, turn)), np.rot90(first, turn), atol=1e-9)
        assert np.allclose(said(np.rot90(board, turn).T), np.rot90(first, turn).T, atol=1e-9)
