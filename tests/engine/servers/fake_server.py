"""A CGOS server that follows a script, on loopback: one function for each connection that comes, in order."""

import socket
import threading

PATIENCE = 240.0  # seconds for a line, or for a client to come: a cold cache compiles first
LAST_WORDS = 20.0  # seconds for a script to end when the client has failed


class Talk:
    """One connection, from the server's side."""

    def __init__(self, connection):
        connection.settimeout(PATIENCE)
        self._connection = connection
        self._lines = connection.makefile("r", encoding="utf-8", newline="\n")

    def send(self, *lines):
        self._connection.sendall("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data):
        self._connection.sendall(data)

    def hear(self):
        """The next line of the client; None when it has gone."""
        try:
            line = self._lines.readline()
        except ConnectionResetError:
            return None
        return line.rstrip("\n") if line else None

    def ask(self, line):
        """What the client answers to a line."""
        self.send(line)
        return self.hear()

    def log_in(self, offers="genmove_analyze"):
        """What the client says of itself, its name and its password."""
        return [self.ask(line) for line in (f"protocol {offers}".strip(), "username", "password")]

    def close(self):
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._connection.close()


class FakeServer:
    """Runs the scripts, each with a Talk; a context that ends when all of them have, and raises what one of them did."""

    def __init__(self, *scripts):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self.port = self._listener.getsockname()[1]
        self._scripts = scripts
        self._problem = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self):
        try:
            for number, script in enumerate(self._scripts):
                connection, _ = self._listener.accept()
                if number == len(self._scripts) - 1:
                    self._listener.close()  # who comes again is refused
                talk = Talk(connection)
                try:
                    script(talk)
                finally:
                    talk.close()
        except BaseException as problem:
            self._problem = problem
        finally:
            self._listener.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, kind, *_):
        self._thread.join(PATIENCE if kind is None else LAST_WORDS)
        if kind is None:
            if self._problem is not None:
                raise self._problem
            assert not self._thread.is_alive(), "the script is not at its end"
        self._listener.close()
