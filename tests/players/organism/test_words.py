"""Rows of 32 numbers are compared and changed as numpy does it."""

import numpy as np
from numba import njit

from players.organism import words

_FIRST = 7  # rows begin anywhere
_ROW = slice(_FIRST, _FIRST + words.BITS)


@njit
def above(numbers, threshold):
    return words.above(numbers, _FIRST, threshold)


@njit
def same(numbers, what):
    return words.same(numbers, _FIRST, what)


@njit
def put(numbers, bits, number):
    words.put(numbers, _FIRST, np.uint64(bits), number)


@njit
def add(numbers, bits, number, most):
    words.add(numbers, _FIRST, np.uint64(bits), number, most)


@njit
def lowest(bits):
    return words.lowest(np.uint64(bits))


def _bits(chosen):
    return sum(1 << i for i in np.flatnonzero(chosen).tolist())


def test_rows():
    generator = np.random.default_rng(1)
    numbers = generator.integers(-3, 4, 60) / 2
    assert above(numbers, 0.5) == _bits(numbers[_ROW] > 0.5)
    colours = generator.integers(0, 4, 60).astype(np.uint8)
    assert same(colours, 2) == _bits(colours[_ROW] == 2)
    chosen = generator.random(words.BITS) < 0.5
    expected = numbers.copy()
    expected[_ROW][chosen] = 9.0
    put(numbers, _bits(chosen), 9.0)
    assert (numbers == expected).all()


def test_sums_stay_within_bounds_and_nothing_else_changes():
    numbers = np.abs(np.random.default_rng(2).normal(size=60))
    for step in (0.25, -0.5):
        chosen = np.random.default_rng(3).random(words.BITS) < 0.5
        expected = numbers.copy()
        expected[_ROW][chosen] = np.clip(expected[_ROW][chosen] + step, 0.0, 1.0)
        add(numbers, _bits(chosen), step, 1.0)
        assert (numbers == expected).all()


def test_lowest():
    assert [lowest(bits) for bits in (1, 12, 1 << 31)] == [0, 2, 31]
