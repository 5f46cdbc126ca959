"""The value of every move, from what it changes (§V: a move is judged by the position it leads to).

All candidates of a turn share one *ground*: the sight of the position as it would be after a pass, with the group
classes that the present outputs give. A move changes the inputs of few cells (its own chain and those it touches or
frees, and those that it catches or sets free in a ladder); these change sums and hidden units one step around them, every
further pass those of one step more, and the last pass the outputs one step further. Only that is recomputed: in a copy of the
ground's sums, of which every candidate changes a *stretch* of cells in some rows and puts it back as it was.
"""

from functools import lru_cache

import numpy as np

from engine.go.board import EMPTY, MAX_SIZE, PASS, WHITE, cells, copy_into, is_eye, place
from engine.go.history import may_play
from engine.go.rng import below, uniform
from engine.kernels import fast_kernel, kernel
from players.isn.anatomy import EMPTY_KIND, KO_KIND, PAPER
from players.isn.lanes import LANES, fill, load, store, total
from players.isn.network import (
    chain_kind,
    few_liberties,
    fire,
    fire_again,
    see,
    sigmoid,
    tell,
    width_of,
)
from players.isn.rewards import state_of
from players.scripted.reading import new_work

GREEDY = np.inf  # the β of a player that always takes the best move
# Points that make no difference: moves that symmetry makes equal differ by less, and by what depends on the machine, since sums
# are taken in any order.
SAME = 1e-3
_CELLS = cells(MAX_SIZE)
_F0 = np.float32(0)
_FIRST_STAMP = 1024  # above all points, which ``classify`` uses as marks


@lru_cache(maxsize=None)
def turn_type(hidden, passes):
    """TURN: what a turn needs besides the position and its ground. One record, so that a kernel gets one pointer."""
    width = width_of(hidden)
    return np.dtype(
        [
            ("stamp", np.int64),  # counts up for ever: a mark that equals it is of now
            ("chain_mark", np.int64, _CELLS),  # chains done for a candidate
            ("changed", np.int64, _CELLS),  # cells that a candidate gives another kind …
            ("was", np.uint8, _CELLS),  # … and what it was, in the same order
            # By row of the board, from where to where a candidate changes cells: kinds, hidden units of each pass, outputs.
            ("first", np.int64, (passes + 2, MAX_SIZE + 2)),
            ("last", np.int64, (passes + 2, MAX_SIZE + 2)),
            ("sums", np.float32, (_CELLS, width + LANES)),  # as in the SIGHT of the ground, but for the present candidate
            ("hidden", np.float32, (passes, _CELLS, width)),
            ("drive", np.float32, (_CELLS, LANES)),
            ("change", np.float32, (_CELLS, width)),  # of the hidden units in the last pass
            ("rate", np.float32, (_CELLS, LANES)),  # what each output is worth to White …
            ("worth", np.float32, (_CELLS, LANES)),  # … and how much that makes on the ground
            ("point", np.int64, _CELLS),  # the candidates
            ("value", np.float64, _CELLS),  # what each is worth to the side that moves
        ],
        align=True,
    )


def new_turn(anatomy=PAPER):
    """A TURN record; it serves any number of turns on any board, one after the other."""
    turn = np.zeros(1, turn_type(anatomy.hidden, anatomy.passes)).view(np.recarray)[0]
    turn.stamp = _FIRST_STAMP
    return turn


@fast_kernel
def value_of(sight, p, values, state):
    """White's reward of the cell ``p`` in ``state``; ``values`` as ``rewards.values_of`` gives it."""
    return total(load(values, (state, 0)) * load(sight.outputs, (p, 0)))


@kernel
def total_value(sight, values, size):
    """White's reward of the whole board."""
    reward = 0.0
    for row in range(1, size + 1):
        for p in range(row * (size + 1) + 1, row * (size + 1) + size + 1):
            reward += value_of(sight, p, values, state_of(sight.kind[p]))
    return reward


# One candidate


@kernel
def _note(turn, ground, cell, kind, count):
    """Give ``cell`` another kind, unless it has it already; how many cells have changed then. Once for a candidate."""
    if ground.kind[cell] == kind:
        return count
    turn.changed[count] = cell
    turn.was[count] = ground.kind[cell]
    ground.kind[cell] = kind
    return count + 1


@kernel
def _note_chain(network, after, before, turn, ground, p, candidate, work, count):
    """Give the stones of the chain at ``p`` their kind; once for a candidate."""
    name = np.int64(after.chain[p])
    if turn.chain_mark[name] == candidate:
        return count
    turn.chain_mark[name] = candidate
    turn.stamp += 1
    kind = chain_kind(network, after, name, before, ground, turn.stamp, work)
    stone = name
    while True:
        count = _note(turn, ground, stone, kind, count)
        stone = np.int64(after.next_stone[stone])
        if stone == name:
            return count


@kernel
def _note_enemies(network, after, before, turn, ground, p, candidate, work, count):
    """Do so for all chains that the chain at ``p`` touches: its liberties are part of what they are."""
    stride = after.stride
    enemy = 3 - after.colour[p]
    stone = np.int64(p)
    while True:
        for q in (stone - stride, stone - 1, stone + 1, stone + stride):
            if after.colour[q] == enemy:
                count = _note_chain(network, after, before, turn, ground, q, candidate, work, count)
        stone = np.int64(after.next_stone[stone])
        if stone == p:
            return count


@kernel
def _note_touched(network, after, before, turn, ground, p, candidate, work, count):
    """Give the chain at ``p``, whose stones or liberties a candidate changes, its kind, and what depends on it."""
    count = _note_chain(network, after, before, turn, ground, p, candidate, work, count)
    if network.neighbours:
        count = _note_enemies(network, after, before, turn, ground, p, candidate, work, count)
    return count


@kernel
def _note_hunted(network, after, before, turn, ground, candidate, work, count):
    """Read the ladders of all chains of one or two liberties again: a stone anywhere may break one."""
    for row in range(1, after.board_size + 1):
        for p in range(row * after.stride + 1, row * after.stride + after.board_size + 1):
            if after.chain[p] == p and turn.chain_mark[p] != candidate and few_liberties(after, p) < 3:
                count = _note_chain(network, after, before, turn, ground, p, candidate, work, count)
    return count


@kernel
def _change_inputs(network, position, after, before, turn, ground, p, candidate, work):
    """Make the kinds of the ground those of ``after``, the position after a move at ``p``; how many changed."""
    stride = position.stride
    count = 0
    for q in (p - stride, p - 1, p + 1, p + stride):
        name = np.int64(position.chain[q])
        if name and after.colour[q] == EMPTY and turn.chain_mark[name] != candidate:  # taken off
            turn.chain_mark[name] = candidate
            stone = q
            while True:
                kind = KO_KIND if network.ko and stone == after.ko else EMPTY_KIND
                count = _note(turn, ground, stone, kind, count)
                for r in (stone - stride, stone - 1, stone + 1, stone + stride):
                    if after.chain[r]:
                        count = _note_touched(network, after, before, turn, ground, r, candidate, work, count)
                stone = np.int64(position.next_stone[stone])
                if stone == q:
                    break
    for q in (p, p - stride, p - 1, p + 1, p + stride):
        if after.chain[q]:
            count = _note_touched(network, after, before, turn, ground, q, candidate, work, count)
    if network.ladders:
        count = _note_hunted(network, after, before, turn, ground, candidate, work, count)
    return count


_NOWHERE = 1000  # beyond all columns, however often it grows


@kernel
def _stretch(turn, size, count):
    """Find the stretches of a candidate that gives ``count`` cells another kind; (the first row with any, the last)."""
    first, last = turn.first, turn.last
    levels = first.shape[0]
    top, bottom = size + 1, 0
    for i in range(count):
        row = turn.changed[i] // (size + 1)
        top, bottom = min(top, row), max(bottom, row)
    for row in range(max(0, top - levels), min(size + 1, bottom + levels) + 1):
        first[0, row], last[0, row] = _NOWHERE, -_NOWHERE
    for i in range(count):
        row, col = divmod(turn.changed[i], size + 1)
        first[0, row], last[0, row] = min(first[0, row], col), max(last[0, row], col)
    top, bottom = max(1, top - levels + 1), min(size, bottom + levels - 1)
    for level in range(1, levels):
        for row in (top - 1, bottom + 1):
            first[level, row], last[level, row] = _NOWHERE, -_NOWHERE
        for row in range(top, bottom + 1):
            least = min(first[level - 1, row - 1], first[level - 1, row], first[level - 1, row + 1])
            most = max(last[level - 1, row - 1], last[level - 1, row], last[level - 1, row + 1])
            first[level, row], last[level, row] = max(1, least - 1), min(size, most + 1)
    return top, bottom


@fast_kernel
def _put_in(network, turn, ground, stride, values, i):
    """Add to the sums what the cell number ``i`` of those that changed has more to give than it had."""
    table, sums = network.table, turn.sums
    q = turn.changed[i]
    new, old = ground.kind[q], turn.was[i]
    store(turn.rate, (q, 0), load(values, (state_of(new), 0)))
    step = -1
    # The cell that sees q to its east is west of q, and so on round.
    for p in (
        *(q, q - 1, q + stride, q + 1, q - stride),
        *(q + stride - 1, q + stride + 1, q - stride + 1, q - stride - 1),
    ):
        step += 1
        for j in range(0, sums.shape[1], LANES):
            store(sums, (p, j), load(sums, (p, j)) + (load(table, (step, new, j)) - load(table, (step, old, j))))


@fast_kernel
def _spread(network, turn, ground, size, values, count):
    """What the changed kinds change in White's reward."""
    stride = size + 1
    sums, hidden, drive, change = turn.sums, turn.hidden, turn.drive, turn.change
    passes, width = hidden.shape[0], hidden.shape[2]
    top, bottom = _stretch(turn, size, count)
    for i in range(count):
        _put_in(network, turn, ground, stride, values, i)
    for row in range(top, bottom + 1):
        for p in range(row * stride + turn.first[1, row], row * stride + turn.last[1, row] + 1):
            fire(sums, hidden, p)
    for t in range(1, passes):
        for row in range(top, bottom + 1):
            for p in range(row * stride + turn.first[t + 1, row], row * stride + turn.last[t + 1, row] + 1):
                fire_again(network, sums, hidden, t, p, stride)
    for row in range(top, bottom + 1):
        for p in range(row * stride + turn.first[passes, row], row * stride + turn.last[passes, row] + 1):
            for j in range(0, width, LANES):
                store(change, (p, j), load(hidden, (passes - 1, p, j)) - load(ground.hidden, (passes - 1, p, j)))
            tell(network, change, p, stride, load(sums, (p, width)) - load(ground.sums, (p, width)), drive)
    gain = fill(_F0)
    for row in range(top, bottom + 1):
        for p in range(row * stride + turn.first[passes + 1, row], row * stride + turn.last[passes + 1, row] + 1):
            gain = gain + (load(turn.rate, (p, 0)) * sigmoid(load(drive, (p, 0))) - load(turn.worth, (p, 0)))
            store(drive, (p, 0), load(ground.drive, (p, 0)))
    for row in range(top, bottom + 1):
        for p in range(row * stride + turn.first[1, row], row * stride + turn.last[1, row] + 1):
            for j in range(0, sums.shape[1], LANES):
                store(sums, (p, j), load(ground.sums, (p, j)))
        for t in range(passes - 1):  # what the last pass leaves is looked at by nobody
            for p in range(row * stride + turn.first[t + 1, row], row * stride + turn.last[t + 1, row] + 1):
                for j in range(0, width, LANES):
                    store(hidden, (t, p, j), load(ground.hidden, (t, p, j)))
    for i in range(count):
        q = turn.changed[i]
        store(turn.rate, (q, 0), load(values, (state_of(turn.was[i]), 0)))
    return total(gain)


@kernel
def move_gain(network, position, after, before, turn, ground, values, p, colour, work):
    """By how much a move at ``p`` changes White's reward of the board; ``after`` becomes the position it leads to."""
    copy_into(position, after)
    place(after, p, colour)
    turn.stamp += 1
    candidate = turn.stamp
    count = _change_inputs(network, position, after, before, turn, ground, np.int64(p), candidate, work)
    gain = _spread(network, turn, ground, position.board_size, values, count)
    for i in range(count):
        ground.kind[turn.changed[i]] = turn.was[i]
    return gain


# All of them


@fast_kernel
def _copy_ground(turn, ground, n):
    """Make the sums of ``turn`` those of the ground."""
    sums, hidden = turn.sums, turn.hidden
    for p in range(n):
        for j in range(0, sums.shape[1], LANES):
            store(sums, (p, j), load(ground.sums, (p, j)))
        for t in range(hidden.shape[0] - 1):
            for j in range(0, hidden.shape[2], LANES):
                store(hidden, (t, p, j), load(ground.hidden, (t, p, j)))
        store(turn.drive, (p, 0), load(ground.drive, (p, 0)))


@fast_kernel
def _rate(turn, ground, values, p):
    """Note what the outputs of the cell ``p`` are worth on the ground; White's reward of it."""
    rate = load(values, (state_of(ground.kind[p]), 0))
    worth = rate * load(ground.outputs, (p, 0))
    store(turn.rate, (p, 0), rate)
    store(turn.worth, (p, 0), worth)
    return total(worth)


@kernel
def lay_ground(network, position, after, before, turn, ground, values):
    """See the position as after a pass, which ``after`` becomes; White's reward of it."""
    copy_into(position, after)
    after.ko = 0
    size, stride = position.board_size, position.stride
    see(network, after, before, ground)
    _copy_ground(turn, ground, cells(size))
    reward = 0.0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            reward += _rate(turn, ground, values, p)
    return reward


@kernel
def _is_candidate(position, history, p, colour, spare_eyes):
    return may_play(position, history, p, colour) and not (spare_eyes and is_eye(position, p, colour))


@kernel
def _move_value(network, position, after, before, turn, ground, values, c, ground_value, p, colour, work):
    """What a move at ``p`` is worth to ``colour``; what it captures counts at once."""
    gain = move_gain(network, position, after, before, turn, ground, values, p, colour, work)
    white = after.white_captures - position.white_captures
    black = after.black_captures - position.black_captures
    return (1.0 if colour == WHITE else -1.0) * (ground_value + gain + c * (white - black))


@kernel
def judge_moves(network, position, history, after, before, turn, ground, values, c, colour, spare_eyes):
    """Write the candidates of ``colour`` and what each is worth to it to ``turn``; how many.

    ``before`` is the network's sight of this position. With ``spare_eyes`` its own eyes are no candidates. A pass
    is the first candidate.
    """
    size, stride = position.board_size, position.stride
    work = new_work()
    ground_value = lay_ground(network, position, after, before, turn, ground, values)
    turn.point[0] = PASS
    turn.value[0] = ground_value if colour == WHITE else -ground_value
    count = 1
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if _is_candidate(position, history, p, colour, spare_eyes):
                turn.point[count] = p
                turn.value[count] = _move_value(
                    network, position, after, before, turn, ground, values, c, ground_value, p, colour, work
                )
                count += 1
    return count


@kernel
def draw_move(turn, count, beta, rng):
    """One of the candidates, with a chance in proportion to exp(β · value); the best one if β is infinite."""
    best = turn.value[0]
    for i in range(1, count):
        best = max(best, turn.value[i])
    if beta == GREEDY:
        ties = 0
        chosen = 0
        for i in range(count):
            if turn.value[i] > best - SAME:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = i
        return chosen
    total = 0.0
    for i in range(count):
        total += np.exp(beta * (turn.value[i] - best))
    left = uniform(rng) * total
    for i in range(count):
        left -= np.exp(beta * (turn.value[i] - best))
        if left < 0:
            return i
    return count - 1
