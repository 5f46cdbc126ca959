"""Handicap stones: as many as are asked for, apart from each other, at once."""

import time

import pytest

from engine.go.board import coordinates
from engine.go.handicap import fixed_handicap_points, free_handicap_points


@pytest.mark.parametrize("size", [2, 3, 5, 7, 9, 13, 19, 25])
def test_free_handicap_stones_are_distinct_and_begin_with_the_fixed_ones(size):
    for stones in {2, 3, size, size * size // 2, size * size - 1} - {0, 1}:
        points = free_handicap_points(size, stones)
        assert len(set(points)) == len(points) == stones
        if size >= 9 and size % 2 and stones >= 9:
            assert points[:9] == fixed_handicap_points(size, 9)


def test_each_stone_is_as_far_from_the_others_as_can_be():
    size, points = 13, free_handicap_points(13, 30)
    places = [coordinates(size, p) for p in points]
    for number in range(9, 30):
        taken = places[:number]

        def gap(place):
            return min((place[0] - col) ** 2 + (place[1] - row) ** 2 for col, row in taken)

        assert gap(places[number]) == max(gap((col, row)) for col in range(size) for row in range(size))


def test_a_full_board_of_handicap_takes_no_time():
    started = time.process_time()
    free_handicap_points(25, 624)
    assert time.process_time() - started < 1
