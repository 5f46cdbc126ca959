"""Tables I–IV of the paper, and returns along a game with a capture."""

import numpy as np
import pytest

from players.isn.anatomy import BLACK_KIND, EMPTY_KIND, WHITE_KIND
from players.isn.rewards import (
    CHINESE,
    IS_BLACK,
    IS_EMPTY,
    IS_WHITE,
    JAPANESE,
    SAYS,
    final_rewards,
    set_targets,
    step_back,
    values_of,
)

# How a point ends: who owns it, and whether it is empty then.
ENDS = {"white +": (1, True), "white o": (1, False), "nobody": (0, True), "black *": (-1, False), "black +": (-1, True)}
# Table I: the reward by end and present state, from c and s; None where the paper has a blank.
TABLE_1 = {
    "white +": lambda c, s: (1, None, 1 + c),
    "white o": lambda c, s: (s, s, s + c),
    "nobody": lambda c, s: (0, -c, c),
    "black *": lambda c, s: (-s, -(s + c), -s),
    "black +": lambda c, s: (-1, -(1 + c), None),
}
# Table IV: the seven outputs' targets.
TABLE_4 = {
    "white +": lambda c: (1, None, 1, 1, 0, None, 1),
    "white o": lambda c: (1, 1, 1, 0, 0, 0, 0),
    "nobody": lambda c: (1 / 2, 1 / (2 + c), (1 + c) / (2 + c), 0, 0, c / (2 + c), c / (2 + c)),
    "black *": lambda c: (0, 0, 0, 0, 0, 0, 0),
    "black +": lambda c: (0, 0, None, 0, 1, 1, None),
}
OUTPUTS_OF = {IS_EMPTY: (0, 3, 4), IS_WHITE: (1, 5), IS_BLACK: (2, 6)}
SCORINGS = [CHINESE, JAPANESE, (0.4, 0.4), (0.3, 0.9)]


@pytest.mark.parametrize("c", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("state", [IS_EMPTY, IS_WHITE, IS_BLACK])
def test_targets_are_those_of_table_4(end, state, c):
    with_stones, without = (TABLE_1[end](c, s)[state] for s in (1, 0))
    if with_stones is None:
        return
    targets = np.full(7, np.nan)
    set_targets(state, float(with_stones), float(without), c, targets)
    for output in range(7):
        if output in OUTPUTS_OF[state]:
            assert targets[output] == pytest.approx(TABLE_4[end](c)[output], abs=1e-12)
        else:
            assert np.isnan(targets[output])
    assert SAYS[state].nonzero()[0].tolist() == list(OUTPUTS_OF[state])


@pytest.mark.parametrize("c, s", SCORINGS)
@pytest.mark.parametrize("end", ENDS)
def test_perfect_outputs_are_worth_table_1(end, c, s):
    for state, reward in enumerate(TABLE_1[end](c, s)):
        if reward is not None:
            outputs = np.array([0.0 if x is None else x for x in TABLE_4[end](c)] + [1.0])
            assert values_of(c, s)[state] @ outputs == pytest.approx(reward, abs=1e-6)


def test_nothing_else_counts_in_a_state():
    for state, outputs in OUTPUTS_OF.items():
        used = set(np.flatnonzero(values_of(0.4, 0.4)[state])) - {7}
        assert used <= set(outputs)


@pytest.mark.parametrize("end", ENDS)
def test_the_end_of_a_game(end):
    owner, empty = ENDS[end]
    state = IS_EMPTY if empty else IS_WHITE if owner > 0 else IS_BLACK
    expected = tuple(TABLE_1[end](0.4, s)[state] for s in (1, 0))
    assert final_rewards(owner, empty) == expected


def test_returns_with_a_capture():
    # A black stone is played, then taken by White, and the point is White's eye in the end: c = 0.4, λ = 0.9.
    c, trace = 0.4, 0.9
    kinds = [EMPTY_KIND, BLACK_KIND, BLACK_KIND + 2, EMPTY_KIND, EMPTY_KIND]
    values = [0.0, -0.5, 0.1, 0.6, 0.9]  # what the network thought at each step, for one of the two s
    returns = [0.0] * 4 + [final_rewards(1, True)[0]]
    for t in (3, 2, 1, 0):
        returns[t] = step_back(returns[t + 1], values[t + 1], kinds[t], kinds[t + 1], c, trace)
    third = 0.1 * 0.9 + 0.9 * 1
    second = 0.4 + 0.1 * 0.6 + 0.9 * third  # the stone goes between steps 2 and 3
    first = 0.1 * 0.1 + 0.9 * second
    assert returns == pytest.approx([0.1 * -0.5 + 0.9 * first, first, second, third, 1.0])


@pytest.mark.parametrize("kind, reward", [(WHITE_KIND + 5, -0.4), (BLACK_KIND, 0.4), (EMPTY_KIND, 0.0)])
def test_who_pays_for_a_capture(kind, reward):
    assert step_back(0.0, 0.0, kind, EMPTY_KIND, 0.4, 1.0) == pytest.approx(reward)
    assert step_back(0.0, 0.0, kind, WHITE_KIND, 0.4, 1.0) == 0.0


def test_targets_stay_in_range():
    for state in (IS_EMPTY, IS_WHITE, IS_BLACK):
        for with_stones, without in ((5.0, -5.0), (-5.0, 5.0)):
            targets = np.full(7, np.nan)
            set_targets(state, with_stones, without, 0.4, targets)
            kept = targets[~np.isnan(targets)]
            assert ((kept >= 0) & (kept <= 1)).all()
