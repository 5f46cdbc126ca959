"""The schedule: what game number i is.

Everything in which the games of a batch differ stands here as arrays by game: who has Black, whom side A meets, and the
seeds of both sides' random streams. A game depends on its row alone, so that it is the same in whatever batch, and on
whatever worker, it is played.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from engine.go.rng import game_seeds
from players.play.loop import Terms, play_batch

COLOURS = {"black": (True,), "white": (False,), "both": (True, False)}  # whether side A has Black, game by game


class Schedule(NamedTuple):
    """Games of a side A, every field an array by game."""

    a_is_black: np.ndarray  # bool
    opponent: np.ndarray  # int64: which of A's opponents is side B
    seed_a: np.ndarray  # uint64
    seed_b: np.ndarray  # uint64; the same as seed_a where both sides draw from one stream in turn


class Fixture(NamedTuple):
    """Games number ``first`` … ``first + count - 1`` of a candidate against some opponents: plain data, a work item's core.

    The colours alternate if the candidate has both; when an opponent has met all colours the next one comes, round and
    round. The opponents draw from the streams of ``key``, the candidate from those of ``key ^ salt``: the same ones, in turn
    with them, if it has no salt.
    """

    terms: Terms
    opponents: tuple  # of sides
    colour: str  # of the candidate: one of COLOURS
    key: int
    first: int
    count: int
    salt: int = 0

    def play(self, side, keep_moves=False):
        """The RESULTs of the candidate ``side``, with the moves of each game if they are asked for, as of ``play_batch``."""
        games = schedule(self.first, self.count, self.colour, len(self.opponents), self.key ^ self.salt, self.key)
        return play_batch(side, self.opponents, games, self.terms, keep_moves)


@lru_cache(maxsize=64)  # all individuals of a generation may have the same games
def schedule(first, count, colour, opponents, key_a, key_b):
    """The Schedule of such games; ``opponents`` is their number."""
    numbers = np.arange(first, first + count)
    turns = np.array(COLOURS[colour])
    return Schedule(
        turns[numbers % turns.size],
        numbers // turns.size % opponents,
        game_seeds(key_a, numbers),
        game_seeds(key_b, numbers),
    )
