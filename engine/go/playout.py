"""Uniformly random games to the end, in compiled code."""

import numpy as np

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE
from engine.go.rng import below
from engine.kernels import kernel

MOVES_PER_POINT = 3  # a playout that plays more moves than this for each point of the board is caught in a cycle


@kernel
def is_playable(position, p, colour):
    """Whether a random player takes the empty point ``p``: legal under simple ko, no suicide, not its own eye."""
    if board.empty_neighbours(position, p):  # which neither a ko point nor an eye has
        return True
    return p != position.ko and not board.is_eye(position, p, colour) and board.has_room(position, p, colour)


@kernel
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


@kernel
def playout(position, colour, rng, max_moves):
    """Play random moves in place, ``colour`` first, until two passes in a row or ``max_moves``; the number of moves."""
    passes = 0
    moves = 0
    while passes < 2 and moves < max_moves:
        p = random_move(position, colour, rng)
        passes = passes + 1 if p == PASS else 0
        board.play(position, p, colour)
        colour = 3 - colour
        moves += 1
    return moves


@kernel
def count_area(position):
    """Black's points less White's where every empty point is an eye or neutral, as at the end of a playout."""
    size, stride = position.board_size, position.stride
    score = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            colour = position.colour[p]
            if colour == EMPTY:
                score += np.int64(board.is_surrounded(position, p, BLACK)) - board.is_surrounded(position, p, WHITE)
            else:
                score += 1 if colour == BLACK else -1
    return score


@kernel
def playouts(start, scratch, colour, rng, count):
    """Play ``count`` playouts from ``start``; (moves in all, games won by Black without komi, draws counting half)."""
    moves = 0
    black = 0.0
    limit = MOVES_PER_POINT * start.board_size * start.board_size
    for _ in range(count):
        board.copy_into(start, scratch)
        moves += playout(scratch, colour, rng, limit)
        score = count_area(scratch)
        black += 1.0 if score > 0 else 0.5 if score == 0 else 0.0
    return moves, black
