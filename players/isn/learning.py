"""Games of self-play, and the gradient that they give (§V).

A game is logged as the kinds of all cells at every step, from the first position on, with the network's own estimates; from
the end of the game λ-returns go back along it, and every output that says something about its point is taught by cross
entropy. Group classes are inputs: nothing is learned through them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.go.board import BLACK, EMPTY, WHITE, cells
from engine.go.scoring import mark_territory
from players.isn.anatomy import KO_KIND, OUTPUTS, PAPER, Anatomy, contract, swap_colours
from players.isn.network import _FAST, SPARE, clear_network, gather, look, new_network
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
def _learn_cell(network, sight, p, stride, delta, features, gradient, back):
    """Add the gradient of one cell's output sums ``delta`` to that of the readout, and to ``back`` by feature."""
    gather(sight, p, stride, features)
    weights, readout = network.readout, gradient.readout
    for f in range(weights.shape[0]):
        x = features[f]
        total = np.float32(0)
        for o in range(SPARE):
            readout[f, o] += x * delta[o]
            total += weights[f, o] * delta[o]
        back[f] = total


@njit(**_FAST)
def _scatter(errors, units, p, stride, back):
    """Hand the gradient by feature of the cell ``p`` back to the hidden units around it: the transpose of ``gather``."""
    t, u = units // 3, units // 6
    e, n, w, s = p + 1, p - stride, p - 1, p + stride
    ne, nw, sw, se = n + 1, n - 1, s - 1, s + 1
    for i in range(t):
        errors[p, i] += back[i]
        for q in (e, n, w, s):
            errors[q, i] += back[t + i]
        for q in (ne, nw, sw, se):
            errors[q, i] += back[2 * t + i]
    for i in range(u):
        signed, diagonal, east, north = t + i, t + u + i, t + 2 * u + i, t + 3 * u + i
        f = 3 * t + i
        errors[e, signed] += back[f]
        errors[w, signed] += back[f]
        errors[n, signed] -= back[f]
        errors[s, signed] -= back[f]
        errors[ne, diagonal] += back[f + u]
        errors[sw, diagonal] += back[f + u]
        errors[nw, diagonal] -= back[f + u]
        errors[se, diagonal] -= back[f + u]
        errors[e, east] += back[f + 2 * u]
        errors[w, east] -= back[f + 2 * u]
        errors[n, north] += back[f + 2 * u]
        errors[s, north] -= back[f + 2 * u]
        errors[ne, east] += back[f + 3 * u]
        errors[nw, east] -= back[f + 3 * u]
        errors[sw, east] -= back[f + 3 * u]
        errors[se, east] += back[f + 3 * u]
        errors[ne, north] += back[f + 3 * u]
        errors[nw, north] += back[f + 3 * u]
        errors[sw, north] -= back[f + 3 * u]
        errors[se, north] -= back[f + 3 * u]


@njit(**_FAST)
def _learn_again(network, sight, t, p, stride, errors, slopes, gradient):
    """Take the error of the hidden units of pass ``t`` at the cell ``p`` back to the pass before; ``slopes`` sums it up."""
    hidden, weights, again = sight.hidden, network.again, gradient.again
    units = hidden.shape[2]
    for i in range(units):
        x = hidden[t, p, i]
        errors[t, p, i] *= np.float32(1) - x * x
        slopes[p, i] += errors[t, p, i]
    step = -1
    for q in (p, p + 1, p - stride, p - 1, p + stride):
        step += 1
        for j in range(units):
            x = hidden[t - 1, q, j]
            total = np.float32(0)
            for i in range(units):
                again[step, j, i] += x * errors[t, p, i]
                total += weights[step, j, i] * errors[t, p, i]
            errors[t - 1, q, j] += total


@njit(**_FAST)
def _learn_inputs(network, sight, errors, slopes, deltas, p, stride, row, gradient):
    """Add the gradient of one cell's sums to that of the tables, for each of its nine inputs. ``row`` is for work."""
    units, places = sight.hidden.shape[2], sight.sums.shape[1]
    table, line_table = gradient.table, gradient.line_table
    for i in range(units):
        x = sight.hidden[0, p, i]
        row[i] = errors[0, p, i] * (np.float32(1) - x * x)
        if sight.hidden.shape[0] > 1:
            row[i] += slopes[p, i]
    for o in range(SPARE):
        row[units + o] = deltas[p, o]
    step = -1
    for q in (
        *(p, p + 1, p - stride, p - 1, p + stride),
        *(p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1),
    ):
        step += 1
        k = np.int64(sight.kind[q])
        for i in range(places):
            table[step, k, i] += row[i]
        if network.lines:
            k = np.int64(sight.line[q])
            for i in range(places):
                line_table[step, k, i] += row[i]


@njit(cache=True, nogil=True)
def add_gradient(network, sight, size, returns, c, gradient, report):
    """Add the gradient of one step's cross entropy to ``gradient``, a NETWORK.

    ``sight.kind`` holds the kinds of the step, ``returns`` [cell, 2] what its cells' rewards turned out to be.
    """
    stride = size + 1
    look(network, sight, size)
    n = cells(size)
    passes, units = sight.hidden.shape[0], sight.hidden.shape[2]
    errors = np.zeros((passes, n, units), np.float32)
    slopes = np.zeros((n, units) if passes > 1 else (0, 0), np.float32)
    deltas = np.zeros((n, SPARE), np.float32)
    targets = np.empty(OUTPUTS)
    count = network.readout.shape[0]
    features, back = np.empty(count, np.float32), np.empty(count, np.float32)
    for line in range(1, size + 1):
        for p in range(line * stride + 1, line * stride + size + 1):
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
            _learn_cell(network, sight, p, stride, deltas[p], features, gradient, back)
            _scatter(errors[passes - 1], units, p, stride, back)
    for t in range(passes - 1, 0, -1):
        for line in range(1, size + 1):
            for p in range(line * stride + 1, line * stride + size + 1):
                _learn_again(network, sight, t, p, stride, errors, slopes, gradient)
    row = np.empty(sight.sums.shape[1], np.float32)
    for line in range(1, size + 1):
        for p in range(line * stride + 1, line * stride + size + 1):
            _learn_inputs(network, sight, errors, slopes, deltas, p, stride, row, gradient)


@njit(cache=True, nogil=True)
def learn_game(
    after_white, after_black, sight, size, last, kinds, estimates, returns, c, trace, by_white, by_black, report
):
    """Add the gradient of a whole game; ``returns`` are those of its end and become those of its start.

    ``by_white`` and ``by_black``, NETWORKs, get it for each of the two networks.
    """
    n = cells(size)
    for step in range(last, -1, -1):
        if step < last:
            for p in range(n):
                if kinds[step, p] <= KO_KIND:
                    now, later = kinds[step, p], kinds[step + 1, p]
                    for i in range(2):
                        returns[p, i] = step_back(returns[p, i], estimates[step + 1, p, i], now, later, c, trace)
        for p in range(n):
            sight.kind[p] = kinds[step, p]
        if step % 2 == 1:
            add_gradient(after_black, sight, size, returns, c, by_black, report)
        else:
            add_gradient(after_white, sight, size, returns, c, by_white, report)


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
    anatomy: Anatomy = PAPER

    @property
    def style(self):
        return Style(self.c, self.s, self.beta, self.spare_eyes, self.turn_aware, self.anatomy)


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
        self._gradients = new_network(recipe.anatomy), new_network(recipe.anatomy)  # after a move of White, of Black

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
        for gradient in self._gradients:
            clear_network(gradient)
        learn_game(
            side.after_white, side.after_black, side.one, recipe.size, last, self._kinds, self._estimates, self._returns,
            float(recipe.c), float(recipe.trace), *self._gradients, report,
        )  # fmt: skip
        after_white, after_black = (contract(gradient, recipe.anatomy) for gradient in self._gradients)
        # Exchanging the colours only moves parameters and turns signs: it is its own transpose.
        return after_white + (swap_colours(after_black, recipe.anatomy) if recipe.turn_aware else after_black), report


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
