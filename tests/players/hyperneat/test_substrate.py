import numpy as np
import pytest

from players.hyperneat import substrate
from players.hyperneat.cppn import compile_links
from players.hyperneat.sheets import LIBERTIES, NAMES, SPLIT
from players.hyperneat.substrate import CONTINUOUS, Geometry
from tests.players.hyperneat.networks import genome, random_program


def test_counts_of_the_paper():
    assert substrate.node_count(7) == 147
    assert substrate.connection_count(7) == 4802
    _, _, program = random_program()
    assert substrate.build(program, 7, Geometry()).weights.size == 4802


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
    asked = substrate.queries(3, Geometry(largest=3)).inputs
    source, target = 2, 3  # top right; middle left
    assert list(asked[:, source * 9 + target]) == pytest.approx([1, -1, -1, 0, 2, -1, 0.3])
    assert substrate.queries(3, Geometry(largest=3, deltas=False)).inputs.shape == (5, 81)


@pytest.mark.parametrize("seed", range(3))
def test_shared_weights_are_identical_under_discrete_extrapolation(seed):
    _, _, program = random_program(seed)
    small = substrate.build(program, 5, Geometry()).weights.reshape(2, 5, 5, 5, 5)
    large = substrate.build(program, 7, Geometry()).weights.reshape(2, 7, 7, 7, 7)
    assert np.array_equal(small, large[:, 1:6, 1:6, 1:6, 1:6])
    assert np.any(small != 0)
    stretched = substrate.build(program, 7, Geometry(CONTINUOUS)).weights.reshape(2, 7, 7, 7, 7)
    squeezed = substrate.build(program, 5, Geometry(CONTINUOUS)).weights.reshape(2, 5, 5, 5, 5)
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
    assert substrate.build(program, 4, geometry).weights.shape == (3, 16, 16)


@pytest.mark.parametrize("hidden, direct", [(1, False), (3, True)])
def test_the_border_is_one_more_source(hidden, direct):
    geometry = Geometry(border=True, sheets=SPLIT, hidden=hidden, direct=direct)
    pairs = len(geometry.pairs)
    _, _, program = random_program(2, geometry=geometry)
    weights = substrate.build(program, 5, geometry).weights
    assert weights.shape == (pairs, 26, 25) == (3 * hidden + 2 * direct, 26, 25)
    # As on a board of two lines more, of which only the points outside count.
    asked = np.concatenate([substrate.queries(7, geometry).inputs[:, 49 * source : 49 * (source + 1)] for source in range(49)], axis=1)
    painted = np.empty((geometry.outputs, 49 * 49), np.float32)
    substrate.paint(*program, asked, painted)
    substrate.express(painted.reshape(-1))
    heard = np.zeros((pairs, 25))
    for number in range(hidden):
        all_sources = painted[pairs + number].reshape(7, 7, 7, 7)[:, :, 1:6, 1:6].reshape(7, 7, 25)
        first = geometry.pairs.index(f"own→hidden {number + 1}" if hidden > 1 else "own→hidden")
        heard[first] = all_sources.sum(axis=(0, 1)) - all_sources[1:6, 1:6].sum(axis=(0, 1))
    assert weights[:, 25] == pytest.approx(heard, abs=1e-4)
    inside = painted[:pairs].reshape(pairs, 7, 7, 7, 7)[:, 1:6, 1:6, 1:6, 1:6]
    assert np.array_equal(weights[:, :25], inside.reshape(pairs, 25, 25))


@pytest.mark.parametrize("border", [False, True])
def test_reach_bounds_connections(border):
    whole, near = Geometry(border=border), Geometry(border=border, reach=2)
    _, _, program = random_program(2, geometry=whole)
    rows, columns = np.divmod(np.arange(49), 7)
    within = np.maximum(abs(rows[:, None] - rows), abs(columns[:, None] - columns)) <= 2
    full, bounded = substrate.build(program, 7, whole).weights, substrate.build(program, 7, near).weights
    assert np.array_equal(bounded[:, :49], np.where(within, full[:, :49], 0))
    assert substrate.queries(7, near).inputs.shape[1] == within.sum()
    if border:
        centre = bounded[0, 49].reshape(7, 7)[2:5, 2:5]
        assert not centre.any() and bounded[0, 49].any()
        assert np.array_equal(substrate.build(program, 7, Geometry(border=True, reach=7)).weights, full)


@pytest.mark.parametrize("extrapolation", ["discrete", CONTINUOUS])
@pytest.mark.parametrize("reach", [None, 2])
def test_differences_alone_look_the_same_everywhere(extrapolation, reach):
    geometry = Geometry(extrapolation, 7, border=True, sheets=SPLIT, absolute=False, reach=reach)
    assert geometry.input_names == ("x1-x2", "y1-y2", "bias")
    _, _, program = random_program(3, geometry=geometry)
    weights = substrate.build(program, 5, geometry).weights
    rows, columns = np.divmod(np.arange(25), 5)
    step = 1 / 3 if extrapolation == "discrete" else 1 / 2
    for source in range(25):
        for target in range(25):
            across, down = columns[source] - columns[target], rows[source] - rows[target]
            painted = np.empty((4, 1), np.float32)
            asked = np.array([[across * step], [down * step], [0.3]], np.float32)
            substrate.paint(*program, asked, painted)
            substrate.express(painted.reshape(-1))
            far = reach is not None and max(abs(across), abs(down)) > reach
            assert weights[:, source, target] == pytest.approx(0 if far else painted[:3, 0], abs=1e-6)
    if reach is None and extrapolation == "discrete":
        large = substrate.build(program, 9, geometry).weights[:, :81].reshape(3, 9, 9, 9, 9)
        assert np.array_equal(large[:, 2:7, 2:7, 2:7, 2:7], weights[:, :25].reshape(3, 5, 5, 5, 5))
        assert substrate.queries(9, geometry).inputs.shape[1] == 17**2


@pytest.mark.parametrize("absolute, questions", [(False, 15), (True, 625)])
def test_folded_differences_are_the_same_in_all_eight_directions(absolute, questions):
    geometry = Geometry(border=True, sheets=SPLIT, absolute=absolute, folded=True)
    assert geometry.input_names[-3:] == ("long", "short", "bias")
    asked = substrate.queries(5, geometry)
    assert asked.inputs.shape == (geometry.inputs, questions)
    source, target = 2, 20  # two columns and four rows apart
    answer = source * 25 + target if absolute else asked.answer[source * 25 + target]
    assert asked.inputs[-3:, answer] == pytest.approx([4 / 3, 2 / 3, 0.3])
    if not absolute:
        _, _, program = random_program(5, geometry=geometry)
        weights = substrate.build(program, 5, geometry).weights[:, :25].reshape(3, 5, 5, 5, 5)
        assert np.any(weights != 0)
        assert np.array_equal(weights, weights[:, ::-1, :, ::-1, :])
        assert np.array_equal(weights, weights.transpose(0, 2, 1, 4, 3))


@pytest.mark.parametrize("largest", [7, 19])
@pytest.mark.parametrize("size", [5, 7, 9])
@pytest.mark.parametrize(("folded", "steps"), [(False, 1), (True, 1), (True, 2), (True, 3)])
def test_the_locality_seed_expresses_neighbours(largest, size, folded, steps):
    geometry = Geometry(largest=largest, sheets=LIBERTIES, leo=True, folded=folded)
    functions, seeded = substrate.locality_seed(geometry, steps)
    fixed = geometry.inputs + geometry.outputs
    bias = geometry.inputs - 1
    constant = [(bias, geometry.inputs + pair, 2.0) for pair in range(len(geometry.pairs))]
    links = genome(*((number, *link) for number, link in enumerate([*constant, *seeded])))
    table = np.zeros(fixed + len(functions), np.uint8)
    table[fixed:] = functions
    weights = substrate.build(compile_links(links, table, geometry.inputs, geometry.outputs), size, geometry).weights
    assert weights.shape == (len(NAMES[LIBERTIES]) + 1, size**2, size**2)
    rows, columns = np.divmod(np.arange(size**2), size)
    near = (abs(rows[:, None] - rows) <= steps) & (abs(columns[:, None] - columns) <= steps)
    for pair in weights:
        assert np.array_equal(pair > 0, near)
    assert abs(np.array([weight for *_, weight in seeded])).max() <= 5  # within the limit of weights
