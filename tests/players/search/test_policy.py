"""The playout policy: its features against a naive reference, and that moves are drawn as its weights say."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, board_points, cells, new_position, play
from engine.go.playout import random_move
from engine.go.rng import new_stream
from players import genome
from players.playout.body import read_body
from players.registry import champions
from players.search import policy as policies
from players.search import shapes, tactics
from tests.diagrams import mark, marks_of, position_of
from tests.players.search.naive import Naive, features, shares


def random_positions(size, count, seed, every=3):
    """(position, colour to move, last move, move before) from random games."""
    rng = new_stream(seed)
    position, colour, last, before = new_position(size), BLACK, PASS, PASS
    for number in range(every * count):
        if number % every == 0:
            yield position, colour, last, before
        p = int(random_move(position, colour, rng))
        if p == PASS and last == PASS and number:
            position, colour, last, before = new_position(size), WHITE, PASS, PASS
            continue
        play(position, p, colour)
        colour, last, before = 3 - colour, p, last


def some_weights(seed):
    """Every feature with a weight of its own."""
    values = np.random.default_rng(seed).normal(0, 2, len(policies.NAMES))
    weights = dict(zip(policies.NAMES, values))
    return {**weights, "throw_in": -1.0, "self_atari": -2.5, "self_atari_shape": -0.5}


@pytest.mark.parametrize("size", [4, 7, 9])
def test_shares_are_those_of_the_naive_policy(size):
    weights = some_weights(size)
    policy, weighed, found = policies.new_policy(weights), policies.new_weighed(), np.empty(cells(size))
    seen = set()
    for position, colour, last, before in random_positions(size, 150, size):
        policies.distribution(position, colour, last, before, policy, weighed, found)
        expected = shares(position, colour, last, before, weights)
        assert {int(p) for p in np.flatnonzero(found)} == set(expected)
        for p, share in expected.items():
            assert found[p] == pytest.approx(share, rel=1e-9), (p, features(position, colour, last, before).get(p))
        assert weighed.count == 0 and not weighed.weight.any()
        seen |= set().union(*features(position, colour, last, before).values())
    if size == 9:  # the comparison means something only if features were met
        assert seen >= set(policies.NAMES[:15]) - {"nakade"}


def test_moves_are_drawn_by_their_shares():
    policy, weighed, found = policies.new_policy(some_weights(3)), policies.new_weighed(), np.empty(cells(5))
    policies.lend(new_stream(5), weighed.stream)
    draws = 4000
    for position, colour, last, before in random_positions(5, 8, 11, every=7):
        policies.distribution(position, colour, last, before, policy, weighed, found)
        count = np.zeros(cells(5))
        for _ in range(draws):
            count[policies.draw_move(position, colour, last, before, policy, weighed)] += 1
        if found.any():
            spread = np.sqrt(found * (1 - found) / draws)
            assert (np.abs(count / draws - found) <= 5 * spread + 1e-3).all()
        else:
            assert count[PASS] == draws


@pytest.mark.parametrize("size", [5, 9])
def test_tactics_agree_with_the_naive_board(size):
    distance, queue = np.empty(cells(size), np.int64), np.empty(cells(size), np.int64)
    room = np.empty(8, np.int64)
    for position, colour, last, _ in random_positions(size, 120, 2, every=5):
        naive = Naive(position)
        for p in map(int, board_points(size)):
            if naive.at(p):
                continue
            taken = naive.taken(p, colour)
            assert tactics.captures(position, p, colour) == len(taken)
            assert tactics.self_atari(position, p, colour) == naive.self_atari(p, colour)
            code = shapes.shape_at(position, p, colour)
            assert shapes.DRAWN[shapes.SHAPE[code]] == naive.drawing(p, colour)
            family = shapes.FAMILY[code]
            assert family == shapes.FAMILY_OF[shapes.SHAPE[code]]
            assert (shapes.NAMES[family - 1] if family else None) == naive.family(p, colour)
            assert policies.vital_point(position, p, colour, room) == (naive.vital(p, colour) or PASS)
        if last != PASS:
            tactics.chain_distances(position, last, 2, distance, queue)
            assert distance[last] == 0
            near = {q for s in naive.chain(last) for q in naive.around(s)} | naive.chain(last)
            assert {int(p) for p in board_points(size) if distance[p] == 0} == naive.chain(last)
            for q in near - naive.chain(last):
                assert distance[q] == 1


@pytest.mark.parametrize(
    "diagram, owner",
    [
        ("O O O O .\n. a . O .\nO O O O .\n. . . . .\n. . . . .", WHITE),
        ("X . X . .\nX a X . .\nX . . X .\nX X X X .\n. . . . .", None),  # a bent four has two vital points: none alone
        ("X . X . .\n. a . X .\nX X X X .\n. . . . .\n. . . . .", BLACK),
        (". . X . .\n. a . X .\nX X X . .\n. . . . .\n. . . . .", BLACK),
        (". a X . .\nX X X . .\n. . . . .\n. . . . .\n. . . . .", None),
        (". a . X .\nX O X X .\n. . . . .\n. . . . .\n. . . . .", None),
    ],
)
def test_vital_points(diagram, owner):
    position, (a,) = position_of(diagram), marks_of(diagram)["a"]
    found = policies.vital_point(position, a, owner or BLACK, np.empty(8, np.int64))
    assert found == (a if owner else PASS)


@pytest.mark.parametrize(
    "name, diagram",
    [
        ("take_last", ". . X . .\n. X l X .\n. . a . .\n. . . . .\n. . . . ."),
        ("escape", ". . O . .\n. O s l .\n. . a . .\n. . . . .\n. . . . ."),
        ("take_attacker", ". . O a .\n. l s O X\n. . . X .\n. . . . .\n. . . . ."),
    ],
)
def test_what_is_urgent_is_drawn(name, diagram):
    """A white stone is at l, played last; a black one at s."""
    position = position_of(diagram)
    for p in marks_of(diagram).get("s", []):
        play(position, p, BLACK)
    last = mark(diagram, "l")
    play(position, last, WHITE)
    assert name in features(position, BLACK, last, PASS)[mark(diagram, "a")]
    found, policy = np.empty(cells(5)), policies.new_policy({name: 7.0})
    policies.distribution(position, BLACK, last, PASS, policy, policies.new_weighed(), found)
    assert found.argmax() == mark(diagram, "a") and found.max() > 0.9


@pytest.mark.parametrize(
    "diagram, has_vital_point",
    [
        ("X a X l .\nO O O O .\n. . . . .\n. . . . .\n. . . . .", False),  # two stones apart: nothing is taken
        ("X X X l .\nO O O O .\n. . . . .\n. . . . .\n. . . . .", True),
        ("X X l . .\nO O O . .\n. . . . .\n. . . . .\n. . . . .", False),  # two stones leave two points, which are one eye
        ("X X l . .\nX X O . .\nO O O . .\n. . . . .\n. . . . .", False),  # a square is one eye, whoever plays there
        ("X X X l .\nO X O O .\n. O . . .\n. . . . .\n. . . . .", True),
    ],
)
def test_the_vital_point_of_what_the_last_move_took(diagram, has_vital_point):
    """White plays at l."""
    position, weighed = position_of(diagram), policies.new_weighed()
    last, vital = mark(diagram, "l"), 8  # B5 on this board
    policies.begin(position, weighed)
    policies.go_on(position, last, WHITE, weighed)
    policies.weigh(position, BLACK, last, PASS, policies.new_policy({"nakade": 7.0}), weighed, None)
    assert (weighed.weight[vital] == pytest.approx(np.exp(7.0))) == has_vital_point
    policies.forget(weighed)
    policies.go_on(position, PASS, BLACK, weighed)  # nothing was taken now
    policies.weigh(position, WHITE, PASS, last, policies.new_policy({"nakade": 7.0}), weighed, None)
    assert weighed.weight.max() <= 1


def test_a_policy_is_made_from_known_names_and_finite_weights():
    with pytest.raises(ValueError, match="no feature 'ladders'"):
        policies.new_policy({"ladders": 1.0})
    for weight in (1e4, float("nan")):
        with pytest.raises(ValueError, match="not a number"):
            policies.new_policy({"escape": weight})


def test_the_policy_that_ships_knows_every_feature():
    weights = read_body(genome.load(champions()["playout-9x9"], "playout").body)
    assert {*policies.TACTICS, *shapes.NAMES} <= set(weights) <= set(policies.NAMES)


def test_shapes_are_all_that_there_can_be():
    """Counted apart: fillings of 8, 5 and 3 points by three signs, of which turns and mirror images are one (Burnside)."""
    middle = (3**8 + 2 * 3**2 + 3**4 + 4 * 3**5) // 8
    side, corner = (3**5 + 3**3) // 2, (3**3 + 3**2) // 2
    assert len(shapes.DRAWN) == len(set(shapes.DRAWN)) == middle + side + corner
    assert sum("#" not in name for name in shapes.DRAWN) == middle
