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

For the two groups that touch the point the intersection is made beforehand. It says at once where nothing can match, and,
if the first pattern that is left is no larger than 3x3, that this is the one.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import WHITE
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
_ONE = np.uint64(1)
_MOST_PATTERNS = np.iinfo(np.int8).max
_LOW_BITS = np.int64(0x55555555)  # of up to sixteen states of two bits


class Tables(NamedTuple):
    """What ``first_match`` looks up."""

    first: np.ndarray  # int8, by what the two near groups hold: see ``_first``
    bits: np.ndarray  # uint64, by group of cells, what they hold, and word of bits


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
    """The Tables for ``first_match``; ValueError if the drawings are too many or one of them is no drawing."""
    if len(drawings) > _MOST_PATTERNS:
        raise ValueError(f"{len(drawings)} patterns: {_MOST_PATTERNS} fit")
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
    return Tables(_first(bits), np.packbits(bits, axis=2, bitorder="little").view("<u8").astype(np.uint64))


def _first(bits):
    """By what is beside and diagonal to the point, 1 + the first pattern that may match; negative if its ring must say."""
    first = np.zeros((256, 256), np.int8)
    for index in reversed(range(bits.shape[2] // _FORMS)):
        forms = bits[:, :, index * _FORMS : (index + 1) * _FORMS]
        may_match = np.any(forms[0][:, None] & forms[1][None, :], axis=2)
        first[may_match] = index + 1 if forms[_NEAR:].all() else -(index + 1)
    return first


@kernel
def _as_seen(states, colour):
    """What cells hold, two bits each, for the side to move: 0 empty, 1 its own stone, 2 the enemy's, 3 the edge."""
    if colour == WHITE:
        return (states & _LOW_BITS) << 1 | states >> 1 & _LOW_BITS
    return states


@kernel
def _four(position, a, b, c, d):
    """What four cells hold, two bits each."""
    held = position.colour
    return np.int64(held[a]) | np.int64(held[b]) << 2 | np.int64(held[c]) << 4 | np.int64(held[d]) << 6


@kernel
def first_match(position, p, colour, tables):
    """The number of the first pattern that matches for ``colour`` at the empty point ``p``, or -1."""
    q = np.uint64(p)
    stride = np.uint64(position.stride)
    above, below = q - stride, q + stride
    near = _as_seen(
        _four(position, above, q - _ONE, q + _ONE, below)
        | _four(position, above - _ONE, above + _ONE, below - _ONE, below + _ONE) << 8,
        colour,
    )
    beside, diagonal = near & 255, near >> 8
    first = np.int64(tables.first[beside, diagonal])
    if first >= 0:
        return first - 1
    bits = tables.bits
    far = np.int64(-1)  # not looked at yet
    for word in range((-first - 1) * _FORMS // _WORD, bits.shape[2]):
        left = bits[0, beside, word] & bits[1, diagonal, word]
        if left:
            if far < 0:
                far = _look_far(position, p, colour)
            for group in range(_NEAR, len(CELLS)):
                left &= bits[group, far >> 8 * (group - _NEAR) & 255, word]
        if left:
            bit = 0
            while left & _ONE == 0:
                left >>= _ONE
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
            # Beyond the edge is edge: the nearest cell of the padded board holds that too.
            x = min(max(col + _FAR_CELLS[group, place, 0], 0), size + 1)
            y = min(max(row + _FAR_CELLS[group, place, 1], 0), size + 1)
            found |= np.int64(position.colour[np.uint64(y * stride + x)]) << (8 * group + 2 * place)
    return _as_seen(found, colour)
