"""Whole games of an organism against compiled opponents in one call (Section V.B), scored without a human."""

import threading

import numpy as np
from numba import njit

from engine.go.board import BLACK, PASS, clear, new_position, play
from engine.go.history import begin, new_history, remember
from engine.go.rng import STREAM_WORDS, seed_game
from engine.go.rules import JAPANESE
from players.organism.judge import final_score
from players.organism.organism import choose, conceive, live, new_organism, see
from players.scripted.kernels import scripted_move

KOMI = 4.5  # paper
MOVES_PER_POINT = 3  # our choice: a game is cut off after so many moves for each point, and scored as it stands then
_OWN_STREAM = np.uint64(0x9D39247E33776D41)  # the organism's draws come from another stream than the opponent's


@njit(cache=True, nogil=True)
def play_game(rules, initial, regular, own, kind, option, organism, position, history, own_rng, rng, moves):
    """Play a game from the empty board in ``position``, the organism as colour ``own``; how many moves were made.

    ``initial`` and ``regular`` are numbers of cycles, before the game and after every move of either side. The moves are
    written to ``moves`` (int64); a game is at most as long as that.
    """
    clear(position)
    begin(position, history, BLACK)
    conceive(organism, position.board_size)
    live(organism, rules, initial)
    colour = np.int64(BLACK)
    passes = 0
    count = 0
    while passes < 2 and count < moves.size:
        if colour == own:
            p = choose(organism, position, history, colour, own_rng)
        else:
            p = scripted_move(kind, option, position, history, colour, rng)
        passes = passes + 1 if p == PASS else 0
        play(position, p, colour)
        remember(position, history, colour)
        see(organism, position, own)
        live(organism, rules, regular)
        moves[count] = p
        count += 1
        colour = 3 - colour
    return count


@njit(cache=True, nogil=True)
def seed_organism(rng, key, game):
    """Restart ``rng`` as the organism's own stream in a game."""
    seed_game(rng, np.uint64(key) ^ _OWN_STREAM, game)


@njit(cache=True, nogil=True)
def _play_games(
    rules, initial, regular, kinds, options, organism, position, history, key, first, moves, scores, lengths
):
    own_rng = np.empty(STREAM_WORDS, np.uint64)
    rng = np.empty(STREAM_WORDS, np.uint64)
    for i in range(scores.size):
        game = first + i
        own = BLACK + game % 2
        opponent = game // 2 % kinds.size
        seed_game(rng, key, game)
        seed_organism(own_rng, key, game)
        lengths[i] = play_game(
            rules,
            initial,
            regular,
            own,
            kinds[opponent],
            options[opponent],
            organism,
            position,
            history,
            own_rng,
            rng,
            moves,
        )
        score = final_score(position) - KOMI
        scores[i] = score if own == BLACK else -score


_desk = threading.local()  # boards to play on, by size: games leave nothing behind on them


def desk(size):
    """This thread's (organism, position, history, moves) for games on a board."""
    if not hasattr(_desk, "records"):
        _desk.records = {}
    if size not in _desk.records:
        moves = np.empty(MOVES_PER_POINT * size * size, np.int64)
        history = new_history(JAPANESE.ko, JAPANESE.suicide)
        _desk.records[size] = new_organism(size), new_position(size), history, moves
    return _desk.records[size]


def colour_and_opponent(game, opponents):
    """(the organism's colour, number of its opponent) in a game: the colours alternate, then the opponents."""
    return BLACK + game % 2, game // 2 % opponents


def play_games(rules, cycles, opponents, size, key, first, count):
    """Play the games number ``first`` … ``first + count - 1``: arrays of the organism's scores, komi included, and lengths.

    ``rules`` is a flat program, ``cycles`` the pair (initial, regular), ``opponents`` pairs (kind, option) of
    ``players.scripted.kernels``. The same key and number give the same game. A score is never 0: the komi is not whole.
    """
    scores, lengths = np.empty(count, np.float64), np.empty(count, np.int64)
    organism, position, history, moves = desk(size)
    _play_games(
        rules,
        *cycles,
        np.array([kind for kind, _ in opponents], np.int64),
        np.array([option for _, option in opponents], np.float64),
        organism,
        position,
        history,
        np.uint64(key),
        first,
        moves,
        scores,
        lengths,
    )
    return scores, lengths
