"""What the seven outputs are worth, and what they should have been (§IV.A, Tables I–IV).

Rewards are White's. A scoring system has two numbers: ``c``, the reward for a captured stone, and ``s``, the reward for
a stone that is still there in the end; a point that is owned and empty in the end counts 1. The outputs predict the
reward of a point for s = 1 and for s = 0; for other s it lies between.
"""

import numpy as np

from engine.kernels import kernel
from players.isn.anatomy import (
    BLACK_KIND,
    EMPTY_KIND,
    EYE_BLACK,
    EYE_WHITE,
    LOST_BLACK,
    LOST_WHITE,
    Z_BLACK,
    Z_EMPTY,
    Z_WHITE,
)

IS_EMPTY, IS_WHITE, IS_BLACK = 0, 1, 2  # the state of a point, as rows of the tables here
CHINESE, JAPANESE = (0.0, 1.0), (1.0, 0.0)  # (c, s)
_CONSTANT = 7  # the eighth output is always 1


def values_of(c, s):
    """The reward of a point as a linear function of its outputs (Table III): an array [state, output], float32.

    The last column is for the output that is always 1.
    """
    with_stones, without = np.zeros((3, 8)), np.zeros((3, 8))
    with_stones[IS_EMPTY, [Z_EMPTY, _CONSTANT]] = 2, -1
    with_stones[IS_WHITE, [Z_WHITE, _CONSTANT]] = 2 + c, -(1 + c)
    with_stones[IS_BLACK, [Z_BLACK, _CONSTANT]] = 2 + c, -1
    without[IS_EMPTY, [EYE_WHITE, EYE_BLACK]] = 1, -1
    without[IS_WHITE, [Z_WHITE, _CONSTANT, LOST_WHITE]] = c, -c, -1
    without[IS_BLACK, [Z_BLACK, LOST_BLACK]] = c, 1
    return ((1 - s) * without + s * with_stones).astype(np.float32)


@kernel
def state_of(kind):
    """The state of a point of that kind."""
    return IS_EMPTY if kind >= EMPTY_KIND else IS_BLACK if kind >= BLACK_KIND else IS_WHITE


# By state, 1 for the outputs that say something of such a point (Table III).
SAYS = np.zeros((3, 8), np.float32)
SAYS[IS_EMPTY, [Z_EMPTY, EYE_WHITE, EYE_BLACK]] = SAYS[IS_WHITE, [Z_WHITE, LOST_WHITE]] = SAYS[IS_BLACK, [Z_BLACK, LOST_BLACK]] = 1


@kernel
def set_targets(state, with_stones, without, c, targets):
    """Write what the outputs that say something should be to ``targets`` (Table III, lower half); the others stay.

    ``with_stones`` and ``without`` are the rewards of the point for s = 1 and s = 0.
    """
    if state == IS_EMPTY:
        targets[Z_EMPTY] = _clip((1 + with_stones) / 2)
        targets[EYE_WHITE] = _clip(without)
        targets[EYE_BLACK] = _clip(-without)
    elif state == IS_WHITE:
        z = (1 + c + with_stones) / (2 + c)
        targets[Z_WHITE] = _clip(z)
        targets[LOST_WHITE] = _clip(c * (z - 1) - without)
    else:
        z = (1 + with_stones) / (2 + c)
        targets[Z_BLACK] = _clip(z)
        targets[LOST_BLACK] = _clip(without - c * z)


@kernel
def _clip(x):
    return min(max(x, 0.0), 1.0)


@kernel
def final_rewards(owner, colour_is_empty):
    """The rewards (s = 1, s = 0) of a point at the end of a game: ``owner`` is +1 White, -1 Black, 0 nobody."""
    return float(owner), float(owner) if colour_is_empty else 0.0


@kernel
def step_back(ahead, value, kind, later, c, trace):
    """The λ-return of a point one step earlier.

    ``ahead`` is its return at the later step and ``value`` the network's own estimate there; ``kind`` and ``later`` are its
    kinds now and then. A stone that is gone at the later step was captured by the move between: that is rewarded at once.
    """
    reward = 0.0
    if later >= EMPTY_KIND and kind < EMPTY_KIND:
        reward = c if kind >= BLACK_KIND else -c
    return reward + (1 - trace) * value + trace * ahead
