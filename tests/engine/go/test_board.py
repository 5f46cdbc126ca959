"""What moves do to the stones: captures, snapback, ko, suicide, eyes and liberties, as tables of diagrams."""

import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, EDGE, EMPTY, MAX_SIZE, MIN_SIZE, SUICIDE_ALLOWED, SUICIDE_FORBIDDEN, SUICIDE_MULTI, WHITE
from tests.diagrams import draw, mark, marks_of, plain, position_of, size_of, stones_of

SIGNS = {"X": BLACK, "O": WHITE}


def swapped(diagram):
    """The diagram with the colours exchanged."""
    return diagram.translate(str.maketrans("XO", "OX"))


# The diagram before, moves as "sign letter", the diagram after, stones taken by Black and by White, the ko point.
MOVES = {
    "one stone in the middle": (
        """. X .
           X O X
           . a .""",
        "Xa",
        """. X .
           X . X
           . X .""",
        (1, 0),
        None,
    ),
    "one stone in the corner": (
        """O X .
           a . .
           . . .""",
        "Xa",
        """. X .
           X . .
           . . .""",
        (1, 0),
        None,
    ),
    "three chains with one move": (
        """. X X X .
           X O a O X
           . X O X .
           . . X . .
           . . . . .""",
        "Xa",
        """. X X X .
           X . X . X
           . X . X .
           . . X . .
           . . . . .""",
        (3, 0),
        None,
    ),
    "a chain that touches the move twice is taken once": (
        """. X X .
           X O O X
           X O a X
           . X X .""",
        "Xa",
        """. X X .
           X . . X
           X . X X
           . X X .""",
        (3, 0),
        None,
    ),
    "a stone without liberties takes before it dies": (
        """a O X .
           O X . .
           X . . .
           . . . .""",
        "Xa",
        """X . X .
           . X . .
           X . . .
           . . . .""",
        (2, 0),
        None,
    ),
    "twenty-four stones": (
        """O O O O O
           O O O O O
           O O a O O
           O O O O O
           O O O O O""",
        "Xa",
        """. . . . .
           . . . . .
           . . X . .
           . . . . .
           . . . . .""",
        (24, 0),
        None,
    ),
    "snapback": (
        """X O a b X
           X O O O X
           . X X X .
           . . . . .
           . . . . .""",
        "Xa Ob Xa",
        """X . X . X
           X . . . X
           . X X X .
           . . . . .
           . . . . .""",
        (5, 1),
        None,
    ),
    "suicide of one stone": (
        """a O .
           O . .
           . . .""",
        "Xa",
        """. O .
           O . .
           . . .""",
        (0, 1),
        None,
    ),
    "suicide of three stones in two chains": (
        """X a X O
           O X O .
           . O . .
           . . . .""",
        "Xa",
        """. . . O
           O . O .
           . O . .
           . . . .""",
        (0, 4),
        None,
    ),
    "ko in the middle": (
        """. X O .
           X O a O
           . X O .
           . . . .""",
        "Xa",
        """. X O .
           X k X O
           . X O .
           . . . .""",
        (1, 0),
        "k",
    ),
    "ko in the corner": (
        """O a O
           X O .
           . . .""",
        "Xa",
        """k X O
           X O .
           . . .""",
        (1, 0),
        "k",
    ),
    "ko at the edge": (
        """. X O a O
           . . X O .
           . . . . .
           . . . . .
           . . . . .""",
        "Xa",
        """. X k X O
           . . X O .
           . . . . .
           . . . . .
           . . . . .""",
        (1, 0),
        "k",
    ),
    "no ko: the taking stone has another liberty": (
        """. X O .
           X O a .
           . X O .
           . . . .""",
        "Xa",
        """. X O .
           X . X .
           . X O .
           . . . .""",
        (1, 0),
        None,
    ),
    "no ko: the taking stone has a friend": (
        """. X O . .
           X O a O .
           . X X O .
           . . O . .
           . . . . .""",
        "Xa",
        """. X O . .
           X . X O .
           . X X O .
           . . O . .
           . . . . .""",
        (1, 0),
        None,
    ),
    "no ko: two stones taken": (
        """. X X O .
           X O O a O
           . X X O .
           . . . . .
           . . . . .""",
        "Xa",
        """. X X O .
           X . . X O
           . X X O .
           . . . . .
           . . . . .""",
        (2, 0),
        None,
    ),
    "no ko: two single stones taken": (
        """X O a O X
           . X O X .
           . . . . .
           . . . . .
           . . . . .""",
        "Xa",
        """X . X . X
           . X O X .
           . . . . .
           . . . . .
           . . . . .""",
        (2, 0),
        None,
    ),
}


@pytest.mark.parametrize("exchange", [False, True], ids=["as drawn", "colours exchanged"])
@pytest.mark.parametrize("name", MOVES)
def test_moves(name, exchange):
    before, moves, after, captures, ko = MOVES[name]
    if exchange:
        before, moves, after, captures = swapped(before), swapped(moves), swapped(after), captures[::-1]
    position = position_of(before)
    for move in moves.split():
        board.place(position, mark(before, move[1]), SIGNS[move[0]])
    assert draw(position) == plain(after)
    assert (position.black_captures, position.white_captures) == captures
    assert position.ko == (mark(after, ko) if ko else 0)
    fresh = position_of(after)
    assert position.hash == fresh.hash


def test_place_says_how_many_enemies_it_took():
    diagram = MOVES["three chains with one move"][0]
    assert board.place(position_of(diagram), mark(diagram, "a"), BLACK) == 3
    diagram = MOVES["suicide of one stone"][0]
    assert board.place(position_of(diagram), mark(diagram, "a"), BLACK) == 0


# Where ko forbids a move: a diagram in which Black takes at a, then moves, then whether White may take back at k.
KO = """. X O . .
        X O a O .
        . X O . .
        . . . . .
        . . . . x"""


@pytest.mark.parametrize(
    "moves, white_may, black_may",
    [
        ([], False, True),
        ([(WHITE, "x")], True, True),
        ([(BLACK, "x")], True, True),
        ([(WHITE, None)], True, True),
        ([(WHITE, "x"), (BLACK, None)], True, True),
    ],
    ids=["at once", "after a threat", "after Black moves twice", "after a pass", "after a threat and a pass"],
)
def test_ko_is_closed_for_one_move_and_to_one_side(moves, white_may, black_may):
    position = position_of(KO)
    board.place(position, mark(KO, "a"), BLACK)
    k = int(position.ko)
    assert board.coordinates(5, k) == (1, 1)
    for colour, letter in moves:
        board.play(position, mark(KO, letter) if letter else board.PASS, colour)
    assert board.is_legal(position, k, WHITE, SUICIDE_FORBIDDEN) == white_may
    assert board.is_legal(position, k, BLACK, SUICIDE_FORBIDDEN) == black_may


# What may be played at a: by Black, by White, under each allowance of suicide (forbidden, multi-stone, any).
NEVER, ALWAYS, MULTI, ANY = (False,) * 3, (True,) * 3, (False, True, True), (False, False, True)
LEGALITY = {
    "one stone dies in the corner": (
        """a O .
           O . .
           . . .""",
        ANY,
        ALWAYS,
    ),
    "one stone dies in the middle": (
        """. O .
           O a O
           . O .""",
        ANY,
        ALWAYS,
    ),
    "two stones die": (
        """X a O .
           O O . .
           . . . .
           . . . .""",
        MULTI,
        ALWAYS,
    ),
    "two chains die together": (
        """X a X O
           O X O .
           . O . .
           . . . .""",
        MULTI,
        ALWAYS,
    ),
    "joins a chain with another liberty": (
        """X a O .
           . O . .
           . . . .
           . . . .""",
        ALWAYS,
        ALWAYS,
    ),
    "joins two chains, one of them with a liberty": (
        """X a X .
           O O O .
           . . . .
           . . . .""",
        ALWAYS,
        ALWAYS,
    ),
    "takes and so lives": (
        """a O X .
           O X . .
           X . . .
           . . . .""",
        ALWAYS,
        MULTI,
    ),
    "the whole board is one chain": (
        """O O O
           O a O
           O O O""",
        ALWAYS,
        MULTI,
    ),
    "a dead shape on the smallest board": (
        """X a
           X X""",
        MULTI,
        ALWAYS,
    ),
    "an eye between two living chains": (
        """. X a X .
           . X X X .
           O O O O O
           . . . . .
           . . . . .""",
        ALWAYS,
        ANY,
    ),
}


@pytest.mark.parametrize("exchange", [False, True], ids=["as drawn", "colours exchanged"])
@pytest.mark.parametrize("name", LEGALITY)
def test_legality_and_suicide(name, exchange):
    diagram, black, white = LEGALITY[name]
    if exchange:
        diagram, black, white = swapped(diagram), white, black
    position, p = position_of(diagram), mark(diagram, "a")
    allowances = (SUICIDE_FORBIDDEN, SUICIDE_MULTI, SUICIDE_ALLOWED)
    assert tuple(board.is_legal(position, p, BLACK, allowance) for allowance in allowances) == black
    assert tuple(board.is_legal(position, p, WHITE, allowance) for allowance in allowances) == white


@pytest.mark.parametrize("suicide", [SUICIDE_FORBIDDEN, SUICIDE_MULTI, SUICIDE_ALLOWED])
@pytest.mark.parametrize("name", LEGALITY)
def test_list_of_legal_moves(name, suicide):
    position = position_of(LEGALITY[name][0])
    size = int(position.board_size)
    for colour in (BLACK, WHITE):
        found = np.full(size * size, -1)
        count = board.legal_moves(position, colour, suicide, found)
        each = [p for p in board.board_points(size).tolist() if board.is_legal(position, p, colour, suicide)]
        assert found[:count].tolist() == each


def test_occupied_points_are_illegal():
    position = position_of("X O\n. .")
    for p in (board.point(2, 0, 0), board.point(2, 1, 0)):
        for colour in (BLACK, WHITE):
            assert not board.is_legal(position, p, colour, SUICIDE_ALLOWED)


# Points that look like a black eye (e) and points that do not (n).
EYES = {
    "corners": """e X . X e
                  X X . . X
                  . . . . .
                  X O . X X
                  n X . O n""",
    "edge": """. X e X .
               . X X X .
               . . . . .
               . O X X .
               . X n X .""",
    "edge, empty diagonals": """. X e X .
                                . . X . .
                                . . . . .
                                . . . . .
                                . . . . .""",
    "middle, one enemy on a diagonal": """. . . . .
                                          . O X . .
                                          . X e X .
                                          . X X X .
                                          . . . . .""",
    "middle, two enemies on diagonals": """. . . . .
                                           . O X . .
                                           . X n X .
                                           . . X O .
                                           . . . . .""",
    "middle, a neighbour is missing": """. . . . .
                                         . X X X .
                                         . X n n .
                                         . X X X .
                                         . . . . .""",
    "middle, a neighbour is the enemy's": """. . . . .
                                             . X X X .
                                             . X n O .
                                             . X X X .
                                             . . . . .""",
    "the smallest board": """X e
                             e X""",
    "the smallest board, no friends": """O n
                                         n O""",
}


@pytest.mark.parametrize("exchange", [False, True], ids=["as drawn", "colours exchanged"])
@pytest.mark.parametrize("name", EYES)
def test_eyes(name, exchange):
    diagram = swapped(EYES[name]) if exchange else EYES[name]
    colour = WHITE if exchange else BLACK
    position = position_of(diagram)
    for letter, points in marks_of(diagram).items():
        for p in points:
            assert board.is_eye(position, p, colour) == (letter == "e")


# The liberties (l) of the one black chain that has a stone in the top left corner.
LIBERTIES = {
    "a lone stone": """X l .
                       l . .
                       . . .""",
    "a liberty seen from two sides counts once": """X X l
                                                    X l .
                                                    l . .""",
    "atari": """X X O
                X l .
                O . .""",
    "around an enemy": """X X X X
                          X O O X
                          X l O X
                          X X X l""",
}


@pytest.mark.parametrize("name", LIBERTIES)
def test_liberties(name):
    diagram = LIBERTIES[name]
    position, size = position_of(diagram), size_of(diagram)
    corner = board.point(size, 0, 0)
    expected = marks_of(diagram)["l"]
    found = np.zeros(size * size, np.int64)
    count = board.list_liberties(position, corner, found, found.size)
    assert sorted(found[:count].tolist()) == sorted(expected)
    assert board.count_liberties(position, corner) == len(expected)
    assert board.list_liberties(position, corner, found, 1) == 1
    assert board.in_atari(position, corner) == (len(expected) == 1)
    if len(expected) == 1:
        assert board.last_liberty(position, corner) == expected[0]


# The liberties of the chain that a black move at a makes.
LIBERTIES_AFTER = {
    "alone": (
        """a . .
           . . .
           . . .""",
        2,
    ),
    "joins two chains that share a liberty": (
        """. . . . .
           . X a X .
           . . . . .
           . . . . .
           . . . . .""",
        8,
    ),
    "takes two stones": (
        """. X X .
           X O O a
           . X X .
           . . . .""",
        3,
    ),
    "takes a stone that another of its stones touches": (
        """O X .
           a . .
           . . .""",
        3,
    ),
    "puts itself in atari": (
        """. a O
           O O .
           . . .""",
        1,
    ),
}


@pytest.mark.parametrize("name", LIBERTIES_AFTER)
def test_liberties_after(name):
    diagram, expected = LIBERTIES_AFTER[name]
    position, p = position_of(diagram), mark(diagram, "a")
    for limit in range(1, 12):
        assert board.liberties_after(position, p, BLACK, limit) == min(limit, expected)
    board.place(position, p, BLACK)
    assert board.count_liberties(position, p) == expected


@pytest.mark.parametrize("size", range(MIN_SIZE, MAX_SIZE + 1))
def test_layout(size):
    points = board.board_points(size).tolist()
    assert len(set(points)) == size * size
    assert points == [board.point(size, col, row) for row in range(size) for col in range(size)]
    assert [board.coordinates(size, p) for p in points] == [(col, row) for row in range(size) for col in range(size)]
    assert 0 < min(points) and max(points) < board.cells(size)
    position = board.new_position(size)
    colour = position.colour[: board.cells(size)]
    assert np.flatnonzero(colour == EMPTY).tolist() == points
    assert np.count_nonzero(colour == EDGE) == colour.size - len(points)
    for p in points:
        col, row = board.coordinates(size, p)
        neighbours = (p - 1, p + 1, p - int(position.stride), p + int(position.stride))
        beyond = (col == 0, col == size - 1, row == 0, row == size - 1)
        assert tuple(bool(colour[q] == EDGE) for q in neighbours) == beyond


@pytest.mark.parametrize("size", [-1, 0, 1, 26, 10**9])
def test_sizes_that_do_not_exist(size):
    with pytest.raises(ValueError, match="size"):
        board.new_position(size)


def test_a_full_board_counts_its_liberties_right():
    """The packed sums must hold the biggest chain of the biggest board: all points but every other one of each row."""
    size = MAX_SIZE
    position = board.new_position(size)
    for row in range(size):
        for col in range(size):
            if row % 2 == 0 or col == 0:
                board.place(position, board.point(size, col, row), BLACK)
    corner = board.point(size, 0, 0)
    free = size * size - len(stones_of(draw(position)))
    assert board.count_liberties(position, corner) == free == (size - 1) * (size // 2)
    for p in board.board_points(size).tolist():
        if position.colour[p] == EMPTY:
            assert not board.in_atari(position, corner)
            board.place(position, p, BLACK)
            free -= 1
        if free == 1:
            break
    assert board.in_atari(position, corner)
    (last,) = [p for p in board.board_points(size).tolist() if position.colour[p] == EMPTY]
    assert board.last_liberty(position, corner) == last
    assert board.place(position, last, WHITE) == size * size - 1


def test_copies_are_independent():
    diagram = KO
    first = position_of(diagram)
    second = board.copy(first)
    board.place(second, mark(diagram, "a"), BLACK)
    assert draw(first) == plain(diagram) and first.ko == 0 and first.black_captures == 0
    board.copy_into(second, first)
    used = slice(board.cells(5))
    for name in board.POSITION.names:
        assert np.array_equal(np.atleast_1d(first[name])[used], np.atleast_1d(second[name])[used]), name
    board.clear(first)
    empty = board.new_position(5)
    assert all(np.array_equal(first[name], empty[name]) for name in board.POSITION.names)
    assert second.ko != 0
