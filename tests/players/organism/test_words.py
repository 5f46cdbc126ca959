"""Rows of 32 numbers are compared as numpy does it."""

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
def largest(numbers, bits):
    return words.largest(numbers, _FIRST, np.uint64(bits))


@njit
def lowest(bits):
    return words.lowest(np.uint64(bits))


def _bits(chosen):
    return sum(1 << i for i in np.flatnonzero(chosen).tolist())


def test_questions():
    generator = np.random.default_rng(1)
    numbers = generator.integers(-3, 4, 60) / 2
    assert above(numbers, 0.5) == _bits(numbers[_ROW] > 0.5)
    colours = generator.integers(0, 4, 60).astype(np.uint8)
    assert same(colours, 2) == _bits(colours[_ROW] == 2)


def test_largest():
    numbers = np.random.default_rng(1).normal(size=60) - 5
    for chosen in ([3], [0, 31], [5, 6, 7, 30]):
        assert largest(numbers, sum(1 << i for i in chosen)) == numbers[_ROW][chosen].max()


def test_lowest():
    assert [lowest(bits) for bits in (1, 12, 1 << 31)] == [0, 2, 31]
