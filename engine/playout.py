"""Uniformly random games to the end, in compiled code."""

import numpy as np
from numba import njit

from engine import board
from engine.board import PASS
from engine.rng import below


@njit(cache=True, nogil=True)
def is_playable(position, p, colour):
    """Whether a random player takes ``p``: legal under simple ko, no suicide, not its own single-point eye."""
    if position.neighbours[p] >> board._EMPTY_SHIFT:  # neither a ko point nor an eye has an empty neighbour
        return True
    return p != position.ko and not board.is_eye(position, p, colour) and board._has_room(position, p, colour)


@njit(cache=True, nogil=True)
def random_move(position, colour, rng):
    """A uniformly random playable point, or PASS if there is none.

    Points are drawn without replacement from the list of empty points, so the choice is uniform however many of them
    are not playable; their order in the list changes, which means nothing.
    """
    left = position.empty_count
    while left > 0:
        index = below(rng, left)
        p = np.int64(position.empties[index])
        if is_playable(position, p, colour):
            return p
        left -= 1
        board.swap_empties(position, index, left)
    return PASS


@njit(cache=True, nogil=True)
def playout(position, colour, rng, max_moves):
    """Play random moves, ``colour`` first, until two passes in a row or ``max_moves``; the number of moves."""
    passes = 0
    moves = 0
    while passes < 2 and moves < max_moves:
        p = random_move(position, colour, rng)
        if p == PASS:
            passes += 1
            position.ko = 0
        else:
            passes = 0
            board.place(position, p, colour)
        colour = 3 - colour
        moves += 1
    return moves


@njit(cache=True, nogil=True)
def playouts(start, scratch, colour, rng, count, max_moves):
    m = 0
    for _ in range(count):
        board.copy_into(start, scratch)
        m += playout(scratch, colour, rng, max_moves)
    return m
