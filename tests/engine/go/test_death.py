"""Which stones are dead or in seki at the end: hand-made positions, and finished games with GNU Go's verdict on them."""

import pytest

from engine.go import board, death
from engine.go.board import BLACK, WHITE, coordinates
from tests.diagrams import draw, plain, position_of, size_of
from tests.gnugo_games import RECORDS, check, finished_game

GAMES = [record for record in RECORDS if not record.get("large")]


@pytest.mark.parametrize("record", GAMES, ids=[record["name"] for record in GAMES])
def test_finished_games_as_gnugo_counts_them(record):
    game = finished_game(record)
    check(record, game, death.verdict(game.position))


# Positions after two passes, their dead stones and their stones in seki (column, row).
SETTLED = {
    "a lone stone in a large territory": (
        """. . . . . . X O .
           . . . . . . X O .
           . . . . . . X O O
           . . . O . . X O .
           . . . . . . X O .
           . . . . . . X O O
           . . . . . . X O .
           X X X X X X X O .
           O O O O O O O O .""",
        {(3, 3)},
        set(),
    ),
    "two stones in a large territory": (
        """. . . . . . X O .
           . . . . . . X O .
           . . . . . . X O O
           . . . O . . X O .
           . . . O . . X O .
           . . . . . . X O O
           . . . . . . X O .
           X X X X X X X O .
           O O O O O O O O .""",
        {(3, 3), (3, 4)},
        set(),
    ),
    "seki with two shared liberties": (
        """X O O . X O .
           X O O . X O .
           X X O X X O .
           . X X O O O .
           X X X X O . O
           X . X O O O O
           . X X O . O .""",
        set(),
        {(1, 0), (2, 0), (1, 1), (2, 1), (2, 2), (4, 0), (4, 1), (3, 2), (4, 2)},
    ),
    "bent four in the corner": (
        """X X . O X . O O .
           X O O O X X X O .
           . O X X X . X O O
           O O X . X X X X O
           X X X X . X O O O
           . X . X X X X O .
           X X X X O O X O O
           . X O O O . O O .
           X X O . O O O . O""",
        {(3, 0), (1, 1), (2, 1), (3, 1), (1, 2), (0, 3), (1, 3)},
        set(),
    ),
    "eye against no eye": (
        """. O X X . O .
           O O X O O O O
           X X X O . O .
           . X O O O O O
           X X X O X X X
           . X . X X . X
           X X X X . X X""",
        {(1, 0), (0, 1), (1, 1)},
        set(),
    ),
}


@pytest.mark.parametrize("name", SETTLED)
def test_settled_positions(name):
    diagram, *expected = SETTLED[name]
    position = position_of(diagram)
    verdict = death.verdict(position)
    assert [{coordinates(size_of(diagram), p) for p in points} for points in verdict] == expected
    assert death.verdict(board.copy(position)) == verdict
    assert draw(position) == plain(diagram)


@pytest.mark.parametrize("lives", [True, False])
def test_a_player_decides_about_a_large_fight(lives):
    """It is asked with the other side to begin, and with a komi between the two results."""
    record = next(record for record in RECORDS if record["name"] == "13x13-96 chinese")
    game, questions = finished_game(record), []

    def foresee(position, komi, first):
        questions.append((komi, first))
        return float(lives and first == WHITE)  # Black lives or not, White does

    alone, asked = death.verdict(game.position), death.verdict(game.position, foresee=foresee)
    score, result = game.score(*alone), game.score(*asked)
    assert (asked == alone) == lives
    assert any(first == WHITE and (lives or result + game.komi < komi < score + game.komi) for komi, first in questions)


def test_stones_in_doubt_live_while_the_game_goes_on():
    position = board.new_position(9)
    for colour, col, row in ((BLACK, 2, 2), (WHITE, 6, 6), (BLACK, 6, 2), (WHITE, 2, 6)):
        board.place(position, board.point(9, col, row), colour)
    assert death.verdict(position, passed=False).dead == []


@pytest.mark.parametrize("size", [2, 9, 25])
def test_the_empty_board(size):
    assert death.verdict(board.new_position(size)) == ([], [])


def test_an_open_board_takes_bounded_work(monkeypatch):
    done = []

    def read(position, scratch, first, mask, safe, simulations, *rest):
        done.append(int(mask.sum()) * simulations)
        return original(position, scratch, first, mask, safe, 2, *rest)

    original = death.read
    monkeypatch.setattr(death, "read", read)
    monkeypatch.setattr(death, "PLAYOUTS", 20)
    position = board.new_position(19)
    for number, p in enumerate(board.board_points(19)[::7]):
        board.place(position, p, BLACK + number % 2)
    death.verdict(position)
    assert 0 < sum(done) <= death.WORK + 2 * death.SIMULATIONS * 361


def test_warm_up_compiles_reading(monkeypatch):
    called = []
    original = death.read
    monkeypatch.setattr(death, "read", lambda *arguments: called.append(1) or original(*arguments))
    death.warm_up()
    assert called
