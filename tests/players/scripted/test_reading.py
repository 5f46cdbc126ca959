import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE, board_points
from engine.go.playout import playout
from engine.go.rng import new_stream
from players.scripted.reading import ladder_move, new_work, saves, two_liberties
from players.scripted.tactics import leaves_atari
from tests.diagrams import draw, mark, marks_of, position_of, stones_of

# Black chases the first white stone; a is where the ladder starts, if it works.
LADDERS = {
    "across the empty board": """
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . . a . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
    "a stone on the way helps": """
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . O .
        . . . . . . .
        """,
    "against the edge": """
        . . . . .
        . . . . .
        . . . X .
        . . X O a
        . . . a .
        """,
    "too much room": """
        . . . . . . .
        . . . . . . .
        . X O . . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
}


def white_stone(diagram):
    return next(p for colour, p in stones_of(diagram) if colour == WHITE)


@pytest.mark.parametrize("name", LADDERS)
def test_ladder(name):
    diagram = LADDERS[name]
    position = position_of(diagram)
    works = set(marks_of(diagram).get("a", [PASS]))
    assert ladder_move(position, white_stone(diagram), new_work(), 1) in works
    assert draw(position) == draw(position_of(diagram))


def test_saving_is_running_to_room_or_out_of_a_ladder():
    open_board = LADDERS["across the empty board"]
    position = position_of(open_board)
    stone = white_stone(open_board)
    assert saves(position, stone, mark(open_board, "a"), new_work())
    board.place(position, mark(open_board, "a"), BLACK)
    assert not saves(position, stone, stone + 1, new_work())
    helped = position_of(LADDERS["a stone on the way helps"])
    board.place(helped, mark(open_board, "a"), BLACK)
    assert saves(helped, stone, stone + 1, new_work())


def test_self_atari_is_what_counting_after_the_move_says():
    for seed in range(40):
        position = board.new_position(7)
        playout(position, BLACK, new_stream(seed), 2 * seed)
        for p in board_points(7):
            for colour in (BLACK, WHITE):
                if position.colour[p] == EMPTY and board.is_legal(position, p, colour, board.SUICIDE_FORBIDDEN):
                    after = board.copy(position)
                    board.place(after, p, colour)
                    assert leaves_atari(position, p, colour) == (board.count_liberties(after, p) < 2)


def test_two_liberties_are_the_first_two_of_all():
    for seed in range(40):
        position = board.new_position(7)
        playout(position, BLACK, new_stream(seed), 2 * seed)
        for p in board_points(7):
            if position.colour[p] != EMPTY:
                found = np.zeros(3, np.int64)
                count = board.list_liberties(position, p, found, 3)
                assert two_liberties(position, p) == (count, found[0], found[1])
