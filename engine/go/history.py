"""What the rules need to know beyond the stones: the positions a game has seen, for superko, as a record for kernels.

``may_play`` is the one test of legality that players use; ``remember`` is called after every move.
"""

import numpy as np

from engine.go.board import EDGE, EMPTY, PASS, SUICIDE_FORBIDDEN, ZOBRIST, is_legal, is_single
from engine.kernels import kernel

KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL = 0, 1, 2

CAPACITY = 4096  # situations remembered; a longer game forgets the oldest ones, far beyond any cycle that is played
_FILTER_WORDS = 32  # a bit for each of 2048 classes of hashes seen, so that most moves need no search at all
_SITUATION = 0x5DEECE66D1CE4E5  # told apart by who moved

HISTORY = np.dtype(
    [
        ("ko_rule", np.int64),
        ("suicide", np.int64),
        ("count", np.int64),  # how many situations were remembered in all
        ("filter", np.uint64, _FILTER_WORDS),
        ("seen", np.int64, CAPACITY),
    ],
    align=True,
)


def new_history(ko_rule=KO_POSITIONAL, suicide=SUICIDE_FORBIDDEN):
    """A history that has seen nothing yet; call ``begin`` with the first position."""
    history = np.recarray(1, HISTORY)[0]
    history.ko_rule = ko_rule
    history.suicide = suicide
    forget(history)
    return history


@kernel
def forget(history):
    """Forget all situations; the rules stay."""
    history.count = 0
    for i in range(_FILTER_WORDS):
        history.filter[i] = 0


@kernel
def _key(history, position_hash, mover):
    if history.ko_rule == KO_SITUATIONAL:
        return position_hash ^ (_SITUATION * mover)
    return position_hash


@kernel
def remember(position, history, mover):
    """Note the position after a move (or a pass) of ``mover``."""
    key = _key(history, position.hash, mover)
    history.seen[history.count % CAPACITY] = key
    history.count += 1
    history.filter[(key >> 6) & (_FILTER_WORDS - 1)] |= np.uint64(1) << np.uint64(key & 63)


@kernel
def take_back(history):
    """Forget the last situation, as a search does on its way back.

    The filter keeps its mark, which costs a look at most. In a game so long that the oldest situations were dropped, one
    more of them is gone.
    """
    history.count -= 1
    history.seen[history.count % CAPACITY] = 0


@kernel
def begin(position, history, to_play):
    """Start a history at the given position, with ``to_play`` to move."""
    forget(history)
    remember(position, history, 3 - to_play)


@kernel
def hash_after(position, p, colour):
    """The hash of the position after ``colour`` plays at the empty point ``p``."""
    stride = position.stride
    p = np.int64(p)
    colour = np.int64(colour)
    stone = ZOBRIST[(colour - 1) * 1024 + p]
    taken = np.int64(0)  # what goes: enemy chains whose last liberty this is …
    friends = np.int64(0)  # … or, if the move is suicide, the friends around
    alive = False
    one, two, three = np.int64(0), np.int64(0), np.int64(0)  # chains met already: each counts once
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == EMPTY:
            alive = True
        elif position.colour[q] != EDGE:
            name = np.int64(position.chain[q])
            if name != one and name != two and name != three:
                one, two, three = name, one, two
                single = is_single(position.liberties[name])
                if position.colour[q] == colour:
                    alive = alive or not single
                    if not alive:
                        friends ^= _chain_hash(position, name, colour)
                elif single:
                    alive = True
                    taken ^= _chain_hash(position, name, 3 - colour)
    return position.hash ^ (stone ^ taken if alive else friends)


@kernel
def _chain_hash(position, name, colour):
    value = np.int64(0)
    stone = name
    while True:
        value ^= ZOBRIST[(colour - 1) * 1024 + stone]
        stone = np.int64(position.next_stone[stone])
        if stone == name:
            return value


@kernel
def _repeats(position, history, p, colour):
    key = _key(history, hash_after(position, p, colour), colour)
    bit = history.filter[(key >> 6) & (_FILTER_WORDS - 1)] >> np.uint64(key & 63)
    if bit & np.uint64(1) == 0:
        return False
    for i in range(min(history.count, CAPACITY)):
        if history.seen[i] == key:
            return True
    return False


@kernel
def may_play(position, history, p, colour):
    """Whether ``colour`` may play at the point ``p`` (or pass) under the rules of ``history``."""
    if p == PASS:
        return True
    if not is_legal(position, p, colour, history.suicide):
        return False
    return history.ko_rule == KO_SIMPLE or not _repeats(position, history, p, colour)


@kernel
def playable_points(position, history, colour, found):
    """Write all points ``colour`` may play at to ``found`` in the order of the board; how many."""
    size, stride = position.board_size, position.stride
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if may_play(position, history, p, colour):
                found[count] = p
                count += 1
    return count
