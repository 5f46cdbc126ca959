"""Products and sums over rows, against numpy."""

import numpy as np
import pytest

from players.expert.tiles import GROUP_WIDTH, TILE_ROWS, TILE_WIDTH, add_product, add_up_parts, fire, hear_point, sum_rows


@pytest.mark.parametrize("count", [1, TILE_ROWS - 1, TILE_ROWS, TILE_ROWS + 1, 81])
@pytest.mark.parametrize("length", [1, 2, 47, 144])
@pytest.mark.parametrize("tiles", [1, 3])
@pytest.mark.parametrize("turned", [False, True])
def test_add_product_is_that_of_numpy(count, length, tiles, turned):
    generator, room, width = np.random.default_rng(count * length), count + TILE_ROWS, tiles * TILE_WIDTH
    rows, matrix, sums = (
        generator.normal(size=shape).astype(np.float32) for shape in ((room, length), (length, width), (room, width))
    )
    expected = sums[:count] + rows[:count] @ matrix
    untouched = sums[-(-count // TILE_ROWS) * TILE_ROWS :].copy()
    add_product(np.ascontiguousarray(rows.T).T if turned else rows, matrix, sums, count, length, width)
    assert np.allclose(sums[:count], expected, atol=1e-4)
    assert (sums[-(-count // TILE_ROWS) * TILE_ROWS :] == untouched).all()


def _numbers(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("chosen", [[3], [0, 5, 5, 1], list(range(9))])
@pytest.mark.parametrize("width", [GROUP_WIDTH, 2 * GROUP_WIDTH, TILE_WIDTH, 2 * TILE_WIDTH])
def test_sum_rows_is_that_of_numpy(chosen, width):
    table, begun, sums = _numbers(9, width), _numbers(1, width), _numbers(3, width)
    expected = sums.copy()
    expected[1] = begun[0] + table[chosen].sum(axis=0)
    sum_rows(table, np.array(chosen + [8, 8]), len(chosen), begun, sums, 1, width)
    assert np.allclose(sums, expected, atol=1e-4)


def test_a_point_hears_itself_its_sides_and_its_corners():
    width, stride = 2 * TILE_WIDTH, 4
    units, heard = _numbers(13, width), _numbers(2, 3 * width)
    rings = [6], [2, 5, 7, 10], [1, 3, 9, 11]
    expected = [heard[0], np.concatenate([units[ring].sum(axis=0) for ring in rings])]
    hear_point(units, 6, stride, heard, 1, width)
    assert np.allclose(heard, expected, atol=1e-4)


@pytest.mark.parametrize("parts", [1, 4])
def test_parts_of_a_row_are_added_up_where_they_are_positive(parts):
    source, target = _numbers(3, parts * TILE_WIDTH), _numbers(2, TILE_WIDTH)
    expected = [target[0], np.maximum(source[2].reshape(parts, -1), 0).sum(axis=0)]
    add_up_parts(source, 2, parts, target, 1, TILE_WIDTH)
    assert np.allclose(target, expected, atol=1e-4)


@pytest.mark.parametrize("count", [1, TILE_ROWS, TILE_ROWS + 1])
@pytest.mark.parametrize("tiles", [1, 2])
def test_fire_adds_what_was_and_what_is_common_and_keeps_what_is_positive(count, tiles):
    length, width, room = 30, tiles * TILE_WIDTH, 2 * TILE_ROWS
    rows, matrix, common = _numbers(room, length), _numbers(length, width), _numbers(1, width)
    units, above = _numbers(room + 3, width), _numbers(room + 3, width)
    points = np.full(room, room + 2)  # a cell that nobody asks for
    points[:count] = np.random.default_rng(1).permutation(room)[:count]
    expected = above.copy()
    expected[points[:count]] = np.maximum(common + units[points[:count]] + rows[:count] @ matrix, 0)
    fire(rows, matrix, common, units, above, points, count, length, width)
    assert np.allclose(above[:-1], expected[:-1], atol=1e-4)
