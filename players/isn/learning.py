"""Games of self-play, and the gradient that they give (§V).

A game is logged as the kinds of all cells at every step, from the first position on, with the network's own estimates; from
the end of the game λ-returns go back along it, and every output that says something about its point is taught by cross
entropy. Group classes are inputs: nothing is learned through them.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EMPTY, WHITE, cells
from engine.go.scoring import mark_territory
from engine.kernels import fast_kernel, kernel
from players.isn.anatomy import KO_KIND, PAPER, Anatomy, contract, swap_colours
from players.isn.lanes import LANES, fill, higher, load, store, total
from players.isn.network import clear_network, look, new_network
from players.isn.rewards import SAYS, final_rewards, set_targets, state_of, step_back
from players.isn.side import Style, side_of
from players.play.loop import AREA, RESULT, new_boards, play_games
from players.play.schedule import schedule

# What a report says of a game.
LENGTH, SCORE, CAPPED, LOSS, TERMS = range(5)
_F0, _F1 = np.float32(0), np.float32(1)


@kernel
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


@fast_kernel
def _compare(sight, size, returns, c, deltas, report):
    """Write what each output said too much to ``deltas`` [cell, output], 0 where it says nothing; add the loss to ``report``.

    The cross entropy of an output that says y = 1 / (1 + exp(-z)) is max(z, 0) - target · z - log(max(y, 1 - y)); the last term
    is taken of products, since logarithms are slow.
    """
    stride = size + 1
    targets, product = np.zeros(LANES, np.float32), np.empty(LANES, np.float32)
    one, nothing = fill(_F1), fill(_F0)
    loss, terms = nothing, nothing
    for line in range(1, size + 1):
        sure = one
        for p in range(line * stride + 1, line * stride + size + 1):
            state = state_of(sight.kind[p])
            set_targets(state, returns[p, 0], returns[p, 1], c, targets)
            says, target = load(SAYS, (state, 0)), load(targets, (0,))
            said, drive = load(sight.outputs, (p, 0)), load(sight.drive, (p, 0))
            store(deltas, (p, 0), says * (said - target))
            loss = loss + says * (higher(drive, nothing) - target * drive)
            sure = sure * (one + says * (higher(said, one - said) - one))
            terms = terms + says
        store(product, (0,), sure)
        whole = 1.0
        for o in range(LANES):
            whole *= product[o]
        report[LOSS] -= np.log(whole)
    report[LOSS] += total(loss)
    report[TERMS] += total(terms)


@fast_kernel
def _add_row(gradient, f, x, delta):
    store(gradient, (f, 0), load(gradient, (f, 0)) + fill(x) * delta)


@fast_kernel
def _learn_readout(network, hidden, p, stride, deltas, gradient, errors):
    """Take the ``deltas`` of the cells around ``p`` back to its hidden units: the transpose of ``network.tell``."""
    weights, readout = network.readout, gradient.readout
    units = network.again.shape[1]
    t, u = units // 3, units // 6
    # By where the cell that hears p has it.
    centre = load(deltas, (p, 0))
    e, n, w, s = load(deltas, (p - 1, 0)), load(deltas, (p + stride, 0)), load(deltas, (p + 1, 0)), load(deltas, (p - stride, 0))
    ne, nw = load(deltas, (p + stride - 1, 0)), load(deltas, (p + stride + 1, 0))
    sw, se = load(deltas, (p - stride + 1, 0)), load(deltas, (p - stride - 1, 0))
    sides, corners = (e + w) + (n + s), (ne + sw) + (nw + se)
    signed, diagonal = (e + w) - (n + s), (ne + sw) - (nw + se)
    east, north, east_corner, north_corner = e - w, n - s, (ne + se) - (nw + sw), (ne + nw) - (sw + se)
    for i in range(t):
        x = hidden[p, i]
        _add_row(readout, i, x, centre)
        _add_row(readout, t + i, x, sides)
        _add_row(readout, 2 * t + i, x, corners)
        errors[p, i] += total(
            load(weights, (i, 0)) * centre + load(weights, (t + i, 0)) * sides + load(weights, (2 * t + i, 0)) * corners
        )
    for i in range(u):
        f = 3 * t + i
        _add_row(readout, f, hidden[p, t + i], signed)
        errors[p, t + i] += total(load(weights, (f, 0)) * signed)
        _add_row(readout, f + u, hidden[p, t + u + i], diagonal)
        errors[p, t + u + i] += total(load(weights, (f + u, 0)) * diagonal)
        axis, corner = load(weights, (f + 2 * u, 0)), load(weights, (f + 3 * u, 0))
        x, y = hidden[p, t + 2 * u + i], hidden[p, t + 3 * u + i]
        _add_row(readout, f + 2 * u, x, east)
        _add_row(readout, f + 2 * u, y, north)
        _add_row(readout, f + 3 * u, x, east_corner)
        _add_row(readout, f + 3 * u, y, north_corner)
        errors[p, t + 2 * u + i] += total(axis * east + corner * east_corner)
        errors[p, t + 3 * u + i] += total(axis * north + corner * north_corner)


@fast_kernel
def _learn_again(network, hidden, t, p, stride, errors, slopes, gradient):
    """Take the error of the hidden units of pass ``t`` at the cell ``p`` back to the pass before; ``slopes`` sums it up."""
    weights, again = network.again, gradient.again
    width = hidden.shape[2]
    for i in range(0, width, LANES):
        x = load(hidden, (t, p, i))
        error = load(errors, (t, p, i)) * (fill(_F1) - x * x)
        store(errors, (t, p, i), error)
        store(slopes, (p, i), load(slopes, (p, i)) + error)
    step = -1
    for q in (p, p + 1, p - stride, p - 1, p + stride):
        step += 1
        for j in range(again.shape[1]):
            x, back = fill(hidden[t - 1, q, j]), fill(_F0)
            for i in range(0, width, LANES):
                error = load(errors, (t, p, i))
                store(again, (step, j, i), load(again, (step, j, i)) + x * error)
                back = back + load(weights, (step, j, i)) * error
            errors[t - 1, q, j] += total(back)


@fast_kernel
def _add_around(table, seen, p, stride, x, i):
    """Add the Lanes ``x`` to the rows of a gradient, from place ``i`` on, that the nine cells around ``p`` have by ``seen``."""
    step = -1
    for q in (
        *(p, p + 1, p - stride, p - 1, p + stride),
        *(p - stride + 1, p - stride - 1, p + stride - 1, p + stride + 1),
    ):
        step += 1
        where = step, seen[q], i
        store(table, where, load(table, where) + x)


@fast_kernel
def _learn_inputs(network, sight, errors, slopes, deltas, p, stride, gradient):
    """Add the gradient of one cell's sums to that of the tables, for each of its nine inputs."""
    passes, width = sight.hidden.shape[0], sight.hidden.shape[2]
    for i in range(0, width + LANES, LANES):
        if i == width:
            row = load(deltas, (p, 0))
        else:
            x = load(sight.hidden, (0, p, i))
            row = load(errors, (0, p, i)) * (fill(_F1) - x * x)
            if passes > 1:
                row = row + load(slopes, (p, i))
        _add_around(gradient.table, sight.kind, p, stride, row, i)
        if network.lines:
            _add_around(gradient.line_table, sight.line, p, stride, row, i)


@fast_kernel
def add_gradient(network, sight, size, returns, c, gradient, report):
    """Add the gradient of one step's cross entropy to ``gradient``, a NETWORK.

    ``sight.kind`` holds the kinds of the step, ``returns`` [cell, 2] what its cells' rewards turned out to be.
    """
    stride = size + 1
    look(network, sight, size)
    n = cells(size)
    passes, width = sight.hidden.shape[0], sight.hidden.shape[2]
    errors = np.zeros((passes, n, width), np.float32)
    slopes = np.zeros((n, width) if passes > 1 else (0, 0), np.float32)
    deltas = np.zeros((n, LANES), np.float32)
    _compare(sight, size, returns, c, deltas, report)
    for line in range(1, size + 1):
        for p in range(line * stride + 1, line * stride + size + 1):
            _learn_readout(network, sight.hidden[passes - 1], p, stride, deltas, gradient, errors[passes - 1])
    for t in range(passes - 1, 0, -1):
        for line in range(1, size + 1):
            for p in range(line * stride + 1, line * stride + size + 1):
                _learn_again(network, sight.hidden, t, p, stride, errors, slopes, gradient)
    for line in range(1, size + 1):
        for p in range(line * stride + 1, line * stride + size + 1):
            _learn_inputs(network, sight, errors, slopes, deltas, p, stride, gradient)


@kernel
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
        self._side = None
        after_white = new_network(recipe.anatomy)
        self._gradients = after_white, new_network(recipe.anatomy) if recipe.turn_aware else after_white

    def play(self, parameters, key, game, partner=None):
        """Play one game with the stream of (key, game); (gradient by parameter, report).

        The network plays itself, or, as Black in games with an even number, the side ``partner``.
        """
        recipe, report = self.recipe, np.zeros(5)
        if self._side is None:
            self._side = side_of(parameters, recipe.style, self._kinds, self._estimates)
        else:
            self._side.set_weights(parameters, recipe.anatomy)
        side = self._side
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
        after_white, after_black = self._gradients
        found = contract(after_white, recipe.anatomy)
        if recipe.turn_aware:  # exchanging the colours only moves parameters and turns signs: it is its own transpose
            found += swap_colours(contract(after_black, recipe.anatomy), recipe.anatomy)
        return found, report


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
