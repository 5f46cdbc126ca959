"""Starting the engine: a handshake at once, everything heavy behind it.

``serve`` answers the handshake commands from the first moment. Meanwhile one background thread imports numba, loads the
player and plays a few moves on a scratch board, so that nothing is left to compile when the first real move is asked
for. Commands about the board wait until the board is there, commands for the player until it is warm.
"""

import logging
import shlex
import sys
import threading
import traceback
from dataclasses import dataclass
from typing import Callable, Sequence

from engine import compiling
from engine.gtp import command_table
from engine.gtp.protocol import Engine, Failure, GtpError, Log, Notices, leave, open_streams
from engine.texts import with_article

READY = "GTP ready"  # LizGoban waits for this on stderr
USUAL_SIZE = 9
SETTLING_SECONDS = 20.0  # at the end of input: importing takes a second or two, unless the machine is busy
WARM_UP_MOVES = 3
WARM_UP_SECONDS = 0.05

HELP = """\
Commands to type by hand:
  boardsize 9          an empty board of another size
  showboard            the position
  play black d4        put a move on the board (also: play white pass)
  genmove white        the player's move, which is made at once
  undo                 take the last move back
  komi 6.5             what White is given
  final_score          who has won
  loadsgf game.sgf 20  the position before move 20 of a game record
  printsgf             this game as a record
  quit                 leave
list_commands names all of them. Most people attach the engine to GoGui or Sabaki instead."""


@dataclass
class Settings:
    """How the engine was asked to start. ``load(seed)`` gives the player, or raises ValueError with one clear line."""

    load: Callable
    seed: int | None = None  # None: one that nobody can repeat
    name: str = "evogo"
    version: str = "0"
    size: int | None = None
    komi: float | None = None
    rules: str = "chinese"
    log: str | None = None
    live: bool = False  # whether GoGui is told meanwhile what the player thinks of
    command: Sequence[str] = ("evogo",)  # the words with which a client starts this engine, for the greeting
    parts: tuple = compiling.BASE  # packages whose kernels will be needed


class Commands:
    """All commands: the handshake, the table of engine commands, and the player's own views."""

    def __init__(self, settings):
        self._handshake = {
            "protocol_version": lambda request: "2",
            "name": lambda request: settings.name,
            "version": lambda request: settings.version,
            "known_command": self._known_command,
            "list_commands": lambda request: "\n".join(self._names()),
            "quit": lambda request: self.engine.quit(),
            "help": lambda request: HELP,
            "gogui-interrupt": lambda request: None,
        }
        self.engine = None
        self._settled = threading.Event()  # the session is there, or there will be none
        self._session = None
        self._failure = None

    def provide(self, session):
        """The board is there."""
        self._session = session
        self._settled.set()

    def fail(self, failure):
        """There will be no board."""
        self._failure = failure
        self._settled.set()
        self.engine.input.fail(failure)

    def find(self, name):
        """The function of a request that answers the command, or None if there is no such command."""
        if name in self._handshake:
            return self._handshake[name]
        if name in command_table.MODULE_OF:
            return lambda request: self._table().carry_out(command_table.function_of(name), request)
        if name and name in self._table().views:
            return lambda request: self._table().draw(name, request.arguments)
        return None

    def settle(self, seconds):
        """Failure if the start-up fails, in so many seconds at most: even a client that says nothing is told."""
        if not self.engine.quitting and self._settled.wait(seconds) and self._failure:
            raise self._failure

    def close(self):
        """Let the player give back what it holds."""
        if self._session:
            self._session.close()

    def _table(self):
        self._settled.wait()
        if self._failure:
            raise self._failure
        return self._session

    def _names(self):
        return [*command_table.NAMES, *(self._session.views if self._session else ())]

    def _known_command(self, request):
        if not request.arguments:
            raise GtpError("syntax error")
        return "true" if request.arguments[0] in self._names() else "false"


def serve(settings):
    """Be a GTP engine on stdin and stdout until quit or the end of input; does not return but ends the process."""
    try:
        log = Log(settings.log)
    except OSError as error:
        raise Failure(f"cannot write the log {settings.log}: {error.strerror}") from None
    stdin, stdout = open_streams()
    notices = Notices(sys.stderr, log)
    commands = Commands(settings)
    engine = commands.engine = Engine(stdin, stdout, commands, log, notices)
    collect_logging(log, notices)
    at_terminal = stdin.isatty()
    if at_terminal:
        _greet(settings, notices)
    threading.Thread(
        target=_load, args=(settings, commands, log, notices, at_terminal), name="start-up", daemon=True
    ).start()
    code = 0
    try:
        engine.run()
        commands.settle(SETTLING_SECONDS)
    except Failure as failure:
        notices.say(f"{settings.name}: {failure}")
        code = 2
    except KeyboardInterrupt:
        code = 130
    commands.close()
    leave(code)


def collect_logging(log, notices):
    """What modules report with ``logging``: one line each on stderr, and with its traceback in the log."""

    class Handler(logging.Handler):
        def emit(self, record):
            log.note("!", self.format(record))
            notices.warn(record.getMessage())

    logging.basicConfig(handlers=[Handler()], level=logging.WARNING, force=True)


def _greet(settings, notices):
    """A word to a human at a terminal, at once: the board may have to be compiled first."""
    notices.say(f"{settings.name} {settings.version} speaks GTP: it waits for commands, from you or from a program.")
    path, *arguments = settings.command
    told = f"arguments {shlex.join(arguments)}" if arguments else "no arguments"  # Sabaki has a field for each
    notices.say(f"To play in GoGui:  Program, New Program, command {shlex.join(settings.command)}")
    notices.say(f"To play in Sabaki: Engines, Manage Engines, Add, path {path}, {told}")
    notices.say("Type help for the commands one types by hand, quit to leave.")


def _introduce(session, notices):
    """Say who plays, once that is known."""
    size = session.game.size
    notices.say(f"The player is {session.player_name}, on {with_article(f'{size}x{size} board')}.")


def _load(settings, commands, log, notices, at_terminal):
    """In the background: import, load, warm up."""
    try:
        session = open_session(settings, commands.engine, log, notices)
    except Failure as failure:
        commands.fail(failure)
        return
    if at_terminal:
        _introduce(session, notices)
    notices.say(READY)  # not before it is sure that there will be a player
    commands.provide(session)
    warm_up(session, log)


def open_session(settings, engine, log, notices):
    """The session that the settings ask for, not warm yet; Failure if there is none."""
    try:
        compiling.announce(settings.parts, notices.say)
        return _session(settings, engine, notices)
    except ValueError as error:
        raise Failure(str(error)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        log.note("!", traceback.format_exc())
        raise Failure(f"cannot start: {type(error).__name__}: {error}") from None


def warm_up(session, log):
    """Compile what is left, then open the player to all."""
    try:
        session.warm_up(WARM_UP_MOVES, WARM_UP_SECONDS)
    except Exception as error:  # what fails here fails again when it is asked for, and is reported then
        log.note("!", f"warm-up failed: {type(error).__name__}: {error}")
    finally:
        session.open_to_all()


def _session(settings, engine, notices):
    from engine.go.game import Game
    from engine.go.rng import any_seed
    from engine.go.rules import rules_by_name
    from engine.gtp.session import Session

    rules = rules_by_name(settings.rules)
    seed = any_seed() if settings.seed is None else settings.seed
    player = settings.load(seed)
    size = settings.size or min(player.sizes, key=lambda n: abs(n - USUAL_SIZE))
    if size not in player.sizes:
        raise ValueError(f"the player {player.name} does not play on {with_article(f'{size}x{size} board')}")
    description = f"{settings.name} {settings.version}\nplayer {player.name}"
    return Session(player, Game(size, settings.komi, rules), seed, engine, notices, description, settings.live)
