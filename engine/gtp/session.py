"""The table that GTP commands act on: one game, one player, one clock.

The player is whatever was loaded; this module knows it only by the methods that ``engine/contest/player.py`` describes.
Nothing here lets it think without a budget: moves have what the clock gives them, counting and opinions a few seconds at
most, and the warm-up ends as soon as anybody wants the player.
"""

import math
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from engine.contest.failure import PlayerFailure
from engine.contest.player import Budget, unfamiliar_komi
from engine.go import death
from engine.go.board import BLACK, EMPTY, PASS, RESIGN, board_points, cells, count_liberties
from engine.go.game import Game
from engine.go.scoring import ownership
from engine.gtp.clock import Clock
from engine.gtp.graphics import drawn_visits
from engine.gtp.protocol import GtpError
from engine.records.vertex import format_vertex

CLOSING_SECONDS = 0.3  # CGOS's client terminates an engine half a second after it has said quit
FIRST_SECONDS = 0.9  # for the first move if a clock runs: nobody knows yet what one costs here, nor how long we were away
OPINION_SECONDS = 1.0  # for what the player thinks of a position when it is asked for by itself, as when a game is counted


class Search(NamedTuple):
    """A move that the player was asked for."""

    game: Game  # as it was before the move
    colour: int
    point: int
    seconds: float


@dataclass
class State:
    """All that a command may change, and that a failing command must leave as it was."""

    game: Game
    clock: Clock
    seed: int
    last_search: Search | None = None
    planned: tuple | None = None  # of the command being carried out: whose move it is on the clock, and how long it may take
    cleaning_up: bool = False  # KGS: the last move was asked for by kgs-genmove_cleanup
    said: tuple = ()  # (number of moves before it, colour, point, what the player said of it) of moves that it chose

    def copy(self):
        plain = self.seed, self.last_search, self.planned, self.cleaning_up, self.said
        return State(self.game.copy(), self.clock.copy(), *plain)


class Session:
    """One table. ``state`` is what commands change; ``request`` is the command being carried out."""

    def __init__(self, player, game, seed, engine, notices, description, live=False):
        self.state = State(game, Clock(), seed)
        self._introduce(player)
        self.description = description
        self.engine = engine
        self.notices = notices
        self._live = live  # whether the moves that the player thinks of are drawn meanwhile
        self.request = None
        self._player = player
        self._warned = set()  # (size, komi) that the user was told about
        self._wanted = threading.Event()  # a command needs the player
        self._warm = threading.Event()  # until then the player belongs to the start-up

    def _introduce(self, player):
        """Know the player by what it says of itself."""
        self.player_name, self.sizes, self.menu = player.name, player.sizes, list(player.views())
        self.views = {view.command.split()[0]: view for view in self.menu}

    def set_level(self, level):
        """Let the player play as strongly as that; GtpError if it cannot."""
        try:
            self.player.set_level(level)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._introduce(self._player)

    # Starting and ending

    def warm_up(self, moves, seconds):
        """Let the player and the referee do everything once on a scratch game, so that nothing is left to compile.

        Each thing takes so many seconds at most, compiling apart. Once the player is wanted there is no next one.
        """
        for step in self._warming(moves, seconds):
            if self._wanted.is_set():
                return
            step()

    def _warming(self, moves, seconds):
        """The steps of the warm-up, what a move needs first."""
        player, colour = self._player, BLACK
        game = Game(self.game.size, self.game.komi, self.game.rules)

        def move(seconds):
            p = player.choose(game.copy(), colour, Budget(seconds, self._wanted))
            if p > 0 and game.is_legal(colour, p):
                game.play(colour, p)

        for _ in range(moves):
            yield lambda: move(seconds)
            colour = 3 - colour
        yield lambda: move(0.0)
        colour = 3 - colour
        yield lambda: player.policy(game, colour)
        yield lambda: player.variations(game, colour, Budget(seconds, self._wanted))
        yield lambda: player.evaluate(game, Budget(seconds, self._wanted))
        yield lambda: game.legal_points(colour)
        yield death.warm_up
        yield lambda: game.score()
        yield lambda: game.play(3 - colour, PASS)
        yield lambda: move(seconds)
        other = Game(game.size)
        yield lambda: other.place_handicap([int(board_points(game.size)[0])])
        yield lambda: count_liberties(other.position, other.stones[0][1])

    def open_to_all(self):
        """The start-up is over: the player begins as if nothing had happened."""
        try:
            self._player.seed(self.state.seed)
        finally:
            self._warm.set()

    def close(self):
        """Let the player give back what it holds; not while the start-up still uses it."""
        if self._warm.is_set():
            closing = threading.Thread(target=self._player.close, daemon=True)
            closing.start()
            closing.join(CLOSING_SECONDS)

    @property
    def player(self):
        """The player, as soon as the start-up has finished with it."""
        self._wanted.set()
        self._warm.wait()
        return self._player

    def seed(self, seed):
        """Start all randomness of the player from ``seed``. Whoever cares for that can wait for the whole start-up."""
        self._warm.wait()
        self._player.seed(seed)
        self.state.seed = seed

    @property
    def game(self):
        return self.state.game

    @property
    def clock(self):
        return self.state.clock

    def carry_out(self, function, request):
        """The answer of one command; if it fails, everything is as it was before. GtpError if the player breaks down."""
        before = self.state.copy()
        self.request = request
        try:
            answer = function(self, request.arguments)
            self._stop_clock()
            return answer
        except BaseException as error:
            if self.state.seed != before.seed:
                self.seed(before.seed)
            self.state = before
            if isinstance(error, PlayerFailure):  # it says itself what is wrong; the next command may go well
                raise GtpError(str(error)) from None
            raise

    def draw(self, name, arguments):
        """The player's own picture that answers the command ``name``."""
        self._wanted.set()
        self._warm.wait()
        try:
            return self.views[name].draw(self.game.copy(), arguments)
        except ValueError as error:  # arguments that the picture does not understand
            raise GtpError(str(error)) from None

    # Games

    def new_game(self):
        """What begins with an empty board besides the board."""
        self.clock.reset()
        self.state.last_search = None
        self.state.cleaning_up = False
        self.state.said = ()

    def replace_game(self, game):
        """Go on with another game; GtpError if its board is not one the player can play on."""
        if game.size not in self.sizes:
            raise GtpError("unacceptable size")
        self.state.game = game
        self.state.last_search = None
        self.state.cleaning_up = False
        self.state.said = ()

    # Moves

    def remarks(self):
        """What the player said of the moves of this game that it chose, by the number of the move, from 0."""
        moves = self.game.moves
        return {
            number: text
            for number, colour, p, text in self.state.said
            if number < len(moves) and (moves[number].colour, moves[number].point) == (colour, p)
        }

    def choose(self, colour, clean_up=False, timed=True):
        """The player's move (or RESIGN), not played yet: always legal, whatever the player says.

        What the move costs counts from when the client began to wait, so that what came before the player could be asked
        is part of it. If it is ``timed``, the clock runs to the end of the command.
        """
        player, game = self.player, self.game
        self._mind_komi()
        seconds = self.clock.seconds(colour, game.size, len(game.moves))
        if seconds is not None and self.state.last_search is None:
            seconds = min(seconds, FIRST_SECONDS)
        budget = Budget(seconds, self.request.stop, self.request.began, self._draw_candidates if self._live else None)
        think = player.choose
        if clean_up:
            think = player.choose_cleanup
        started = time.monotonic()
        chosen = self._checked(think(game.copy(), colour, budget), colour)
        if timed:
            self.state.planned = colour, seconds
        self.state.last_search = Search(game.copy(), colour, chosen, time.monotonic() - started)
        self.state.cleaning_up = clean_up
        number = len(game.moves)
        if said := player.explain():
            self.state.said = *(entry for entry in self.state.said if entry[0] < number), (number, colour, chosen, said)
        return chosen

    def _draw_candidates(self, variations):
        """Let GoGui draw what the player thinks of, while it thinks."""
        size = self.game.size
        lines = drawn_visits({p: found.visits for p, found in variations.items()}, size)
        best = next(iter(variations.values()))
        line = " ".join(format_vertex(p, size) for p in best.line)
        self.notices.draw([*lines, f"TEXT {best.visits} visits, winrate {100 * best.winrate:.0f}%: {line}"])

    def _mind_komi(self):
        """Warn once of a komi that the player does not know: when a move is wanted, since clients set it as they like."""
        terms = self.game.size, self.game.komi
        if terms not in self._warned and not self.game.handicap:  # stones change more than komi does
            self._warned.add(terms)
            warning = unfamiliar_komi(self._player, *terms)
            if warning:
                self.notices.warn(warning)

    def _stop_clock(self):
        """The command is carried out: if a move was made by the clock, say what it cost."""
        if self.state.planned is not None:
            colour, seconds = self.state.planned
            self.clock.spend(colour, time.monotonic() - self.request.began, seconds)
            self.state.planned = None

    @property
    def is_in_haste(self):
        """Whether the move of this command had to be made at once."""
        return self.state.planned is not None and self.state.planned[1] == 0.0

    def _checked(self, chosen, colour):
        p, game = int(chosen), self.game
        if p in (PASS, RESIGN):
            return p
        if 0 < p < cells(game.size) and game.position.colour[p] == EMPTY and game.is_legal(colour, p):
            return p
        self.notices.warn(f"the player {self.player_name} chose an illegal move, number {p}; passing instead")
        return PASS

    # The end

    def verdict(self):
        """The stones that count as dead and those that live in seki.

        A player that is a program names the dead itself; one that searches is asked where reading is at a loss. What other
        players think of single points is not asked: the networks that ship are wrong about chains in doubt more often than
        reading is.
        """
        if self.game.rules.all_alive or self.state.cleaning_up:
            return death.Verdict([], [])
        named = None
        with suppress(PlayerFailure):  # a program that cannot say
            if self.player.is_program:
                named = self.player.dead_stones(self.game)
        if named is not None:
            return death.Verdict(named, [])
        return death.verdict(self.game.position, self.game.is_over, self.player.foresee)

    def ownership(self):
        """Who owns each cell, +1 Black's to -1 White's: the player's opinion if it has one, else by playouts."""
        evaluation = self.evaluation(self.game)
        if evaluation is None or evaluation.ownership is None:
            return ownership(self.game.position)
        return evaluation.ownership

    def evaluation(self, game, budget=None):
        """The player's evaluation with numbers that are numbers, or None; without a budget it has OPINION_SECONDS."""
        budget = budget or Budget(OPINION_SECONDS, self.request.stop)
        evaluation = self.player.evaluate(game.copy(), budget)
        if evaluation is None:
            return None
        score = float(evaluation.score)
        winrate = float(evaluation.winrate)
        return evaluation._replace(
            score=score if math.isfinite(score) else 0.0,
            winrate=min(max(winrate, 0.0), 1.0) if math.isfinite(winrate) else 0.5,
        )
