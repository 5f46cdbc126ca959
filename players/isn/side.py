"""The evaluator as a side of compiled games: in elections, matches and self-play alike.

It sees every position of a game, since the group classes of one come from the outputs for the one before (§IV.B). In
self-play it also keeps a log of all steps, from which ``learning`` teaches; the other colour is then a *twin*, which sees
nothing itself and chooses by what the first has seen.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, cells, new_position
from engine.kernels import kernel
from players.isn.anatomy import KO_KIND, PAPER, Anatomy, swap_colours
from players.isn.candidates import draw_move, judge_moves, new_turn, value_of
from players.isn.network import build_pair, new_sight, see, see_first, set_weights
from players.isn.rewards import state_of, values_of
from players.play.sides import register


class Style(NamedTuple):
    """How an evaluator is turned into moves."""

    c: float  # the scoring system it plays for (see ``rewards``)
    s: float
    beta: float
    spare_eyes: bool
    turn_aware: bool = False  # how the network was trained
    anatomy: Anatomy = PAPER  # and what it is made of


class Isn(NamedTuple):
    """An evaluator, how it plays, and its working space."""

    after_white: np.record  # the NETWORKs for positions after a move of either colour
    after_black: np.record
    values: np.ndarray  # as ``rewards.values_of`` gives them
    c: float
    beta: float
    spare_eyes: bool
    after: np.record  # a position
    turn: np.record  # a TURN
    ground: np.record  # SIGHTs: of the position as after a pass …
    one: np.record  # … and of the present position and the one before: ``one`` is the present one at even steps
    other: np.record
    step: np.ndarray  # int64 [1]: moves so far
    is_twin: bool
    values_1: np.ndarray  # what the log estimates: rewards for s = 1 and for s = 0
    values_0: np.ndarray
    kinds: np.ndarray  # the log, [step, cell] and [step, cell, 2]: kinds and estimates; without steps nothing is logged
    estimates: np.ndarray

    @property
    def twin(self):
        """The side that plays the other colour with this one's eyes."""
        return self._replace(is_twin=True)

    def set_weights(self, parameters, anatomy):
        """Give it another parameter vector."""
        set_weights(self.after_white, parameters, anatomy)
        if self.after_black is not self.after_white:
            set_weights(self.after_black, swap_colours(parameters, anatomy), anatomy)


def side_of(parameters, style, kinds=np.empty((0, 0), np.uint8), estimates=np.empty((0, 0, 2), np.float32)):
    """The side of a parameter vector; ``kinds`` and ``estimates`` are the arrays of its log if it has one."""
    return Isn(
        *build_pair(parameters, style.turn_aware, style.anatomy),
        values_of(style.c, style.s),
        float(style.c),
        float(style.beta),
        bool(style.spare_eyes),
        new_position(2),  # which becomes a board of any size
        new_turn(style.anatomy),
        *(new_sight(style.anatomy) for _ in range(3)),
        np.zeros(1, np.int64),
        False,
        values_of(style.c, 1.0),
        values_of(style.c, 0.0),
        kinds,
        estimates,
    )


@kernel
def _log(side, size):
    """Keep the kinds of the present step, and the estimates of each cell's rewards."""
    step = side.step[0]
    if step >= len(side.kinds):
        return
    sight = side.one if step % 2 == 0 else side.other
    kinds, estimates = side.kinds[step], side.estimates[step]
    for p in range(cells(size)):
        kinds[p] = sight.kind[p]
        if sight.kind[p] <= KO_KIND:
            state = state_of(sight.kind[p])
            estimates[p, 0] = value_of(sight, p, side.values_1, state)
            estimates[p, 1] = value_of(sight, p, side.values_0, state)


@kernel
def _begin(side, position, own):
    if side.is_twin:
        return
    size = position.board_size
    # Games start after "a move of White", or, with handicap stones, of Black.
    network = side.after_white if position.empty_count == size * size else side.after_black
    see_first(network, position, side.one, side.other)
    side.step[0] = 0
    _log(side, size)


@kernel
def _choose(side, position, history, own, rng):
    network = side.after_black if own == BLACK else side.after_white
    now = side.one if side.step[0] % 2 == 0 else side.other
    count = judge_moves(
        network, position, history, side.after, now, side.turn, side.ground, side.values, side.c, own, side.spare_eyes
    )
    return side.turn.point[draw_move(side.turn, count, side.beta, rng)]


@kernel
def _observe(side, position, own, mover):
    if side.is_twin:
        return
    network = side.after_black if mover == BLACK else side.after_white
    if side.step[0] % 2 == 0:
        see(network, position, side.one, side.other)
    else:
        see(network, position, side.other, side.one)
    side.step[0] += 1
    _log(side, position.board_size)


register(Isn, begin_kernel=_begin, choose_kernel=_choose, observe_kernel=_observe)
