"""Wally: the opponent of the SANE paper, a C version of the program that J. Millen published in BYTE, April 1981.

It looks for the chain with the fewest liberties, its own or the enemy's, and plays at one of them:

    1. its own chains with one or two liberties
    2. the enemy's chains; one that has a single liberty is captured at once
    3. a few shapes beside enemy stones, which count as two liberties
    4. if all that found nothing, a random legal move that does not fill an eye of its own; else pass

A move is kept if its chain has no more liberties than that of the best move so far (a later one wins a tie) and if the
stone would have at least two liberties itself. There is no life and death and no cunning about ko.

The order in which chains are looked at, the choice among the liberties of a chain, and the shapes are our own. Since they
are fixed, Wally always answers a position in the same way (but for step 4); the option ``randomness``, about 0.1 for the
experiments of the SANE paper, makes it vary.
"""

import numpy as np

from engine.go.board import EDGE, EMPTY, PASS, cells, list_liberties
from engine.go.history import may_play
from engine.kernels import kernel
from players.scripted.chance import uniform_point
from players.scripted.patterns import compile_patterns, first_match
from players.scripted.player import ScriptedPlayer
from players.scripted.tactics import leaves_atari

# Shapes beside enemy stones in which Wally moves at the star (our choice; see patterns.py for the signs).
SHAPES = (
    # atari on a stone that is held from two sides
    """
    ? ? ? ? ?
    ? . ? ? ?
    X O * ? ?
    ? X ? ? ?
    ? ? ? ? ?
    """,
    # cut between two stones at an angle
    """
    X O ?
    O * ?
    ? ? ?
    """,
    # hane around the head of a stone
    """
    . . ?
    O * .
    X . ?
    """,
)
SHAPE_LIBERTIES = 2  # what a shape counts as; author's code
_TABLES = compile_patterns(SHAPES)


@kernel
def _pick_liberty(position, stone, found):
    """Write a liberty of the chain of ``stone`` to ``found[0]``, rather not on the edge line; how many it has."""
    stride = position.stride
    count = list_liberties(position, stone, found, found.size)
    best = np.int64(0)
    best_on_edge = True
    for i in range(count):
        q = found[i]
        on_edge = False
        for r in (q - stride, q - 1, q + 1, q + stride):
            on_edge = on_edge or position.colour[r] == EDGE
        # The first one in the order of the board, so that the choice depends on the position alone.
        if best == 0 or (best_on_edge and not on_edge) or (on_edge == best_on_edge and q < best):
            best, best_on_edge = q, on_edge
    found[0] = best
    return count


@kernel
def _first_shape(position, history, colour):
    """The first point of the first shape that is on the board and can be played, or PASS."""
    best = np.int64(PASS)
    best_shape = len(SHAPES)
    for row in range(1, position.board_size + 1):
        for p in range(row * position.stride + 1, row * position.stride + position.board_size + 1):
            if position.colour[p] == EMPTY:
                shape = first_match(position, p, colour, _TABLES)
                if 0 <= shape < best_shape and _is_acceptable(position, history, p, colour):
                    best, best_shape = np.int64(p), shape
    return best


@kernel
def _is_acceptable(position, history, p, colour):
    """Whether a stone at ``p`` would have two liberties, and is allowed."""
    return not leaves_atari(position, p, colour) and may_play(position, history, p, colour)


@kernel
def wally_move(position, history, colour, rng):
    """Wally's move."""
    size, stride = position.board_size, position.stride
    liberties = np.empty(position.empty_count, np.int64)
    looked_at = np.zeros(cells(size), np.uint8)  # by chain
    best = np.int64(PASS)
    best_count = position.empty_count + 1
    for own in (True, False):
        side = colour if own else 3 - colour
        for row in range(1, size + 1):
            for p in range(row * stride + 1, row * stride + size + 1):
                if position.colour[p] != side or looked_at[position.chain[p]]:
                    continue
                looked_at[position.chain[p]] = 1
                count = _pick_liberty(position, p, liberties)
                m = liberties[0]
                if own and count > 2:
                    continue
                if not own and count == 1 and may_play(position, history, m, colour):
                    return m
                if count <= best_count and _is_acceptable(position, history, m, colour):
                    best, best_count = m, count
    if best_count >= SHAPE_LIBERTIES:
        shape = _first_shape(position, history, colour)
        if shape != PASS:
            best = shape
    if best == PASS:
        best = uniform_point(position, history, colour, rng, np.bool_(True))
    return best


class Wally(ScriptedPlayer):
    """Chases the chain with the fewest liberties."""

    name = "wally"

    def _move(self, position, history, colour):
        return wally_move(position, history, colour, self.rng)
