"""Games that run wholly, or but for a loop over moves, in compiled code, when both players have kernels for it.

``engine.contest.match`` uses what ``compiled_games`` finds and plays all other games move by move. Games between players of a
new kind join here, with a class that has the two methods of ``ScriptedGames`` and its ``chunk``.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, clear, new_position
from engine.go.history import begin, new_history
from engine.go.rng import new_stream, seed_game, stream_key
from players.scripted import games
from players.scripted.kernels import KINDS
from players.scripted.player import ScriptedPlayer


def compiled_games(a, b):
    """An object that plays compiled games between ``a`` and ``b``, or None if they have no common kernel."""
    if isinstance(a, ScriptedPlayer) and isinstance(b, ScriptedPlayer):
        return ScriptedGames((KINDS[a.name], a.option), (KINDS[b.name], b.option))
    # A kind of player is imported only by who uses it, so that it is known by its method here.
    for one, other in ((a, b), (b, a)):
        if hasattr(one, "games_against") and isinstance(other, ScriptedPlayer):
            return one.games_against((KINDS[other.name], other.option), one is a)
    return None


class ScriptedGames(NamedTuple):
    """Games between two scripted players, each a pair of its kind and its option."""

    a: tuple
    b: tuple
    chunk: int = 50  # games in one piece of work: about ten milliseconds

    def _seats(self, a_is_black):
        return (self.a, self.b) if a_is_black else (self.b, self.a)

    def results(self, size, rules, a_is_black, seed, first, count, max_moves):
        """The arrays (area scores for Black without komi, lengths, stopped at ``max_moves``) of ``count`` games.

        Game i has a random stream of its own, which depends on ``seed`` and ``first`` + i alone.
        """
        return games.play_batch(*self._seats(a_is_black), count, size, seed, first, max_moves, rules)

    def moves(self, size, rules, a_is_black, seed, first, count, max_moves):
        """The moves of the same games, as a list of arrays."""
        (black, black_option), (white, white_option) = self._seats(a_is_black)
        key = np.uint64(stream_key(seed))
        stream, made = new_stream(seed), np.empty(max_moves, np.int64)
        position, history = new_position(size), new_history(rules.ko, rules.suicide)
        found = []
        for number in range(first, first + count):
            seed_game(stream, key, number)
            clear(position)
            begin(position, history, BLACK)
            length = games.play_game(
                position, history, black, black_option, white, white_option, BLACK, stream, max_moves, made
            )
            found.append(made[:length].copy())
        return found
