"""The loop: two sides play games from a position to two passes, in one compiled call."""

import threading
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, PASS, POSITION, SUICIDE_FORBIDDEN, WHITE, copy_into, new_position, place, play
from engine.go.game import longest_game
from engine.go.history import HISTORY, KO_POSITIONAL, new_history, remember
from engine.go.history import begin as begin_history
from engine.go.rng import STREAM_WORDS, restart
from engine.go.rules import CHINESE, Rules
from engine.go.scoring import area_score, judged_score
from engine.kernels import kernel
from engine.lending import lent
from engine.stack import array_on_stack
from players.play.sides import begin, choose, observe

AREA, JUDGED = 0, 1  # how the end is counted: ``area_score`` or ``judged_score`` of ``engine.go.scoring``

RESULT = np.dtype(
    [
        ("opponent", np.int64),  # which of A's opponents was side B
        ("a_is_black", np.bool_),
        ("score", np.float64),  # side A's points less side B's, komi included
        ("length", np.int64),  # moves, passes included
        ("over", np.bool_),  # two passes ended it, not the cap on moves
        ("first", np.int64),  # side A's first move, -1 if it made none
    ],
    align=True,
)


class Terms(NamedTuple):
    """What all games of a batch have in common."""

    size: int
    komi: float
    rules: Rules = CHINESE  # which moves they allow
    counting: int = AREA
    stones: tuple = ()  # points of handicap stones, which are Black's; White then moves first
    most_moves: int | None = None  # None: as for all games, ``longest_game``

    @property
    def longest(self):
        return longest_game(self.size) if self.most_moves is None else self.most_moves


@kernel
def play_games(a, b, number, schedule, to_play, boards, histories, komi, counting, results, moves):
    """Play a Schedule's games against opponent ``number``, which is ``b``, from ``boards[0]`` with ``to_play`` to move.

    A RESULT each goes to ``results``; the rows of games against others stay as they are. ``boards[1]`` and ``histories[0]`` are
    working space, and hold the end of the last game afterwards; the rules of the history are in force. ``moves`` [game, move] gets the moves; with a single row every game overwrites the one before. Its length
    is the cap on moves.
    """
    a, b, schedule, moves = lent(a), lent(b), lent(schedule), lent(moves)
    start, position, history = boards[0], boards[1], histories[0]  # as arrays, because records cost microseconds to pass
    stream_a, stream_b = array_on_stack(STREAM_WORDS, np.uint64), array_on_stack(STREAM_WORDS, np.uint64)
    for game in range(results.size):
        if schedule.opponent[game] != number:
            continue
        rng_a, rng_b = stream_a, stream_b
        restart(rng_a, schedule.seed_a[game])
        if schedule.seed_b[game] == schedule.seed_a[game]:
            rng_b = rng_a
        else:
            restart(rng_b, schedule.seed_b[game])
        own_a = BLACK if schedule.a_is_black[game] else WHITE
        own_b = 3 - own_a
        made = moves[min(game, moves.shape[0] - 1)]
        result = results[game]
        result.opponent = number
        result.a_is_black = schedule.a_is_black[game]
        result.first = -1
        copy_into(start, position)
        begin_history(position, history, to_play)
        begin(a, position, own_a)
        begin(b, position, own_b)
        colour = to_play
        passes = 0
        count = 0
        while passes < 2 and count < made.size:
            if colour == own_a:
                p = choose(a, position, history, colour, rng_a)
                if result.first < 0:
                    result.first = p
            else:
                p = choose(b, position, history, colour, rng_b)
            passes = passes + 1 if p == PASS else 0
            play(position, p, colour)
            remember(position, history, colour)
            observe(a, position, own_a, colour)
            observe(b, position, own_b, colour)
            made[count] = p
            count += 1
            colour = 3 - colour
        score = (area_score(position) if counting == AREA else judged_score(position)) - komi
        result.score = score if own_a == BLACK else -score
        result.length = count
        result.over = passes == 2


@lru_cache(maxsize=64)
def starting_position(size, stones):
    """(the position that games start from, never to be changed; who moves first)."""
    position = new_position(size)
    for p in stones:
        place(position, p, BLACK)
    return position, WHITE if stones else BLACK


def new_boards(size, stones=(), ko_rule=KO_POSITIONAL, suicide=SUICIDE_FORBIDDEN):
    """(who moves first, boards, histories) for ``play_games``."""
    start, to_play = starting_position(size, stones)
    boards, histories = np.recarray(2, POSITION), np.recarray(1, HISTORY)
    boards[:] = start
    histories[0] = new_history(ko_rule, suicide)
    return to_play, boards, histories


class _Boards(threading.local):
    """What ``new_boards`` gives, kept for this thread: games leave nothing behind that the next one sees."""

    def __init__(self):
        self._known = {}

    def of(self, *what):
        if what not in self._known:
            self._known[what] = new_boards(*what)
        return self._known[what]


_boards = _Boards()


def play_batch(a, opponents, schedule, terms, keep_moves=False):
    """Play all games of a Schedule, side ``a`` against each of the sides ``opponents`` that the schedule names.

    The RESULTs as a record array by game; with ``keep_moves`` the pair of these and a list of arrays of moves.
    """
    games = schedule.seed_a.size
    results = np.empty(games, RESULT).view(np.recarray)
    moves = np.empty((games if keep_moves else 1, terms.longest), np.int64)
    working = _boards.of(terms.size, terms.stones, terms.rules.ko, terms.rules.suicide)
    for number, opponent in enumerate(opponents):
        play_games(a, opponent, number, schedule, *working, float(terms.komi), terms.counting, results, moves)
    return (results, [row[:length] for row, length in zip(moves, results.length)]) if keep_moves else results


def joined(batches):
    """The RESULTs of several batches as one record array."""
    return np.concatenate(batches).view(np.recarray)


def wins_of(results):
    """How many of these games side A won; a drawn one counts one half."""
    return float((results.score > 0).sum() + (results.score == 0).sum() / 2)
