"""The table that GTP commands act on: one game, one player, one clock.

The player is whatever was loaded; this module knows it only by the methods that ``players/base.py`` describes.
"""

import math
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from engine.contest.failure import PlayerFailure
from engine.contest.player import Budget
from engine.go import death
from engine.go.board import BLACK, EMPTY, PASS, RESIGN, board_points, cells, count_liberties
from engine.go.game import Game
from engine.go.scoring import ownership
from engine.gtp.clock import Clock
from engine.gtp.protocol import GtpError

CLOSING_SECONDS = 0.3  # CGOS's client terminates an engine half a second after it has said quit


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
    cleaning_up: bool = False  # KGS: the last move was asked for by kgs-genmove_cleanup

    def copy(self):
        return State(self.game.copy(), self.clock.copy(), self.seed, self.last_search, self.cleaning_up)


class Session:
    """One table. ``state`` is what commands change; ``request`` is the command being carried out."""

    def __init__(self, player, game, seed, engine, notices, description):
        self.state = State(game, Clock(), seed)
        self.player_name = player.name
        self.sizes = player.sizes
        self.menu = list(player.views())
        self.views = {view.command.split()[0]: view for view in self.menu}
        self.description = description
        self.engine = engine
        self.notices = notices
        self.request = None
        self._player = player
        self._warm = threading.Event()  # until then the player belongs to the start-up

    # Starting and ending

    def warm_up(self, moves, seconds):
        """Let the player and the referee do everything once on a scratch game, so that nothing is left to compile."""
        player, colour = self._player, BLACK
        game = Game(self.game.size, self.game.komi, self.game.rules)
        game.place_handicap([int(board_points(game.size)[0])])
        count_liberties(game.position, game.stones[0][1])
        game.clear()
        for _ in range(moves):
            p = player.choose(game.copy(), colour, Budget(seconds))
            if p > 0 and game.is_legal(colour, p):
                game.play(colour, p)
            colour = 3 - colour
        player.policy(game, colour)
        player.evaluate(game)
        game.legal_points(colour)
        death.warm_up()
        game.score()
        game.play(3 - colour, PASS)
        player.choose(game.copy(), colour, Budget(seconds))
        game.undo()

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
        self._warm.wait()
        return self._player

    @property
    def game(self):
        return self.state.game

    @property
    def clock(self):
        return self.state.clock

    def carry_out(self, function, request):
        """The answer of one command; if it fails, everything is as it was before."""
        before = self.state.copy()
        self.request = request
        try:
            return function(self, request.arguments)
        except BaseException:
            if self.state.seed != before.seed:
                self.player.seed(before.seed)
            self.state = before
            raise

    def draw(self, name, arguments):
        """The player's own picture that answers the command ``name``."""
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

    def replace_game(self, game):
        """Go on with another game; GtpError if its board is not one the player can play on."""
        if game.size not in self.sizes:
            raise GtpError("unacceptable size")
        self.state.game = game
        self.state.last_search = None
        self.state.cleaning_up = False

    # Moves

    def choose(self, colour, clean_up=False, timed=True):
        """The player's move (or RESIGN), not played yet: always legal, whatever the player says."""
        player, game = self.player, self.game
        budget = Budget(self.clock.seconds(colour, game.size, len(game.moves)), self.request.stop)
        think = player.choose
        if clean_up:
            think = getattr(player, "choose_cleanup", think)  # of Manners; a raw player cleans up as it can
        started = time.monotonic()
        chosen = self._checked(think(game.copy(), colour, budget), colour)
        seconds = time.monotonic() - started
        if timed:
            self.clock.spend(colour, seconds)
        self.state.last_search = Search(game.copy(), colour, chosen, seconds)
        self.state.cleaning_up = clean_up
        return chosen

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

        A player that is a program names the dead itself. What other players think of single points is not asked: the
        networks that ship are wrong about chains in doubt more often than reading is.
        """
        if self.game.rules.all_alive or self.state.cleaning_up:
            return death.Verdict([], [])
        named = None
        with suppress(PlayerFailure):  # a program that cannot say
            if hasattr(self.player, "dead_stones"):
                named = self.player.dead_stones(self.game)
        return death.verdict(self.game.position, self.game.is_over) if named is None else death.Verdict(named, [])

    def ownership(self):
        """Who owns each cell, +1 Black's to -1 White's: the player's opinion if it has one, else by playouts."""
        evaluation = self.evaluation(self.game)
        if evaluation is None or evaluation.ownership is None:
            return ownership(self.game.position)
        return evaluation.ownership

    def evaluation(self, game):
        """The player's evaluation with numbers that are numbers, or None."""
        evaluation = self.player.evaluate(game.copy())
        if evaluation is None:
            return None
        score = float(evaluation.score)
        winrate = float(evaluation.winrate)
        return evaluation._replace(
            score=score if math.isfinite(score) else 0.0,
            winrate=min(max(winrate, 0.0), 1.0) if math.isfinite(winrate) else 0.5,
        )
