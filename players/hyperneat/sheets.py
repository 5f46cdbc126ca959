"""What the input sheets of a substrate show (§3.1, and beyond the paper). Kernels.

signed      one sheet: +1 for own stones, -1 for the enemy's
split       a sheet for each side
liberties   three sheets for each side, by the liberties of a stone's chain (1, 2, more), and one that shows the empty
            points where a move would leave its own chain with one liberty or none
tactics     the same, and a sheet each for the empty points where a move captures, else gets a chain in atari away to three
            liberties or more, else puts an enemy's chain in atari without being left with one liberty
"""

import numpy as np

from engine.go.board import EMPTY, cells, in_atari, liberties_after, list_liberties
from engine.kernels import kernel

SIGNED, SPLIT, LIBERTIES, TACTICS = "signed", "split", "liberties", "tactics"
_BY_LIBERTIES = ("own 1", "own 2", "own 3+", "enemy 1", "enemy 2", "enemy 3+", "self-atari")
NAMES = {
    SIGNED: ("input",),
    SPLIT: ("own", "enemy"),
    LIBERTIES: _BY_LIBERTIES,
    TACTICS: (*_BY_LIBERTIES, "capture", "escape", "atari"),
}
# Kernels know what is shown by the number of sheets.
_LIBERTIES, _TACTICS = len(NAMES[LIBERTIES]), len(NAMES[TACTICS])
_CLASSES = 3  # of liberties: 1, 2, more
_SELF_ATARI, _CAPTURE, _ESCAPE, _ATARI = range(2 * _CLASSES, _TACTICS)


@kernel
def _kind_of_move(position, p, colour, tactics, found):
    """The sheet of an empty point, by what a move of ``colour`` there would do; -1 for nothing special."""
    stride = position.stride
    left = liberties_after(position, p, colour, _CLASSES)
    if tactics:
        escapes = ataris = False
        for q in (p - stride, p - 1, p + 1, p + stride):
            stone = position.colour[q]
            if stone == colour:
                escapes = escapes or in_atari(position, q)
            elif stone == 3 - colour:
                if in_atari(position, q):
                    return _CAPTURE
                ataris = ataris or list_liberties(position, q, found, _CLASSES) == 2
        if escapes and left >= _CLASSES:
            return _ESCAPE
        if ataris and left >= 2:
            return _ATARI
    return _SELF_ATARI if left < 2 else -1


@kernel
def show(position, colour, sheets, shown):
    """Write to ``shown`` what each node, row by row, is for the side ``colour``: the number of the sheet on which it is 1.

    -1: it is 0 on all. With one sheet, 1 is the number of an enemy's stone: -1 on the only sheet.
    """
    size, stride = position.board_size, position.stride
    counted = sheets >= _LIBERTIES
    by_chain = np.zeros(cells(size) if counted else 0, np.int64)
    found = np.empty(_CLASSES, np.int64)
    node = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            stone = position.colour[p]
            if stone == EMPTY:
                shown[node] = _kind_of_move(position, p, colour, sheets == _TACTICS, found) if counted else -1
            else:
                side = 0 if stone == colour else 1
                if counted:
                    name = np.int64(position.chain[p])
                    if by_chain[name] == 0:
                        by_chain[name] = list_liberties(position, p, found, _CLASSES)
                    shown[node] = side * _CLASSES + by_chain[name] - 1
                else:
                    shown[node] = side
            node += 1
