"""``evogo cgos`` as far as it can go wrong before a game begins: one clear line, and an exit code."""

import socket

import pytest

import gtp_main
from engine.gtp.startup import Settings
from engine.servers.command import Request, run
from engine.servers.password import VARIABLE
from tests.engine.servers.fake_server import FakeServer

PASSWORD = "geheimnis"


def no_player(seed):
    raise ValueError("there is no player called nobody")


@pytest.fixture
def attempt(monkeypatch, capsys, tmp_path):
    """Tries to play; the exit code, and what was said in one line."""

    def try_it(password=PASSWORD, log=None, **asked):
        if password is None:
            monkeypatch.delenv(VARIABLE, raising=False)
        else:
            monkeypatch.setenv(VARIABLE, password)
        request = Request(**{"user": "myevogo", "server": "127.0.0.1", "port": 1, **asked})
        code = run(request, Settings(load=no_player, log=log))
        output, errors = capsys.readouterr()
        assert output == "" and errors.count("\n") == 1 and errors.startswith("evogo cgos: ")
        assert PASSWORD not in errors
        return code, errors.removeprefix("evogo cgos: ").rstrip("\n")

    return try_it


@pytest.fixture
def refusing():
    """A port where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return port


@pytest.mark.parametrize("user", ["", "me", "a b", "x" * 19, "käthe", "me\n", "../me"])
def test_names_that_cgos_does_not_take(attempt, user):
    assert attempt(user=user) == (2, "the name of a user has 3 to 18 letters, digits, dots, hyphens and underscores")


def test_no_password(attempt, monkeypatch):
    code, said = attempt(password=None)
    assert code == 2 and said.startswith("a password is needed")


def test_no_server(attempt, refusing):
    assert attempt(port=refusing) == (2, f"127.0.0.1:{refusing} refuses the connection: no server is there")
    assert attempt(server="no-such-host.invalid") == (2, "there is no host called no-such-host.invalid")


def test_folders_and_files_that_cannot_be(attempt, tmp_path):
    (tmp_path / "file").touch()
    code, said = attempt(sgf=str(tmp_path / "file" / "games"))
    assert code == 2 and said.startswith("cannot make the folder")
    code, said = attempt(log=str(tmp_path / "none" / "log"))
    assert code == 2 and said.startswith("cannot write the log")
    code, said = attempt(password_file=str(tmp_path / "none"))
    assert code == 2 and said.startswith("cannot read")


def test_no_such_player(attempt):
    with FakeServer(lambda talk: talk.hear()) as server:
        assert attempt(port=server.port) == (2, "there is no player called nobody")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--user", "myevogo"], "--server"),
        (["--server", "host"], "--user"),
        (["--user", "myevogo", "--server", "host", "--port", "0"], "port (1 to 65535)"),
        (["--user", "myevogo", "--server", "host", "--port", "x"], "port (1 to 65535)"),
        (["--user", "myevogo", "--server", "host", "--games", "0"], "positive whole number"),
        (["--user", "myevogo", "--server", "host", "--password", PASSWORD], "others can read the command line"),
        (["--user", "myevogo", "--server", "host", f"--password={PASSWORD}"], "others can read the command line"),
    ],
)
def test_command_lines_that_make_no_sense(capsys, words, said):
    with pytest.raises(SystemExit) as end:
        gtp_main.main(["cgos", *words])
    errors = capsys.readouterr().err
    assert end.value.code == 2 and said in errors and errors.count("\n") == 1 and PASSWORD not in errors
