"""The inputs that a network trained elsewhere may expect: planes over the board, from the side that moves.

    0  its own stones                    4  the move before this one
    1  the enemy's stones                5  stones of chains with one liberty
    2  ones all over the board           6  stones of chains with two liberties
    3  empty points it may not play at   7  ones if it is Black

A network takes the first so many of them as its input has channels. Every plane is 0 or 1, the top row first.
"""

import numpy as np

from engine.go.board import BLACK, board_points, list_liberties

PLANES = 8


def planes_of(game, colour, count):
    """The first ``count`` planes of a game with ``colour`` to move: float32 [plane, row, column]."""
    size, position = game.size, game.position
    points = board_points(size)
    stones = position.colour[points]
    planes = np.zeros((PLANES, size * size), np.float32)
    planes[0] = stones == colour
    planes[1] = stones == 3 - colour
    planes[2] = 1
    if count > 3:
        planes[3] = (stones == 0) & ~np.isin(points, game.legal_points(colour))
    if count > 4 and game.moves and game.moves[-1].point > 0:
        planes[4] = points == game.moves[-1].point
    if count > 5:
        found = np.empty(3, np.int64)
        names = [int(name) for name in np.unique(position.chain[points]) if name]
        liberties = {name: list_liberties(position, name, found, 3) for name in names}
        numbers = np.array([liberties.get(int(name), 0) for name in position.chain[points]])
        planes[5] = numbers == 1
        planes[6] = numbers == 2
    planes[7] = colour == BLACK
    return planes[:count].reshape(count, size, size)
