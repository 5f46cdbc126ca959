"""From a substrate to a move (§3.1): activate it once, take the best output that passes the sanity check. Kernels.

The sanity check: the move is legal, and fills neither an eye nor safe territory of its own.
"""

import numpy as np
from numba import njit

from engine.go.board import EDGE, EMPTY, PASS, is_eye
from engine.go.history import may_play
from engine.go.rng import below
from engine.go.scoring import unconditional_life
from players.hyperneat.cppn import sigmoid
from players.hyperneat.sheets import show

# What a candidate does when no sane output is above 0. Author's code: a random sane move. BEST plays the best of them
# nevertheless. Either passes only when no sane move is left.
POSITIVE, BEST = 0, 1
RULES = {"positive": POSITIVE, "best": BEST}


@njit(cache=True, nogil=True)
def activate(weights, position, colour, output):
    """Run the substrate for the side ``colour``; ``output`` gets each output node's net input.

    The sigmoid of the output sheet is left to those who want to see it: it changes neither order nor sign, and would make
    equal what is large.
    """
    pairs, sources, nodes = weights.shape
    shown = np.empty(nodes, np.int64)
    show(position, colour, pairs - 1, shown)
    hidden = np.zeros(nodes, np.float32)
    if sources > nodes:
        hidden[:] = weights[0, nodes]  # the border
    for node in range(nodes):
        sheet = shown[node]
        if 0 <= sheet < pairs - 1:
            heard = weights[sheet, node]
            for h in range(nodes):
                hidden[h] += heard[h]
        elif sheet >= 0:  # an enemy's stone on the sheet of both sides
            heard = weights[0, node]
            for h in range(nodes):
                hidden[h] -= heard[h]
    _squash(hidden)
    output[:] = np.float32(0.0)
    for h in range(nodes):
        value = hidden[h]
        if value != np.float32(0.0):
            heard = weights[pairs - 1, h]
            for o in range(nodes):
                output[o] += value * heard[o]


@njit(cache=True, nogil=True, error_model="numpy")
def _squash(values):
    for i in range(values.size):
        values[i] = sigmoid(values[i])


@njit(cache=True, nogil=True)
def _may_be_enclosed(position, p, colour, queue, seen):
    """Whether Benson's algorithm could call ``p`` territory of ``colour``: around it, every empty point touches a stone.

    A quick no in most positions. ``queue`` is working space, ``seen`` likewise, by cell, all 0.
    """
    stride = position.stride
    queue[0] = p
    seen[p] = 1
    count = 1
    done = 0
    enclosed = True
    while done < count and enclosed:
        q = queue[done]
        done += 1
        touches = position.colour[q] != EMPTY
        for r in (q - stride, q - 1, q + 1, q + stride):
            there = position.colour[r]
            touches |= there == colour
            if there != colour and there != EDGE and not seen[r]:
                seen[r] = 1
                queue[count] = r
                count += 1
        enclosed = touches
    for i in range(count):
        seen[queue[i]] = 0
    return enclosed


@njit(cache=True, nogil=True)
def _keeps_sane(position, history, p, colour, queue, seen, alive, territory, known):
    """Whether ``p`` passes the sanity check. ``known[0]`` says whether ``territory`` has been worked out yet."""
    if is_eye(position, p, colour) or not may_play(position, history, p, colour):
        return False
    if not known[0]:
        if not _may_be_enclosed(position, p, colour, queue, seen):
            return True
        unconditional_life(position, colour, alive, territory)
        known[0] = 1
    return not territory[p]


@njit(cache=True, nogil=True)
def choose_move(weights, rule, position, history, colour, rng):
    """The move of a substrate for ``colour``: a point, or PASS. Of equal outputs the first in board order is taken."""
    size, stride = position.board_size, position.stride
    output = np.empty(weights.shape[2], np.float32)
    activate(weights, position, colour, output)
    points = np.empty(output.size, np.int64)
    count = 0
    node = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY:
                points[count] = p
                output[count] = output[node]
                count += 1
            node += 1
    n = (size + 1) * (size + 2) + 1
    masks = np.empty((2, n), np.uint8)
    seen = np.zeros(n, np.uint8)
    queue = np.empty(n, np.int64)
    known = np.zeros(1, np.uint8)
    while count:
        best = 0
        for i in range(1, count):
            if output[i] > output[best]:
                best = i
        if rule == POSITIVE and output[best] <= 0.0:
            break
        p = points[best]
        if _keeps_sane(position, history, p, colour, queue, seen, masks[0], masks[1], known):
            return p
        count -= 1
        for i in range(best, count):  # the rest stays in board order
            points[i] = points[i + 1]
            output[i] = output[i + 1]
    while count:
        drawn = below(rng, count)
        p = points[drawn]
        if _keeps_sane(position, history, p, colour, queue, seen, masks[0], masks[1], known):
            return p
        count -= 1
        points[drawn] = points[count]
    return np.int64(PASS)
