"""The value of every move, from what it changes (§V: a move is judged by the position it leads to).

All candidates of a turn share one *ground*: the sight of the position as it would be after a pass, with the group
classes that the present outputs give. A move changes the inputs of few cells (its own chain and those it touches or
frees, and those that it catches or sets free in a ladder); these change sums and hidden units one step around them, every
further pass those of one step more, and the last pass the outputs one step further. Only that is recomputed, and afterwards
the ground is put back as it was.
"""

from functools import lru_cache

import numpy as np
from numba import njit

from engine.go.board import EMPTY, MAX_SIZE, PASS, WHITE, cells, copy_into, is_eye, place
from engine.go.history import may_play
from engine.go.rng import below, uniform
from players.isn.anatomy import EDGE_KIND, EMPTY_KIND, KO_KIND, PAPER
from players.isn.network import (
    _FAST,
    SPARE,
    chain_kind,
    few_liberties,
    fire_again,
    fire_hidden,
    fire_outputs,
    see,
)
from players.isn.rewards import state_of
from players.scripted.reading import new_work

GREEDY = np.inf  # the β of a player that always takes the best move
_CELLS = cells(MAX_SIZE)
_FIRST_STAMP = 1024  # above all points, which ``classify`` uses as marks


@lru_cache(maxsize=None)
def turn_type(hidden, passes):
    """TURN: what a turn needs besides the position and its ground. One record, so that a kernel gets one pointer."""
    return np.dtype(
        [
            ("stamp", np.int64),  # counts up for ever: a mark that equals it is of now
            ("chain_mark", np.int64, _CELLS),  # chains done for a candidate
            ("near_mark", np.int64, _CELLS),
            ("far_mark", np.int64, _CELLS),
            ("changed", np.int64, _CELLS),  # cells that a candidate gives another kind …
            ("was", np.uint8, _CELLS),  # … and what it was, in the same order
            ("near", np.int64, _CELLS),  # cells with other hidden units, those with other sums first …
            ("reach", np.int64, passes),  # … how many of them each pass changes …
            ("sums", np.float32, (_CELLS, hidden + SPARE)),  # … and what their sums and hidden units were
            ("hidden", np.float32, (passes, _CELLS, hidden)),
            ("far", np.int64, _CELLS),  # cells with other outputs
            ("worth", np.float32, _CELLS),  # White's reward of each cell of the ground
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


@njit(**_FAST)
def value_of(outputs, values, state):
    """White's reward of a cell in ``state`` from its eight outputs; ``values`` as ``rewards.values_of`` gives it."""
    total = np.float32(0)
    for o in range(SPARE):
        total += values[state, o] * outputs[o]
    return total


@njit(cache=True, nogil=True)
def total_value(sight, values, size):
    """White's reward of the whole board."""
    total = 0.0
    for row in range(1, size + 1):
        for p in range(row * (size + 1) + 1, row * (size + 1) + size + 1):
            total += value_of(sight.outputs[p], values, state_of(sight.kind[p]))
    return total


# One candidate


@njit(cache=True, nogil=True)
def _note(turn, ground, cell, kind, count):
    """Give ``cell`` another kind, unless it has it already; how many cells have changed then. Once for a candidate."""
    if ground.kind[cell] == kind:
        return count
    turn.changed[count] = cell
    turn.was[count] = ground.kind[cell]
    ground.kind[cell] = kind
    return count + 1


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _note_touched(network, after, before, turn, ground, p, candidate, work, count):
    """Give the chain at ``p``, whose stones or liberties a candidate changes, its kind, and what depends on it."""
    count = _note_chain(network, after, before, turn, ground, p, candidate, work, count)
    if network.neighbours:
        count = _note_enemies(network, after, before, turn, ground, p, candidate, work, count)
    return count


@njit(cache=True, nogil=True)
def _note_hunted(network, after, before, turn, ground, candidate, work, count):
    """Read the ladders of all chains of one or two liberties again: a stone anywhere may break one."""
    for row in range(1, after.board_size + 1):
        for p in range(row * after.stride + 1, row * after.stride + after.board_size + 1):
            if after.chain[p] == p and turn.chain_mark[p] != candidate and few_liberties(after, p) < 3:
                count = _note_chain(network, after, before, turn, ground, p, candidate, work, count)
    return count


@njit(cache=True, nogil=True)
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


@njit(**_FAST)
def _spread(network, turn, ground, stride, values, candidate, count):
    """What the changed kinds change in White's reward; the ground's sums and hidden units change with them."""
    table, sums, hidden = network.table, ground.sums, ground.hidden
    row, passes, units = sums.shape[1], hidden.shape[0], hidden.shape[2]
    near = 0
    for i in range(count):
        q = turn.changed[i]
        new, old = np.int64(ground.kind[q]), np.int64(turn.was[i])
        step = -1
        # The cell that sees q to its east is west of q, and so on round.
        for p in (
            *(q, q - 1, q + stride, q + 1, q - stride),
            *(q + stride - 1, q + stride + 1, q - stride + 1, q - stride - 1),
        ):
            step += 1
            if ground.kind[p] == EDGE_KIND:
                continue
            if turn.near_mark[p] != candidate:
                turn.near_mark[p] = candidate
                for j in range(row):
                    turn.sums[near, j] = sums[p, j]
                for j in range(units):
                    turn.hidden[0, near, j] = hidden[0, p, j]
                turn.near[near] = p
                near += 1
            for j in range(row):
                sums[p, j] += table[step, new, j] - table[step, old, j]
    turn.reach[0] = near
    for i in range(near):
        fire_hidden(ground, turn.near[i])
    for t in range(1, passes):
        for i in range(turn.reach[t - 1]):
            p = turn.near[i]
            for q in (p - stride, p - 1, p + 1, p + stride):
                if ground.kind[q] != EDGE_KIND and turn.near_mark[q] != candidate:
                    turn.near_mark[q] = candidate
                    turn.near[near] = q
                    near += 1
        turn.reach[t] = near
        for i in range(near):
            p = turn.near[i]
            for j in range(units):
                turn.hidden[t, i, j] = hidden[t, p, j]
            fire_again(network, ground, t, p, stride)
    far = 0
    for i in range(near):
        p = turn.near[i]
        for q in (
            *(p - stride - 1, p - stride, p - stride + 1, p - 1, p),
            *(p + 1, p + stride - 1, p + stride, p + stride + 1),
        ):
            if ground.kind[q] != EDGE_KIND and turn.far_mark[q] != candidate:
                turn.far_mark[q] = candidate
                turn.far[far] = q
                far += 1
    features, outputs = np.empty(network.readout.shape[0], np.float32), np.empty(SPARE, np.float32)
    gain = 0.0
    for i in range(far):
        p = turn.far[i]
        fire_outputs(network, ground, p, stride, features, outputs)
        gain += value_of(outputs, values, state_of(ground.kind[p])) - turn.worth[p]
    for i in range(turn.reach[0]):
        p = turn.near[i]
        for j in range(row):
            sums[p, j] = turn.sums[i, j]
    for t in range(passes):
        for i in range(turn.reach[t]):
            p = turn.near[i]
            for j in range(units):
                hidden[t, p, j] = turn.hidden[t, i, j]
    return gain


@njit(cache=True, nogil=True)
def move_gain(network, position, after, before, turn, ground, values, p, colour, work):
    """By how much a move at ``p`` changes White's reward of the board; ``after`` becomes the position it leads to."""
    copy_into(position, after)
    place(after, p, colour)
    turn.stamp += 1
    candidate = turn.stamp
    count = _change_inputs(network, position, after, before, turn, ground, np.int64(p), candidate, work)
    gain = _spread(network, turn, ground, position.stride, values, candidate, count)
    for i in range(count):
        ground.kind[turn.changed[i]] = turn.was[i]
    return gain


# All of them


@njit(cache=True, nogil=True)
def lay_ground(network, position, after, before, turn, ground, values):
    """See the position as after a pass, which ``after`` becomes; White's reward of it."""
    copy_into(position, after)
    after.ko = 0
    see(network, after, before, ground)
    size, stride = position.board_size, position.stride
    total = 0.0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            turn.worth[p] = value_of(ground.outputs[p], values, state_of(ground.kind[p]))
            total += turn.worth[p]
    return total


@njit(cache=True, nogil=True)
def _is_candidate(position, history, p, colour, spare_eyes):
    return may_play(position, history, p, colour) and not (spare_eyes and is_eye(position, p, colour))


@njit(cache=True, nogil=True)
def _move_value(network, position, after, before, turn, ground, values, c, ground_value, p, colour, work):
    """What a move at ``p`` is worth to ``colour``; what it captures counts at once."""
    gain = move_gain(network, position, after, before, turn, ground, values, p, colour, work)
    white = after.white_captures - position.white_captures
    black = after.black_captures - position.black_captures
    return (1.0 if colour == WHITE else -1.0) * (ground_value + gain + c * (white - black))


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def draw_move(turn, count, beta, rng):
    """One of the candidates, with a chance in proportion to exp(β · value); the best one if β is infinite."""
    best = turn.value[0]
    for i in range(1, count):
        best = max(best, turn.value[i])
    if beta == GREEDY:
        ties = 0
        chosen = 0
        for i in range(count):
            if turn.value[i] == best:
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
