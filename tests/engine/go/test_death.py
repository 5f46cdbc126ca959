"""Which stones are dead or in seki at the end: hand-made positions, and finished games with GNU Go's verdict on them.

``gnugo_verdicts.json`` holds games that GNU Go 3.8 played against itself at levels 1 to 10, and what it said about them
at level 10 (``final_status_list`` and ``final_score``). Most were chosen because playouts alone misjudge them.
"""

import json
from pathlib import Path

import pytest

from engine.go import board, death
from engine.go.board import BLACK, PASS, WHITE, coordinates
from engine.go.game import Game, result_text
from engine.go.rules import rules_by_name
from engine.records.vertex import format_vertex, parse_vertex
from tests.diagrams import draw, plain, position_of, size_of

GAMES = json.loads((Path(__file__).parent / "gnugo_verdicts.json").read_text())


def game_of(record):
    game = Game(record["size"], record["komi"], rules_by_name(record["rules"]))
    for vertex in record["moves"].split():
        game.play(game.to_play, PASS if vertex == "PASS" else parse_vertex(vertex, game.size))
    return game


@pytest.mark.parametrize("record", GAMES, ids=[record["name"] for record in GAMES])
def test_finished_games_as_gnugo_counts_them(record):
    game = game_of(record)
    assert game.is_over
    verdict = death.verdict(game.position)
    dead, seki = (" ".join(sorted(format_vertex(p, game.size) for p in points)) for points in verdict)
    assert (dead, seki, result_text(game.score(*verdict))) == (record["dead"], record["seki"], record["score"])


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
