"""From a substrate to a move (§3.1): activate it once, take the best output that passes the sanity check. Kernels.

The sanity check: the move is legal, and fills neither an eye nor safe territory of its own. A point of the latter that
touches an enemy's stone may be played all the same: dead stones must be captured, because they count as alive.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import EDGE, EMPTY, PASS, cells, is_eye, touches
from engine.go.history import may_play
from engine.go.rng import below
from engine.go.scoring import unconditional_life
from engine.kernels import kernel
from players.hyperneat.cppn import sigmoid
from players.hyperneat.sheets import show

# What a candidate does when no sane output is above 0. Author's code: a random sane move. BEST plays the best of them
# nevertheless. Either passes only when no sane move is left.
POSITIVE, BEST = 0, 1
SELECTORS = {"positive": POSITIVE, "best": BEST}
# What may be added to either.
LEAVE_DEAD = 2  # not even to capture does the candidate play in its own safe territory
AVOID_ENEMY = 4  # nor does it in the enemy's, where no stone of its can live


class Rule(NamedTuple):
    """How outputs become moves, by name. ``number`` is the same for kernels."""

    selector: str = "positive"  # author's code
    capture_dead: bool = True  # author's code: Fuego's sanity check with its switch of that name on
    avoid_enemy: bool = False  # author's code does not

    @property
    def number(self):
        return SELECTORS[self.selector] | LEAVE_DEAD * (not self.capture_dead) | AVOID_ENEMY * self.avoid_enemy


@kernel
def activate(network, position, colour, output):
    """Run a substrate for the side ``colour``; ``output`` gets each output node's net input.

    The weights are those of all input sheets to the first hidden sheet, to the second …; of the hidden sheets to the output;
    and, if there are more, of the input sheets to the output. The sigmoid of the output sheet is left to those who want to
    see it: it changes neither order nor sign, and would make equal what is large.
    """
    weights, inputs, reach = network.weights, network.inputs, network.reach
    pairs, sources, nodes = weights.shape
    hidden_sheets = pairs // (inputs + 1)
    shown = np.empty(nodes, np.int64)
    show(position, colour, inputs, shown)
    sheets, speakers = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    values = np.empty(nodes, np.float32)
    count = 0
    for node in range(nodes):
        if shown[node] >= 0:
            is_enemy = shown[node] == inputs  # on the sheet of both sides
            sheets[count], speakers[count] = 0 if is_enemy else shown[node], node
            values[count] = np.float32(-1.0) if is_enemy else np.float32(1.0)
            count += 1
    output[:] = np.float32(0.0)
    straight = hidden_sheets * (inputs + 1)  # where the weights begin that lead from the input to the output
    if pairs > straight:
        _hear(weights[straight:], reach, sheets, speakers, values, count, output)
    hidden = np.empty(nodes, np.float32)
    everyone, itself = np.arange(nodes), np.zeros(nodes, np.int64)
    for number in range(hidden_sheets):
        first = number * inputs
        if sources > nodes:
            hidden[:] = weights[first, nodes]  # the border
        else:
            hidden[:] = np.float32(0.0)
        _hear(weights[first:], reach, sheets, speakers, values, count, hidden)
        _squash(hidden)
        _hear(weights[hidden_sheets * inputs + number :], reach, itself, everyone, hidden, nodes, output)


@kernel
def _hear(weights, reach, sheets, speakers, values, count, total):
    """Add to ``total`` what the first ``count`` speakers say, one after the other: their weights times their values."""
    size = int(np.sqrt(total.size))
    if 2 * reach + 1 < size // 2:  # as measured: on small boards rows this short are no faster than whole sheets
        _hear_near(weights, size, reach, sheets, speakers, values, count, total)
    else:
        _hear_all(weights, sheets, speakers, values, count, total)


@kernel
def _hear_near(weights, size, reach, sheets, speakers, values, count, total):
    """The same where nobody is heard from further away than ``reach`` steps."""
    for i in range(count):
        row, col = speakers[i] // size, speakers[i] % size
        left, right = max(0, col - reach), min(size, col + reach + 1)
        value, heard = values[i], weights[sheets[i], speakers[i]]
        for y in range(max(0, row - reach), min(size, row + reach + 1)):
            for t in range(y * size + left, y * size + right):
                total[t] += value * heard[t]


@kernel
def _hear_all(weights, sheets, speakers, values, count, total):
    """The same, four speakers at a time, because that reads and writes the totals a quarter as often, with the same sums."""
    by_four = count - count % 4
    for i in range(0, by_four, 4):
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        from_a, from_b = weights[sheets[i], speakers[i]], weights[sheets[i + 1], speakers[i + 1]]
        from_c, from_d = weights[sheets[i + 2], speakers[i + 2]], weights[sheets[i + 3], speakers[i + 3]]
        for t in range(total.size):
            total[t] = total[t] + a * from_a[t] + b * from_b[t] + c * from_c[t] + d * from_d[t]
    for i in range(by_four, count):
        value, heard = values[i], weights[sheets[i], speakers[i]]
        for t in range(total.size):
            total[t] += value * heard[t]


@kernel(error_model="numpy")
def _squash(values):
    for i in range(values.size):
        values[i] = sigmoid(values[i])


@kernel
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


@kernel
def _is_safe_for(position, p, owner, queue, seen, masks, known):
    """Whether ``p`` is safe territory of ``owner``. ``masks[owner]`` shows all of that once ``known[owner]`` is 1."""
    if not known[owner]:
        if not _may_be_enclosed(position, p, owner, queue, seen):
            return False
        unconditional_life(position, owner, masks[0], masks[owner])
        known[owner] = 1
    return masks[owner, p] != 0


@kernel
def _keeps_sane(rule, position, history, p, colour, queue, seen, masks, known):
    """Whether ``p`` passes the sanity check."""
    if is_eye(position, p, colour) or not may_play(position, history, p, colour):
        return False
    captures = not rule & LEAVE_DEAD and touches(position, p, 3 - colour)
    if not captures and _is_safe_for(position, p, colour, queue, seen, masks, known):
        return False
    return not (rule & AVOID_ENEMY and _is_safe_for(position, p, 3 - colour, queue, seen, masks, known))


@kernel
def choose_move(network, rule, position, history, colour, rng):
    """The move of a substrate for ``colour``: a point, or PASS. Of equal outputs the first in board order is taken."""
    size, stride = position.board_size, position.stride
    output = np.empty(size * size, np.float32)
    activate(network, position, colour, output)
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
    n = cells(size)
    masks = np.empty((3, n), np.uint8)  # safe territory by colour; the first is working space
    seen = np.zeros(n, np.uint8)
    queue = np.empty(n, np.int64)
    known = np.zeros(3, np.uint8)
    while count:
        best = 0
        for i in range(1, count):
            if output[i] > output[best]:
                best = i
        if not rule & BEST and output[best] <= 0.0:
            break
        p = points[best]
        if _keeps_sane(rule, position, history, p, colour, queue, seen, masks, known):
            return p
        count -= 1
        for i in range(best, count):  # the rest stays in board order
            points[i] = points[i + 1]
            output[i] = output[i + 1]
    while count:
        drawn = below(rng, count)
        p = points[drawn]
        if _keeps_sane(rule, position, history, p, colour, queue, seen, masks, known):
            return p
        count -= 1
        points[drawn] = points[count]
    return np.int64(PASS)
