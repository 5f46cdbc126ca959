"""Random games played on the engine's board and on the naive one: after every move both must say the same.

Moves are any legal moves, so that eyes are filled, big chains die, and small boards run into every kind of repetition.
"""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.go import board, history, scoring
from engine.go.board import (
    BLACK,
    EMPTY,
    PASS,
    SUICIDE_ALLOWED,
    SUICIDE_FORBIDDEN,
    SUICIDE_MULTI,
    WHITE,
    cells,
    coordinates,
    point,
)
from engine.go.game import Game
from engine.go.history import KO_POSITIONAL, KO_SIMPLE, KO_SITUATIONAL
from engine.go.rules import CHINESE
from tests.engine.go.naive import NaiveBoard

# Every combination, the named rule sets among them.
RULE_SETS = [
    replace(CHINESE, ko=ko, suicide=suicide)
    for ko in (KO_SIMPLE, KO_POSITIONAL, KO_SITUATIONAL)
    for suicide in (SUICIDE_FORBIDDEN, SUICIDE_MULTI, SUICIDE_ALLOWED)
]

# Board size, games (in turn under each of the rule sets), moves of a game at most, and how many moves lie between two
# looks at everything: the naive board needs up to a second to say what is legal on a big board.
PLAN = [
    (2, 252, 25, 1),
    (3, 144, 40, 1),
    (4, 72, 50, 1),
    (5, 45, 80, 2),
    (6, 27, 120, 3),
    (7, 18, 150, 5),
    (8, 9, 190, 7),
    (9, 9, 240, 11),
    (11, 9, 300, 17),
    (13, 9, 400, 29),
    (19, 3, 700, 97),
    (25, 2, 1100, 257),
]


def engine_stones(position, size):
    """The engine's stones in the naive board's form."""
    colours = position.colour[board.board_points(size)].tolist()
    return {(i % size, i // size): colour for i, colour in enumerate(colours) if colour != EMPTY}


def check_legality(game, naive, reasons):
    for colour in (BLACK, WHITE):
        refusals = {p: naive.refusal(p, colour) for p in naive.points}
        expected = {p for p, reason in refusals.items() if reason is None}
        assert {coordinates(game.size, int(p)) for p in game.legal_points(colour)} == expected
        assert game.is_legal(colour, PASS)
        reasons.update(refusals.values())


def check_chains(position, naive):
    """Chains, their liberties and their rings of stones; the list of empty points; eyes."""
    size = naive.size
    chain, next_stone, sizes = position.chain, position.next_stone, position.stones
    done = set()
    found = np.empty(size * size, np.int64)
    for p in naive.stones:
        q = point(size, *p)
        if p in done:
            continue
        stones, liberties = naive.chain(p)
        done |= stones
        name = chain[q]
        assert sizes[name] == len(stones)
        ring, stone = set(), q
        for _ in stones:
            assert chain[stone] == name
            ring.add(coordinates(size, int(stone)))
            stone = next_stone[stone]
        assert ring == stones and stone == q
        count = board.list_liberties(position, q, found, found.size)
        assert {coordinates(size, int(r)) for r in found[:count]} == liberties
        assert board.count_liberties(position, q) == len(liberties) == count
        assert board.in_atari(position, q) == (len(liberties) == 1)
        if len(liberties) == 1:
            assert coordinates(size, int(board.last_liberty(position, q))) in liberties
    names = {int(chain[point(size, *p)]) for p in naive.stones}
    assert sum(int(sizes[name]) for name in names) == len(naive.stones)  # no two chains share a name

    empties = position.empties[: position.empty_count].tolist()
    assert {coordinates(size, p) for p in empties} == set(naive.points) - set(naive.stones)
    assert len(set(empties)) == len(empties)
    assert position.slot[empties].tolist() == list(range(len(empties)))
    for p in empties:
        for colour in (BLACK, WHITE):
            assert board.is_eye(position, p, colour) == naive.is_eye(coordinates(size, p), colour)


def check_forecasts(position, naive, generator):
    """What the kernels say of a few moves before they are made."""
    size = naive.size
    free = [p for p in naive.points if p not in naive.stones]
    for p in generator.sample(free, min(2, len(free))):
        for colour in (BLACK, WHITE):
            stones, _, lost = naive.outcome(p, colour)
            q = point(size, *p)
            trial = board.copy(position)
            forecast = history.hash_after(position, q, colour)
            board.place(trial, q, colour)
            assert engine_stones(trial, size) == stones
            assert forecast == trial.hash
            if not lost:
                liberties = len(naive.chain(p, stones)[1])
                for limit in (2, size * size):
                    assert board.liberties_after(position, q, colour, limit) == min(limit, liberties)


def snapshot(game):
    """All that a game consists of, to compare after undo."""
    size, position, past = game.size, game.position, game.history
    fields = {name: position[name] for name in position.dtype.names}
    image = {name: value[: cells(size)].tobytes() if value.ndim else int(value) for name, value in fields.items()}
    image["moves"] = list(game.moves)
    image["to_play"] = game.to_play
    image["past"] = (int(past.count), past.filter.tobytes(), past.seen[: past.count].tobytes())
    image["legal"] = [game.legal_points(colour).tolist() for colour in (BLACK, WHITE)]
    return image


class Hashes:
    """Checks that hashes are equal exactly where positions are, over all games of a board size."""

    def __init__(self):
        self.by_stones = {}
        self.by_hash = {}

    def check(self, stones, value):
        key = frozenset(stones.items())
        assert self.by_stones.setdefault(key, value) == value
        assert self.by_hash.setdefault(value, key) == key


def play_game(size, rules, max_moves, interval, generator, hashes, tally):
    game = Game(size, rules=rules)
    naive = NaiveBoard(size, rules)
    mixed = generator.random() < 0.25  # colours in any order
    undo_at = generator.randrange(max_moves)
    images = []
    colour = BLACK
    for number in range(max_moves):
        choices = [p for p in naive.points if p not in naive.stones]
        generator.shuffle(choices)
        move = PASS
        if generator.random() > 0.03:
            move = next((p for p in choices if naive.refusal(p, colour) is None), PASS)
        if size < 10 and number <= undo_at:
            images.append(snapshot(game))
        chosen = move if move == PASS else point(size, *move)
        assert game.is_legal(colour, chosen)
        taken, lost = naive.play(move, colour)
        assert game.play(colour, chosen) == taken
        tally["moves"] += 1
        tally["captures of one"] += taken == 1
        tally["captures of many"] += taken > 1
        tally["suicides of one"] += lost == 1
        tally["suicides of many"] += lost > 1

        position = game.position
        assert engine_stones(position, size) == naive.stones
        assert (position.black_captures, position.white_captures) == (naive.captures[BLACK], naive.captures[WHITE])
        hashes.check(naive.stones, int(position.hash))
        if number % interval == 0 or number < 2:
            check_legality(game, naive, tally)
            check_chains(position, naive)
        if number % (2 * interval) == 0:
            check_forecasts(position, naive, generator)
            assert scoring.area_score(position) == naive.area_score()

        if number == undo_at and images:
            depth = generator.randrange(1, len(images) + 1)
            after, record = snapshot(game), game.moves
            game.undo(depth)
            assert snapshot(game) == images[-depth]
            for past_colour, past_move in record[-depth:]:
                game.play(past_colour, past_move)
            assert snapshot(game) == after
            tally["undone"] += depth
        colour = generator.choice((BLACK, WHITE)) if mixed else 3 - colour


@pytest.mark.parametrize("size, games, max_moves, interval", PLAN, ids=[f"{size}x{size}" for size, *_ in PLAN])
def test_random_games(size, games, max_moves, interval):
    generator = random.Random(size)
    hashes, tally = Hashes(), Counter()
    for number in range(games):
        play_game(size, RULE_SETS[number % len(RULE_SETS)], max_moves, interval, generator, hashes, tally)
    # The games must have met what they are there to test.
    met = ["captures of many", "suicides of many", "occupied", "suicide"]
    met += ["captures of one", "superko", "undone"] if size < 8 else []
    met += ["ko"] if 2 < size < 8 else []  # nobody can retake at once on the smallest board
    met += ["suicides of one"] if size < 19 else []
    assert all(tally[name] for name in met), tally
    assert len(hashes.by_hash) == 57 if size == 2 else len(hashes.by_hash) > 1000  # 57 are all there are
