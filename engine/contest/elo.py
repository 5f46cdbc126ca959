"""From results to strength: win rates with error bars, Elo differences, and the ratings of a round robin.

A drawn game counts as half a win and half a loss throughout. An interval is 95% and two-sided; an end of it that the
games do not limit (somebody won them all) is None.

Ratings are the maximum-likelihood estimate of the Bradley-Terry model, in which A beats B with probability
1 / (1 + 10^((B - A) / 400)). Their intervals come from the profile likelihood: a rating belongs to the interval if,
with the other ratings fitted as well as they can be, the log-likelihood of the games is at most 3.84 / 2 below that of
the best fit. That needs no symmetry and is right even where a best fit lies at infinity.
"""

import math
from typing import NamedTuple

import numpy as np

Z95 = 1.959964  # two-sided 95% of the normal distribution
_CHI95 = Z95 * Z95  # the same for twice a difference of log-likelihoods
_ELO = 400 / math.log(10)  # Elo points in one natural unit of log-odds
_FAR = 30.0  # log-odds (5200 Elo) that stand for infinity
_RIDGE = 1e-8  # keeps a fit finite where the likelihood has no maximum, and changes nothing where it has one


def wilson(wins, games):
    """The 95% interval (low, high) of the win rate after ``wins`` (draws count half) in ``games``: Wilson's formula."""
    if games == 0:
        return 0.0, 1.0
    rate, z2 = wins / games, _CHI95 / games
    centre = (rate + z2 / 2) / (1 + z2)
    spread = math.sqrt(rate * (1 - rate) * z2 + z2 * z2 / 4) / (1 + z2)
    return (0.0 if wins == 0 else centre - spread), (1.0 if wins == games else centre + spread)


def elo_difference(rate):
    """The Elo difference at which one wins this share of the games; None if the share is 0 or 1."""
    return _ELO * math.log(rate / (1 - rate)) if 0 < rate < 1 else None


class Rating(NamedTuple):
    """One line of an Elo table."""

    elo: float
    low: float | None  # the 95% interval of the difference to the anchor, as a rating
    high: float | None


def ratings(wins, anchor=0, anchor_elo=0.0):
    """A Rating for each player, and whether the maximum-likelihood estimate exists.

    ``wins[i][j]`` is how often i beat j; the player with the index ``anchor`` is given the rating ``anchor_elo``.
    The estimate does not exist if some players never lost a point to the others. Then one more drawn game is counted
    for each player, spread over those it met, so that there are finite numbers to show; the intervals still come from
    the games alone.
    """
    wins = np.asarray(wins, float)
    exists = _is_mixed(wins)
    drawn = (wins + wins.T > 0) * 0.5 / max(1, len(wins) - 1)
    estimate = _fit(wins if exists else wins + drawn, {anchor: 0.0})[0]
    best, likelihood = _fit(wins, {anchor: 0.0})
    found = []
    for player in range(len(wins)):
        low = high = 0.0
        if player != anchor:
            low, high = (_end(wins, anchor, player, best, likelihood, sign) for sign in (-1, 1))
        low, high = (None if end is None else anchor_elo + _ELO * end for end in (low, high))
        found.append(Rating(anchor_elo + _ELO * float(estimate[player]), low, high))
    return found, exists


def _is_mixed(wins):
    """Whether from each player to each other one leads a chain of "has beaten" (Ford's condition)."""
    reach = (wins > 0) | np.eye(len(wins), dtype=bool)
    for middle in range(len(wins)):
        reach |= reach[:, middle, None] & reach[middle]
    return bool(reach.all())


def _fit(wins, fixed, start=None):
    """The most likely log-odds, those in ``fixed`` (index to value) given, and their log-likelihood.

    Newton's method; the log-likelihood is concave, and steps are cut short where it is nearly flat.
    """
    strength = np.zeros(len(wins)) if start is None else start.copy()
    for player, value in fixed.items():
        strength[player] = value
    free = [player for player in range(len(wins)) if player not in fixed]
    games = wins + wins.T
    for _ in range(200):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (wins - games * expected).sum(1) - _RIDGE * strength
        weight = games * expected * (1 - expected)
        curvature = np.diag(weight.sum(1) + _RIDGE) - weight
        step = np.linalg.solve(curvature[np.ix_(free, free)], slope[free]) if free else np.zeros(0)
        longest = max(np.abs(step), default=0.0)
        strength[free] += step * min(1.0, 2.0 / max(longest, 1e-300))
        if longest < 1e-9:
            break
    gaps = strength[:, None] - strength[None, :]
    return strength, float(-(wins * np.logaddexp(0, -gaps)).sum())


def _end(wins, anchor, player, best, likelihood, sign):
    """Where a player's profile likelihood leaves the 95% region above (1) or below (-1) its best; None if nowhere."""

    def loss(strength):
        return 2 * (likelihood - _fit(wins, {anchor: 0.0, player: strength}, best)[1])

    inside, outside = best[player], best[player] + sign * _FAR
    if loss(outside) < _CHI95:
        return None
    while abs(outside - inside) > 1e-4:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if loss(middle) < _CHI95 else (inside, middle)
    return float(inside)
