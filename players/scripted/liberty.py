"""Liberty: captures and escapes by counting liberties. The opponent of the HyperNEAT paper (Section 4).

It plays as the LibertyPlayer of Fuego's SimplePlayers (version 0.4) does:

    candidates   legal points outside territory that is safe for certain (here: by Benson's algorithm), but also the
                 points of its own safe territory that touch an enemy stone, so that dead stones get captured
    score        none if the move leaves its own stones in atari; else the number of empty neighbours, and for each
                 group of stones around the point a bonus that grows as the liberties of the group shrink
    choice       the highest score, ties at random; else a random candidate that is not its own eye; else pass

A "group" ignores colour: the chains that touch the point, black and white, are one group where they touch each other,
and its liberties are the empty points beside any of them.
"""

import numpy as np
from numba import njit

from engine.board import EMPTY, PASS, cells, is_legal
from engine.history import may_play
from engine.scoring import safe_territory
from players.scripted.player import ScriptedPlayer
from players.scripted.tactics import choose_allowed, empty_neighbours, is_small_eye, leaves_atari

# The bonus of a group with 1, 2, 3, 4 and more liberties; author's code.
BONUS = (20, 10, 5, 3, 1)

# A set of points is a row of 64-bit words; points are counted from the first one of the board.
_WORD_SHIFT, _BIT_MASK = 6, 63
_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def _insert(row, index):
    row[index >> _WORD_SHIFT] |= _ONE << np.uint64(index & _BIT_MASK)


@njit(cache=True, nogil=True)
def _contains(row, index):
    return row[index >> _WORD_SHIFT] >> np.uint64(index & _BIT_MASK) & _ONE


@njit(cache=True, nogil=True)
def _map_chains(position, liberties, rivals):
    """Write, by chain, the set of its liberties and the set of (the names of) the enemy chains that it touches."""
    size, stride = position.board_size, position.stride
    origin = stride + 1
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.chain[p] == p:
                liberties[p] = 0
                rivals[p] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            name = np.int64(position.chain[p])
            if name:
                for q in (p - stride, p - 1, p + 1, p + stride):
                    other = np.int64(position.chain[q])
                    if position.colour[q] == EMPTY:
                        _insert(liberties[name], q - origin)
                    elif other and other != name:
                        _insert(rivals[name], other - origin)


@njit(cache=True, nogil=True)
def _bonus(group):
    """The bonus of a group with the given set of liberties."""
    count = 0
    for word in group:
        while word:
            word &= word - _ONE
            count += 1
            if count == 5:
                return BONUS[4]
    return BONUS[count - 1]


@njit(cache=True, nogil=True)
def score_points(position, colour, points, count, scores):
    """Score the first ``count`` of the (empty, legal) points as ``colour`` sees them; 0 for those it rejects."""
    stride = position.stride
    origin = stride + 1
    words = ((position.board_size - 1) * (stride + 1) >> _WORD_SHIFT) + 1
    liberties = np.empty((position.board_size * (stride + 1) + 1, words), np.uint64)
    rivals = np.empty_like(liberties)
    _map_chains(position, liberties, rivals)
    chains = np.empty(4, np.int64)
    group = np.empty(words, np.uint64)
    for i in range(count):
        p = points[i]
        if leaves_atari(position, p, colour):
            scores[i] = 0
            continue
        score = empty_neighbours(position, p)
        around = 0
        for q in (p - stride, p - 1, p + 1, p + stride):
            name = np.int64(position.chain[q])
            if name:
                known = False
                for j in range(around):
                    known = known or chains[j] == name
                if not known:
                    chains[around] = name
                    around += 1
        start = 0
        while start < around:  # sort the chains so that those of a group stand together, from start to end
            end = start + 1
            group[:] = 0
            member = start
            while member < end:
                group |= liberties[chains[member]]
                for j in range(end, around):
                    if _contains(rivals[chains[member]], chains[j] - origin):
                        chains[j], chains[end] = chains[end], chains[j]
                        end += 1
                member += 1
            score += _bonus(group)
            start = end
        scores[i] = score


@njit(cache=True, nogil=True)
def _list_candidates(position, history, colour, points):
    """Write the candidates (legal but for superko) to ``points`` in the order of the board; how many."""
    size, stride = position.board_size, position.stride
    owner = np.empty((size + 1) * (size + 2) + 1, np.int8)
    safe_territory(position, owner)
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY and is_legal(position, p, colour, history.suicide):
                if owner[p] == 0 or owner[p] == colour and _touches(position, p, 3 - colour):
                    points[count] = p
                    count += 1
    return count


@njit(cache=True, nogil=True)
def _touches(position, p, colour):
    stride = position.stride
    for q in (p - stride, p - 1, p + 1, p + stride):
        if position.colour[q] == colour:
            return True
    return False


@njit(cache=True, nogil=True)
def liberty_move(position, history, colour, rng):
    """Liberty's move."""
    points = np.empty(position.empty_count, np.int64)
    count = _list_candidates(position, history, colour, points)
    scores = np.empty(count, np.int64)
    score_points(position, colour, points, count, scores)
    ties = np.empty(count, np.int64)
    while True:  # once as a rule; again if superko forbids all of the best points
        best = 0
        for i in range(count):
            best = max(best, scores[i])
        if best == 0:
            break
        tied = 0
        for i in range(count):
            if scores[i] == best:
                ties[tied] = points[i]
                tied += 1
                scores[i] = 0
        p = choose_allowed(position, history, colour, ties, tied, rng)
        if p != PASS:
            return p
    tied = 0
    for i in range(count):
        if not is_small_eye(position, points[i], colour):
            ties[tied] = points[i]
            tied += 1
    return choose_allowed(position, history, colour, ties, tied, rng)


class Liberty(ScriptedPlayer):
    """Tries to capture and to escape with stones that have few liberties. Its policy is the score of each point."""

    name = "liberty"

    def _move(self, position, history, colour):
        return liberty_move(position, history, colour, self.rng)

    def policy(self, game, colour):
        points = np.empty(game.size**2, np.int64)
        count = _list_candidates(game.position, game.history, colour, points)
        scores = np.empty(count, np.int64)
        score_points(game.position, colour, points, count, scores)
        values = np.full(cells(game.size), np.nan)
        for p, score in zip(points, scores):
            if score and may_play(game.position, game.history, p, colour):
                values[p] = score
        return values
