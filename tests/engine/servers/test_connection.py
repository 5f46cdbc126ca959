"""Connections that fail, and servers that say too much."""

import socket
import time

import pytest

from engine.gtp.protocol import Failure
from engine.servers import connection as module
from engine.servers.connection import Connection, Lost
from tests.engine.servers.fake_server import FakeServer


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "x" * 300, "höst.invalid"])
def test_no_such_host(host):
    with pytest.raises(Lost, match="there is no host called"):
        Connection(host, 6809)


def test_no_server():
    port = free_port()
    with pytest.raises(Lost, match=f"127.0.0.1:{port} refuses"):
        Connection("127.0.0.1", port)


def hear_all(port):
    """Lines until the connection ends, and what ended it."""
    connection, lines = Connection("127.0.0.1", port), []
    try:
        while True:
            lines.append(connection.receive(60)[0])
    except (Lost, Failure) as end:
        assert connection.ended.is_set()
        with pytest.raises(type(end)):
            connection.receive(0)  # it stays as it is
        return lines, end
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b"info one\ninfo two\r\n"], ["info one", "info two"]),
        ([b"in", b"fo ", b"one\n"], ["info one"]),
        ([b"\n\n"], ["", ""]),
        ([b"\xff\n"], ["\ufffd"]),
        ([b"no end"], []),
    ],
)
def test_lines_whatever_the_pieces(pieces, lines):
    def script(talk):
        for piece in pieces:
            talk.send_bytes(piece)
            time.sleep(0.01)

    with FakeServer(script) as server:
        heard, end = hear_all(server.port)
    assert heard == lines
    assert isinstance(end, Lost)


def spout(data):
    def script(talk):
        try:
            while True:
                talk.send_bytes(data)
        except OSError:
            pass  # the client has had enough

    return script


@pytest.mark.parametrize(("data", "problem"), [(b"info\n" * 1000, "more and faster"), (b"x" * 5000, "without an end")])
def test_a_flood_ends(data, problem):
    begin = time.monotonic()
    with FakeServer(spout(data)) as server:
        lines, end = hear_all(server.port)
    assert isinstance(end, Failure) and problem in str(end)
    assert sum(map(len, lines)) <= module.BURST_BYTES + module.BYTES_A_SECOND * (time.monotonic() - begin)


def test_silence_is_no_end():
    with FakeServer(lambda talk: talk.hear()) as server:
        connection = Connection("127.0.0.1", server.port)
        assert connection.receive(0.1) is None
        assert not connection.ended.is_set()
        connection.close()


def test_sending_to_nobody():
    with FakeServer(lambda talk: None) as server:
        connection = Connection("127.0.0.1", server.port)
        with pytest.raises(Lost):
            connection.receive(60)
        with pytest.raises(Lost):
            for _ in range(100):
                connection.send("ready")
                time.sleep(0.01)
        connection.close()
