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

from engine.go.board import EMPTY, PASS, cells, empty_neighbours, is_legal, touches
from engine.go.scoring import safe_territory
from engine.kernels import kernel
from players.scripted.player import ScriptedPlayer, policy_of
from players.scripted.tactics import choose_allowed, choose_best, is_small_eye, leaves_atari

# The bonus of a group with 1, 2, 3, 4 and more liberties; author's code.
BONUS = (20, 10, 5, 3, 1)

# A set of points is a row of 64-bit words; points are counted from the first one of the board.
_WORD_SHIFT, _BIT_MASK = 6, 63
_ONE = np.uint64(1)


@kernel
def _map_chains(position, liberties, rivals):
    """Write, by chain, the set of its liberties and the set of (the names of) the enemy chains that it touches."""
    size, stride = position.board_size, position.stride
    origin = stride + 1
    words = liberties.shape[1]
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.chain[p] == p:
                for w in range(words):
                    liberties[p, w] = rivals[p, w] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            name = np.int64(position.chain[p])
            if name:
                for q in (p - stride, p - 1, p + 1, p + stride):
                    other = np.int64(position.chain[q])
                    if position.colour[q] == EMPTY:
                        _insert(liberties, name, q - origin)
                    elif other and other != name:
                        _insert(rivals, name, other - origin)


@kernel
def _insert(sets, chain, index):
    sets[chain, index >> _WORD_SHIFT] |= _ONE << np.uint64(index & _BIT_MASK)


@kernel
def _contains(sets, chain, index):
    return sets[chain, index >> _WORD_SHIFT] >> np.uint64(index & _BIT_MASK) & _ONE


@kernel
def _bonus(liberties, chains, start, end):
    """The bonus of the group that consists of the chains from ``start`` to ``end``."""
    count = 0
    for w in range(liberties.shape[1]):
        word = np.uint64(0)
        for i in range(start, end):
            word |= liberties[chains[i], w]
        while word:
            word &= word - _ONE
            count += 1
            if count == len(BONUS):
                return BONUS[count - 1]
    return BONUS[count - 1]


@kernel
def score_points(position, colour, points, count, scores):
    """Write the scores for ``colour`` of the first ``count`` of the legal points, by cell; 0 for those it rejects."""
    stride = position.stride
    origin = stride + 1
    words = ((position.board_size - 1) * (stride + 1) >> _WORD_SHIFT) + 1
    liberties = np.empty((position.board_size * (stride + 1) + 1, words), np.uint64)
    rivals = np.empty((position.board_size * (stride + 1) + 1, words), np.uint64)
    _map_chains(position, liberties, rivals)
    chains = np.empty(4, np.int64)
    for i in range(count):
        p = points[i]
        if leaves_atari(position, p, colour):
            scores[p] = 0
            continue
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
        score = empty_neighbours(position, p)
        start = np.int64(0)
        while start < around:  # sort the chains so that those of one group stand together, from start to end
            end = start + 1
            member = start
            while member < end:
                for j in range(end, around):
                    if _contains(rivals, chains[member], chains[j] - origin):
                        chains[j], chains[end] = chains[end], chains[j]
                        end += 1
                member += 1
            score += _bonus(liberties, chains, start, end)
            start = end
        scores[p] = score


@kernel
def _list_candidates(position, history, colour, points):
    """Write the candidates (legal but for superko) to ``points`` in the order of the board; how many."""
    size, stride = position.board_size, position.stride
    owner = np.empty(cells(size), np.int8)
    safe_territory(position, owner)
    count = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            if position.colour[p] == EMPTY and is_legal(position, p, colour, history.suicide):
                if owner[p] == 0 or owner[p] == colour and touches(position, p, 3 - colour):
                    points[count] = p
                    count += 1
    return count


@kernel
def liberty_scores(position, history, colour, points, scores):
    """Write the candidates to ``points`` and their scores to ``scores`` (int64 by cell); how many candidates."""
    count = _list_candidates(position, history, colour, points)
    score_points(position, colour, points, count, scores)
    return count


@kernel
def liberty_move(position, history, colour, rng):
    """Liberty's move."""
    points = np.empty(position.empty_count, np.int64)
    scores = np.zeros(cells(position.board_size), np.int64)
    count = liberty_scores(position, history, colour, points, scores)
    p = choose_best(position, history, colour, scores, rng)
    if p != PASS:
        return p
    left = np.int64(0)
    for i in range(count):
        if not is_small_eye(position, points[i], colour):
            points[left] = points[i]
            left += 1
    return choose_allowed(position, history, colour, points, left, rng)


class Liberty(ScriptedPlayer):
    """Tries to capture and to escape with stones that have few liberties. Its policy is the score of each point."""

    name = "liberty"

    def _move(self, position, history, colour):
        return liberty_move(position, history, colour, self.rng)

    def policy(self, game, colour):
        scores = np.zeros(cells(game.size), np.int64)
        liberty_scores(game.position, game.history, colour, np.empty(game.size**2, np.int64), scores)
        return policy_of(game, colour, scores)
