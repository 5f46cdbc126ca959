"""Working space on the stack."""

import numpy as np

from engine.kernels import kernel
from engine.stack import array_on_stack, on_stack

_PAIR = np.dtype([("words", np.uint64, 4), ("number", np.float64)])


@kernel
def _squares(room, count):
    for i in range(4):
        room[i] = i * i
    total = np.uint64(0)
    for i in range(count):
        total += room[i % room.size]
    return total


@kernel
def _both(count):
    record = on_stack(_PAIR)
    record.number = 0.5
    return _squares(array_on_stack(4, np.uint64), count), _squares(record.words, count), record.number


def test_what_is_written_there_can_be_read_by_other_kernels():
    assert _both(4) == (14, 14, 0.5)
    assert _both(400) == (1400, 1400, 0.5)
