"""Looking further ahead than one move with the evaluator: the outlook of §VI.

A minimax search to a fixed depth. At each position all moves are judged as the player without a search judges them, and
the best few (``width``) are followed; what a line is worth is what the best move at its end is worth, with what was
captured on the way. Alpha-beta leaves out what cannot matter, and changes no value. What the network says at a step of a
line needs what it said a step before, so that each step keeps a sight of its own.

Before a depth the search has done all smaller ones: so it has an answer when its time is over, and tries the move first
that was best at the depth before.
"""

import time
from typing import NamedTuple

import numpy as np
from numba import njit

from engine.board import BLACK, PASS, POSITION, WHITE, cells, copy_into, play
from engine.history import remember, take_back
from players.isn.candidates import judge_moves, judge_until, new_turn
from players.isn.network import SIGHT, new_sight, see

MOST_DEPTH, MOST_WIDTH = 8, 64  # our choice: more than there is time for
_INFINITE = np.inf
_NO_LIMIT = 1 << 62
_SLOW = 100.0  # positions whose moves are judged in a second, until it is known better: less than on any board here

# The tree of a search, by step of the line that is looked at. Values are those of the side that moves at that step.
TREE = np.dtype(
    [
        ("count", np.int64, MOST_DEPTH),  # moves that are followed …
        ("point", np.int64, (MOST_DEPTH, MOST_WIDTH)),  # … which ones …
        ("value", np.float64, (MOST_DEPTH, MOST_WIDTH)),  # … and what they are worth: at first sight, then when followed
        ("next", np.int64, MOST_DEPTH),  # the number of the move that is followed now
        ("passed", np.int64, MOST_DEPTH),  # whether the move before was a pass
        ("alpha", np.float64, MOST_DEPTH),
        ("beta", np.float64, MOST_DEPTH),
        ("best", np.float64, MOST_DEPTH),
        ("line", np.int64, (MOST_DEPTH, MOST_DEPTH)),  # best play from here …
        ("length", np.int64, MOST_DEPTH),  # … and how many moves of it
        ("reply", np.int64, MOST_DEPTH),  # what was best at the end of the last line, tried first in the next
        ("first_line", np.int64, (MOST_WIDTH, MOST_DEPTH)),  # for each of the first moves: best play …
        ("first_length", np.int64, MOST_WIDTH),  # … and how many moves of it
    ],
    align=True,
)


class Found(NamedTuple):
    """What a search has found, best first."""

    points: list  # the first moves that were followed
    values: list  # what each is worth to the side that moves: exact for the first, and for all if that was asked for
    lines: list  # best play after each, itself included
    depth: int  # how many moves it has looked ahead


# Kernels


@njit(cache=True, nogil=True)
def _rank(turn, count, width, tree, step, extra):
    """Keep the best ``width`` candidates, in order; ``extra`` is added to their values."""
    kept = min(count, width)
    for i in range(kept):
        best = i
        for j in range(i + 1, count):
            if turn.value[j] > turn.value[best]:
                best = j
        point, value = turn.point[best], turn.value[best]
        # What was before it moves up, so that equals stay in the order of the board.
        for j in range(best, i, -1):
            turn.point[j], turn.value[j] = turn.point[j - 1], turn.value[j - 1]
        turn.point[i], turn.value[i] = point, value
        tree.point[step, i], tree.value[step, i] = point, value + extra
    tree.count[step] = kept


@njit(cache=True, nogil=True)
def _open(
    network, positions, history, sights, turn, ground, values, c, colour, spare_eyes, tree, step, depth, width
):
    """Come to a step of a line; at its last one, judge what the line is worth."""
    position = positions[step]
    white = position.white_captures - positions[0].white_captures
    black = position.black_captures - positions[0].black_captures
    taken = (1.0 if colour == WHITE else -1.0) * c * (white - black)
    tree.next[step] = 0
    if step < depth - 1:
        count = judge_moves(
            network, position, history, positions[depth], sights[step], turn, ground, values, c, colour, spare_eyes
        )
        _rank(turn, count, width, tree, step, taken)
        tree.best[step] = -_INFINITE
        tree.length[step] = 0
        return
    point, value = judge_until(
        network, position, history, positions[depth], sights[step], turn, ground, values, c, colour, spare_eyes,
        tree.reply[step], tree.beta[step] - taken,
    )  # fmt: skip
    tree.count[step] = 0
    tree.best[step] = value + taken
    tree.line[step, 0] = tree.reply[step] = point
    tree.length[step] = 1


@njit(cache=True, nogil=True)
def _finish_move(tree, step, value, deeper):
    """The move that is followed at ``step`` is worth ``value``; the line after it stands at the next step if ``deeper``."""
    number = tree.next[step]
    point = tree.point[step, number]
    length = tree.length[step + 1] if deeper else 0
    if value > tree.best[step]:
        tree.best[step] = value
        tree.line[step, 0] = point
        for i in range(length):
            tree.line[step, i + 1] = tree.line[step + 1, i]
        tree.length[step] = length + 1
    if step == 0:
        tree.value[0, number] = value
        tree.first_line[number, 0] = point
        for i in range(length):
            tree.first_line[number, i + 1] = tree.line[1, i]
        tree.first_length[number] = length + 1
    tree.next[step] += 1


@njit(cache=True, nogil=True)
def search_tree(
    after_white, after_black, positions, history, sights, turn, ground, values, c, colour, spare_eyes, passed,
    tree, depth, width, first, exact, quota,
):  # fmt: skip
    """Search at least two moves deep from ``positions[0]`` and its ``sights[0]``; how many positions had their moves judged.

    The move ``first`` is followed before the others. With ``exact`` every first move gets its value, else those that are
    no better than one before them get a bound. After ``quota`` positions the search stops where it is: ``tree.next[0]``
    then tells how many first moves are done. ``passed``: the move before was a pass, so that another one ends the game.
    """
    for i in range(MOST_DEPTH):
        tree.reply[i] = PASS
    network = after_white if colour == WHITE else after_black
    tree.alpha[0], tree.beta[0] = -_INFINITE, _INFINITE
    tree.passed[0] = passed
    _open(
        network, positions, history, sights, turn, ground, values, c, colour, spare_eyes, tree, 0, depth, width
    )
    for i in range(1, tree.count[0]):
        if tree.point[0, i] == first:
            value = tree.value[0, i]
            for j in range(i, 0, -1):
                tree.point[0, j], tree.value[0, j] = tree.point[0, j - 1], tree.value[0, j - 1]
            tree.point[0, 0], tree.value[0, 0] = first, value
    judged = 1
    step = 0
    while True:
        if tree.next[step] >= tree.count[step] or tree.best[step] >= tree.beta[step]:
            if step == 0:
                return judged
            step -= 1
            take_back(history)
            _finish_move(tree, step, -tree.best[step + 1], True)
            continue
        if judged >= quota:
            while step > 0:
                take_back(history)
                step -= 1
            return judged
        mover = colour if step % 2 == 0 else 3 - colour
        p = tree.point[step, tree.next[step]]
        if p == PASS and tree.passed[step]:
            _finish_move(tree, step, tree.value[step, tree.next[step]], False)
            continue
        copy_into(positions[step], positions[step + 1])
        play(positions[step + 1], p, mover)
        remember(positions[step + 1], history, mover)
        network, other = (after_white, after_black) if mover == WHITE else (after_black, after_white)
        see(network, positions[step + 1], sights[step], sights[step + 1])
        step += 1
        tree.passed[step] = p == PASS
        tree.beta[step] = -max(tree.alpha[step - 1], tree.best[step - 1])
        if exact and step == 1:
            tree.beta[step] = _INFINITE
        tree.alpha[step] = -tree.beta[step - 1]
        _open(
            other, positions, history, sights, turn, ground, values, c, 3 - mover, spare_eyes, tree, step, depth,
            width,
        )  # fmt: skip
        judged += 1


# For Python


class Searcher:
    """All that a search needs, good for any number of them, one after the other, on any board."""

    def __init__(self, networks, depth, width, spare_eyes):
        """``networks`` by the colour that has moved; ``depth`` is 2 or more."""
        self._networks = networks[WHITE], networks[BLACK]
        self._depth, self._width, self._spare_eyes = depth, width, spare_eyes
        self._positions = np.recarray(depth + 1, POSITION)
        self._sights = np.zeros(depth, SIGHT).view(np.recarray)
        self._turn, self._ground = new_turn(), new_sight()
        self._tree = np.recarray(1, TREE)[0]
        self._rates = {}  # by size of the board: positions whose moves were judged in a second when last it searched

    def search(self, game, colour, sight, values, c, exact=False, seconds=None, stop=None):
        """Found, or None if there was no time for two moves.

        ``sight`` is of the present position. With ``exact`` the values of all first moves are exact.
        """
        began = time.monotonic()
        n, tree = cells(game.size), self._tree
        for position in self._positions:
            copy_into(game.position, position)
        for name in SIGHT.names:
            self._sights[0][name][:n] = sight[name][:n]
        history = game.history.copy()
        passed = bool(game.moves) and game.moves[-1].point == PASS
        found, judged = None, 0
        for depth in range(2, self._depth + 1):
            quota = _NO_LIMIT
            if seconds is not None:
                left = seconds - (time.monotonic() - began)
                quota = int(left * self._rates.get(game.size, _SLOW))
            if quota < 1 or stop is not None and stop.is_set():
                break
            judged += search_tree(
                *self._networks, self._positions, history, self._sights, self._turn, self._ground, values, c, colour,
                self._spare_eyes, passed, tree, depth, self._width, found.points[0] if found else PASS, exact,
                quota,
            )  # fmt: skip
            self._rates[game.size] = judged / max(time.monotonic() - began, 1e-6)
            done = int(tree.next[0])
            if done:
                found = self._found(done, depth)
            if done < tree.count[0]:
                break
        return found

    def _found(self, done, depth):
        tree = self._tree
        order = np.argsort(-tree.value[0, :done], kind="stable")
        lines = [tree.first_line[i, : tree.first_length[i]].tolist() for i in order]
        return Found(tree.point[0, order].tolist(), tree.value[0, order].tolist(), lines, depth)
