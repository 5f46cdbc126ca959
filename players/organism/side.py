"""An organism as a side of compiled games, and the games of its training (Section V.B)."""

import threading
from typing import NamedTuple

import numpy as np

from engine.go.rules import JAPANESE
from engine.kernels import kernel
from players.organism.cells import ORGANISM, conceive, copy_into
from players.organism.organism import choose_move, live, see
from players.play.loop import JUDGED, Terms
from players.play.sides import register

KOMI = 4.5  # paper


class Organism(NamedTuple):
    """A cell program and the organism that lives by it."""

    rules: np.ndarray  # a flat program
    regular: int  # cycles after every move of either side
    organisms: np.recarray  # of two, as it is in the present game and as it grew before it: the same for all games


@kernel
def _grow(organisms, rules, size, cycles, nature):
    conceive(organisms[0], size, nature)
    conceive(organisms[1], size, nature)
    live(organisms[1], rules, cycles)


@kernel
def _begin(side, position, own):
    copy_into(side.organisms[1], side.organisms[0])
    if position.empty_count < position.board_size * position.board_size:  # stones that are set up
        _observe(side, position, own, own)


@kernel
def _choose(side, position, history, own, rng):
    return choose_move(side.organisms[0], position, history, own, rng)


@kernel
def _observe(side, position, own, mover):
    see(side.organisms[0], position, own)
    live(side.organisms[0], side.rules, side.regular)


register(Organism, begin_kernel=_begin, choose_kernel=_choose, observe_kernel=_observe)


class _Bodies(threading.local):
    """Room for an organism, by board size."""

    def __init__(self):
        self._known = {}

    def of(self, size):
        if size not in self._known:
            self._known[size] = np.recarray(2, ORGANISM)
        return self._known[size]


_bodies, _rivals = _Bodies(), _Bodies()


def side_of(rules, habits, size, organisms=None):
    """The side of a flat program with such Habits on a board.

    Good for games in this thread, and until the next side on a board of this size, if it has no ``organisms`` of its own.
    """
    organisms = _bodies.of(size) if organisms is None else organisms
    _grow(organisms, rules, size, habits.initial * size, habits.nature)
    return Organism(rules, habits.regular, organisms)


def rival_of(rules, habits, size):
    """The same for an organism that is the opponent of another."""
    return side_of(rules, habits, size, _rivals.of(size))


def terms(size):
    """How training games are played: by Japanese rules, and scored without a human."""
    return Terms(size, KOMI, JAPANESE, JUDGED)
