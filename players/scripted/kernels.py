"""One compiled door to all scripted opponents, for games that run without Python."""

from typing import NamedTuple

import numpy as np

from engine.kernels import kernel
from players.play.sides import register
from players.scripted.chance import strays, uniform_point
from players.scripted.gojen import gojen_move
from players.scripted.liberty import liberty_move
from players.scripted.naixt import naixt_move
from players.scripted.uniform import random_move
from players.scripted.wally import wally_move

RANDOM, LIBERTY, WALLY, NAIXT, GOJEN, GOJEN_NO_OPENING = range(6)
KINDS = {"random": RANDOM, "liberty": LIBERTY, "wally": WALLY, "naixt": NAIXT, "gojen": GOJEN}
OPPONENTS = KINDS | {"gojen-no-opening": GOJEN_NO_OPENING}  # of the organism: names without a comma
_SPECS = {"gojen-no-opening": "gojen,opening=no"}  # what the registry calls them, if not by that name


class Scripted(NamedTuple):
    """A scripted opponent in compiled games."""

    kind: int
    option: float  # how often it strays, or Random's variant


def opponent(name, randomness=0.0):
    """The side of an opponent that strays so often; Random does not, it is random as it is."""
    return Scripted(OPPONENTS[name], 0.0 if name == "random" else float(randomness))


def straying_name(name, randomness):
    """What the registry calls an opponent that strays so often."""
    spec = _SPECS.get(name, name)
    return f"{spec},randomness={randomness:g}" if randomness and name != "random" else spec


@kernel
def scripted_move(kind, option, position, history, colour, rng):
    """The move of the opponent ``kind`` for ``colour``: a point that it may play, or PASS.

    ``option`` (a float) is the player's: how often it strays, or Random's variant.
    """
    if kind == RANDOM:
        return random_move(position, history, colour, rng, option)
    if strays(option, rng):
        return uniform_point(position, history, colour, rng, np.bool_(False))
    if kind == LIBERTY:
        return liberty_move(position, history, colour, rng)
    if kind == WALLY:
        return wally_move(position, history, colour, rng)
    if kind == NAIXT:
        return naixt_move(position, history, colour, rng)
    return gojen_move(position, history, colour, kind == GOJEN, rng)


@kernel
def _choose(side, position, history, own, rng):
    return scripted_move(side.kind, side.option, position, history, own, rng)


register(Scripted, choose_kernel=_choose)
