"""Reading ahead, as far as the scripted opponents do: one ladder at a time.

Kernels that try moves take ``work``, an array of board records that they may overwrite. (An array and not a record: a
record does not keep the array alive that it was taken from.)
"""

import numpy as np

from engine.go.board import (
    EMPTY,
    PASS,
    POSITION,
    SUICIDE_FORBIDDEN,
    copy_into,
    empty_neighbours,
    in_atari,
    is_legal,
    last_liberty,
    liberties_after,
    place,
)
from engine.kernels import kernel
from engine.stack import array_on_stack

_BOARDS = 2  # one for the move that is tried, one for the ladder that follows …
FIRST_BOARD, SECOND_BOARD = np.arange(_BOARDS)  # … by number, in numpy's type: kernels are compiled anew for each of Python's
_ONE = np.uint64(1)
_DEPTH = 60  # moves of the attacker in a ladder, enough for one across the largest board
_LIMIT = 120  # positions looked at in one ladder; our choice, a plain ladder needs no more than its length


@kernel
def new_work():
    """Boards to read on."""
    return np.empty(_BOARDS, POSITION)


@kernel
def two_liberties(position, p):
    """(liberties of the chain of the stone at ``p``, 3 if more than two; the first two of them, 0 where there is none)."""
    stride = np.uint64(position.stride)
    one, two = np.uint64(0), np.uint64(0)  # not an array, which is harder to search
    stone = first = np.uint64(p)
    while True:
        if empty_neighbours(position, stone):
            for q in (stone - stride, stone - _ONE, stone + _ONE, stone + stride):
                if position.colour[q] == EMPTY and q != one and q != two:
                    if two:
                        return 3, np.int64(one), np.int64(two)
                    if one:
                        two = q
                    else:
                        one = q
        stone = np.uint64(position.next_stone[stone])
        if stone == first:
            return (one > 0) + (two > 0), np.int64(one), np.int64(two)


@kernel
def _attacker_in_atari(position, stone, attacker):
    """Whether a chain of ``attacker`` that touches the chain of ``stone`` can be captured."""
    stride = np.uint64(position.stride)
    s = first = np.uint64(stone)
    while True:
        found = False  # no early return: which neighbour it is cannot be predicted
        for q in (s - stride, s - _ONE, s + _ONE, s + stride):
            found |= (position.colour[q] == attacker) & in_atari(position, q)
        if found:
            return True
        s = np.uint64(position.next_stone[s])
        if s == first:
            return False


@kernel
def _chase(position, stone, move, attacker):
    """Let ``attacker`` play ``move`` and the chain of ``stone`` run; its ``two_liberties`` then, 0 of them if it is caught.

    The chain may also save itself by capturing what attacks it; that counts as having got away.
    """
    none = np.int64(0)
    if not is_legal(position, move, attacker, np.int64(SUICIDE_FORBIDDEN)):
        return 3, none, none
    place(position, move, attacker)
    if _attacker_in_atari(position, stone, attacker):
        return 3, none, none
    victim = 3 - attacker
    way_out = last_liberty(position, stone)
    if not is_legal(position, way_out, victim, np.int64(SUICIDE_FORBIDDEN)):
        return 0, none, none
    place(position, way_out, victim)
    count, a, b = two_liberties(position, stone)
    return 0 if count < 2 else count, a, b


@kernel
def _gets_away(position, way_out, closed, victim):
    """Whether a chain whose last two liberties are these points is safe if the attacker plays ``closed`` and it runs.

    For certain, that is: three empty points touch it then, whatever is captured. No move is made to see that.
    """
    stride = np.uint64(position.stride)
    way_out, closed = np.uint64(way_out), np.uint64(closed)
    one, two = np.uint64(0), np.uint64(0)  # the empty points found so far
    for q in (way_out - stride, way_out - _ONE, way_out + _ONE, way_out + stride):
        if position.colour[q] == EMPTY:
            if q != closed and q != one and q != two:
                if two:
                    return True
                one, two = q, one
        elif position.colour[q] == victim:
            s = q
            while True:
                if empty_neighbours(position, s):
                    for r in (s - stride, s - _ONE, s + _ONE, s + stride):
                        if position.colour[r] == EMPTY and r != closed and r != way_out and r != one and r != two:
                            if two:
                                return True
                            one, two = r, one
                s = np.uint64(position.next_stone[s])
                if s == q:
                    break
    return False


@kernel
def ladder_move(position, stone, work, slot):
    """The move that catches the chain of ``stone`` (of two liberties) in a ladder, or PASS if none does."""
    _, a, b = two_liberties(position, stone)
    return catching_move(position, stone, a, b, work, slot)


@kernel
def catching_move(position, stone, a, b, work, slot):
    """``ladder_move`` for a chain whose ``two_liberties`` are known.

    Depth first: at each step the attacker closes one of the two liberties, first the one that leaves the chain less to
    run to. Going back replays the moves from the start, which is rare, where undoing would burden every move.
    """
    scratch = work[slot]
    attacker = 3 - np.int64(position.colour[stone])
    if _gets_away(position, a, b, 3 - attacker) and _gets_away(position, b, a, 3 - attacker):
        return np.int64(PASS)
    tried = array_on_stack(_DEPTH, np.int64)  # by depth: the attacker's move that is being tried
    other = array_on_stack(_DEPTH, np.int64)  # and the one that is left, or 0
    copy_into(position, scratch)
    depth = 0
    deeper = True
    for _ in range(_LIMIT):
        if deeper:
            room_a = liberties_after(scratch, a, 3 - attacker, np.int64(4))
            room_b = liberties_after(scratch, b, 3 - attacker, np.int64(4))
            if room_a < room_b:
                a, b = b, a
            tried[depth], other[depth] = a, b
        count, a, b = _chase(scratch, stone, tried[depth], attacker)
        if count == 0:
            return tried[0]
        deeper = count == 2 and depth + 1 < _DEPTH
        if deeper:
            depth += 1
            continue
        while other[depth] == 0:
            depth -= 1
            if depth < 0:
                return np.int64(PASS)
        tried[depth], other[depth] = other[depth], 0
        copy_into(position, scratch)
        for i in range(depth):
            _chase(scratch, stone, tried[i], attacker)
    return np.int64(PASS)


@kernel
def _touches(position, p, chain):
    """Whether a point is next to the chain of this name."""
    stride, names = position.stride, position.chain
    return names[p - stride] == chain or names[p - 1] == chain or names[p + 1] == chain or names[p + stride] == chain


@kernel
def saves(position, stone, move, work):
    """Whether the owner of ``stone`` saves its chain by playing at the empty point ``move``.

    True if it then has three liberties, or two and cannot be caught in a ladder.
    """
    owner = np.int64(position.colour[stone])
    if not is_legal(position, move, owner, np.int64(SUICIDE_FORBIDDEN)):
        return False
    if _touches(position, move, np.int64(position.chain[stone])):
        count = liberties_after(position, move, owner, np.int64(3))
        if count != 2:
            return count > 2
    scratch = work[0]
    copy_into(position, scratch)
    place(scratch, move, owner)
    count, a, b = two_liberties(scratch, stone)
    return count > 2 or count == 2 and catching_move(scratch, stone, a, b, work, SECOND_BOARD) == PASS
