"""Reading out a part of the board: a small tree search over random games with a sense for ataris.

It answers who owns what there if one side begins and both play well: a judge for positions that playouts alone leave
in doubt. Only points of a given mask are played on, some by one side only; the rest of the board stands as it is.

    S. Gelly, D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go",
    Artificial Intelligence 175 (2011): the tree, and what moves are worth anywhere in a game (RAVE).
"""

import math

import numpy as np

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE, cells
from engine.go.playout import is_playable
from engine.go.rng import below
from engine.go.scoring import mark_territory, throws_away
from engine.kernels import kernel

EXPLORATION = 0.2  # by hand; of little consequence from 0.1 to 0.7 …
ROOMY = 60  # … on so many points; on fewer it grows, since every move there can be looked at often
RAVE_BIAS = 30.0  # of as little consequence, but with 100 a move that is bad at all other times was found too late
EXPAND_AT = 2  # visits of a leaf before it gets children
SENSE = 230  # of 256 moves, how many look for ataris around the last one before anything else
MOST_NODES = 400_000  # memory of a search; when it is full, the tree stops growing
MOST_DEPTH = 120
BARRED = -1.0  # the value of a move that would bring a position back, which the rules forbid
MOVES_PER_POINT = 3

# What a mask says of a point: nobody plays there, anybody may, or BOTH plus the colour that alone may.
NOBODY, BOTH = 0, 1


@kernel
def _may_play(mask, p, colour):
    return mask[p] == BOTH or mask[p] == BOTH + colour


@kernel
def _takes_last(position, q, colour):
    """Where the chain of the enemy stone at ``q`` can be taken at once, or PASS."""
    if board.in_atari(position, q):
        p = np.int64(board.last_liberty(position, q))
        if p != position.ko and board.is_legal(position, p, colour, board.SUICIDE_FORBIDDEN):
            return p
    return PASS


@kernel
def _rescue(position, q, colour):
    """Where the own chain at ``q``, in atari, gets out of it: by taking a neighbour, else by running; PASS if nowhere."""
    stride = position.stride
    stone = np.int64(q)
    while True:
        for s in (stone - stride, stone - 1, stone + 1, stone + stride):
            if position.colour[s] == 3 - colour and board.in_atari(position, s):
                p = _takes_last(position, s, colour)
                if p != PASS:
                    return p
        stone = np.int64(position.next_stone[stone])
        if stone == q:
            break
    p = np.int64(board.last_liberty(position, q))
    if board.is_legal(position, p, colour, board.SUICIDE_FORBIDDEN) and board.liberties_after(position, p, colour, 2) >= 2:
        return p
    return PASS


@kernel
def _answer(position, last, colour, mask):
    """A move that an atari around the enemy's last stone asks for, or PASS."""
    if last == PASS or position.colour[last] != 3 - colour:
        return PASS
    p = _takes_last(position, last, colour)
    if p != PASS and _may_play(mask, p, colour):
        return p
    stride = position.stride
    for q in (last - stride, last - 1, last + 1, last + stride):
        if position.colour[q] == colour and board.in_atari(position, q):
            p = _rescue(position, q, colour)
            if p != PASS and _may_play(mask, p, colour):
                return p
    return PASS


@kernel
def _is_sensible(position, p, colour, mask, safe):
    """Whether to think of the point ``p``: it may be played, is no own eye, and no stones are thrown away.

    A chain with stones and a liberty outside the mask is settled, and has more to live on than what is seen here.
    """
    if not (_may_play(mask, p, colour) and is_playable(position, p, colour)):
        return False
    if not throws_away(position, p, colour, safe):
        return True
    stride = position.stride
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == colour and _is_settled(position, q, mask):
            return True
    return False


@kernel
def _is_settled(position, stone, mask):
    """Whether a chain has both a stone and a liberty outside the mask."""
    stride = position.stride
    s = np.int64(stone)
    stands = breathes = False
    while True:
        stands = stands or not mask[s]
        for q in (s - stride, s - 1, s + 1, s + stride):
            breathes = breathes or position.colour[q] == EMPTY and not mask[q]
        if stands and breathes:
            return True
        s = np.int64(position.next_stone[s])
        if s == stone:
            return False


@kernel
def _random_move(position, colour, mask, safe, rng):
    left = position.empty_count
    while left > 0:
        index = below(rng, left)
        p = np.int64(position.empties[index])
        if _is_sensible(position, p, colour, mask, safe):
            return p
        left -= 1
        board.swap_empties(position, index, left)
    return PASS


@kernel
def settle(position, colour, last, mask, safe, rng, moves, count):
    """Play on in place until neither side has a sensible move; moves are appended to ``moves``, how many there are then."""
    passes = 0
    while passes < 2 and count < moves.size:
        p = PASS
        if below(rng, 256) < SENSE:
            p = _answer(position, last, colour, mask)
        if p == PASS:
            p = _random_move(position, colour, mask, safe, rng)
        passes = 0 if p != PASS else passes + 1
        board.play(position, p, colour)
        moves[count] = p
        count += 1
        last = p
        colour = 3 - colour
    return count


@kernel
def _expand(position, colour, last, mask, safe, node, used, first, width, move, visits, value):
    """Give ``node`` its children, with a few imagined results for moves that look good; how many nodes are used then."""
    start = used
    urgent = _answer(position, last, colour, mask)
    for i in range(position.empty_count + 1):
        p = PASS if i == position.empty_count else np.int64(position.empties[i])
        if p != PASS and p != urgent and not _is_sensible(position, p, colour, mask, safe):
            continue
        if used == move.size:
            return start
        move[used] = p
        visits[used] = 0
        value[used] = 0.0
        first[used] = -1
        if p == urgent and p != PASS:
            visits[used] = 5
            value[used] = 5
        used += 1
    first[node] = start
    width[node] = used - start
    return used


@kernel
def _was_seen(key, keys, last):
    for i in range(last + 1):
        if keys[i] == key:
            return True
    return False


@kernel
def read(position, scratch, colour, mask, safe, simulations, rng, total, neutral):
    """Search with ``colour`` to move; add to ``total`` (float by cell) who owned what in the second half of the games.

    In the first half of them every second game begins with the next move in turn, so that none is given up too soon: a
    sacrifice looks bad until what follows has been seen often enough.
    ``neutral`` (float by cell) counts the games that left a point empty and to neither side. How many games were added.
    """
    n = cells(position.board_size)
    points = 0
    for p in range(n):
        points += mask[p] != NOBODY
    exploration = EXPLORATION * max(1.0, ROOMY / points)
    capacity = min(MOST_NODES, (simulations // EXPAND_AT + 2) * (points + 1))
    first = np.empty(capacity, np.int32)
    width = np.empty(capacity, np.int32)
    move = np.empty(capacity, np.int16)
    visits = np.zeros(capacity, np.int32)
    value = np.zeros(capacity, np.float32)
    rave_visits = np.zeros(capacity, np.int32)
    rave_value = np.zeros(capacity, np.float32)
    moves = np.empty(MOST_DEPTH + MOVES_PER_POINT * points + 2, np.int64)
    seen_hashes = np.empty(MOST_DEPTH + 1, np.int64)
    path = np.empty(MOST_DEPTH + 1, np.int64)
    owner = np.empty(n, np.int8)
    when = np.empty((2, n), np.int32)  # by side and point: the first move of the game there, or a late time
    first[0] = -1
    used = 1
    added = 0
    for simulation in range(simulations):
        board.copy_into(position, scratch)
        node = 0
        depth = 0
        count = 0
        side = colour
        last = PASS
        path[0] = 0
        seen_hashes[0] = scratch.hash
        barred = False
        passes = 0
        while depth < MOST_DEPTH and passes < 2:
            if first[node] < 0:
                if visits[node] < EXPAND_AT and node > 0:
                    break
                grown = _expand(scratch, side, last, mask, safe, node, used, first, width, move, visits, value)
                if grown == used:
                    break
                for i in range(used, grown):
                    rave_visits[i] = 0
                    rave_value[i] = 0.0
                used = grown
            begin, end = first[node], first[node] + width[node]
            if depth == 0 and simulation < simulations // 2 and simulation % 2 == 0:
                begin += simulation // 2 % width[node]
                end = begin + 1
            best = first[node] + width[node] - 1  # the pass, which is always allowed
            best_worth = -1.0
            log_visits = math.log(visits[node] + 1.0)
            for i in range(begin, end):
                if value[i] == BARRED:
                    continue
                seen = visits[i]
                rave = rave_value[i] / rave_visits[i] if rave_visits[i] else 0.6
                beta = math.sqrt(RAVE_BIAS / (3 * seen + RAVE_BIAS)) if move[i] != PASS else 0.0
                own = value[i] / seen if seen else 0.5
                worth = beta * rave + (1 - beta) * own + exploration * math.sqrt(log_visits / (seen + 1))
                if worth > best_worth:
                    best_worth = worth
                    best = i
            node = best
            last = np.int64(move[node])
            captured = board.play(scratch, last, side)
            if captured and _was_seen(scratch.hash, seen_hashes, depth):
                value[node] = BARRED
                barred = True
                break
            passes = passes + 1 if last == PASS else 0
            seen_hashes[depth + 1] = scratch.hash
            moves[count] = last
            count += 1
            side = 3 - side
            depth += 1
            path[depth] = node
        if barred:
            continue
        if passes < 2:
            count = settle(scratch, side, last, mask, safe, rng, moves, count)
        mark_territory(scratch, owner)
        score = 0
        for p in range(n):
            there = scratch.colour[p] if scratch.colour[p] != EMPTY else owner[p]
            holder = (there == BLACK) - (there == WHITE)
            owner[p] = holder
            score += (mask[p] != NOBODY) * holder
        if simulation >= simulations // 2:
            added += 1
            for p in range(n):
                total[p] += owner[p]
                neutral[p] += (scratch.colour[p] == EMPTY) & (owner[p] == 0)
        result = 0.5 + 0.5 * score / points
        when[:] = 1 << 30
        for i in range(count - 1, -1, -1):
            if moves[i] != PASS:
                when[(i + colour) & 1, moves[i]] = i
        visits[0] += 1
        side = colour
        for d in range(depth + 1):
            node = path[d]
            if d > 0:
                visits[node] += 1
                value[node] += result if side == WHITE else 1 - result  # the mover was the other side
            if first[node] >= 0:
                gain = result if side == BLACK else 1 - result
                other = (side + 1) & 1
                for i in range(first[node], first[node] + width[node]):
                    p = np.int64(move[i])
                    if p != PASS:
                        mine = when[side & 1, p]
                        if mine >= d and mine < when[other, p] and mine < (1 << 30):
                            rave_visits[i] += 1
                            rave_value[i] += gain
            side = 3 - side
    return added
