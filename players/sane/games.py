"""Whole games of a network against scripted opponents in one compiled call (paper, "Evaluation function").

No komi, simple ko, no suicide; every stone left on the board counts as alive; a game that reaches the cap of moves is
lost. Against a handicap the roles of the colours are the usual ones: the opponent is Black.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from engine.go.board import BLACK, PASS, SUICIDE_FORBIDDEN, WHITE, copy_into, new_position, place, play, point
from engine.go.history import KO_SIMPLE, begin, new_history, remember
from engine.go.rng import STREAM_WORDS, seed_game
from engine.go.scoring import area_score
from players.sane.network import network_move, new_activity
from players.scripted.kernels import KINDS, RANDOM, scripted_move

CAP_PER_POINT = 2  # moves for each point of the board before a game counts as lost
MOST_STONES = 9  # handicap stones


class Outcome(NamedTuple):
    """What games against one opponent came to."""

    score: int  # own points less the opponent's, over all games; a game that hits the cap counts as minus all points
    wins: float  # a drawn game counts one half
    games: int
    capped: int  # games that hit the cap
    first_move: int  # of the network in the first of these games


def opponent_code(name, randomness):
    """``(kind, option)`` of the opponent for kernels; ValueError if there is none of that name.

    Random moves at random as it is, and has no randomness to be set.
    """
    if name not in KINDS:
        raise ValueError(f"there is no opponent {name!r} (there are: {', '.join(KINDS)})")
    kind = KINDS[name]
    return kind, 0.0 if kind == RANDOM else float(randomness)


def handicap_points(size, stones):
    """Where the opponent's handicap stones stand: corners, then sides, as GTP has it where it has such a handicap.

    GTP places none on boards below 7x7 and at most four on 7x7; there it goes on in the same way.
    """
    if not 2 <= stones <= MOST_STONES:
        raise ValueError(f"there is no handicap of {stones} stones")
    low = 1 if size < 7 else 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, high), (high, low), (low, low), (high, high)]
    sides = [(low, middle), (high, middle), (middle, high), (middle, low)]
    chosen = corners[: min(stones, 4)]
    if stones >= 6:
        chosen += sides[:2]
    if stones >= 8:
        chosen += sides[2:]
    if stones % 2 and stones >= 5:
        chosen.append((middle, middle))
    return [point(size, col, row) for col, row in chosen]


def starting_position(size, give_stones):
    """(position, colour of the network, who moves first) when the network gives so many stones.

    One stone means that the opponent moves first; from two on they stand on the board, and the network moves first.
    """
    position = new_position(size)
    if give_stones == 0:
        return position, BLACK, BLACK
    if give_stones == 1:
        return position, WHITE, BLACK
    for p in handicap_points(size, give_stones):
        place(position, p, BLACK)
    return position, WHITE, WHITE


@njit(cache=True, nogil=True)
def play_game(start, neuron, weight, activity, own, kind, option, position, history, to_play, rng, max_moves, moves):
    """Play on from ``position``, the network as the colour ``own``, to two passes or ``max_moves``; how many moves.

    The moves are written to ``moves`` (int64, at least ``max_moves`` long); the history must have begun.
    """
    colour = to_play
    passes = 0
    count = 0
    while passes < 2 and count < max_moves:
        if colour == own:
            p = network_move(start, neuron, weight, position, history, colour, activity)
        else:
            p = scripted_move(kind, option, position, history, colour, rng)
        passes = passes + 1 if p == PASS else 0
        play(position, p, colour)
        remember(position, history, colour)
        moves[count] = p
        count += 1
        colour = 3 - colour
    return count


@njit(cache=True, nogil=True)
def _play_games(
    start,
    neuron,
    weight,
    activity,
    begin_at,
    own,
    to_play,
    kind,
    option,
    key,
    games,
    position,
    history,
    max_moves,
    result,
):
    """Play so many games, each with its stream of ``key``; the fields of an Outcome go to ``result``."""
    area = begin_at.board_size * begin_at.board_size
    rng = np.empty(STREAM_WORDS, np.uint64)
    moves = np.empty(max_moves, np.int64)
    for game in range(games):
        seed_game(rng, key, game)
        copy_into(begin_at, position)
        begin(position, history, to_play)
        count = play_game(
            start, neuron, weight, activity, own, kind, option, position, history, to_play, rng, max_moves, moves
        )
        if count >= max_moves and (moves[count - 1] != PASS or moves[count - 2] != PASS):
            result[0] -= area
            result[3] += 1
        else:
            score = area_score(position) if own == BLACK else -area_score(position)
            result[0] += score
            result[1] += 2 if score > 0 else 1 if score == 0 else 0
        if game == 0:
            result[4] = moves[0 if to_play == own else 1]
    result[2] = games


def play_games(network, opponent, games, key, give_stones=0):
    """The Outcome of ``games`` games of a Network against ``opponent``, a pair of ``opponent_code``.

    The same key gives the same games, whoever plays them.
    """
    size = network.size
    begin_at, own, to_play = starting_position(size, give_stones)
    result = np.zeros(5, np.int64)  # wins are counted in halves
    _play_games(
        network.start,
        network.neuron,
        network.weight,
        new_activity(network),
        begin_at,
        own,
        to_play,
        opponent[0],
        opponent[1],
        np.uint64(key),
        games,
        new_position(size),
        new_history(KO_SIMPLE, SUICIDE_FORBIDDEN),
        CAP_PER_POINT * size * size,
        result,
    )
    return Outcome(int(result[0]), int(result[1]) / 2, games, int(result[3]), int(result[4]))
