"""Naixt: the middle opponent of the organism paper (Section V.A, "Computer Players").

The paper has one sentence about it: basic abilities, saves its own stones, captures the enemy's, and gives up on stones
that it takes for dead. This is a stand-in with these ideas and no others:

    1. save a chain in atari, the largest first: capture what attacks it, or extend if that leads out of atari
    2. capture a chain in atari, the largest first
    3. else play a random point near stones, without putting itself in atari or filling its own eyes or territory: as long
       as only its own stones stand all of the board is its territory
    4. else pass

A chain in atari that neither way saves counts as dead, and is left alone. Nothing is read ahead: Naixt runs in ladders
to the bitter end.
"""

import numpy as np

from engine.go.board import MOST_CELLS, PASS, cells, empty_neighbours, in_atari, is_eye, is_single, last_liberty
from engine.go.history import may_play
from engine.go.reach import MOST_WORDS, contains, reach
from engine.kernels import kernel
from engine.stack import array_on_stack
from players.scripted.player import ScriptedPlayer
from players.scripted.tactics import choose_allowed, is_near_stone, leaves_atari

ROOM = 3  # empty neighbours that a point inside enemy territory needs to be worth a try; our choice
_ONE = np.uint64(1)


@kernel
def capturing_point(position, history, stone, colour):
    """Where ``colour`` captures the largest chain in atari that touches its chain of ``stone``; PASS if nowhere."""
    stride = np.uint64(position.stride)
    best = np.int64(PASS)
    best_stones = 0
    s = first = np.uint64(stone)
    while True:
        for q in (s - stride, s - _ONE, s + _ONE, s + stride):
            if position.colour[q] == 3 - colour and in_atari(position, q):
                stones = position.stones[position.chain[q]]
                p = last_liberty(position, q)
                if stones > best_stones and may_play(position, history, p, colour):
                    best, best_stones = p, stones
        s = np.uint64(position.next_stone[s])
        if s == first:
            return best


@kernel
def _rescue(position, history, stone, colour):
    """The move that saves the chain of ``stone`` from atari, or PASS."""
    p = capturing_point(position, history, stone, colour)
    if p != PASS:
        return p
    p = last_liberty(position, stone)
    if not leaves_atari(position, p, colour) and may_play(position, history, p, colour):
        return p
    return np.int64(PASS)


@kernel
def quiet_points(position, colour, points):
    """Write the points that are worth a move when nothing is urgent; how many.

    Not self-atari, no eye of its own, and not inside territory, unless that is the enemy's and has room. Before the first
    stone of its own the enemy has no territory.
    """
    count = np.int64(0)
    own, enemy = array_on_stack(MOST_WORDS, np.uint64), array_on_stack(MOST_WORDS, np.uint64)
    contested, is_opposed = reach(position, colour, own, enemy)
    if contested and not is_opposed:
        return count
    for i in range(position.empty_count):
        p = np.int64(position.empties[i])
        if contested and not contains(enemy, p):
            continue  # its own territory
        if contested and not contains(own, p) and empty_neighbours(position, p) < ROOM:
            continue
        if leaves_atari(position, p, colour) or is_eye(position, p, colour):
            continue
        points[count] = p
        count += 1
    return count


@kernel
def _list_atari(position, chains):
    """Write the names of the chains in atari to ``chains`` in the order of the board; how many."""
    count = np.int64(0)
    for p in range(np.uint64(position.stride + 1), np.uint64(cells(position.board_size) - position.stride)):
        # No early decision: which cells name a chain cannot be predicted, and hardly one of them is in atari.
        if (position.chain[p] == p) & is_single(position.liberties[p]):
            chains[count] = p
            count += 1
    return count


@kernel
def urgent_move(position, history, colour):
    """The move that saves or captures the largest chain in atari, saving first; PASS if there is none."""
    chains = array_on_stack(MOST_CELLS, np.int64)
    count = _list_atari(position, chains)
    best = np.int64(PASS)
    best_stones = 0
    for side in (colour, 3 - colour):
        for i in range(count):
            p = chains[i]
            if position.colour[p] == side and position.stones[p] > best_stones:
                if side == colour:
                    m = _rescue(position, history, p, colour)
                else:
                    m = last_liberty(position, p)
                    if not may_play(position, history, m, colour):
                        m = np.int64(PASS)
                if m != PASS:
                    best, best_stones = m, position.stones[p]
        if best != PASS:
            return best
    return np.int64(PASS)


@kernel
def quiet_move(position, history, colour, points, count, rng):
    """One of the first ``count`` points, which are quiet ones, near stones if there are any; uses up ``points``."""
    near = np.int64(0)
    for i in range(count):
        if is_near_stone(position, points[i]):
            points[near], points[i] = points[i], points[near]
            near += 1
    return choose_allowed(position, history, colour, points, near if near else count, rng)


@kernel
def naixt_move(position, history, colour, rng):
    """Naixt's move."""
    p = urgent_move(position, history, colour)
    if p != PASS:
        return p
    points = array_on_stack(MOST_CELLS, np.int64)
    return quiet_move(position, history, colour, points, quiet_points(position, colour, points), rng)


class Naixt(ScriptedPlayer):
    """Saves and captures stones in atari, and otherwise plays near stones at random."""

    name = "naixt"

    def _move(self, position, history, colour):
        return naixt_move(position, history, colour, self.rng)
