"""Local patterns: drawings that compile to tables, and a matcher that tries all of them at once.

A drawing is 3 or 5 lines of 3 or 5 signs around the answer move, which is the ``*`` in the middle:

    X  a stone of the side to move      O  a stone of the other side
    x  X or empty                       o  O or empty
    .  empty                            #  off the board
    ?  anything

A pattern stands for all its turned and mirrored forms, and for both colours, since X is whoever moves.

Every form of every pattern is one bit. For each group of four cells around the point, and each of the 256 things these
can hold, a table has the bits of the forms that agree; the forms that match are what remains when the entries of all
groups are intersected. The bits stand in the order of the patterns, eight to each: the lowest bit is the first match.
"""

import numpy as np

from engine.go.board import EDGE, EMPTY, WHITE
from engine.kernels import kernel

_STATES = {
    sign: frozenset(states)
    for sign, states in {"X": {1}, "O": {2}, "x": {0, 1}, "o": {0, 2}, ".": {0}, "#": {3}, "?": {0, 1, 2, 3}}.items()
}
_FORMS = 8
_WORD = 64

# The cells in their groups of four, as (column, row) from the point: the eight around it, then the ring around those.
CELLS = (
    ((0, -1), (-1, 0), (1, 0), (0, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((0, -2), (-2, 0), (2, 0), (0, 2)),
    ((-1, -2), (1, -2), (-2, -1), (2, -1)),
    ((-2, 1), (2, 1), (-1, 2), (1, 2)),
    ((-2, -2), (2, -2), (-2, 2), (2, 2)),
)
_NEAR = 2  # how many groups touch the point; they need no test for wrapping around the edge
_FAR_CELLS = np.array(CELLS[_NEAR:], np.int64)


def parse(drawing):
    """The states that each cell of a drawing allows, as a dict from (column, row); ValueError if it is no drawing."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    width = len(rows)
    if width not in (3, 5) or any(len(row) != width for row in rows) or rows[width // 2][width // 2] != "*":
        raise ValueError(f"not a pattern:\n{drawing}")
    half = width // 2
    allowed = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != "*":
                allowed[x - half, y - half] = _STATES[sign]
    return allowed


def forms(drawing):
    """The eight turned and mirrored forms of a drawing, each as ``parse`` gives it."""
    found = []
    allowed = parse(drawing)
    for _ in range(2):
        for _ in range(4):
            found.append(allowed)
            allowed = {(-y, x): states for (x, y), states in allowed.items()}
        allowed = {(-x, y): states for (x, y), states in allowed.items()}
    return found


def compile_patterns(drawings):
    """The tables for ``first_match``: an array of uint64, by group of cells, what they hold, and word of bits."""
    words = -(-len(drawings) * _FORMS // _WORD)
    bits = np.zeros((len(CELLS), 256, words * _WORD), bool)
    held = np.arange(256)
    everything = _STATES["?"]
    # For each place in a group and each set of states, which of the 256 agree: a few, asked for thousands of times.
    agreeing = {
        (place, states): np.isin(held >> 2 * place & 3, list(states))
        for place in range(4)
        for states in _STATES.values()
    }
    for index, drawing in enumerate(drawings):
        for turn, allowed in enumerate(forms(drawing)):
            for group, cells in enumerate(CELLS):
                agree = np.ones(256, bool)
                for place, cell in enumerate(cells):
                    agree &= agreeing[place, allowed.get(cell, everything)]
                bits[group, :, index * _FORMS + turn] = agree
    return np.packbits(bits, axis=2, bitorder="little").view("<u8").astype(np.uint64)


@kernel
def _seen(position, q, colour):
    """What the cell ``q`` holds for the side to move: 0 empty, 1 its own stone, 2 the enemy's, 3 the edge."""
    state = np.int64(position.colour[q])
    if colour == WHITE and state != EMPTY and state != EDGE:
        state = 3 - state
    return state


@kernel
def first_match(position, p, colour, tables):
    """The number of the first pattern that matches for ``colour`` at the empty point ``p``, or -1."""
    stride = position.stride
    beside = (
        _seen(position, p - stride, colour)
        | _seen(position, p - 1, colour) << 2
        | _seen(position, p + 1, colour) << 4
        | _seen(position, p + stride, colour) << 6
    )
    diagonal = (
        _seen(position, p - stride - 1, colour)
        | _seen(position, p - stride + 1, colour) << 2
        | _seen(position, p + stride - 1, colour) << 4
        | _seen(position, p + stride + 1, colour) << 6
    )
    far = np.int64(-1)  # not looked at yet
    for word in range(tables.shape[2]):
        left = tables[0, beside, word] & tables[1, diagonal, word]
        if left:
            if far < 0:
                far = _look_far(position, p, colour)
            for group in range(_NEAR, len(CELLS)):
                left &= tables[group, far >> 8 * (group - _NEAR) & 255, word]
        if left:
            bit = 0
            while left & np.uint64(1) == 0:
                left >>= np.uint64(1)
                bit += 1
            return (word * _WORD + bit) // _FORMS
    return -1


@kernel
def _look_far(position, p, colour):
    """What the groups of the outer ring hold, eight bits each: a number, because arrays cost time to make."""
    size, stride = position.board_size, position.stride
    row, col = p // stride, p % stride
    found = np.int64(0)
    for group in range(_FAR_CELLS.shape[0]):
        for place in range(4):
            x = col + _FAR_CELLS[group, place, 0]
            y = row + _FAR_CELLS[group, place, 1]
            state = EDGE
            if 1 <= x <= size and 1 <= y <= size:
                state = _seen(position, y * stride + x, colour)
            found |= state << (8 * group + 2 * place)
    return found
