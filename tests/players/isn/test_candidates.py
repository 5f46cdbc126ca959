"""Judging a move by what it changes gives what seeing the new position from scratch gives."""

import numpy as np
import pytest

from engine.go.board import BLACK, PASS, WHITE, copy, new_position, play
from engine.go.history import begin, new_history, playable_points
from engine.go.rng import new_stream
from players.isn import candidates
from players.isn.anatomy import INPUTS, PAPER, Anatomy
from players.isn.candidates import GREEDY, draw_move, judge_moves, new_turn, total_value
from players.isn.network import build, new_sight, see, see_first
from players.isn.rewards import values_of
from tests.diagrams import position_of
from tests.players.isn.reference import random_network, random_position

# Captures of several chains at once, a ko, a chain that joins four, a capture that frees others.
SHARP = [
    """
    . X O . .
    X O . O X
    . X O X .
    . O X . .
    . . . . .
    """,
    """
    O O . O O
    X X O X X
    X O . O X
    O X O X .
    . X X X .
    """,
    """
    . O X X .
    O X . X X
    . O X O .
    . . O . .
    . . . . .
    """,
]


ALL = tuple(INPUTS)
# Every input by itself, all of them, more hidden units and passes; another number of these is compiled anew.
RICH = [*(Anatomy((name,)) for name in INPUTS), Anatomy(ALL), Anatomy(ALL, 24, 3)]


def check_all_moves(parameters, position, c, s, colour, anatomy=PAPER):
    size = int(position.board_size)
    network, values = build(parameters, anatomy), values_of(c, s)
    turn, (ground, now, other) = new_turn(anatomy), (new_sight(anatomy) for _ in range(3))
    after = new_position(size)
    see_first(network, position, now, other)
    history = new_history()
    begin(position, history, colour)
    count = judge_moves(network, position, history, after, now, turn, ground, values, c, colour, False)
    legal = np.empty(size * size, np.int64)
    legal = legal[: playable_points(position, history, colour, legal)]
    assert list(turn.point[:count]) == [PASS, *legal]
    sign = 1 if colour == WHITE else -1
    for p, value in zip(turn.point[:count].copy(), turn.value[:count].copy()):
        later = copy(position)
        taken = play(later, p, colour)
        see(network, later, now, other)
        assert value == pytest.approx(sign * total_value(other, values, size) + c * taken, abs=2e-4)


@pytest.mark.parametrize("c, s", [(0.4, 0.4), (0.0, 1.0), (1.0, 0.0)])
@pytest.mark.parametrize("diagram", SHARP)
def test_sharp_positions(diagram, c, s):
    for seed in range(3):
        for colour in (BLACK, WHITE):
            check_all_moves(random_network(seed), position_of(diagram), c, s, colour)


@pytest.mark.parametrize("size", [2, 5, 9, 13])
def test_random_positions(size):
    generator = np.random.default_rng(size)
    for number in range(6):
        position = random_position(generator, size, size * size * (1 + number) // 5)
        check_all_moves(random_network(number), position, 0.4, 0.4, 1 + number % 2)


@pytest.mark.parametrize("anatomy", RICH, ids=str)
def test_other_inputs(anatomy):
    generator = np.random.default_rng(3)
    for number, size in enumerate((5, 5, 9, 9)):
        position = random_position(generator, size, size * size * (2 + number) // 5)
        check_all_moves(random_network(number, 0.3, anatomy), position, 0.4, 0.4, 1 + number % 2, anatomy)
    for diagram in SHARP:
        for colour in (BLACK, WHITE):
            check_all_moves(random_network(1, 0.3, anatomy), position_of(diagram), 0.4, 0.4, colour, anatomy)


def test_own_eyes_are_spared_and_passing_is_last():
    position = position_of(". X X\nX X X\nX X .")
    network, history, turn = build(random_network(1)), new_history(), new_turn()
    begin(position, history, BLACK)
    now, ground, after = new_sight(), new_sight(), new_position(3)
    see_first(network, position, now, ground)
    common = network, position, history, after, now, turn, ground, values_of(0.4, 0.4), 0.4
    assert judge_moves(*common, BLACK, True) == 1 and turn.point[0] == PASS
    assert judge_moves(*common, BLACK, False) == 3 and turn.point[0] == PASS


def test_drawing():
    turn = new_turn()
    turn.value[:4] = 0.0, 1.0, 1.0, 0.5
    stream = new_stream(1)
    drawn = np.array([draw_move(turn, 4, 2.0, stream) for _ in range(4000)])
    expected = np.exp(2 * turn.value[:4]) / np.exp(2 * turn.value[:4]).sum()
    assert np.bincount(drawn, minlength=4) / 4000 == pytest.approx(expected, abs=0.03)
    turn.value[2] += 2e-4  # no more than what the order of sums may change
    assert {draw_move(turn, 4, GREEDY, stream) for _ in range(50)} == {1, 2}
    assert candidates.GREEDY == np.inf
