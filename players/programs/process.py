"""Any GTP engine as a player: ``gtp:COMMAND``.

The engine is kept at the same position as the game it plays in. Moves that it has not seen are sent one by one; after
an undo, or in another game, everything is sent again from the start. If it dies, does not answer in time or answers
nonsense, ``PlayerFailure`` says so, and the next game or move starts it afresh.

A move that has a limit of time has it for everything that it takes, starting again included; ``prepare`` is what needs not
be on the clock.
"""

import re
import time

from engine.contest.failure import CRASH, ILLEGAL_MOVE, CannotPlay, PlayerFailure
from engine.contest.match import CLOCK_SLACK
from engine.contest.player import Option, Player
from engine.go.board import RESIGN
from engine.go.game import Move
from engine.records.vertex import COLOUR_NAMES, format_vertex, parse_vertex
from engine.texts import with_article
from players.programs.connection import Connection, Refused

_SEED_MASK = 0x7FFFFFFF  # engines read seeds into an int of C
_SCORE = re.compile(r"([BW])\+(\d+(?:\.\d*)?)", re.IGNORECASE)


OPTIONS = (  # limits in seconds; generous, since a late engine loses its game
    Option("start", 60.0, "for each answer while it starts up or begins a game"),
    Option("move", 300.0, "for a move, if the match has no limit of its own"),
    Option("end", 60.0, "for judging the position when a game is over"),
)


class GtpProcess(Player):
    """A player whose moves come from a GTP engine in a process of its own."""

    is_program = True

    def __init__(self, command, start=OPTIONS[0].default, move=OPTIONS[1].default, end=OPTIONS[2].default):
        """Start ``command`` and shake hands.

        CannotPlay if the command cannot be run or is no GTP engine.
        """
        if min(start, move, end) <= 0:
            raise CannotPlay("the time limits of gtp: must be above 0")
        self.command = command
        self._limits = {"start": start, "move": move, "end": end}
        self._deadline = None  # by time.monotonic, for the answers to a move that has a limit
        self._seed = None
        self._closed = False
        try:
            self._connect()
        except PlayerFailure as failure:
            raise CannotPlay(str(failure)) from None

    def _connect(self):
        self._engine = Connection(self.command)
        self._table = None  # what the engine's game began from; None before it has begun
        self._moves = []  # the moves it knows
        self._seconds = None  # what it was told about time
        try:
            self._commands = set(self._ask("list_commands", "start").split())
            name = self._ask("name", "start")
        except Refused as refusal:
            self._engine.close()
            raise PlayerFailure(CRASH, f"{self._engine.title} is no GTP engine: {refusal}") from None
        version = self._try("version", "start") or ""
        self.name = " ".join(f"{name} {version}".split())[:80] or self._engine.title

    def _ask(self, command, limit):
        seconds = self._limits[limit]
        if self._deadline is not None:
            seconds = min(seconds, max(0.0, self._deadline - time.monotonic()))
        return self._engine.ask(command, seconds)

    def _try(self, command, limit):
        """The answer to a command that not every engine has, or None."""
        if command.split()[0] not in self._commands:
            return None
        try:
            return self._ask(command, limit)
        except Refused:
            return None

    def seed(self, seed):
        """Takes effect with the next game, if the engine knows ``set_random_seed`` (GNU Go does)."""
        self._seed = seed & _SEED_MASK
        self._table = None

    def close(self):
        self._closed = True
        self._engine.close()

    # Playing

    def prepare(self, game):
        """Start the engine if it does not run, and bring it to the position of ``game``, before a clock runs."""
        self._follow(game)

    def choose(self, game, colour, budget=None):
        seconds = budget.seconds if budget else None
        if seconds is not None:
            self._deadline = time.monotonic() + seconds + CLOCK_SLACK
        try:
            self._follow(game)
            self._tell_time(colour, seconds)
            answer = self._ask(f"genmove {COLOUR_NAMES[colour]}", "move")
        except Refused as refusal:
            self._table = None
            raise PlayerFailure(CRASH, f"{self.name} refused to move: {str(refusal)[:60]!r}") from None
        finally:
            self._deadline = None
        if answer.lower() == "resign":
            return RESIGN
        try:
            p = parse_vertex(answer, game.size)
        except ValueError as error:
            self._table = None
            raise PlayerFailure(ILLEGAL_MOVE, f"{self.name} answered what is no move: {error}") from None
        self._moves.append(Move(colour, p))
        return p

    def _tell_time(self, colour, seconds):
        if seconds is None:
            return
        whole = max(1, round(seconds))  # GTP knows whole seconds only
        if seconds != self._seconds:
            self._try(f"time_settings 0 {whole} 1", "move")
            self._seconds = seconds
        self._try(f"time_left {COLOUR_NAMES[colour]} {whole} 1", "move")

    def _follow(self, game):
        """Bring the engine to the position of ``game``."""
        if self._closed:
            raise PlayerFailure(CRASH, f"{self.name} was closed")
        if not self._engine.is_running:
            self._connect()
        table = (game.size, game.komi, game.handicap, tuple(game.stones))
        try:
            if self._table != table or game.moves[: len(self._moves)] != self._moves:
                self._begin(game)
                self._table = table
            for move in game.moves[len(self._moves) :]:
                self._ask(f"play {COLOUR_NAMES[move.colour]} {format_vertex(move.point, game.size)}", "move")
                self._moves.append(move)
        except Refused as refusal:
            self._table = None
            raise PlayerFailure(CRASH, f"{self.name} refused a legal move: {str(refusal)[:60]!r}") from None

    def _begin(self, game):
        """Start a new game in the engine from the stones that ``game`` began with."""
        self._moves = []
        try:
            self._ask(f"boardsize {game.size}", "start")
        except Refused:
            board = with_article(f"{game.size}x{game.size} board")
            raise CannotPlay(f"{self.name} does not play on {board}") from None
        self._ask("clear_board", "start")
        self._try(f"komi {game.komi:g}", "start")
        if self._seed is not None:
            self._try(f"set_random_seed {self._seed}", "start")
        vertices = [format_vertex(p, game.size) for _, p in game.stones]
        if game.handicap >= 2 and self._try(f"set_free_handicap {' '.join(vertices)}", "start") is not None:
            return
        for (colour, _), vertex in zip(game.stones, vertices):
            self._ask(f"play {COLOUR_NAMES[colour]} {vertex}", "start")

    # Judging

    def dead_stones(self, game):
        """The stones that the engine holds for dead at the end of ``game``, or None if it cannot say."""
        self._follow(game)
        answer = self._try("final_status_list dead", "end")
        if answer is None:
            return None
        try:
            dead = sorted({parse_vertex(vertex, game.size) for vertex in answer.split()})
        except ValueError as error:
            raise PlayerFailure(CRASH, f"{self.name} called dead what is no stone: {error}") from None
        for p in dead:
            if not (p and game.position.colour[p]):
                vertex = format_vertex(p, game.size)
                raise PlayerFailure(CRASH, f"{self.name} called dead what is no stone: {vertex!r}")
        return dead

    def final_score(self, game):
        """What ``game`` is worth for Black when this engine is its referee.

        It names the dead stones, and the rules of the game count the rest; an engine that names none gives its own
        ``final_score``. CannotPlay if it can do neither.
        """
        try:
            dead = self.dead_stones(game)
            if dead is not None:
                return game.score(dead)
            answer = self._try("final_score", "end") or "no answer"
        except PlayerFailure as failure:
            raise CannotPlay(f"the referee failed: {failure}") from None
        if answer.split()[0].lower() in ("0", "0.0", "draw", "jigo"):
            return 0.0
        match = _SCORE.match(answer)
        if not match:
            raise CannotPlay(f"the referee {self.name} gave no score: {answer[:60]!r}")
        return float(match[2]) if match[1] in "Bb" else -float(match[2])
