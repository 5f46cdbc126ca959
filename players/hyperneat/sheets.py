"""What the input sheets of a substrate show (§3.1, and beyond the paper). Kernels.

signed      one sheet: +1 for own stones, -1 for the enemy's
split       a sheet for each side
liberties   three sheets for each side, by the liberties of a stone's chain (1, 2, more), and one that shows the empty
            points where a move would leave its own chain with one liberty or none
"""

import numpy as np
from numba import njit

from engine.go.board import EMPTY, cells, liberties_after, list_liberties

SIGNED, SPLIT, LIBERTIES = "signed", "split", "liberties"
NAMES = {
    SIGNED: ("input",),
    SPLIT: ("own", "enemy"),
    LIBERTIES: ("own 1", "own 2", "own 3+", "enemy 1", "enemy 2", "enemy 3+", "self-atari"),
}
_LIBERTIES = len(NAMES[LIBERTIES])  # kernels know what is shown by the number of sheets
_CLASSES = 3  # of liberties: 1, 2, more


@njit(cache=True, nogil=True)
def show(position, colour, sheets, shown):
    """Write to ``shown`` what each node, row by row, is for the side ``colour``: the number of the sheet on which it is 1.

    -1: it is 0 on all. With one sheet, 1 is the number of an enemy's stone: -1 on the only sheet.
    """
    size, stride = position.board_size, position.stride
    by_chain = np.zeros(cells(size) if sheets == _LIBERTIES else 0, np.int64)
    found = np.empty(_CLASSES, np.int64)
    node = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            stone = position.colour[p]
            if stone == EMPTY:
                self_atari = sheets == _LIBERTIES and liberties_after(position, p, colour, 2) < 2
                shown[node] = 2 * _CLASSES if self_atari else -1
            else:
                side = 0 if stone == colour else 1
                if sheets == _LIBERTIES:
                    name = np.int64(position.chain[p])
                    if by_chain[name] == 0:
                        by_chain[name] = list_liberties(position, p, found, _CLASSES)
                    shown[node] = side * _CLASSES + by_chain[name] - 1
                else:
                    shown[node] = side
            node += 1
