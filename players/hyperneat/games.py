"""Whole games of a candidate against compiled opponents, in one call (§4), and the fitness they are worth."""

import threading

import numpy as np
from numba import njit

from engine.go.board import BLACK, PASS, clear, new_position, play
from engine.go.history import begin, new_history, remember
from engine.go.rng import STREAM_WORDS, seed_game
from engine.go.rules import CHINESE
from engine.go.scoring import area_score
from players.hyperneat.selector import choose_move
from players.scripted.kernels import scripted_move

MOVES_PER_POINT = 3  # our choice: a game is cut off after so many moves for each point of the board; few are
_OWN_STREAM = np.uint64(0xA24BAED4963EE407)  # the candidate's draws come from another stream than the opponent's


@njit(cache=True, nogil=True)
def seed_candidate(rng, key, game):
    """Restart ``rng`` as the candidate's own stream in a game."""
    seed_game(rng, np.uint64(key) ^ _OWN_STREAM, game)


@njit(cache=True, nogil=True)
def play_game(weights, rule, own, kind, option, position, history, own_rng, rng, max_moves, moves):
    """Play a game from the empty board in ``position``, the candidate as colour ``own``; how many moves were made."""
    clear(position)
    begin(position, history, BLACK)
    colour = np.int64(BLACK)
    passes = 0
    count = 0
    while passes < 2 and count < max_moves:
        if colour == own:
            p = choose_move(weights, rule, position, history, colour, own_rng)
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
def _play_games(weights, rule, opponents, options, colours, position, history, key, first, scores, lengths, moves):
    own_rng = np.empty(STREAM_WORDS, np.uint64)
    rng = np.empty(STREAM_WORDS, np.uint64)
    for i in range(scores.size):
        game = first + i
        own = colours[game % colours.size]
        opponent = game % opponents.size
        seed_game(rng, key, game)
        seed_candidate(own_rng, key, game)
        count = play_game(
            weights, rule, own, opponents[opponent], options[opponent], position, history, own_rng, rng, moves.size, moves
        )
        score = area_score(position)
        scores[i] = score if own == BLACK else -score
        lengths[i] = count


_desk = threading.local()  # boards and histories to play on, by board size: games leave nothing behind on them


def _records(size):
    if not hasattr(_desk, "records"):
        _desk.records = {}
    if size not in _desk.records:
        _desk.records[size] = new_position(size), new_history(CHINESE.ko, CHINESE.suicide)
    return _desk.records[size]


def play_games(weights, rule, opponents, options, colours, key, first, count):
    """Play the games number ``first`` … ``first + count - 1``: arrays of the candidate's area scores and of lengths.

    Game i meets entry i (counted round) of ``opponents`` (kinds of ``players.scripted.kernels``) with their ``options``,
    and has the colour ``colours[i]`` (counted round). A score has no komi in it.
    """
    size = int(round(weights.shape[2] ** 0.5))
    scores, lengths = np.empty(count, np.int64), np.empty(count, np.int64)
    moves = np.empty(MOVES_PER_POINT * size * size, np.int64)
    _play_games(
        weights,
        rule,
        np.asarray(opponents, np.int64),
        np.asarray(options, np.float64),
        np.asarray(colours, np.int64),
        *_records(size),
        np.uint64(key),
        first,
        scores,
        lengths,
        moves,
    )
    return scores, lengths


def fitness(scores, size):
    """Equation (1): the sum over games, given the candidate's final scores (komi included) on a board of ``size``."""
    scores = np.asarray(scores, np.float64)
    return float(np.where(scores > 0, 8 * size**2, np.maximum(0, scores + 2 * size**2)).sum())
