"""How organisms live, whatever their program: numbers of cycles, and readings of the paper where it allows more than one.

The first of the names of each is what a genome has that says nothing of it.
"""

from typing import NamedTuple

# Where the zygote is: "either at random, or at a specific position" (Section IV.C). A stone on the centre, which many
# games begin with, takes the place of a zygote that has not grown; one near a corner is seldom met so soon.
ZYGOTES = ("centre", "two-two", "corner")
# Replicate makes "a cell clone" and moves it "to an empty position closest to the cell". If several are equally close: one
# clone on every one of them, which keeps the symmetry of the board, or one alone on the first, clockwise from north.
CLONES = ("every", "one")
# What takes up and consumes mediators: every intersection, or cells alone. "The reduction rate models the cell's internal
# consumption", and it is the cell's neighbours that absorb what it releases.
ABSORBERS = ("points", "cells")


class Nature(NamedTuple):
    """Which reading of the paper an organism lives by, as numbers of the names above."""

    zygote: int = 0
    clones: int = 0
    absorbers: int = 0


class Habits(NamedTuple):
    """All of it."""

    initial: int  # cycles before the game, for each line of the board …
    regular: int  # … and after every move of either side
    nature: Nature = Nature()


_NAMES = {"zygote": ZYGOTES, "clones": CLONES, "absorbers": ABSORBERS}


def habits_of(initial_cycles, regular_cycles, **names):
    """The Habits of such numbers and names; ValueError if there is no such thing."""
    return Habits(initial_cycles, regular_cycles, Nature(**{name: _NAMES[name].index(what) for name, what in names.items()}))


def to_plain(habits):
    """What ``habits_of`` would be given, as plain data; what is the first of its names is left out."""
    plain = {"initial_cycles": habits.initial, "regular_cycles": habits.regular}
    return plain | {name: _NAMES[name][number] for name, number in habits.nature._asdict().items() if number}
