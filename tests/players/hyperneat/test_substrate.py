import numpy as np
import pytest

from players.hyperneat import substrate
from players.hyperneat.substrate import CONTINUOUS, SPLIT, Geometry
from tests.players.hyperneat.networks import random_program


def test_counts_of_the_paper():
    assert substrate.node_count(7) == 147
    assert substrate.connection_count(7) == 4802
    _, _, program = random_program()
    assert substrate.build(program, 7, Geometry()).size == 4802


@pytest.mark.parametrize(
    "size, geometry, expected",
    [
        (5, Geometry(largest=7), [-2 / 3, -1 / 3, 0, 1 / 3, 2 / 3]),
        (7, Geometry(largest=7), [-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1]),
        (19, Geometry(largest=19), [-1 + 2 * i / 18 for i in range(19)]),
        (5, Geometry(CONTINUOUS), [-1, -0.5, 0, 0.5, 1]),
        (9, Geometry(largest=7), [-4 / 3, -1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1, 4 / 3]),
    ],
)
def test_coordinates(size, geometry, expected):
    assert substrate.coordinates(size, geometry) == pytest.approx(expected)


def test_queries_name_both_ends_of_a_connection():
    asked = substrate.queries(3, Geometry(largest=3))
    source, target = 2, 3  # top right; middle left
    assert list(asked[:, source * 9 + target]) == pytest.approx([1, -1, -1, 0, 2, -1, 0.3])
    assert substrate.queries(3, Geometry(largest=3, deltas=False)).shape == (5, 81)


@pytest.mark.parametrize("seed", range(3))
def test_shared_weights_are_identical_under_discrete_extrapolation(seed):
    _, _, program = random_program(seed)
    small = substrate.build(program, 5, Geometry()).reshape(2, 5, 5, 5, 5)
    large = substrate.build(program, 7, Geometry()).reshape(2, 7, 7, 7, 7)
    assert np.array_equal(small, large[:, 1:6, 1:6, 1:6, 1:6])
    assert np.any(small != 0)
    stretched = substrate.build(program, 7, Geometry(CONTINUOUS)).reshape(2, 7, 7, 7, 7)
    squeezed = substrate.build(program, 5, Geometry(CONTINUOUS)).reshape(2, 5, 5, 5, 5)
    assert not np.array_equal(squeezed, stretched[:, 1:6, 1:6, 1:6, 1:6])
    assert np.array_equal(squeezed[:, ::4, ::4, ::4, ::4], stretched[:, ::6, ::6, ::6, ::6])  # the corners stay


def test_expression():
    outputs = np.array([0, 0.1, 0.2, -0.2, 0.6, -0.6, 1, -1], np.float32)
    substrate.express(outputs)
    assert outputs == pytest.approx([0, 0, 0, 0, 1.5, -1.5, 3, -3], abs=1e-6)
    assert np.all(outputs[:4] == 0)


def test_a_sheet_for_each_colour():
    geometry = Geometry(sheets=SPLIT)
    _, _, program = random_program(geometry=geometry)
    assert substrate.build(program, 4, geometry).shape == (3, 16, 16)
