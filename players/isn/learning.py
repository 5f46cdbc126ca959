"""Games of self-play, and the gradient that they give (§V).

A game is logged as the inputs at every step, from the first position on, with the network's own estimates; from the end
of the game λ-returns go back along it, and every output that says something about its point is taught by cross entropy.
Group classes are inputs: nothing is learned through them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.go.board import BLACK, EMPTY, WHITE, cells
from engine.go.scoring import mark_territory
from players.isn.network import (
    _FAST,
    _OUT,
    _ROW,
    EMPTY_KIND,
    FEATURES,
    HIDDEN,
    KINDS,
    OUTPUTS,
    contract,
    gather,
    look,
    swap_colours,
)
from players.isn.rewards import final_rewards, set_targets, state_of, step_back
from players.isn.side import Style, side_of
from players.play.loop import AREA, RESULT, new_boards, play_games
from players.play.schedule import schedule

# What a report says of a game.
LENGTH, SCORE, CAPPED, LOSS, TERMS = range(5)


@njit(cache=True, nogil=True)
def final_returns(position, returns, report):
    """Write the rewards of each cell at the end of the game to ``returns`` [cell, 2], all stones alive."""
    size, stride = position.board_size, position.stride
    owner = np.empty(cells(size), np.int8)
    mark_territory(position, owner)
    report[SCORE] = 0
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            empty = position.colour[p] == EMPTY
            holder = np.int64(owner[p]) if empty else np.int64(position.colour[p])
            whose = 1 if holder == WHITE else -1 if holder == BLACK else 0
            returns[p, 0], returns[p, 1] = final_rewards(whose, empty)
            report[SCORE] -= whose


@njit(**_FAST)
def _learn_cell(network, hidden, p, stride, delta, features, readout, back):
    """Add the gradient of one cell's output sums ``delta`` to that of the readout, and to ``back`` by feature."""
    gather(hidden, p, stride, features)
    weights = network.readout
    for f in range(FEATURES):
        x = features[f]
        total = np.float32(0)
        for o in range(8):
            readout[f, o] += x * delta[o]
            total += weights[f, o] * delta[o]
        back[f] = total


@njit(**_FAST)
def _scatter(errors, p, stride, back):
    """Hand the gradient by feature of the cell ``p`` back to the hidden units around it: the transpose of ``gather``."""
    e, n, w, s = p + 1, p - stride, p - 1, p + stride
    ne, nw, sw, se = n + 1, n - 1, s - 1, s + 1
    for i in range(4):
        errors[p, i] += back[i]
        for q in (e, n, w, s):
            errors[q, i] += back[4 + i]
        for q in (ne, nw, sw, se):
            errors[q, i] += back[8 + i]
    for i in range(2):
        errors[e, 4 + i] += back[12 + i]
        errors[w, 4 + i] += back[12 + i]
        errors[n, 4 + i] -= back[12 + i]
        errors[s, 4 + i] -= back[12 + i]
        errors[ne, 6 + i] += back[14 + i]
        errors[sw, 6 + i] += back[14 + i]
        errors[nw, 6 + i] -= back[14 + i]
        errors[se, 6 + i] -= back[14 + i]
        errors[e, 8 + i] += back[16 + i]
        errors[w, 8 + i] -= back[16 + i]
        errors[n, 10 + i] += back[16 + i]
        errors[s, 10 + i] -= back[16 + i]
        errors[ne, 8 + i] += back[18 + i]
        errors[nw, 8 + i] -= back[18 + i]
        errors[sw, 8 + i] -= back[18 + i]
        errors[se, 8 + i] += back[18 + i]
        errors[ne, 10 + i] += back[18 + i]
        errors[nw, 10 + i] += back[18 + i]
        errors[sw, 10 + i] -= back[18 + i]
        errors[se, 10 + i] -= back[18 + i]


@njit(**_FAST)
def _learn_inputs(sight, errors, deltas, p, stride, table):
    """Add the gradient of one cell's sums to that of the table, for each of its nine inputs."""
    row = np.empty(_ROW, np.float32)
    for i in range(HIDDEN):
        x = sight.hidden[p, i]
        row[i] = errors[p, i] * (np.float32(1) - x * x)
    for o in range(8):
        row[_OUT + o] = deltas[p, o]
    step = -1
    for q in (
        *(p, p + 1, p - stride, p - 1, p + stride),
        *(p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1),
    ):
        step += 1
        k = np.int64(sight.kind[q])
        for i in range(_ROW):
            table[step, k, i] += row[i]


@njit(cache=True, nogil=True)
def add_gradient(network, sight, size, returns, c, table, readout, report):
    """Add the gradient of one step's cross entropy to ``table`` and ``readout``, shaped as in NETWORK.

    ``sight.kind`` holds the inputs of the step, ``returns`` [cell, 2] what its cells' rewards turned out to be.
    """
    stride = size + 1
    look(network, sight, size)
    n = cells(size)
    errors = np.zeros((n, HIDDEN), np.float32)
    deltas = np.zeros((n, 8), np.float32)
    targets = np.empty(OUTPUTS)
    features, back = np.empty(FEATURES, np.float32), np.empty(FEATURES, np.float32)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            kind = np.int64(sight.kind[p])
            set_targets(state_of(kind), returns[p, 0], returns[p, 1], c, targets)
            for o in range(OUTPUTS):
                if not np.isnan(targets[o]):
                    said = np.float64(sight.outputs[p, o])
                    deltas[p, o] = said - targets[o]
                    likely = max(said, 1e-7) if targets[o] > 0 else 1.0
                    unlikely = max(1 - said, 1e-7) if targets[o] < 1 else 1.0
                    report[LOSS] -= targets[o] * np.log(likely) + (1 - targets[o]) * np.log(unlikely)
                    report[TERMS] += 1
            _learn_cell(network, sight.hidden, p, stride, deltas[p], features, readout, back)
            _scatter(errors, p, stride, back)
    for row in range(1, size + 1):
        for p in range(row * stride + 1, row * stride + size + 1):
            _learn_inputs(sight, errors, deltas, p, stride, table)


@njit(cache=True, nogil=True)
def learn_game(
    after_white, after_black, sight, size, last, kinds, estimates, returns, c, trace, tables, readouts, report
):
    """Add the gradient of a whole game; ``returns`` are those of its end and become those of its start.

    ``tables`` and ``readouts`` have a part for each of the two networks.
    """
    n = cells(size)
    for step in range(last, -1, -1):
        if step < last:
            for p in range(n):
                if kinds[step, p] <= EMPTY_KIND:
                    now, later = kinds[step, p], kinds[step + 1, p]
                    for i in range(2):
                        returns[p, i] = step_back(returns[p, i], estimates[step + 1, p, i], now, later, c, trace)
        for p in range(n):
            sight.kind[p] = kinds[step, p]
        if step % 2 == 1:
            add_gradient(after_black, sight, size, returns, c, tables[1], readouts[1], report)
        else:
            add_gradient(after_white, sight, size, returns, c, tables[0], readouts[0], report)


class Recipe(NamedTuple):
    """How games of self-play are played and learned from."""

    size: int
    c: float
    s: float
    beta: float
    trace: float
    spare_eyes: bool
    longest: int  # moves of a game at most
    turn_aware: bool

    @property
    def style(self):
        return Style(self.c, self.s, self.beta, self.spare_eyes, self.turn_aware)


class SelfPlay:
    """Everything that games by one Recipe need; a worker makes one for each of its items."""

    def __init__(self, recipe):
        self.recipe = recipe
        n = cells(recipe.size)
        self._to_play, self._boards, self._histories = new_boards(recipe.size)
        self._moves, self._result = np.empty((1, recipe.longest), np.int64), np.recarray(1, RESULT)
        self._kinds = np.zeros((recipe.longest + 1, n), np.uint8)  # a step more than moves: the empty board
        self._estimates = np.zeros((recipe.longest + 1, n, 2), np.float32)
        self._returns = np.zeros((n, 2))
        self._tables = np.zeros((2, 9, KINDS, _ROW), np.float32)
        self._readouts = np.zeros((2, FEATURES, 8), np.float32)

    def play(self, parameters, key, game, partner=None):
        """Play one game with the stream of (key, game); (gradient by parameter, report).

        The network plays itself, or, as Black in games with an even number, the side ``partner``.
        """
        recipe, report = self.recipe, np.zeros(5)
        side = side_of(parameters, recipe.style, self._kinds, self._estimates)
        games = schedule(game, 1, "both", 1, key, key)
        play_games(
            side, side.twin if partner is None else partner, 0, games, self._to_play, self._boards,
            self._histories, 0.0, AREA, self._result, self._moves,
        )  # fmt: skip
        last = int(self._result.length[0])
        report[LENGTH], report[CAPPED] = last, not self._result.over[0]
        final_returns(self._boards[1], self._returns, report)
        self._tables[:] = 0
        self._readouts[:] = 0
        learn_game(
            side.after_white, side.after_black, side.one, recipe.size, last, self._kinds, self._estimates, self._returns,
            float(recipe.c), float(recipe.trace), self._tables, self._readouts, report,
        )  # fmt: skip
        after_white, after_black = (contract(*part) for part in zip(self._tables, self._readouts))
        # Exchanging the colours only moves parameters and turns signs: it is its own transpose.
        return after_white + (swap_colours(after_black) if recipe.turn_aware else after_black), report


def gradient_of_games(parameters, recipe, key, games, partners=()):
    """The gradient summed over the games with these numbers, all by the same network, and the reports summed likewise.

    ``partners`` are met one after the other, None for the network itself, so that each gets as many games as another.
    """
    self_play, gradient, report = SelfPlay(recipe), np.zeros(len(parameters)), np.zeros(5)
    for game in games:
        partner = partners[game // 2 % len(partners)] if partners else None  # two games in a row: one of each colour
        one, said = self_play.play(parameters, key, game, partner)
        gradient += one
        report += said
    return gradient, report


def learn_games(parameters, recipe, key, games, rate, decay, mask):
    """The parameters after games with an update each (the paper's recipe), and the reports summed."""
    self_play, parameters, report = SelfPlay(recipe), np.array(parameters), np.zeros(5)
    for game in games:
        gradient, said = self_play.play(parameters, key, game)
        parameters -= rate * gradient * mask
        parameters *= np.where(mask, decay, 1.0)
        report += said
    return parameters, report
