"""Arrays that are not counted are the same arrays."""

import sys
from typing import NamedTuple

import numpy as np

from engine.kernels import kernel
from engine.lending import lent


class Pair(NamedTuple):
    numbers: np.ndarray
    nested: tuple
    factor: float


@kernel
def _double(pair):
    pair = lent(pair)
    for i in range(pair.numbers.size):
        pair.numbers[i] += pair.factor * pair.nested[0][i]
    return pair.numbers.sum()


def test_lent_arrays_are_the_callers():
    numbers, more = np.arange(5.0), np.ones(5)
    before = sys.getrefcount(numbers), sys.getrefcount(more)
    for _ in range(3):
        _double(Pair(numbers, (more, 3), 2.0))
    assert numbers.tolist() == [6.0, 7.0, 8.0, 9.0, 10.0]
    assert (sys.getrefcount(numbers), sys.getrefcount(more)) == before
