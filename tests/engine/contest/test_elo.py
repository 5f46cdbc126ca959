"""Win rates, Elo differences and ratings against values that can be checked by hand or by simulation."""

import numpy as np
import pytest

from engine.contest.elo import elo_difference, ratings, wilson


@pytest.mark.parametrize(
    "wins, games, low, high",
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),  # a worked example that textbooks give
        (2.5, 5, 0.1706, 0.8294),  # two wins and a draw
    ],
)
def test_wilson(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=2e-4)


@pytest.mark.parametrize("rate, elo", [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (0.75, 190.85), (0, None), (1, None)])
def test_elo_difference(rate, elo):
    assert elo_difference(rate) == (None if elo is None else pytest.approx(elo, abs=0.01))


def test_two_players_are_rated_by_their_difference():
    (a, b), exists = ratings([[0, 75], [25, 0]], anchor=1, anchor_elo=1000)
    assert exists
    assert a.elo == pytest.approx(1000 + elo_difference(0.75), abs=0.01)
    assert (b.elo, b.low, b.high) == (1000, 1000, 1000)
    # The profile of one difference is the likelihood itself, close to Wilson's interval.
    low, high = (1000 + elo_difference(end) for end in wilson(75, 100))
    assert a.low == pytest.approx(low, abs=6) and a.high == pytest.approx(high, abs=6)


def _tournament(true, games, seed):
    random = np.random.default_rng(seed)
    wins = np.zeros((len(true), len(true)))
    for i in range(len(true)):
        for j in range(i):
            wins[i, j] = random.binomial(games, 1 / (1 + 10 ** ((true[j] - true[i]) / 400)))
            wins[j, i] = games - wins[i, j]
    return wins


def test_ratings_are_recovered_and_intervals_cover():
    true = np.array([0, 100, 250, 300, 700])
    misses = 0
    for seed in range(20):
        found, exists = ratings(_tournament(true, 100, seed))
        assert exists
        for rating, elo in zip(found[1:], true[1:]):
            assert rating.low < rating.elo < rating.high
            misses += not rating.low <= elo <= rating.high
    assert 0 < misses < 11  # of 80, 4 expected
    found, _ = ratings(_tournament(true, 100_000, 0))
    assert [rating.elo for rating in found] == pytest.approx(true, abs=10)


def test_the_anchor_moves_everything_and_the_order_of_players_nothing():
    wins = _tournament([0, 150, 300], 50, 1)
    plain, _ = ratings(wins)
    moved, _ = ratings(wins, 0, 1500)
    assert [m.elo - p.elo for m, p in zip(moved, plain)] == pytest.approx([1500] * 3)
    assert [m.low - p.low for m, p in zip(moved, plain)] == pytest.approx([1500] * 3)
    turned, _ = ratings(wins[::-1, ::-1], 2)
    assert [t.elo for t in turned[::-1]] == pytest.approx([p.elo for p in plain], abs=1e-4)


def test_a_player_that_loses_every_game_is_bounded_on_one_side():
    (loser, middle, best), exists = ratings([[0, 0, 0], [100, 0, 40], [100, 60, 0]], anchor=1)
    assert not exists
    assert loser.low is None and loser.elo < loser.high < -400
    assert middle.elo == 0
    assert best.low < elo_difference(0.6) < best.high
    for games in (1, 5, 1000):  # the number shown always lies in its interval
        (_, winner), exists = ratings([[0, 0], [games, 0]])
        assert not exists and winner.high is None and winner.low < winner.elo < 4000


def test_players_who_never_met_have_no_limits():
    found, exists = ratings(np.zeros((3, 3)))
    assert not exists
    assert [(rating.elo, rating.low, rating.high) for rating in found[1:]] == [(0, None, None)] * 2
