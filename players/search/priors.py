"""What is thought of a move before it was tried: games that were never played, some of them won, by what the move does.

So every move of a position starts with a value, and bad ones are tried late or never (Gelly and Silver 2007). How many games
a fact is worth is tuned by games (``tree.TUNING``).
"""

import numpy as np

from engine.go.board import EMPTY, PASS, in_atari, is_eye, list_liberties
from engine.go.history import may_play
from engine.kernels import kernel
from players.scripted.reading import FIRST_BOARD, ladder_move, saves
from players.search.policy import vital_point
from players.search.shapes import FAMILY, shape_at
from players.search.tactics import FAR, THREE, captures, chain_distances, self_atari

# Games that a fact is worth, all won but for those of ``even`` (half of them) and the bad ones.
PRIORS = {
    "even": 10.0,  # every move
    "take": 15.0,  # takes a stone
    "take_many": 30.0,  # takes more
    "escape": 16.0,  # saves a stone in atari
    "escape_many": 32.0,  # saves more
    "self_atari": 20.0,  # lost: leaves own stones in atari
    "atari": 5.0,  # leaves enemy stones in atari
    "ladder": 20.0,  # catches a stone in a ladder, or saves one from it
    "ladder_many": 26.0,  # the same for more stones
    "shape": 15.0,  # has a 3×3 shape
    "nakade": 18.0,  # is the vital point of an eye space of the enemy's
    "near_1": 15.0,  # one step from the last move, steps along a chain not counted
    "near_2": 12.0,
    "near_3": 12.0,
    "edge": 11.0,  # lost: on the first two lines with nothing near
    "third_line": 12.0,  # on the third line with nothing near
    "idle": 10.0,  # lost: a pass where a stone costs nothing
}
_NEAR = 3  # steps that are looked at
_LEAST_SIZE = 7  # smaller boards are all edge
_QUIET = 3  # points in every direction with no stone: nothing is near


@kernel
def is_quiet(position, p):
    """Whether no stone stands within a distance of _QUIET, counted along rows and columns together."""
    stride = position.stride
    size = position.board_size
    row, col = p // stride, p % stride
    for dy in range(-_QUIET, _QUIET + 1):
        y = row + dy
        if y < 1 or y > size:
            continue
        width = _QUIET - abs(dy)
        for x in range(max(1, col - width), min(size, col + width) + 1):
            if position.colour[y * stride + x] != EMPTY:
                return False
    return True


@kernel
def line_of(position, p):
    """How far a point is from the edge, 1 on the first line."""
    size, stride = position.board_size, position.stride
    row, col = p // stride, p % stride
    return min(min(row, size + 1 - row), min(col, size + 1 - col))


@kernel
def _escapes(position, p, colour, work):
    """How many own stones in atari beside ``p`` a move there saves (ladders are read)."""
    stride = position.stride
    saved = 0
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == colour and in_atari(position, q) and saves(position, q, p, work):
            saved = max(saved, np.int64(position.stones[position.chain[q]]))
    return saved


@kernel
def _gives_atari(position, p, colour, found):
    """Whether a move at ``p`` leaves a chain of the enemy's that touches it one liberty."""
    stride = position.stride
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == 3 - colour and list_liberties(position, q, found, THREE) == 2:
            return True
    return False


@kernel
def _read_ladders(position, colour, tuning, work, ground):
    """Write to ``ground.ladder`` (by cell) the games that a move is worth for ladders of chains with two liberties."""
    size, stride = position.board_size, position.stride
    for p in range((size + 1) * (size + 2) + 1):
        ground.ladder[p] = 0.0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY or position.chain[p] != p:
                continue
            if list_liberties(position, p, ground.found, THREE) != 2:
                continue
            catch = ladder_move(position, p, work, FIRST_BOARD)
            if catch != PASS:
                worth = tuning.ladder if position.stones[p] == 1 else tuning.ladder_many
                if position.colour[p] != colour:
                    ground.ladder[catch] = max(ground.ladder[catch], worth)
                else:  # the attacker's points are the defender's
                    for i in range(2):
                        q = ground.found[i]
                        ground.ladder[q] = max(ground.ladder[q], worth)


@kernel
def think(position, history, colour, last, territory, tuning, work, ground, moves):
    """Write to ``moves`` the moves of ``colour`` that are worth a node, a pass the last of them, with priors; how many.

    Own eyes are never filled. ``territory``: a stone costs a point. ``moves`` has the fields point, visits, wins and share,
    ``ground`` distance, queue, found and ladder.
    """
    size, stride = position.board_size, position.stride
    _read_ladders(position, colour, tuning, work, ground)
    if last != PASS:
        chain_distances(position, last, _NEAR, ground.distance, ground.queue)
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if is_eye(position, p, colour) or not may_play(position, history, p, colour):
                continue
            visits = tuning.even
            wins = 0.5 * tuning.even
            taken = captures(position, p, colour)
            if taken:
                more = tuning.take if taken == 1 else tuning.take_many
                visits += more
                wins += more
            saved = _escapes(position, p, colour, work)
            if saved:
                more = tuning.escape if saved == 1 else tuning.escape_many
                visits += more
                wins += more
            if self_atari(position, p, colour):
                visits += tuning.self_atari
            elif ground.ladder[p] > 0:
                visits += ground.ladder[p]
                wins += ground.ladder[p]
            elif _gives_atari(position, p, colour, ground.found):
                visits += tuning.atari
                wins += tuning.atari
            if FAMILY[shape_at(position, p, colour)]:
                visits += tuning.shape
                wins += tuning.shape
            if vital_point(position, p, 3 - colour, ground.found) == p:
                visits += tuning.nakade
                wins += tuning.nakade
            if last != PASS and ground.distance[p] < FAR:
                steps = ground.distance[p]
                more = tuning.near_1 if steps == 1 else tuning.near_2 if steps == 2 else tuning.near_3
                visits += more
                wins += more
            line = line_of(position, p)
            if line <= 3 and size >= _LEAST_SIZE and is_quiet(position, p):
                more = tuning.third_line if line == 3 else tuning.edge
                visits += more
                wins += more if line == 3 else 0.0
            moves[count].point = p
            moves[count].visits = visits
            moves[count].wins = wins
            moves[count].share = 0.0
            count += 1
    moves[count].point = PASS
    moves[count].visits = tuning.even if territory else tuning.even + tuning.idle
    moves[count].wins = 0.5 * tuning.even
    moves[count].share = 0.0
    return count + 1
