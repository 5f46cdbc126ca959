from collections import Counter

import numpy as np
import pytest

from engine.go import board
from engine.go.board import BLACK, EMPTY, PASS, WHITE, board_points, cells
from engine.go.game import Game
from engine.go.history import new_history
from engine.go.playout import playout
from engine.go.rng import new_stream
from players.scripted.liberty import Liberty, liberty_scores
from tests.diagrams import game_of, mark
from tests.players.scripted.helpers import answers, chi_square, points

REJECTED = None

# What Black thinks of the point a. In words: empty neighbours + the bonus of each group.
SCORES = {
    "the middle of nothing: 4": (
        4,
        """
        . . . . .
        . . . . .
        . . a . .
        . . . . .
        . . . . .
        """,
    ),
    "the side: 3": (
        3,
        """
        . . . . .
        . . . . .
        a . . . .
        . . . . .
        . . . . .
        """,
    ),
    "the corner: 2": (
        2,
        """
        . . .
        . . .
        . . a
        """,
    ),
    "beside an own stone of four liberties: 3 + 3": (
        6,
        """
        . . . . .
        . . . . .
        . . X a .
        . . . . .
        . . . . .
        """,
    ),
    "beside an enemy stone of four liberties, the same": (
        6,
        """
        . . . . .
        . . . . .
        . . O a .
        . . . . .
        . . . . .
        """,
    ),
    "a stone in the corner: 2 + 10": (
        12,
        """
        X a . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "a stone on the side: 3 + 5": (
        8,
        """
        . . . . .
        . . . . .
        X a . . .
        . . . . .
        . . . . .
        """,
    ),
    "capture in the corner: 2 + 20; the stone below is not beside the point": (
        22,
        """
        O a . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "escape from atari: 3 + 20": (
        23,
        """
        . . O . .
        . O X O .
        . . a . .
        . . . . .
        . . . . .
        """,
    ),
    "two own stones apart: 2 + 3 + 3": (
        8,
        """
        . . . . .
        . . . . .
        . X a X .
        . . . . .
        . . . . .
        """,
    ),
    "an own and an enemy stone that do not touch: 2 + 3 + 3": (
        8,
        """
        . . . . .
        . . O . .
        . X a . .
        . . . . .
        . . . . .
        """,
    ),
    "black and white that touch are one group of seven liberties: 2 + 1": (
        3,
        """
        . . . . .
        . X O . .
        . X a . .
        . . . . .
        . . . . .
        """,
    ),
    "touching in the corner makes one group of three liberties: 2 + 5, not 2 + 10 + 10": (
        7,
        """
        O X . . .
        O a . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "a chain that touches the point twice counts once: 2 + 1": (
        3,
        """
        . . . . .
        . X X . .
        . X a . .
        . . . . .
        . . . . .
        """,
    ),
    "stones that touch through a third chain elsewhere stay apart: 2 + 5 + 5": (
        12,
        """
        . . . . .
        . X O . .
        . O a . .
        . . . . .
        . . . . .
        """,
    ),
    "three chains hang together through one of them: 1 + 1, not 1 + three bonuses": (
        2,
        """
        . . . . .
        . X O X .
        . X a X .
        . . . . .
        . . . . .
        """,
    ),
    "self-atari is rejected": (
        REJECTED,
        """
        a O . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "running into atari is rejected": (
        REJECTED,
        """
        . O . . .
        O X O . .
        . a O . .
        . O . . .
        . . . . .
        """,
    ),
    "suicide is illegal": (
        REJECTED,
        """
        a O . . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "a capture that gives two liberties is no self-atari: 0 + 20": (
        20,
        """
        a O X . .
        O O X . .
        X X . . .
        . . . . .
        . . . . .
        """,
    ),
    "own safe territory is left alone": (
        REJECTED,
        """
        . X a . X
        X X X X X
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    "unless it touches an enemy stone, which is one group with the living chain around it: 0 + 10": (
        10,
        """
        . X O a X
        X X X X X
        O O O O O
        O O O O O
        O . O . O
        """,
    ),
    "enemy safe territory is left alone": (
        REJECTED,
        """
        . O a . O
        O O O O O
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
}


def scores_of(game, colour):
    scores = np.zeros(cells(game.size), np.int64)
    liberty_scores(game.position, game.history, colour, np.empty(game.size**2, np.int64), scores)
    return scores


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_score(name, colour):
    expected, diagram = SCORES[name]
    if colour == WHITE:  # the same position with the colours exchanged
        diagram = diagram.translate(str.maketrans("XO", "OX"))
    game = game_of(diagram, colour)
    assert scores_of(game, colour)[mark(diagram, "a")] == (expected or 0)
    policy = Liberty().policy(game, colour)[mark(diagram, "a")]
    assert np.isnan(policy) if expected is REJECTED else policy == expected


def naive_score(position, p, colour):
    """The definition, word for word, with sets."""
    stride = int(position.stride)

    def neighbours(q):
        return [r for r in (q - stride, q - 1, q + 1, q + stride) if position.colour[r] <= WHITE]

    after = board.copy(position)
    board.place(after, p, colour)
    if board.count_liberties(after, p) == 1:
        return 0
    score = sum(position.colour[q] == EMPTY for q in neighbours(p))
    chains = {int(position.chain[q]) for q in neighbours(p)} - {0}
    stones = {int(q) for q in board_points(int(position.board_size)) if int(position.chain[q]) in chains}
    while stones:
        group, border = {stones.pop()}, set()
        grown = list(group)
        while grown:
            for q in neighbours(grown.pop()):
                if q in stones:
                    stones.remove(q)
                    group.add(q)
                    grown.append(q)
                elif position.colour[q] == EMPTY:
                    border.add(q)
        score += {1: 20, 2: 10, 3: 5, 4: 3}.get(len(border), 1)
    return score


@pytest.mark.parametrize("size", [5, 9, 13])
def test_scores_follow_the_definition_in_random_positions(size):
    history = new_history()
    checked = 0
    for seed in range(30):
        position = board.new_position(size)
        playout(position, BLACK, new_stream(seed), seed * size * size // 20)
        for colour in (BLACK, WHITE):
            scores = np.zeros(cells(size), np.int64)
            points = np.empty(size * size, np.int64)
            for p in points[: liberty_scores(position, history, colour, points, scores)]:
                assert scores[p] == naive_score(position, int(p), colour)
                checked += 1
    assert checked > 500


def test_ties_are_broken_evenly():
    player, game, draws = Liberty(seed=1), Game(5), 9000
    counts = Counter(player.choose(game, BLACK) for _ in range(draws))
    assert len(counts) == 9  # all but the edge, which has fewer empty neighbours
    assert chi_square(counts.values(), draws / 9) < 26.1  # exceeded once in a thousand


def test_takes_the_largest_score():
    diagram = """
    . . . . .
    . O . . .
    O X a . .
    . O . . .
    . . . . .
    """
    assert answers(Liberty(), diagram) == answers(Liberty(), diagram, WHITE) == points(diagram)


def test_without_a_score_it_plays_what_is_no_eye_of_its_own():
    diagram = """
    X X X X X
    X X X X X
    X X a a X
    X X X X X
    X X X X X
    """
    for colour in (BLACK, WHITE):  # either move is self-atari
        assert answers(Liberty(), diagram, colour) == points(diagram)


def test_passes_when_nothing_is_left():
    diagram = """
    . X .
    X X X
    X X X
    """
    assert answers(Liberty(), diagram, BLACK) == answers(Liberty(), diagram, WHITE) == {PASS}
