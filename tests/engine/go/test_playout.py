"""Random games: every playable point is as likely as any other, and games end when nothing is left to play."""

import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, SUICIDE_FORBIDDEN, WHITE
from engine.go.playout import MOVES_PER_POINT, count_area, is_playable, playout, playouts, random_move
from engine.go.rng import new_stream
from engine.go.rules import JAPANESE
from engine.go.scoring import area_score
from tests.diagrams import draw, mark, position_of
from tests.engine.go.naive import NaiveBoard
from tests.engine.go.test_against_naive import check_chains, engine_stones

KO = """. X O . .
        X O a O .
        . X O . .
        . . . . .
        . . . . ."""

# Positions, what Black played before (if anything), and whose move it is.
CHOICES = {
    "the empty board": (". . .\n. . .\n. . .", None, BLACK),
    "ko": (KO, "a", WHITE),
    "eyes of both": (
        """. X . O .
           X X . O O
           . X . . .
           X X . O O
           . X . O .""",
        None,
        BLACK,
    ),
    "suicide, a capture and a connection": (
        """. O X . O
           O X X . O
           X . . O .
           . O . . O
           O . O O .""",
        None,
        BLACK,
    ),
}


def naive_of(position):
    """The naive board with the same stones."""
    naive = NaiveBoard(int(position.board_size), JAPANESE)
    naive.stones = engine_stones(position, naive.size)
    return naive


@pytest.mark.parametrize("name", CHOICES)
def test_random_moves_are_uniform(name):
    diagram, letter, colour = CHOICES[name]
    position = position_of(diagram)
    closed = set()
    if letter:
        board.place(position, mark(diagram, letter), BLACK)
        closed = {board.coordinates(5, int(position.ko))}
    naive = naive_of(position)
    expected = {p for p in naive.legal(colour) - closed if not naive.is_eye(p, colour)}
    rng = new_stream(3)
    draws = 1000 * len(expected)
    points = [int(random_move(position, colour, rng)) for _ in range(draws)]
    counts = {}
    for p in points:
        key = board.coordinates(naive.size, p)
        counts[key] = counts.get(key, 0) + 1
    assert set(counts) == expected
    n = len(expected)
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < (n - 1) + 5 * np.sqrt(2 * (n - 1))
    check_chains(position, naive)  # drawing leaves the position as it was


@pytest.mark.parametrize(
    "diagram",
    [". X .\nX X X\n. X .", "X .\n. X"],
    ids=["eyes only", "the smallest board"],
)
def test_a_player_with_nothing_but_eyes_passes(diagram):
    assert random_move(position_of(diagram), BLACK, new_stream(1)) == PASS


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9, 13, 19, 25])
def test_playouts_end_properly(size):
    rng = new_stream(4, size)
    limit = MOVES_PER_POINT * size * size
    cut = 0
    games = max(4, 300 // size)
    for game in range(games):
        position = board.new_position(size)
        moves = playout(position, BLACK + game % 2, rng, limit)
        assert moves <= limit
        check_chains(position, naive_of(position))
        if moves == limit:
            cut += 1
            continue
        empties = position.empties[: position.empty_count].tolist()
        position.ko = 0  # the last two moves were passes
        for colour in (BLACK, WHITE):
            assert not any(is_playable(position, p, colour) for p in empties)
        assert count_area(position) == area_score(position) == naive_of(position).area_score()
    assert cut <= games * (0.6 if size < 4 else 0.1)


def test_playouts_play_legal_moves_and_never_fill_an_eye():
    rng = new_stream(5)
    position = board.new_position(7)
    seen_eyes = 0
    for _ in range(40):
        board.clear(position)
        colour, passes = BLACK, 0
        while passes < 2:
            p = random_move(position, colour, rng)
            if p == PASS:
                passes += 1
                empties = position.empties[: position.empty_count].tolist()
                seen_eyes += sum(board.is_eye(position, q, colour) for q in empties)
            else:
                passes = 0
                assert position.colour[p] == EMPTY
                assert board.is_legal(position, p, colour, SUICIDE_FORBIDDEN)
                assert not naive_of(position).is_eye(board.coordinates(7, int(p)), colour)
            board.play(position, p, colour)
            colour = 3 - colour
    assert seen_eyes > 100  # there were eyes that could have been filled


# Mean length and Black's share of wins without komi in uniformly random games. Both are properties of the game itself:
# any program that plays random games with this rule for eyes gets about these numbers.
@pytest.mark.parametrize(
    "size, games, length, black",
    [(9, 4000, 111.0, 0.526), (19, 400, 455.0, 0.524)],
)
def test_statistics(size, games, length, black):
    start, scratch = board.new_position(size), board.new_position(size)
    moves, won = playouts(start, scratch, BLACK, new_stream(6), games)
    assert moves / games == pytest.approx(length, rel=0.03)
    assert won / games == pytest.approx(black, abs=5 * 0.5 / games**0.5)
    assert draw(start) == draw(board.new_position(size))  # where the playouts begin is left alone


def test_the_first_player_has_the_same_edge_with_either_colour():
    start, scratch = board.new_position(9), board.new_position(9)
    _, black_first = playouts(start, scratch, BLACK, new_stream(7), 4000)
    _, white_first = playouts(start, scratch, WHITE, new_stream(8), 4000)
    assert black_first / 4000 == pytest.approx(1 - white_first / 4000, abs=5 * 0.5 * (2 / 4000) ** 0.5)
    assert black_first > white_first


def test_a_stream_decides_the_game():
    def game(seed):
        position = board.new_position(9)
        return playout(position, BLACK, new_stream(seed), 243), draw(position)

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_the_limit_of_moves_holds(limit):
    position = board.new_position(9)
    assert playout(position, BLACK, new_stream(1), limit) == limit
    assert 81 - position.empty_count <= limit
