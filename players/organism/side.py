"""An organism as a side of compiled games, and the games of its training (Section V.B)."""

import threading
from typing import NamedTuple

import numpy as np
from numba import njit

from engine.go.rules import JAPANESE
from players.organism.organism import ORGANISM, choose_move, conceive, live, see
from players.play.loop import JUDGED, Terms
from players.play.sides import register

KOMI = 4.5  # paper


class Organism(NamedTuple):
    """A cell program and the organism that lives by it."""

    rules: np.ndarray  # a flat program
    initial: int  # cycles before the game …
    regular: int  # … and after every move of either side
    organisms: np.recarray  # of one, as it is in the present game: arrays are passed faster than records


@njit(cache=True, nogil=True)
def _begin(side, position, own):
    size = position.board_size
    conceive(side.organisms[0], size)
    live(side.organisms[0], side.rules, side.initial)
    if position.empty_count < size * size:  # stones that are set up
        _observe(side, position, own, own)


@njit(cache=True, nogil=True)
def _choose(side, position, history, own, rng):
    return choose_move(side.organisms[0], position, history, own, rng)


@njit(cache=True, nogil=True)
def _observe(side, position, own, mover):
    see(side.organisms[0], position, own)
    live(side.organisms[0], side.rules, side.regular)


register(Organism, begin_kernel=_begin, choose_kernel=_choose, observe_kernel=_observe)


class _Bodies(threading.local):
    """An organism to live in, by board size: the next game begins with a new zygote."""

    def __init__(self):
        self._known = {}

    def of(self, size):
        if size not in self._known:
            self._known[size] = np.recarray(1, ORGANISM)
        return self._known[size]


_bodies = _Bodies()


def side_of(rules, cycles, size):
    """The side of a flat program on a board; ``cycles`` are (initial ones for each line of the board, regular ones).

    Good for games in this thread, and until the next side on a board of this size.
    """
    initial, regular = cycles
    return Organism(rules, initial * size, regular, _bodies.of(size))


def terms(size):
    """How training games are played: by Japanese rules, and scored without a human."""
    return Terms(size, KOMI, JAPANESE, JUDGED)
