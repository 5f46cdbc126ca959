"""Where handicap stones stand, by the GTP specification, and the points that a board diagram marks."""

import numpy as np

from engine.go.board import board_points, coordinates, point

MOST_STONES = 9


def fixed_handicap_limit(size):
    """The most stones that a fixed handicap has on this board, or 0 if it has none."""
    if size < 7:
        return 0
    return 4 if size % 2 == 0 or size == 7 else MOST_STONES


def fixed_handicap_points(size, stones):
    """The points of a fixed handicap in the order of the GTP specification; ValueError if there is no such handicap."""
    if stones > fixed_handicap_limit(size):
        raise ValueError("invalid number of stones")
    return handicap_points(size, stones)


def handicap_points(size, stones):
    """The same on any board, also where the specification knows no such handicap: corners, then sides, then the centre."""
    if not 2 <= stones <= MOST_STONES:
        raise ValueError("invalid number of stones")
    low = 1 if size < 7 else 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, high), (high, low), (low, low), (high, high)]
    sides = [(low, middle), (high, middle), (middle, high), (middle, low)]
    chosen = corners[: min(stones, 4)]
    if stones >= 6:
        chosen += sides[:2]
    if stones >= 8:
        chosen += sides[2:]
    if stones in (5, 7, 9):
        chosen.append((middle, middle))
    return [point(size, col, row) for col, row in chosen]


def free_handicap_points(size, stones):
    """So many distinct points: the fixed ones as far as they go, then each as far from the others as can be.

    Among equally distant points the third and fourth line come first.
    """
    limit = min(fixed_handicap_limit(size), stones)
    chosen = fixed_handicap_points(size, limit) if limit >= 2 else []
    points = [int(p) for p in board_points(size)]
    col, row = (np.array(axis) for axis in zip(*(coordinates(size, p) for p in points)))
    edge = np.minimum(np.minimum(col, row), size - 1 - np.maximum(col, row))
    off_line = abs(edge - (2 if size < 13 else 3))
    gap = np.full(len(points), 2 * size * size)  # the square of the distance to the nearest stone: at first, far
    for p in chosen:
        gap = np.minimum(gap, _distances(col, row, points.index(p)))
    while len(chosen) < stones:
        best = int(np.argmax(gap * size - off_line))  # the first of the best: a stone's own point has no gap
        chosen.append(points[best])
        gap = np.minimum(gap, _distances(col, row, best))
    return chosen


def _distances(col, row, number):
    """The squares of the distances of all points to one of them; below any other on that point itself."""
    squares = (col - col[number]) ** 2 + (row - row[number]) ** 2
    squares[number] = -1
    return squares


def star_points(size):
    """The points that a board diagram marks."""
    limit = fixed_handicap_limit(size)
    if limit == 0:
        return [point(size, size // 2, size // 2)] if size % 2 and size > 3 else []
    return fixed_handicap_points(size, limit if limit == MOST_STONES else 4)
