"""Whole games between scripted opponents in one compiled call."""

import numpy as np
from numba import njit

from engine.go.board import BLACK, PASS, copy_into, new_position, play
from engine.go.history import begin, new_history, remember
from engine.go.rng import STREAM_WORDS, seed_game, stream_key
from engine.go.rules import CHINESE
from engine.go.scoring import area_score
from players.scripted.kernels import scripted_move


@njit(cache=True, nogil=True, inline="always")
def play_game(
    position, history, black_kind, black_option, white_kind, white_option, to_play, rng, max_moves, moves
):
    """Play on from ``position`` until two passes in a row, or ``max_moves``; how many moves were made.

    Both records change with the game; the history must have begun. The moves are written to ``moves`` (int64, at least
    ``max_moves`` long).
    """
    colour = to_play
    passes = 0
    count = 0
    while passes < 2 and count < max_moves:
        if colour == BLACK:
            p = scripted_move(black_kind, black_option, position, history, colour, rng)
        else:
            p = scripted_move(white_kind, white_option, position, history, colour, rng)
        passes = passes + 1 if p == PASS else 0
        play(position, p, colour)
        remember(position, history, colour)
        moves[count] = p
        count += 1
        colour = 3 - colour
    return count


@njit(cache=True, nogil=True)
def play_games(
    start,
    to_play,
    position,
    history,
    black_kind,
    black_option,
    white_kind,
    white_option,
    key,
    first,
    last,
    max_moves,
    scores,
    lengths,
    capped,
):
    """Play the games ``first`` … ``last`` - 1 from ``start``, each with the stream that ``key`` and its number give it.

    ``position`` and ``history`` are working space; the rules of the history hold. Entry i of ``scores`` (area, Black's
    less White's, no komi), ``lengths`` (moves, passes included) and ``capped`` (whether ``max_moves`` ended it) is game
    ``first`` + i.
    """
    rng = np.empty(STREAM_WORDS, np.uint64)
    moves = np.empty(max_moves, np.int64)
    for game in range(first, last):
        seed_game(rng, key, game)
        copy_into(start, position)
        begin(position, history, to_play)
        count = play_game(
            position, history, black_kind, black_option, white_kind, white_option, to_play, rng, max_moves, moves
        )
        scores[game - first] = area_score(position)
        lengths[game - first] = count
        capped[game - first] = count < 2 or moves[count - 1] != PASS or moves[count - 2] != PASS


def play_batch(black, white, count, size, seed, first=0, max_moves=None, rules=CHINESE):
    """Play ``count`` games on an empty board; the arrays (scores, lengths, capped) of ``play_games``.

    ``black`` and ``white`` are pairs (kind, option). The same seed and numbers of games give the same games, in
    whatever batches they are played.
    """
    max_moves = 4 * size * size if max_moves is None else max_moves
    scores, lengths, capped = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.bool_)
    play_games(
        new_position(size),
        BLACK,
        new_position(size),
        new_history(rules.ko, rules.suicide),
        black[0],
        float(black[1]),
        white[0],
        float(white[1]),
        np.uint64(stream_key(seed)),
        first,
        first + count,
        max_moves,
        scores,
        lengths,
        capped,
    )
    return scores, lengths, capped
