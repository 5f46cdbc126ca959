"""Games between two players in compiled code, for ``match`` and ``ladder``: the same games as one move at a time."""

import threading

import numpy as np

from players.play.loop import Terms, play_batch
from players.play.schedule import Schedule
from players.scripted.kernels import Scripted


def compiled_games(a, b, size, rules):
    """CompiledGames between two players, or None if one of them has no side in compiled code."""
    return CompiledGames(a, b) if None not in (a.side(size, rules), b.side(size, rules)) else None


class CompiledGames:
    """Games of player A against player B; any number of threads may play some of them."""

    def __init__(self, a, b):
        self._players = a, b
        self._seats = threading.local()  # sides have working space of their own

    def _sides(self, settings):
        if getattr(self._seats, "settings", None) != settings:
            self._seats.sides = [player.side(settings.size, settings.rules) for player in self._players]
            self._seats.settings = settings
        return self._seats.sides

    def play(self, settings, numbers, keep_moves=False):
        """RESULTs, seen by player A, of the games with the given numbers; as ``play_batch`` gives them."""
        a, b = self._sides(settings)
        seeds = np.array([[settings.game_seed(number, player) for player in range(2)] for number in numbers], np.uint64)
        a_is_black = np.array([settings.a_is_black(number) for number in numbers])
        swap = _rank(a) > _rank(b)
        if swap:
            a, b, seeds, a_is_black = b, a, seeds[:, ::-1], ~a_is_black
        opponent = np.zeros(len(numbers), np.int64)
        games = Schedule(a_is_black, opponent, *np.ascontiguousarray(seeds.T))
        komi = settings.komi + settings.rules.handicap_compensation(settings.handicap)
        terms = Terms(settings.size, komi, settings.rules, stones=settings.stones)
        played = play_batch(a, (b,), games, terms, keep_moves)
        if swap:
            results = played[0] if keep_moves else played
            results.a_is_black = ~results.a_is_black
            results.score = -results.score
        return played


def _rank(side):
    """Who is the loop's side A: it is compiled once for every pair of kinds, not once more for the reverse."""
    return isinstance(side, Scripted), type(side).__name__
