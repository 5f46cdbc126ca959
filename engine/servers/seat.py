"""Our side of the table: the GTP session in this process, asked in its own commands.

These are the commands that CGOS's own client would send, in the same order, so that the player, the rules, the analysis
and above all the clock, which learns what a move costs, are those of ``evogo`` as a GTP engine.
"""

import json
import traceback
from typing import NamedTuple

from engine.gtp import command_table
from engine.gtp.protocol import Failure, GtpError, Request
from engine.gtp.startup import open_session, warm_up


class Answer(NamedTuple):
    """A move, and what the player thinks of the position before it."""

    move: str
    analysis: dict  # as CGOS takes it; may be empty


class Seat:
    """The engine of its session, as far as commands know one: what they stream is kept."""

    def __init__(self, log):
        self._log = log
        self._session = None
        self._streamed = []

    def sit_down(self, settings, notices):
        """Load the player, and compile what it needs; Failure if it cannot be."""
        self._session = open_session(settings, self, self._log, notices)
        warm_up(self._session, self._log)

    @property
    def player_name(self):
        return self._session.player_name

    # What the session calls

    def begin_stream(self, request):
        self._streamed = []

    def stream(self, line):
        self._streamed.append(line)

    # What the server asks for

    def begin(self, setup, opponent):
        """A game, with the moves that were made; GtpError naming what the player or the rules do not allow."""
        self._ask(f"boardsize {setup.size}")
        self._ask(f"komi {setup.komi}")
        self._ask(f"time_settings {max(0.0, setup.seconds)} 0 0")
        self._ask(f"cgos-opponent_name {opponent.name}")
        self._ask(f"cgos-opponent_rating {opponent.rating}")
        self._ask("clear_board")
        for number, (move, _) in enumerate(setup.moves):
            self.play("wb"[number % 2 == 0], move)

    def play(self, colour, move):
        """The opponent's move; GtpError if it cannot be."""
        self._ask(f"play {colour} {move}")

    def choose(self, colour, seconds, asked, stop):
        """Our Answer, with so many seconds left on the clock when it was ``asked`` for; ``stop`` is an event that ends it.

        Failure if the player breaks down.
        """
        self._ask(f"time_left {colour} {max(0.0, seconds)} 0")
        answer = self._ask(f"cgos-genmove_analyze {colour}", asked, stop)
        return Answer(answer.removeprefix("play ").lower(), json.loads(self._streamed[0]) if self._streamed else {})

    def _ask(self, line, began=None, stop=None):
        """The answer to a command."""
        name, *arguments = line.split()
        request = Request(None, name, arguments)
        request.began = began or request.began
        request.stop = stop or request.stop
        try:
            return self._session.carry_out(command_table.function_of(name), request)
        except GtpError as error:
            raise GtpError(f"{line}: {error}") from None
        except Exception as error:
            self._log.note("!", f"{line} failed\n{traceback.format_exc()}")
            raise Failure(f"the player {self.player_name} failed: {type(error).__name__}: {error}") from error

    def leave(self):
        """Let the player give back what it holds."""
        if self._session is not None:
            self._session.close()
