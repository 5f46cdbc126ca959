"""Playing on CGOS: log in, play one game after the other, and catch up when the connection breaks.

The server asks, and is answered line by line. A game that is under way when the connection breaks goes on: the server sends
all its moves to whoever logs in under the name again, and its clock has run meanwhile. So a new connection is tried for at
once, and then less and less often.
"""

import json
import time
from dataclasses import dataclass, field

from engine.gtp.protocol import Failure, GtpError
from engine.servers import report
from engine.servers.connection import Connection, Lost
from engine.servers.games import ServerGame
from engine.servers.lines import Gameover, Genmove, Info, OddLine, Play, Prompt, Refusal, Setup, UnknownLine, parse
from engine.servers.password import HIDDEN
from engine.texts import shortened

ANALYSIS = "genmove_analyze"  # what the server offers, and we say that we send, when moves may carry what we think
LOGIN_SECONDS = 60.0  # for the server to ask for name and password
RESUME_SECONDS = 10.0  # after the password for a broken game to come back: it is sent at once, or it is over
POLL_SECONDS = 0.2  # how soon Ctrl-C is heard while nothing comes from the server
SILENCE_SECONDS = 60.0  # more than both clocks of a game: nothing can be under way any more on that connection

# Connecting again. The waits double from the first to the longest; with these numbers all of them take a quarter of an hour.
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds
MOST_TRIES = 20  # in a row …
LOGIN_TRIES = 3  # … or so many as long as it was never let in: somebody may still be waiting at the terminal
SOUND_SECONDS = 60.0  # a connection that has held for so long was one, and the waits begin anew

LONGEST_ANSWER = 30_000  # bytes of a move with its analysis: the server reads lines of up to 65,536
MOST_ODD_LINES = 20  # that are passed over; a server may have learned a word, but not a language
_ELSEWHERE = "another login is being attempted"  # what the server says before it hangs up on the older of two clients


@dataclass
class Login:
    """Where to play, and as whom."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    client: str = "evogo"  # name and version of the program, for the server's statistics

    @property
    def server(self):
        return f"{shortened(self.host)}:{self.port}"


class Client:
    """Plays ``games`` games (None: until it is interrupted); ``played`` are those that are over.

    ``seat`` finds the moves, ``screen`` shows what goes on, ``keep(game)`` is called with every game that is over or left.
    ``is_interrupted()`` says whether somebody wants it to end after the present game; ``obeyed()`` is called when it stops at
    once, by a KeyboardInterrupt.
    """

    def __init__(self, login, seat, screen, log, games=None, keep=None, is_interrupted=lambda: False, obeyed=lambda: None):
        self.played = []
        self._login, self._seat, self._screen, self._log = login, seat, screen, log
        self._games, self._keep, self._is_interrupted, self._obeyed = games, keep, is_interrupted, obeyed
        self._game = None  # under way
        self._has_logged_in = False
        self._tries = 0  # to connect, in a row
        self._trouble = None  # what the status line says while there is no connection
        self._said = ""  # by the server, last
        self._moved = time.monotonic()  # when the clock that runs began to

    # The connections, one after the other

    def run(self, connection):
        """Play. Failure if that cannot go on; KeyboardInterrupt leaves the game as it is."""
        try:
            while connection is not None:
                try:
                    self._converse(connection)
                    return
                except Lost as loss:
                    connection.close()
                    connection = self._connect_again(loss, time.monotonic() - connection.since)
        except KeyboardInterrupt:
            self._obeyed()
            raise
        finally:
            self._leave(connection)

    def _connect_again(self, loss, held):
        """A new connection after one that held for so many seconds; None if there is no need for one any more."""
        most = MOST_TRIES if self._has_logged_in else LOGIN_TRIES
        if self._said.startswith(_ELSEWHERE):
            raise Failure(f"somebody else has logged in to {self._login.server} as {self._login.user}")
        if held >= SOUND_SECONDS:
            self._tries = 0
        while not self._is_done:
            if self._tries >= most:
                raise Failure(f"{loss}; given up after {most} tries")
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self._tries)
            self._tries += 1
            self._trouble = f"{loss}; next try in {wait:g} s"
            self._remark(f"{loss}; next try in {wait:g} s (try {self._tries} of {most})")
            self._sleep(wait)
            if self._is_done:
                break
            try:
                return Connection(self._login.host, self._login.port)
            except Lost as again:
                loss = again
        return None

    def _sleep(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._is_done:
            time.sleep(min(POLL_SECONDS, seconds))

    def _leave(self, connection):
        """Say goodbye, and put away what is unfinished."""
        if connection is not None:
            try:
                self._send(connection, "quit")
            except Lost:
                pass
            connection.close()
        if self._game is not None:
            remark = f"game {self._game.number} is left in the middle: who logs in as {self._login.user} before its clock"
            self._remark(f"{remark} has run out goes on with it")
            self._put_away()

    # One connection

    def _converse(self, connection):
        """Answer the server until all is done; Lost when the connection breaks."""
        self._takes_analysis, self._odd_lines = False, 0
        self._asked_for_password = None  # when that was
        self._resume_by = None  # until then a game that was under way is waited for
        self._heard = time.monotonic()
        while True:
            if self._is_done:
                return
            arrived = connection.receive(POLL_SECONDS)
            if arrived is None:
                self._heed_silence(time.monotonic())
                continue
            line, self._heard = arrived
            self._log.note("<", self._without_password(line))
            answer = self._answer(line, connection)
            if answer is not None:
                self._send(connection, answer)
            self._screen.refresh()

    @property
    def is_playing(self):
        return self._game is not None

    @property
    def _is_done(self):
        """Whether there is no game to finish, and none is wanted any more."""
        enough = self._games is not None and len(self.played) >= self._games
        return self._game is None and (enough or self._is_interrupted())

    def _heed_silence(self, now):
        if self._asked_for_password is None:
            if now - self._heard > LOGIN_SECONDS:
                silent = f"{self._login.server} says nothing that a CGOS server says"
                raise Lost(silent) if self._has_logged_in else Failure(silent)
        elif self._resume_by is not None:
            if now > self._resume_by:
                self._resume_by = None
                self._remark(f"game {self._game.number} ended while there was no connection")
                self._put_away()
        elif self._game is not None and now - self._heard > 2 * self._game.seconds + SILENCE_SECONDS:
            raise Lost("the server has said nothing for longer than both clocks ran")

    def _answer(self, line, connection):
        """What to send back, or None."""
        try:
            message = parse(line)
        except UnknownLine as error:
            self._odd_lines += 1
            if self._asked_for_password is None or self._odd_lines > MOST_ODD_LINES:
                raise Failure(f"{self._login.server} does not speak as a CGOS server does: {error}") from None
            return None
        except OddLine as error:
            raise Lost(f"the server said {error}, which makes no sense") from None
        match message:
            case Prompt():
                return self._log_in(message)
            case Refusal():
                raise Failure(f"{self._login.server} says: {self._without_password(shortened(message.text, 300))}")
            case Info():
                self._said = self._without_password(message.text)
            case Setup():
                self._begin(message)
            case Play():
                self._follow(message)
            case Genmove():
                return self._move(message, connection)
            case Gameover():
                return self._end(message)
        return None

    def _log_in(self, prompt):
        if prompt.what == "protocol":
            self._takes_analysis = ANALYSIS in prompt.offers
            return f"e1 {self._login.client}" + (f" {ANALYSIS}" if self._takes_analysis else "")
        if prompt.what == "username":
            return self._login.user
        if self._asked_for_password is not None:
            raise Failure(f"{self._login.server} does not take the password of {self._login.user}")
        self._asked_for_password = time.monotonic()
        self._resume_by = time.monotonic() + RESUME_SECONDS if self._game is not None else None
        self._has_logged_in, self._trouble = True, None
        self._remark(f"logging in to {self._login.server} as {self._login.user}")
        return self._login.password

    # One game

    def _begin(self, setup):
        try:
            game = ServerGame(setup, self._login.user)
        except ValueError as error:
            raise Lost(str(error)) from None
        self._resume_by = None
        if self._game is not None and self._game.number == game.number:
            self._game.catch_up(setup)
        else:
            if self._game is not None:
                self._put_away()  # it ended while we were away
            self._game = game
        if setup.moves:
            self._remark(f"game {setup.number} goes on after {len(setup.moves)} moves")
        self._moved = self._heard
        try:
            self._seat.begin(setup, self._game.opponent)
        except GtpError as error:
            problem = f"cannot play game {setup.number} of {self._login.server}"
            raise Failure(f"{problem} on {setup.size}x{setup.size}: {shortened(error, 60)}") from None

    def _follow(self, message):
        game = self._current_game("play")
        try:
            self._seat.play(message.colour, message.move)
        except GtpError as error:
            raise Lost(f"out of step with the server: {shortened(error, 60)}") from None
        game.played(message.move, message.seconds)
        self._moved = self._heard

    def _move(self, message, connection):
        game = self._current_game("genmove")
        game.asked(message.seconds)
        self._moved = self._heard
        self._screen.refresh()
        answer = self._seat.choose(message.colour, message.seconds, self._heard, connection.ended)
        if connection.ended.is_set():
            return None  # nobody waits for it; when we are back, the server asks again
        game.answered(answer.move, answer.analysis)
        self._moved = time.monotonic()
        self._tries = 0
        full = f"{answer.move} {json.dumps(answer.analysis, separators=(',', ':'))}"
        return full if self._takes_analysis and answer.analysis and len(full) <= LONGEST_ANSWER else answer.move

    def _end(self, message):
        if self._game is not None:
            self._game.ended(message)
            self._put_away()
        self._tries = 0
        return None if self._is_done else "ready"

    def _current_game(self, word):
        if self._game is None:
            raise Lost(f"the server said {word} without a game")
        return self._game

    def _put_away(self):
        """The game is over, or out of reach."""
        game, self._game = self._game, None
        self.played.append(game)
        self._screen.tell(report.result(f"game {report.of_all(len(self.played), self._games)}", game))
        if self._keep is not None:
            self._keep(game)

    # What is said

    def status(self):
        """The status line now."""
        game = self._game
        if self._trouble:
            return self._trouble
        if game is None:
            return report.waiting(len(self.played) + 1, self._games, self.played, self._said)
        stopping = self._is_interrupted()
        title = "last game" if stopping else f"game {report.of_all(len(self.played) + 1, self._games)}"
        return report.playing(title, game, time.monotonic() - self._moved)

    def _remark(self, text):
        self._log.note("!", text)
        self._screen.say(f"evogo cgos: {text}")

    def _send(self, connection, line):
        self._log.note(">", HIDDEN if line == self._login.password else line)
        connection.send(line)

    def _without_password(self, text):
        return text.replace(self._login.password, HIDDEN)
