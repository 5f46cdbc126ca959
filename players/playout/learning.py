"""What playouts think of a position, how that changes with the weights, and steps that make it right.

Simulation balancing (Silver and Tesauro 2009; Huang, Coulom and Lin 2010): the playout policy need not play well, but the
mean of its results V must be what a deep search says, y. The error of a position is (V - y)². Its gradient is 2 (V - y) ∇V, and
∇V is the mean of z ψ over playouts, where z is the result and ψ the sum of ∇ log π over the moves: for a softmax, the features of
the move less those that were to be expected. V and ∇V must come from different playouts, or the product is biased. For the
same reason an error that is only reported is the product of two differences, from different playouts each.

Evolution needs no ∇V: candidates are drawn in pairs on either side of the present weights, and these move to where the better
ones are (natural evolution strategies: Wierstra, Schaul, Peters and Schmidhuber 2008).
"""

import numpy as np

from engine.go.board import MAX_SIZE, PASS, cells, copy_into, new_position
from engine.go.playout import MOVES_PER_POINT, count_area
from engine.kernels import kernel
from players.playout.positions import policy_of, set_up
from players.search.policy import (
    FAULTS,
    LEAST_ACCEPTED,
    NAMES,
    begin,
    draw_weighed,
    fault,
    forget,
    go_on,
    lend,
    new_trace,
    new_weighed,
    play_out,
    weigh,
)  # fmt: skip

LEAST_FAULT = float(np.log(LEAST_ACCEPTED))  # a lower weight makes no move rarer


@kernel
def result_of(position, komi):
    """What the end of a playout gives Black: 1, 0, or a half."""
    margin = count_area(position) - komi
    return 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0


@kernel
def mean_result(start, scratch, colour, last, before, komi, policy, weighed, rng, mover_at, count):
    """What ``count`` playouts from ``start`` give Black on average."""
    total = 0.0
    for _ in range(count):
        copy_into(start, scratch)
        play_out(scratch, colour, last, before, policy, weighed, rng, mover_at)
        total += result_of(scratch, komi)
    return total / count


@kernel
def _add_features(position, p, colour, weighed, trace, times, score):
    """Add to ``score`` [feature], so many ``times``, the features of a point."""
    if weighed.weight[p] != 0.0:
        for i in range(trace.count[p]):
            score[trace.feature[p, i]] += times
    feature = fault(position, p, colour)
    if feature >= 0:
        score[feature] += times


@kernel
def draw_learning(position, colour, last, before, policy, weighed, trace, rng, score):
    """A point drawn by the policy, or PASS if none is playable; adds what is on average ∇ log π of it to ``score``.

    That is its features less those to be expected, for which a second point stands that is drawn like the first. The sum
    over all points would be less noisy, and would have to look at each of them; which of the two is better is not measured.
    """
    weigh(position, colour, last, before, policy, weighed, trace)
    lend(rng, weighed.stream)
    chosen = draw_weighed(position, colour, policy, weighed)
    if chosen != PASS:
        _add_features(position, chosen, colour, weighed, trace, 1.0, score)
        other = draw_weighed(position, colour, policy, weighed)
        _add_features(position, other, colour, weighed, trace, -1.0, score)
    lend(weighed.stream, rng)
    forget(weighed)
    return chosen


@kernel
def play_learning(position, colour, last, before, policy, weighed, trace, rng, score):
    """``play_out``, whose moves add what ∇ log π they have to ``score``."""
    begin(position, weighed)
    passes = 0
    moves = 0
    limit = MOVES_PER_POINT * position.board_size * position.board_size
    while passes < 2 and moves < limit:
        p = draw_learning(position, colour, last, before, policy, weighed, trace, rng, score)
        passes = passes + 1 if p == PASS else 0
        go_on(position, p, colour, weighed)
        before, last = last, p
        colour = 3 - colour
        moves += 1
    return moves


@kernel
def slope(start, scratch, colour, last, before, komi, policy, weighed, trace, rng, score, level, count, gradient):
    """Add the gradient of the mean result of playouts from ``start``, estimated from ``count`` of them, to ``gradient``.

    ``level`` is about what they give Black: any number is as right, that one makes the estimate steadiest.
    """
    for _ in range(count):
        copy_into(start, scratch)
        score[:] = 0.0
        play_learning(scratch, colour, last, before, policy, weighed, trace, rng, score)
        gradient += (result_of(scratch, komi) - level) / count * score


class Classroom:
    """Playouts from Positions, and room for them."""

    def __init__(self, positions, komi):
        self._positions, self._komi = positions, komi
        self._boards = [set_up(positions, number) for number in range(positions.amount)]
        self._weighed, self._trace = new_weighed(), new_trace()
        self._mover_at, self._score = np.zeros(cells(MAX_SIZE), np.uint8), np.zeros(len(NAMES))
        self._policy = None

    def use(self, weights):
        """Play by these weights from now on."""
        self._policy = policy_of(weights)

    def _from(self, number):
        """Position number ``number`` as kernels want it."""
        found, board = self._positions, self._boards[number]
        moves = int(found.colour[number]), int(found.last[number]), int(found.before[number])
        return board, new_position(int(board.board_size)), *moves, self._komi, self._policy, self._weighed

    def mean(self, number, rng, playouts):
        """What so many playouts give Black on average."""
        return mean_result(*self._from(number), rng, self._mover_at, playouts)

    def slope(self, number, rng, playouts, level):
        """The gradient of that, estimated; see ``slope``."""
        gradient = np.zeros(len(NAMES))
        room = self._trace, rng, self._score
        slope(*self._from(number), *room, level, playouts, gradient)
        return gradient


# Weights


_IS_FAULT = np.array([name in FAULTS for name in NAMES])


def bounded(weights, largest):
    """Weights that are at most so large, and those of faults at most 0 and no lower than what has an effect."""
    weights = np.clip(weights, -largest, largest)
    return np.where(_IS_FAULT, np.clip(weights, LEAST_FAULT, 0.0), weights)
