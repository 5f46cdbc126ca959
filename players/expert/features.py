"""What the board says for free about each point: the network's inputs, as the bits of a number for each cell.

Everything is seen by the side to move, so that the network never hears of Black and White. Nothing here depends on how the
board is turned, but for one thing: where two moves catch a chain in a ladder, only the one that was found first is marked.
"""

import numpy as np

from engine.go.board import (
    EDGE,
    EMPTY,
    PASS,
    SUICIDE_FORBIDDEN,
    cells,
    is_eye,
    is_legal,
    last_liberty,
    liberties_after,
    list_liberties,
)
from engine.go.history import may_play
from engine.kernels import kernel
from players.scripted.reading import FIRST_BOARD, ladder_move, saves
from players.search.tactics import captures

NAMES = (
    *("own stone with 1 liberty", "… 2", "… 3", "… 4 or more"),
    *("other stone with 1 liberty", "… 2", "… 3", "… 4 or more"),
    "empty",
    "not to be played",  # by the rules
    *("a stone here would have 1 liberty", "… 2", "… 3", "… 4 or more"),
    *("one of the other's would have 1 liberty", "… 2", "… 3 or more"),
    *("takes a stone", "takes more"),
    *("the other would take a stone", "… more"),
    *("own eye", "the other's eye"),
    "saves a chain from atari",  # ladders are read
    "catches a chain in a ladder",
    *("own chain that a ladder catches", "the other's chain that a ladder catches"),
    *("the last move", "the move before"),
    *("first line", "second line"),
    "off the board",
)
FEATURES = len(NAMES)
(
    _OWN, _, _, _, _OTHER, _, _, _, _EMPTY, _BARRED, _AFTER, _, _, _, _OTHER_AFTER, _, _, _TAKES, _, _LOSES, _,
    _OWN_EYE, _OTHER_EYE, _SAVES, _CATCHES, _OWN_CAUGHT, _OTHER_CAUGHT, _LAST, _BEFORE, _FIRST_LINE, _, _OFF,
) = np.arange(FEATURES)  # fmt: skip (numpy's numbers: for each of Python's ``_bit`` would be compiled anew)
OFF_BOARD = np.uint32(1 << _OFF)

# Of every empty point it is known that it is empty, what a stone there would have, and what one of the other's would: the sets
# of these features, each of which a network can take as one.
EMPTY_SETS = tuple(
    (_EMPTY, own, *other)
    for own in range(_BARRED, _OTHER_AFTER)
    for other in ((), *((feature,) for feature in range(_OTHER_AFTER, _TAKES)))
)
_MOST = np.int64(4)  # liberties that are told apart

# What decides whether a point is a candidate: empty, allowed, and no eye of one's own.
_LOOKED_AT = np.uint32(1 << _EMPTY | 1 << _BARRED | 1 << _OWN_EYE)
_CANDIDATE = np.uint32(1 << _EMPTY)


def last_moves(game):
    """The last move of a game and the one before, PASS where there is none."""
    moves = [p for _, p in game.moves[-2:]]
    return moves[-1] if moves else PASS, moves[-2] if len(moves) > 1 else PASS


@kernel
def is_candidate(bits):
    """Whether a point with these features may be played and is no own eye: the moves that the search looks at too."""
    return bits & _LOOKED_AT == _CANDIDATE


@kernel
def _bit(number):
    return np.uint32(1) << np.uint32(number)


@kernel
def _mark_chain(position, name, bit, bits):
    stone = np.int64(name)
    while True:
        bits[stone] |= bit
        stone = np.int64(position.next_stone[stone])
        if stone == name:
            return


@kernel
def _see_chain(position, name, mover, work, found, bits):
    """The features of the stones of a chain, and those of points that come from reading a ladder."""
    own = position.colour[name] == mover
    liberties = list_liberties(position, name, found, _MOST)
    _mark_chain(position, name, _bit((_OWN if own else _OTHER) + liberties - 1), bits)
    if liberties == 1:
        if own:
            p = last_liberty(position, name)
            if saves(position, name, p, work):
                bits[p] |= _bit(_SAVES)
    elif liberties == 2:
        catch = ladder_move(position, name, work, FIRST_BOARD)
        if catch != PASS:
            _mark_chain(position, name, _bit(_OWN_CAUGHT if own else _OTHER_CAUGHT), bits)
            if not own:
                bits[catch] |= _bit(_CATCHES)


@kernel
def _see_empty(position, history, p, mover):
    """The features of an empty point but for those of ladders."""
    other = 3 - mover
    bits = _bit(_EMPTY)
    if may_play(position, history, p, mover):
        bits |= _bit(_AFTER + max(liberties_after(position, p, mover, _MOST), 1) - 1)  # 0 is suicide
        taken = captures(position, p, mover)
        if taken:
            bits |= _bit(_TAKES + (taken > 1))
    else:
        bits |= _bit(_BARRED)
    if is_legal(position, p, other, np.int64(SUICIDE_FORBIDDEN)):
        bits |= _bit(_OTHER_AFTER + liberties_after(position, p, other, _MOST - 1) - 1)
        taken = captures(position, p, other)
        if taken:
            bits |= _bit(_LOSES + (taken > 1))
    if is_eye(position, p, mover):
        bits |= _bit(_OWN_EYE)
    elif is_eye(position, p, other):
        bits |= _bit(_OTHER_EYE)
    return bits


@kernel
def see(position, history, mover, last, before, work, found, bits):
    """Write the features of every cell to ``bits``, seen by ``mover``.

    ``last`` and ``before`` are the last two moves, PASS for none; ``work`` as in ``players.scripted.reading``, ``found`` has
    room for some points.
    """
    size, stride = position.board_size, position.stride
    mover = np.int64(mover)
    for p in range(cells(size)):
        bits[p] = OFF_BOARD if position.colour[p] == EDGE else np.uint32(0)
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            p = row * stride + col
            line = min(min(row, size + 1 - row), min(col, size + 1 - col))
            if line <= 2:
                bits[p] |= _bit(_FIRST_LINE + line - 1)
            if position.colour[p] == EMPTY:
                bits[p] |= _see_empty(position, history, p, mover)
            elif position.chain[p] == p:
                _see_chain(position, p, mover, work, found, bits)
    if last != PASS:
        bits[last] |= _bit(_LAST)
    if before != PASS:
        bits[before] |= _bit(_BEFORE)
