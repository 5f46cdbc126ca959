"""Games of a network against scripted opponents, for elections and matches.

The loop over moves is Python: next to the hundreds of positions that are judged for each of them it costs nothing, and
kernels that hold the network and all opponents at once would take a minute to compile.
"""

from typing import Callable, NamedTuple

import numpy as np

from engine.go.board import BLACK, PASS, WHITE, clear, new_position, play
from engine.go.history import begin, new_history, remember
from engine.go.rng import STREAM_WORDS, seed_game, stream_key
from engine.go.rules import CHINESE
from engine.go.scoring import area_score
from players.isn.candidates import draw_move, judge_moves, new_turn
from players.isn.network import build_pair, new_sight, see, see_first
from players.isn.rewards import values_of
from players.scripted.kernels import scripted_move

MOST_MOVES = 4  # for each point of the board; then the game is counted as it stands


class Style(NamedTuple):
    """How an evaluator is turned into moves."""

    c: float  # the scoring system it plays for (see ``rewards``)
    s: float
    beta: float
    spare_eyes: bool
    turn_aware: bool = False  # how the network was trained


class Table:
    """A board, and all that the kernels need to judge moves on it; good for any number of games, one after the other."""

    def __init__(self, parameters, style, size, rules=CHINESE):
        self.style, self.size = style, size
        after_white, after_black = build_pair(parameters, style.turn_aware)
        self._networks = {WHITE: after_white, BLACK: after_black}
        self.values = values_of(style.c, style.s)
        self.position, self.history = new_position(size), new_history(rules.ko, rules.suicide)
        self._after, self._turn, self._ground = new_position(size), new_turn(), new_sight()
        self._now, self._then = new_sight(), new_sight()

    def start(self):
        """Begin a game on the empty board."""
        clear(self.position)
        begin(self.position, self.history, BLACK)
        see_first(self._networks[WHITE], self.position, self._now, self._then)

    def choose(self, colour, rng):
        """The network's move."""
        style = self.style
        count = judge_moves(
            self._networks[colour], self.position, self.history, self._after, self._now, self._turn, self._ground,
            self.values, float(style.c), colour, style.spare_eyes,
        )  # fmt: skip
        return int(self._turn.point[draw_move(self._turn, count, float(style.beta), rng)])

    def play(self, p, colour):
        """Make a move of either side."""
        play(self.position, p, colour)
        remember(self.position, self.history, colour)
        see(self._networks[colour], self.position, self._now, self._then)
        self._now, self._then = self._then, self._now


def play_game(table, opponent, own, rng, most):
    """A game of the network, which has the colour ``own``, of ``most`` moves at most; its moves.

    The end stands on the table.
    """
    table.start()
    colour, moves = BLACK, []
    while len(moves) < most and not _is_over(moves):
        if colour == own:
            p = table.choose(colour, rng)
        else:
            p = int(scripted_move(*opponent, table.position, table.history, colour, rng))
        table.play(p, colour)
        moves.append(p)
        colour = 3 - colour
    return moves


def _is_over(moves):
    return moves[-2:] == [PASS, PASS]


def play_games(parameters, style, opponent, size, key, first, count):
    """The area scores, for the network, of the games from number ``first`` on; it has Black in those with an even number.

    ``opponent`` is a pair (kind, option) of ``players.scripted.kernels``.
    """
    table, rng = Table(parameters, style, size), np.empty(STREAM_WORDS, np.uint64)
    scores = []
    for game in range(first, first + count):
        seed_game(rng, np.uint64(key), game)
        own = BLACK if game % 2 == 0 else WHITE
        play_game(table, opponent, own, rng, MOST_MOVES * size**2)
        score = int(area_score(table.position))
        scores.append(score if own == BLACK else -score)
    return np.array(scores)


def wins_of(scores, first, komi):
    """Wins, a draw one half, from the network's area scores of the games from number ``first`` on, with White's komi."""
    black = np.arange(first, first + len(scores)) % 2 == 0
    margins = scores + np.where(black, -komi, komi)
    return float((margins > 0).sum() + (margins == 0).sum() / 2)


def play_pair(black, white, rng):
    """A game between the networks of two Tables; Black's area score, all stones alive, no komi."""
    tables = {BLACK: black, WHITE: white}
    for table in tables.values():
        table.start()
    colour, passes = BLACK, 0
    for _ in range(MOST_MOVES * black.size**2):
        p = tables[colour].choose(colour, rng)
        for table in tables.values():
            table.play(p, colour)
        passes = passes + 1 if p == PASS else 0
        if passes == 2:
            break
        colour = 3 - colour
    return int(area_score(black.position))


class MatchGames(NamedTuple):
    """Games between an evaluator and a scripted player for ``players.compiled``, which tells what the methods do."""

    parameters: np.ndarray
    style_of: Callable  # from rules to a Style
    opponent: tuple  # (kind, option)
    is_a: bool  # whether the evaluator is the player A of the match
    chunk: int = 1  # games in one piece of work: a good part of a second on large boards

    def _played(self, size, rules, a_is_black, seed, first, count, max_moves):
        """(moves, Black's area score) of each game."""
        table = Table(self.parameters, self.style_of(rules), size, rules)
        rng, key = np.empty(STREAM_WORDS, np.uint64), np.uint64(stream_key(seed))
        own = BLACK if a_is_black == self.is_a else WHITE
        for number in range(first, first + count):
            seed_game(rng, key, number)
            moves = play_game(table, self.opponent, own, rng, max_moves)
            yield moves, int(area_score(table.position))

    def results(self, *batch):
        played = list(self._played(*batch))
        scores, lengths = np.array([score for _, score in played]), np.array([len(moves) for moves, _ in played])
        return scores, lengths, np.array([not _is_over(moves) for moves, _ in played])

    def moves(self, *batch):
        return [np.array(moves) for moves, _ in self._played(*batch)]
