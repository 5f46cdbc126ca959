"""Moves by chance alone, as kernels: what Random plays, and what the others play when they stray."""

import numpy as np

from engine.go.board import PASS, is_eye
from engine.go.history import may_play
from engine.go.rng import below, uniform
from engine.kernels import kernel
from players.scripted.tactics import choose_allowed

_BLIND_DRAWS = 8  # draws before the playable points are listed; on most boards the first or second one is good


@kernel
def uniform_move(position, history, colour, rng):
    """A legal move, the pass included, with equal probabilities."""
    while True:  # ends, because the pass is always allowed
        index = below(rng, position.empty_count + 1)
        if index == position.empty_count:
            return np.int64(PASS)
        p = np.int64(position.empties[index])
        if may_play(position, history, p, colour):
            return p


@kernel
def uniform_point(position, history, colour, rng, keep_eyes):
    """A legal point with equal probabilities, or PASS if there is none; not an own eye if ``keep_eyes``."""
    empties = position.empty_count
    if empties == 0:
        return np.int64(PASS)
    for _ in range(_BLIND_DRAWS):
        p = np.int64(position.empties[below(rng, empties)])
        if not (keep_eyes and is_eye(position, p, colour)) and may_play(position, history, p, colour):
            return p
    points = np.empty(empties, np.int64)
    count = np.int64(0)
    for index in range(empties):
        p = np.int64(position.empties[index])
        if not (keep_eyes and is_eye(position, p, colour)):
            points[count] = p
            count += 1
    return choose_allowed(position, history, colour, points, count, rng)


@kernel
def strays(randomness, rng):
    """Whether a player that plays at random with probability ``randomness`` does so now; 0 draws nothing."""
    return randomness > 0.0 and uniform(rng) < randomness
