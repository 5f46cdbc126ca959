"""What is learned from: the gradient against differences and a sum over all games, and that errors go down."""

from collections import Counter

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, cells, copy, new_position, place, play
from engine.go.playout import MOVES_PER_POINT
from engine.go.rng import new_stream
from players.playout import positions
from players.playout.learning import Classroom, bounded, draw_learning, result_of
from players.playout.positions import Positions, Recipe, gather, policy_of, set_up
from players.playout.trainer import BALANCING, EVOLUTION, Config, Trainer
from players.search import policy as policies
from players.search.policy import (
    FAULTS,
    LEAST_ACCEPTED,
    NAMES,
    hand_set_weights,
    new_trace,
    new_weighed,
    vector,
)
from tests.diagrams import position_of
from tests.players.search.naive import features
from tests.players.search.test_policy import random_positions, some_weights

KOMI = 0.5


def shares_of(position, colour, last, before, weights):
    shares = np.empty(cells(int(position.board_size)))
    policies.distribution(position, colour, last, before, policy_of(weights), new_weighed(), shares)
    return shares


@pytest.mark.parametrize("size", [5, 9])
def test_a_trace_has_the_features_that_a_naive_look_finds(size):
    policy, weighed, trace = policy_of(np.zeros(len(NAMES))), new_weighed(), new_trace()
    seen = set()
    for position, colour, last, before in random_positions(size, 100, size):
        policies.begin(position, weighed)
        policies.weigh(position, colour, last, before, policy, weighed, trace)
        found = {}
        for p in weighed.point[: weighed.count].tolist():
            found[p] = Counter(NAMES[k] for k in trace.feature[p, : trace.count[p]].tolist())
        policies.forget(weighed)
        assert found == {p: names for p, names in features(position, colour, last, before).items() if names}
        seen |= set().union(*found.values())
    assert len(seen) > 20


def test_the_gradient_of_the_logarithm_is_the_limit_of_differences():
    """Of each point that is drawn, the mean of what is told over many draws."""
    weights, rng, step, draws = vector(some_weights(4)) / 2, new_stream(7), 1e-5, 4000
    policy, weighed, trace = policy_of(weights), new_weighed(), new_trace()
    compared = set()
    for position, colour, last, before in random_positions(5, 6, 6, every=8):
        found = {}
        for _ in range(draws):
            score = np.zeros(len(NAMES))
            policies.begin(position, weighed)
            p = int(draw_learning(position, colour, last, before, policy, weighed, trace, rng, score))
            found.setdefault(p, []).append(score)
        assert weighed.count == 0 and not weighed.weight.any()
        shares = shares_of(position, colour, last, before, weights)
        if PASS in found:
            assert len(found) == 1 and not shares.any() and not np.any(found[PASS])
            continue
        for p in np.flatnonzero(shares).tolist():  # drawn by their shares …
            assert len(found.get(p, ())) / draws == pytest.approx(shares[p], abs=5 * np.sqrt(shares[p] / draws) + 1e-3)
        for p, scores in found.items():  # … and each with its gradient
            told, doubt = np.mean(scores, axis=0), np.std(scores, axis=0) / np.sqrt(len(scores)) + 1e-6
            for k in np.flatnonzero(np.abs(told) > 5 * doubt) if len(scores) > 200 else ():
                offs = step * np.eye(len(NAMES))[k] * [[1], [-1]]
                two = [np.log(shares_of(position, colour, last, before, weights + off)[p]) for off in offs]
                assert told[k] == pytest.approx((two[0] - two[1]) / (2 * step), abs=5 * doubt[k]), NAMES[k]
                compared.add(NAMES[k])
    assert len(compared) > 8


# Whole playouts


TINY = """
. .
. .
"""  # larger boards have too many games


def exact_mean(position, colour, weights):
    """What playouts give Black on average: the sum over all of them, without a random number."""
    size = int(position.board_size)
    now, total = {(b"", 0): [1.0, position, colour, PASS, PASS, 0]}, 0.0
    for _ in range(MOVES_PER_POINT * size * size):
        later = {}
        for chance, board, mover, last, before, passes in now.values():
            shares = shares_of(board, mover, last, before, weights)
            for p in np.flatnonzero(shares).tolist() or [PASS]:
                after = copy(board)
                play(after, p, mover)
                part = chance * (shares[p] if p != PASS else 1.0)
                if p == PASS and passes:
                    total += part * result_of(after, KOMI)
                    continue
                key = after.colour[: cells(size)].tobytes(), int(after.ko), 3 - mover, p, last, p == PASS
                if key in later:
                    later[key][0] += part
                else:
                    later[key] = [part, after, 3 - mover, p, last, int(p == PASS)]
        now = later
    return total + sum(chance * result_of(board, KOMI) for chance, board, *_ in now.values())


def tiny():
    """TINY with Black to move, as Positions."""
    stones = position_of(TINY).colour[board_points(2)]
    fields = [stones], [BLACK], [PASS], [PASS], [0], [0.9], [0]
    return Positions(*(np.asarray(field).astype(kind) for field, kind in zip(fields, positions.TYPES)))


def test_means_and_gradients_are_those_of_all_playouts_together():
    # without nakade: what the last move took is not known to ``exact_mean``
    weights, start = vector({**hand_set_weights(), "nakade": 0.0}) / 3, tiny()
    room, rng, step = Classroom(start, KOMI), new_stream(1), 0.05
    room.use(weights)
    exact = exact_mean(set_up(start, 0), BLACK, weights)
    assert 0.1 < exact < 0.9
    assert room.mean(0, rng, 20_000) == pytest.approx(exact, abs=5 * 0.5 / np.sqrt(20_000))
    parts = np.array([room.slope(0, rng, 1000, exact) for _ in range(30)])
    found, doubt = parts.mean(axis=0), parts.std(axis=0) / np.sqrt(len(parts) - 1)
    compared = 0
    for name in ("take_last", "escape", "beside_last", "diagonal_last", "near_before", "self_atari", "throw_in"):
        k = NAMES.index(name)
        offs = step * np.eye(len(NAMES))[k] * [[1], [-1]]
        two = [exact_mean(set_up(start, 0), BLACK, weights + off) for off in offs]
        exactly = (two[0] - two[1]) / (2 * step)
        assert found[k] == pytest.approx(exactly, abs=5 * doubt[k] + 2e-4), name
        compared += abs(exactly) > 5 * doubt[k]
    assert compared >= 3  # or anything would do


@pytest.mark.parametrize("method", [BALANCING, EVOLUTION])
def test_learning_makes_playouts_right(method):
    """Positions whose values come from other weights: the error goes down, though only some steps are made."""
    config = Config(
        size=5, komi=KOMI, gathering=1, generations=4, start="uniform", method=method, steps=20, batch=24, playouts=96, pairs=6,
        rate=0.25, last_rate=0.15, averaged=10, exam=60, fixed=(),
    )  # fmt: skip
    recipe = Recipe(5, KOMI, 40, 40, 4, 0.5, 12)
    found = positions.joined([gather(vector({}), recipe, 1, number)[0] for number in range(8)])
    room = Classroom(found, KOMI)
    room.use(vector(hand_set_weights()))
    means = [room.mean(number, new_stream(3, number), 200) for number in range(found.amount)]
    trainer = Trainer(config)
    state = trainer.init()
    state.positions = found._replace(value=np.array(means, np.float32))._asdict()
    (before,) = trainer._errors(state, [state.average], 1, do_all)
    for generation in range(1, 4):
        told = trainer.advance(state, generation)
    assert told["error"] < 0.8 * before


def do_all(items):
    return [item.do() for item in items]


def test_faults_are_never_made_likelier():
    for sign in (-1, 1):
        weights = dict(zip(NAMES, bounded(np.full(len(NAMES), sign * 30.0), 12.0)))
        assert {weights[name] for name in FAULTS} == {0.0 if sign > 0 else np.log(LEAST_ACCEPTED)}
        assert all(weight == sign * 12 for name, weight in weights.items() if name not in FAULTS)


# Positions


def test_games_give_positions():
    recipe = Recipe(5, 4.5, 320, 320, 4, 0.2, 6)
    found, length = gather(vector(hand_set_weights()), recipe, 1, 3)
    again, _ = gather(vector(hand_set_weights()), recipe, 1, 3)
    other, _ = gather(vector(hand_set_weights()), recipe, 1, 4)
    assert all(np.array_equal(a, b) for a, b in zip(found, again))
    assert found.amount == min(6, length) and set(found.game) == {3} and not np.array_equal(found.stones, other.stones)
    positions.check(found, 5)
    for number in range(found.amount):
        board = set_up(found, number)
        if found.last[number] != PASS:  # it is the other side's, unless it was taken
            assert board.colour[found.last[number]] in (0, 3 - found.colour[number])
    assert ((found.value > 0) & (found.value < 1)).all() and np.ptp(found.value) > 0


def test_a_board_is_set_up_as_it_was():
    for position, colour, last, before in random_positions(7, 40, 9, every=6):
        stones = position.colour[board_points(7)]
        fields = [stones], [colour], [last], [before], [position.ko], [0.5], [0]
        found = Positions(*(np.asarray(field).astype(kind) for field, kind in zip(fields, positions.TYPES)))
        board = set_up(found, 0)
        assert board.hash == position.hash and board.ko == position.ko
        assert np.array_equal(board.colour[: cells(7)], position.colour[: cells(7)])
        positions.check(found, 7)


def test_boards_that_cannot_be_are_refused():
    board = new_position(3)
    place(board, int(board_points(3)[0]), WHITE)
    stones = board.colour[board_points(3)].copy()
    stones[[1, 3]] = BLACK  # the corner has no liberty
    fields = [stones], [BLACK], [PASS], [PASS], [0], [0.5], [0]
    found = Positions(*(np.asarray(field).astype(kind) for field, kind in zip(fields, positions.TYPES)))
    with pytest.raises(ValueError, match="no liberty"):
        positions.check(found, 3)
