"""Which empty points the stones of a colour reach over empty points: who surrounds what, without a walk along the regions.

A set of cells is an array of words, a bit a cell, so that all its points take a step at once; on 5x5 it is a single word.
"""

import numpy as np
from numba.extending import register_jitable

from engine.go.board import MOST_CELLS, cells, touches
from engine.kernels import kernel
from engine.stack import array_on_stack

_BITS = 64
_ONE, _LAST = np.uint64(1), np.uint64(_BITS - 1)
MOST_WORDS = MOST_CELLS // _BITS + 3  # an empty word before the first and after the last, so that bits may leave


@register_jitable
def contains(points, p):
    """Whether the point ``p`` is in a set."""
    p = np.uint64(p)
    return points[(p >> np.uint64(6)) + _ONE] >> (p & np.uint64(63)) & _ONE != 0


@kernel
def _spread(points, within, words, stride):
    """Grow a set to all that is connected to it ``within`` another one."""
    back = np.uint64(_BITS) - stride  # between words
    changed = True
    while changed:
        changed = False
        for word in range(1, words + 1):
            before, after, room = points[word - 1], points[word + 1], within[word]
            beyond = (before >> _LAST | before >> back | after << _LAST | after << back) & room
            here = points[word]
            wider = here | beyond
            while True:
                grown = wider | (wider << _ONE | wider >> _ONE | wider << stride | wider >> stride) & room
                if grown == wider:
                    break
                wider = grown
            if wider != here:
                points[word] = wider
                changed = words > 1  # the words around it may grow from it


@kernel
def reach(position, colour, own, enemy):
    """Write the sets of empty points from which a way over empty points leads to a stone of ``colour``, and of the other.

    Whether each of the two has any.
    """
    words = cells(position.board_size) // _BITS + 1
    empty = array_on_stack(MOST_WORDS, np.uint64)
    for word in range(words + 2):
        empty[word] = own[word] = enemy[word] = 0
    has_own = has_enemy = False
    for i in range(position.empty_count):
        p = np.uint64(position.empties[i])
        word, bit = (p >> np.uint64(6)) + _ONE, _ONE << (p & np.uint64(63))
        empty[word] |= bit
        is_own, is_enemy = touches(position, p, colour), touches(position, p, 3 - colour)
        own[word] |= bit * is_own
        enemy[word] |= bit * is_enemy
        has_own |= is_own
        has_enemy |= is_enemy
    if has_own and has_enemy:
        _spread(own, empty, words, np.uint64(position.stride))
        _spread(enemy, empty, words, np.uint64(position.stride))
    return has_own, has_enemy
