"""Where the password comes from, and what it may hold."""

import pytest

from engine.gtp.protocol import Failure
from engine.servers import password
from engine.servers.password import VARIABLE, find_password


@pytest.fixture
def terminal(monkeypatch):
    """Somebody at a terminal, who types what is appended here."""
    typed = []
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(password.sys.stdin, "isatty", lambda: bool(typed), raising=False)
    monkeypatch.setattr(password.getpass, "getpass", lambda prompt: typed[0])
    return typed


@pytest.fixture
def file(tmp_path):
    def write(text, mode=0o600):
        path = tmp_path / "password"
        path.write_bytes(text)
        path.chmod(mode)
        return path

    return write


@pytest.mark.parametrize("text", [b"secret", b"secret\n", b"secret\r\nanother line\n"])
def test_from_a_file(file, text, terminal):
    assert find_password("me", "host", file(text)) == "secret"


def test_from_the_environment_which_loses_it(monkeypatch, terminal):
    monkeypatch.setenv(VARIABLE, "secret")
    assert find_password("me", "host") == "secret"
    assert VARIABLE not in password.os.environ


def test_a_file_counts_more_than_the_environment(monkeypatch, file, terminal):
    monkeypatch.setenv(VARIABLE, "other")
    assert find_password("me", "host", file(b"secret")) == "secret"
    assert VARIABLE not in password.os.environ


def test_from_a_prompt(terminal):
    terminal.append("secret")
    assert find_password("me", "host") == "secret"


def test_not_without_a_terminal(terminal):
    with pytest.raises(Failure, match="--password-file"):
        find_password("me", "host")


@pytest.mark.parametrize("text", [b"", b"\n", b"two words", b"tab\tbed", b"\xff\xfe", "größe".encode(), b"x" * 2000])
def test_what_cannot_be_one(file, terminal, text):
    with pytest.raises(Failure) as failure:
        find_password("me", "host", file(text))
    assert "words" not in str(failure.value)


def test_no_file(tmp_path, terminal):
    with pytest.raises(Failure, match="cannot read"):
        find_password("me", "host", tmp_path / "none")


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o640, True), (0o604, True)])
def test_a_file_that_others_can_read(file, terminal, mode, warned):
    said = []
    find_password("me", "host", file(b"secret", mode), said.append)
    assert bool(said) == warned
    assert "secret" not in "".join(said)
