"""Games between two players, one after the other or side by side, and what they add up to.

The players are called A and B. They are handed in, as are the referee and the compiled games, so that this module knows
Go and knows a player by the interface in ``player`` alone.

How a game is counted when it is over, in this order:

    a referee      decides alone, if there is one
    programs       a GTP engine may pass while dead stones stand on the board: it is asked which ones those are; if it
                   cannot say, or two of them disagree, ``death.verdict`` decides (under ``tromp-taylor`` and
                   ``cgos`` rules, which count every stone as alive, an engine that cannot say must capture)
    other players  under area rules every stone on the board is alive, as in the papers; under territory rules, and where a
                   player with manners passes while dead stones stand, ``death.verdict`` decides

A game that reaches the move limit is counted as it stands.
"""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import NamedTuple

from engine.contest.elo import elo_difference, wilson
from engine.contest.failure import ENDS, ILLEGAL_MOVE, MOVE_LIMIT, TIME, TWO_PASSES, PlayerFailure
from engine.contest.failure import RESIGN as RESIGNED
from engine.contest.player import Budget
from engine.go import death
from engine.go.board import BLACK, EMPTY, PASS, RESIGN, WHITE, cells
from engine.go.game import Game, IllegalMove, longest_game, result_text
from engine.go.handicap import fixed_handicap_points
from engine.go.rng import stream_key
from engine.go.rules import AREA, CHINESE, Rules
from engine.records.vertex import format_vertex

CHUNK_SECONDS = 0.1  # of compiled games in one piece of work: progress is shown, and Ctrl-C heard, as often
CLOCK_SLACK = 1.0  # seconds by which an answer may be late before it loses: what pipes and a busy machine may cost
WARM_UP_SECONDS = 0.5  # for a move before the first game, if moves have no limit; compiling takes what it takes
_SGF_ENDS = {RESIGNED: "R", TIME: "T"}  # what stands after B+ when nothing was counted; F (forfeit) for the rest

_log = logging.getLogger(__name__)

ALTERNATE, A_BLACK, B_BLACK = "alternate", "A", "B"


@dataclass(frozen=True)
class Settings:
    """What all games of a match have in common."""

    size: int = 9
    komi: float = CHINESE.komi
    rules: Rules = CHINESE
    black: str = ALTERNATE  # A has Black in the games 0, 2, 4 …; or the same player, "A" or "B", always has
    seed: int = 1
    seconds: float | None = None  # for each move; None: as long as they like
    stop_on_failure: bool = False  # raise PlayerFailure, instead of counting the game as lost
    handicap: int = 0  # stones that Black begins with

    @property
    def stones(self):
        """The points of the handicap stones."""
        return tuple(fixed_handicap_points(self.size, self.handicap)) if self.handicap else ()

    def new_game(self):
        """A game with nothing played yet."""
        game = Game(self.size, self.komi, self.rules)
        if self.handicap:
            game.place_handicap(self.stones)
        return game

    @property
    def max_moves(self):
        return longest_game(self.size)

    def game_seed(self, number, player):
        """Where the randomness of player 0 (A) or 1 (B) starts in a game."""
        return stream_key(self.seed, number, player)

    def a_is_black(self, number):
        return number % 2 == 0 if self.black == ALTERNATE else self.black == A_BLACK


class Outcome(NamedTuple):
    """How one game went."""

    number: int  # of the game in its match, from 0
    a_is_black: bool
    winner: int  # BLACK, WHITE, or 0 for a draw
    score: float | None  # Black's points less White's, komi included; None if nothing was counted
    end: str  # one of failure.ENDS
    length: int  # moves, passes included
    seconds: float  # thought by both
    seconds_of_a: float | None = None  # None where the two cannot be told apart
    message: str = ""  # what went wrong
    game: Game | None = None  # the game itself, for a record of it
    remarks: dict | None = None  # what players said of their moves, by the number of the move

    @property
    def points_of_a(self):
        """1 for a win of A, 0.5 for a draw, 0 for a loss."""
        if self.winner == 0:
            return 0.5
        return 1.0 if (self.winner == BLACK) == self.a_is_black else 0.0

    def without_game(self):
        """The same without what only a record needs."""
        return self._replace(game=None, remarks=None)

    @property
    def result(self):
        """``B+3.5``, ``W+R``, ``0`` …, as in SGF."""
        if self.score is not None:
            return result_text(self.score)
        return f"{'B' if self.winner == BLACK else 'W'}+{_SGF_ENDS.get(self.end, 'F')}"


class Table(NamedTuple):
    """Two players, and perhaps a referee, for games one after the other."""

    a: object
    b: object
    referee: object = None

    def close(self):
        for who in self:
            if who is not None:
                who.close()


# One game


class _Lost(Exception):
    """``colour`` loses the game at once, by the given end."""

    def __init__(self, colour, end, message):
        super().__init__(message)
        self.colour = colour
        self.end = end


def play_game(table, settings, number, stop=None, keep_remarks=False):
    """Play game ``number`` of a match at ``table``; its Outcome, with what players say of their moves if that is to be kept.

    PlayerFailure if a player fails and the settings say to stop then. When the event ``stop`` is set, the game is
    broken off and its Outcome means nothing.
    """
    stop = stop or threading.Event()
    a_is_black = settings.a_is_black(number)
    players = {BLACK: table.a, WHITE: table.b} if a_is_black else {BLACK: table.b, WHITE: table.a}
    for key, player in enumerate((table.a, table.b)):
        player.seed(settings.game_seed(number, key))
    game = settings.new_game()
    clock, remarks = {BLACK: 0.0, WHITE: 0.0}, {}
    score, message = None, ""
    try:
        for colour, player in players.items():
            _prepare(player, game, colour)
        while not (game.is_over or len(game.moves) >= settings.max_moves or stop.is_set()):
            mover = players[game.to_play]
            _take_turn(game, mover, Budget(settings.seconds, stop), clock)
            if keep_remarks and (said := mover.explain()):
                remarks[len(game.moves) - 1] = said
        score = final_score(game, players, table.referee)
        winner = BLACK if score > 0 else WHITE if score < 0 else 0
        end = TWO_PASSES if game.is_over else MOVE_LIMIT
    except _Lost as loss:
        winner, end, message = 3 - loss.colour, loss.end, str(loss)
        if message and settings.stop_on_failure:
            raise PlayerFailure(end, f"game {number + 1}: {message}") from None
    seconds_of_a = clock[BLACK if a_is_black else WHITE]
    length, seconds = len(game.moves), sum(clock.values())
    return Outcome(number, a_is_black, winner, score, end, length, seconds, seconds_of_a, message, game, remarks or None)


def _prepare(player, game, colour):
    """Let a program set the game up; _Lost if it fails."""
    try:
        player.prepare(game)
    except PlayerFailure as failure:
        raise _Lost(colour, failure.end, str(failure)) from None


def _take_turn(game, player, budget, clock):
    """Let ``player`` make its move and add its time to ``clock``; _Lost if it resigns or fails."""
    colour = game.to_play
    begin = time.perf_counter()
    try:
        p = player.choose(game, colour, budget)
    except PlayerFailure as failure:
        raise _Lost(colour, failure.end, str(failure)) from None
    finally:
        spent = time.perf_counter() - begin
        clock[colour] += spent
    if budget.seconds is not None and spent > budget.seconds + CLOCK_SLACK:
        raise _Lost(colour, TIME, f"{player.name} took {spent:.1f} seconds for a move")
    if p == RESIGN:
        raise _Lost(colour, RESIGNED, "")
    try:
        if p != PASS and not (0 < p < cells(game.size) and game.position.colour[p] == EMPTY):
            raise IllegalMove("the point is not empty")
        game.play(colour, p)
    except IllegalMove as error:
        vertex = format_vertex(p, game.size)
        raise _Lost(colour, ILLEGAL_MOVE, f"{player.name} played an illegal move: {vertex} ({error})") from None


def final_score(game, players, referee=None):
    """Black's points less White's in a game that is over; ``players`` is a dict by colour. See the module for how."""
    if referee is not None:
        return referee.final_score(game)
    claims = {}
    for colour, player in players.items():
        if player.is_program:
            try:
                claims[colour] = player.dead_stones(game)
            except PlayerFailure as failure:
                raise _Lost(colour, failure.end, str(failure)) from None
    named = [dead for dead in claims.values() if dead is not None]
    if named and all(dead == named[0] for dead in named):
        return game.score(named[0])
    is_agreed = claims or any(player.leaves_dead_stones for player in players.values())
    if not named and game.rules.scoring == AREA and (game.rules.all_alive or not is_agreed):
        return game.score()
    return game.score(*death.verdict(game.position, game.is_over))


# Many games


def run(numbers, settings, sit_down, compiled=None, workers=1, keep_games=False):
    """Play the games with the given ``numbers``; yields lists of Outcomes as they come in, in no particular order.

    ``sit_down()`` makes a Table; each worker has its own, so that players need not be thread-safe. ``compiled`` is an
    object that plays them wholly in compiled code (see ``players.play.contest``), or None. A game depends on the settings
    and its number alone, never on the workers, and is the same one move at a time and in compiled code. ``keep_games``
    leaves the games in their Outcomes.
    """
    tables = []
    seat = threading.local()
    stop = threading.Event()

    def play(number):
        if not hasattr(seat, "table"):
            seat.table = sit_down()
            tables.append(seat.table)
            _warm_up(seat.table, settings)
        outcome = play_game(seat.table, settings, number, stop, keep_games)
        return [outcome if keep_games else outcome.without_game()]

    def play_compiled(chunk):
        return _compiled_outcomes(compiled, settings, chunk, keep_games)

    pool = ThreadPoolExecutor(workers)
    try:
        if compiled is None:
            pending = [pool.submit(play, number) for number in numbers]
        else:
            pending = [pool.submit(play_compiled, chunk) for chunk in _chunks(compiled, settings, numbers, workers)]
        for future in as_completed(pending):
            yield future.result()
    finally:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        for table in tables:  # a program that is still thinking ends, and with it the game of its worker
            table.close()
        pool.shutdown()


def _warm_up(table, settings):
    """Let kernels compile, and programs settle if there will be a clock, before time is taken.

    The limit of a move holds here too: who is late is told of, and loses a game only by being late in it.
    """
    for player in (table.a, table.b):
        if settings.seconds is None and player.is_program:
            continue
        player.seed(settings.seed)
        game = settings.new_game()
        seconds = WARM_UP_SECONDS if settings.seconds is None else settings.seconds
        try:
            player.prepare(game)
            player.choose(game, game.to_play, Budget(seconds))
        except PlayerFailure as failure:
            _log.warning("before the first game: %s", failure)


def _chunks(compiled, settings, numbers, workers):
    """``numbers`` in lists that take about CHUNK_SECONDS each, and that keep all workers busy."""
    numbers = list(numbers)
    compiled.play(settings, [0])  # compiles
    begin = time.perf_counter()
    compiled.play(settings, [0])
    seconds = time.perf_counter() - begin
    most = max(1, min(int(CHUNK_SECONDS / seconds), len(numbers) // (2 * workers)))
    return [numbers[i : i + most] for i in range(0, len(numbers), most)]


def _compiled_outcomes(compiled, settings, chunk, keep_games):
    """Play the games of a chunk in compiled code; their Outcomes."""
    begin = time.perf_counter()
    counts_itself = settings.rules.scoring == AREA
    if counts_itself and not keep_games:
        results, games = compiled.play(settings, chunk), [None] * len(chunk)
    else:
        results, moves = compiled.play(settings, chunk, keep_moves=True)
        games = [_replay(of_one, settings) for of_one in moves]
    seconds = (time.perf_counter() - begin) / int(results.length.sum())
    outcomes = []
    columns = (results[name].tolist() for name in ("a_is_black", "score", "over", "length"))  # rows of records are slow
    for number, a_is_black, score_of_a, over, length, game in zip(chunk, *columns, games):
        if counts_itself:
            score = score_of_a if a_is_black else -score_of_a
        else:
            score = final_score(game, {})
        winner = BLACK if score > 0 else WHITE if score < 0 else 0
        end = TWO_PASSES if over else MOVE_LIMIT
        outcomes.append(Outcome(number, a_is_black, winner, score, end, length, seconds * length, game=game))
    return outcomes


def _replay(moves, settings):
    game = settings.new_game()
    for p in moves:
        game.play(game.to_play, int(p))
    return game


# What it adds up to


def summary(outcomes):
    """The result of a match as a dict: what ``match --json`` prints. Numbers that are infinite are None."""
    rate, interval = _rate(outcomes)
    moves = sum(outcome.length for outcome in outcomes)
    return {
        **_counts(outcomes),
        "win_rate": rate,
        "ci95": interval,
        "elo": elo_difference(rate),
        "elo_ci95": [elo_difference(end) for end in interval],
        "by_colour": {
            "black": _colour_summary([outcome for outcome in outcomes if outcome.a_is_black]),
            "white": _colour_summary([outcome for outcome in outcomes if not outcome.a_is_black]),
        },
        "mean_moves": moves / len(outcomes) if outcomes else None,
        "seconds_per_move": sum(outcome.seconds for outcome in outcomes) / moves if moves else None,
        "ends": {end: sum(outcome.end == end for outcome in outcomes) for end in ENDS},
    }


def _counts(outcomes):
    points = [outcome.points_of_a for outcome in outcomes]
    return {"games": len(points), "wins": points.count(1.0), "losses": points.count(0.0), "draws": points.count(0.5)}


def _rate(outcomes):
    """A's win rate (0.5 when there is no game) and its interval."""
    points, games = sum(outcome.points_of_a for outcome in outcomes), len(outcomes)
    return points / games if games else 0.5, list(wilson(points, games))


def _colour_summary(outcomes):
    rate, interval = _rate(outcomes)
    return {**_counts(outcomes), "win_rate": rate if outcomes else None, "ci95": interval}
