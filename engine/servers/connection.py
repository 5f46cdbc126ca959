"""A TCP connection that carries lines: heard in a thread of its own, so that a move is timed from when it was asked for,
and a search whose answer nobody waits for any more ends.

A server may say nothing for minutes, which is why nothing here has a time limit once the connection stands; TCP itself
asks now and then whether the other end is still there. What a server may say is limited, so that one that is broken, or
is none, fills no memory.
"""

import queue
import socket
import threading
import time

from engine.gtp.protocol import Failure
from engine.texts import shortened

CONNECT_SECONDS = 30.0  # for a connection to stand; a server on the other side of the world answers within one
LONGEST_LINE = 100_000  # bytes: a game of a thousand moves, with all clocks, has some 15,000
BURST_BYTES, BYTES_A_SECOND = 200_000, 20_000  # at once, and for long: a server sends some hundred bytes a second
KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}  # the other end is gone after two minutes


class Lost(Exception):
    """The connection is gone, or there is none; later there may be one. The message is one line that says why."""


class Connection:
    """Lines to and from a server. ``ended`` is set as soon as no more will come."""

    def __init__(self, host, port):
        """Connect; Lost if that fails."""
        self._name = f"{shortened(host)}:{port}"
        self._socket = self._connect(host, port)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEP_ALIVE.items():
            if hasattr(socket, option):  # not on every system
                self._socket.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # the clock runs until the move is there
        self.since = time.monotonic()
        self.ended = threading.Event()
        self._lines = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="server", daemon=True).start()

    def _connect(self, host, port):
        try:
            found = socket.create_connection((host, port), CONNECT_SECONDS)
        except (socket.gaierror, UnicodeError):
            raise Lost(f"there is no host called {shortened(host)}") from None
        except ConnectionRefusedError:
            raise Lost(f"{self._name} refuses the connection: no server is there") from None
        except TimeoutError:
            raise Lost(f"{self._name} does not answer") from None
        except OSError as error:
            raise Lost(f"cannot connect to {self._name}: {error.strerror or error}") from None
        found.settimeout(None)
        return found

    def _listen(self):
        end = Lost("the server has closed the connection")
        try:
            for line in self._split(self._within_limits(self._received())):
                self._lines.put((line.decode("utf-8", "replace").strip(), time.monotonic()))
        except Failure as failure:
            end = failure
        except OSError as error:
            end = Lost(f"the connection broke: {error.strerror or error}")
        self.ended.set()
        self._lines.put(end)

    def _received(self):
        while data := self._socket.recv(65536):
            yield data

    def _within_limits(self, pieces):
        before, room = time.monotonic(), float(BURST_BYTES)
        for data in pieces:
            now = time.monotonic()
            room = min(float(BURST_BYTES), room + BYTES_A_SECOND * (now - before)) - len(data)
            before = now
            if room < 0:
                raise Failure(f"{self._name} sends more and faster than any CGOS server")
            yield data

    def _split(self, pieces):
        rest = b""
        for data in pieces:
            *lines, rest = (rest + data).split(b"\n")
            yield from lines
            if len(rest) > LONGEST_LINE:
                raise Failure(f"{self._name} sends a line without an end, as no CGOS server does")

    def receive(self, seconds):
        """The next line and when it came, by ``time.monotonic``; None if there is none for so long.

        Lost when no more will come, Failure if there is no talking to such a server.
        """
        try:
            arrived = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(arrived, Exception):
            self._lines.put(arrived)  # for whoever asks again
            raise arrived
        return arrived

    def send(self, line):
        """Lost if it cannot be sent."""
        try:
            self._socket.sendall(line.encode() + b"\n")
        except OSError as error:
            raise Lost(f"the connection broke: {error.strerror or error}") from None

    def close(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that listens
        except OSError:
            pass  # it was closed from the other side
        self._socket.close()
