"""``evogo cgos``: from what was typed to an exit code.

0: all games are played, or it stopped as it was asked to. 1: it could not go on. 2: it could not begin. 130: it stopped at
once.
"""

import re
import signal
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engine.gtp.protocol import Failure, Log, Notices, leave
from engine.gtp.startup import collect_logging
from engine.records import sgf
from engine.servers import report
from engine.servers.cgos import Client, Login
from engine.servers.connection import Connection, Lost
from engine.servers.password import find_password
from engine.servers.screen import Screen
from engine.servers.seat import Seat

INSIST_SECONDS = 2.0  # from an order to stop to the next, until it is obeyed
_NAME = re.compile(r"[A-Za-z0-9_.-]{3,18}")  # what CGOS takes for a user


@dataclass(frozen=True)
class Request:
    """What was asked for."""

    user: str
    server: str
    port: int
    games: int | None = None  # None: until it is interrupted
    sgf: str | None = None  # a folder
    password_file: str | None = None


class Interrupts:
    """Ctrl-C, or being told to end: once is a wish, of which ``tell()`` is called, twice is an order.

    An order is given again until it is obeyed: an exception gets lost where Python is called from C, as it is while kernels are
    compiled.
    """

    def __init__(self, tell):
        self._tell = tell
        self.count = 0

    def listen(self):
        signal.signal(signal.SIGINT, self._hear)
        signal.signal(signal.SIGTERM, self._hear)

    def _hear(self, number, frame):
        self.count += 1
        if self.count > 1:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a third time ends whatever is left to do
            if hasattr(signal, "setitimer"):
                signal.signal(signal.SIGALRM, self._insist)
                signal.setitimer(signal.ITIMER_REAL, INSIST_SECONDS, INSIST_SECONDS)
            raise KeyboardInterrupt
        self._tell()

    def _insist(self, number, frame):
        raise KeyboardInterrupt

    def obeyed(self):
        """An order was heard."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)


def play(request, settings):
    """Play on CGOS with the engine of these ``settings``; does not return but ends the process."""
    leave(run(request, settings))


def run(request, settings):
    """The same; the exit code."""
    screen = Screen(sys.stderr, sys.stdout)
    try:
        log, keep = _open_log(settings.log), _keeper(request, screen, settings.version)
        notices = Notices(screen, log)
        login = _login(request, settings, notices)
        with closing(_Table(login, settings, log, notices)) as table:
            return _play(table, login, screen, log, request.games, keep)
    except Failure as failure:
        screen.say(f"evogo cgos: {failure}")
        return 2
    except KeyboardInterrupt:
        screen.say("evogo cgos: stopped")
        return 130


class _Table:
    """A connection and a player."""

    def __init__(self, login, settings, log, notices):
        """Connect before the player is loaded, which may take minutes: a wrong name is told at once."""
        self.connection = _connect(login)
        self.seat = Seat(log)
        try:
            collect_logging(log, notices)
            self.seat.sit_down(settings, notices)
            if self.connection.ended.is_set():  # the server did not care to wait
                self.connection = _connect(login)
        except BaseException:
            self.close()
            raise

    def close(self):
        self.connection.close()
        self.seat.leave()


def _play(table, login, screen, log, games, keep):
    """Play, and tell what came of it; the exit code."""
    code = 0

    def tell():
        if client.is_playing:
            screen.say("evogo cgos: stopping after this game; Ctrl-C again stops at once")

    interrupts = Interrupts(tell)
    client = Client(login, table.seat, screen, log, games, keep, lambda: interrupts.count > 0, interrupts.obeyed)
    interrupts.listen()
    screen.watch(client.status)
    try:
        client.run(table.connection)
    except Failure as failure:
        screen.say(f"evogo cgos: {failure}")
        code = 1
    except KeyboardInterrupt:
        screen.say("evogo cgos: stopped")
        code = 130
    screen.close()
    screen.tell(report.table(client.played))
    return code


def _open_log(path):
    try:
        return Log(path)
    except OSError as error:
        raise Failure(f"cannot write the log {path}: {error.strerror}") from None


def _keeper(request, screen, version):
    """What writes a game into the folder; None if none was named. Failure if there can be no such folder."""
    if request.sgf is None:
        return None
    folder = Path(request.sgf)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make the folder {folder}: {error.strerror}") from None

    def keep(game):
        try:
            sgf.save(game.record(f"{request.server}:{request.port}"), folder / game.file_name, version)
        except sgf.SgfError as error:
            screen.say(f"evogo cgos: {error}")  # a full disk is no reason to stop playing

    return keep


def _login(request, settings, notices):
    if not _NAME.fullmatch(request.user):
        raise Failure("the name of a user has 3 to 18 letters, digits, dots, hyphens and underscores")
    password = find_password(request.user, request.server, request.password_file, notices.warn)
    client = f"{settings.name} {settings.version}"
    return Login(request.server, request.port, request.user, password, client)


def _connect(login):
    try:
        return Connection(login.host, login.port)
    except Lost as error:
        raise Failure(str(error)) from None
