"""One compiled door to all scripted opponents, for games that run without Python."""

import numpy as np
from numba import njit

from players.scripted.chance import strays, uniform_point
from players.scripted.gojen import gojen_move
from players.scripted.liberty import liberty_move
from players.scripted.naixt import naixt_move
from players.scripted.uniform import random_move
from players.scripted.wally import wally_move

RANDOM, LIBERTY, WALLY, NAIXT, GOJEN = range(5)
KINDS = {"random": RANDOM, "liberty": LIBERTY, "wally": WALLY, "naixt": NAIXT, "gojen": GOJEN}


def straying_name(name, randomness):
    """What the registry calls an opponent that strays so often; Random does not, it is random as it is."""
    return f"{name},randomness={randomness:g}" if randomness and name != "random" else name


@njit(cache=True, nogil=True)
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
    return gojen_move(position, history, colour, rng)
