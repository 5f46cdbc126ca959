"""Who has won, without a human (Section V.B: Japanese scoring).

Stones inside a region that the other side's unconditionally living chains enclose, so that they cannot live there, are
dead; all others are alive. This is our choice: the paper does not say how dead stones were found.
"""

import numpy as np
from numba import njit

from engine.go.board import BLACK, EMPTY, WHITE
from engine.go.scoring import mark_territory, safe_territory


@njit(cache=True, nogil=True)
def final_score(position):
    """Black's territory and prisoners less White's, dead stones taken off first; no komi."""
    size, stride = position.board_size, position.stride
    n = (size + 1) * (size + 2) + 1
    owner = np.empty(n, np.int8)
    safe_territory(position, owner)
    score = position.black_captures - position.white_captures
    taken = np.zeros(n, np.uint8)
    for p in range(stride + 1, n - stride):
        colour = position.colour[p]
        if (colour == BLACK or colour == WHITE) and owner[p] != 0 and owner[p] != colour:
            taken[p] = colour
            position.colour[p] = EMPTY  # for the next step only
            score += 1 if colour == WHITE else -1
    mark_territory(position, owner)
    for p in range(stride + 1, n - stride):
        score += (owner[p] == BLACK) - (owner[p] == WHITE)
        if taken[p]:
            position.colour[p] = taken[p]
    return score
