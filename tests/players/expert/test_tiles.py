"""Products of matrices, against numpy."""

import numpy as np
import pytest

from players.expert.tiles import TILE_ROWS, TILE_WIDTH, add_product


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
