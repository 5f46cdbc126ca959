"""``evogo cgos`` as a process, with a server that follows a script: whole games, Ctrl-C, a terminal."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from engine.records import sgf
from engine.servers.password import VARIABLE
from tests.engine.servers.fake_server import FakeServer
from tests.processes.gtp_client import EVOGO, PATIENCE, ROOT

pty = pytest.importorskip("pty")

PASSWORD = "geheimnis"
SETUP = "setup 7 9 7.5 60000 a-name_of.18_chars(1800) myevogo(1743?)"


@pytest.fixture
def start():
    """Starts a client of a server; ends it in any case."""
    processes = []

    def begin(server, *words, **options):
        command = [*EVOGO, "cgos", "--user", "myevogo", "--server", "127.0.0.1", "--port", str(server.port)]
        command += ["--player", "random", "--raw", "--seed", "1", *map(str, words)]
        usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": {**os.environ, VARIABLE: PASSWORD}}
        processes.append(subprocess.Popen(command, cwd=ROOT, text=True, **{**usual, **options}))
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.wait()


def game(talk, moves=3, result="B+3.5"):
    """A game up to what the client says when it is over."""
    for number in range(moves):
        assert re.match(r"[a-j][1-9] |pass", talk.ask(f"genmove b {60000 - 1000 * number}"))
        talk.send("play w pass 59000")
    return talk.ask(f"gameover 2026-11-17 {result} ")


def test_games_tables_and_records(start, tmp_path):
    heard = []

    def script(talk):
        heard.extend(talk.log_in())
        talk.send(SETUP)
        heard.append(game(talk, moves=1))
        talk.send(SETUP.replace("setup 7", "setup 8"))
        heard.append(game(talk, moves=1, result="W+Resign"))

    secret = tmp_path / "password"
    secret.write_text(PASSWORD + "\n")
    secret.chmod(0o600)
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    log, folder = tmp_path / "log", tmp_path / "new" / "games"
    with FakeServer(script) as server:
        words = ["--games", 2, "--sgf", folder, "--log", log, "--password-file", secret]
        output, errors = start(server, *words, env=environment).communicate(timeout=PATIENCE)
    assert heard[1:] == ["myevogo", PASSWORD, "ready", "quit"] and heard[0].startswith("e1 evogo ")
    lines = output.split("\n")
    assert lines[0] == "game 1/2: black v a-name_of.18_chars 1800: B+3.5, won (2 moves, number 7)"
    assert lines[2].split() == "opponent rating games won lost drawn unknown as black as white".split()
    assert lines[4].split()[:5] == ["all", "2", "1", "1", "0"]
    records = sorted(folder.iterdir())
    assert [path.name for path in records] == [f"2026-11-17-{n}-myevogo-a-name_of.18_chars.sgf" for n in (7, 8)]
    assert [sgf.load(path).result for path in records] == ["B+3.5", "W+R"]
    assert "\x1b" not in errors and "Traceback" not in errors
    assert all(PASSWORD not in text for text in (output, errors, log.read_text()))


def test_one_interrupt_stops_after_the_game(start):
    heard = []

    def script(talk):
        talk.log_in()
        talk.send(SETUP)
        assert talk.ask("genmove b 60000")
        process.send_signal(signal.SIGINT)
        talk.send("play w pass 59000")
        heard.append(game(talk, moves=2).split()[0])

    with FakeServer(script) as server:
        process = start(server)
        output, errors = process.communicate(timeout=PATIENCE)
    assert heard == ["quit"] and process.returncode == 0
    assert "stopping after this game" in errors and "Traceback" not in errors
    assert output.startswith("game 1: black v a-name_of.18_chars 1800: B+3.5, won")


def test_one_interrupt_between_games_stops(start):
    heard = []

    def script(talk):
        talk.log_in()
        process.send_signal(signal.SIGINT)
        heard.append(talk.hear())

    with FakeServer(script) as server:
        process = start(server)
        output, errors = process.communicate(timeout=PATIENCE)
    assert heard == ["quit"] and process.returncode == 0
    assert output == "no games were played\n" and "Traceback" not in errors


def wait_for(text, path):
    """Until the file at ``path`` holds ``text``."""
    end = time.monotonic() + PATIENCE
    while text not in path.read_text():
        assert time.monotonic() < end, path.read_text()
        time.sleep(0.05)


@pytest.mark.parametrize("player", ["random", "search,threads=1"])
def test_two_interrupts_stop_at_once(start, tmp_path, player):
    """Also in the middle of a search."""
    errors, folder, heard = tmp_path / "errors", tmp_path / "games", []

    def script(talk):
        talk.log_in()
        talk.send(SETUP)
        assert talk.ask("genmove b 1000")
        talk.send("play w pass 59000")
        if player != "random":
            talk.send("genmove b 36000000")  # it would think for minutes
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        wait_for("stopping after this game", errors)
        process.send_signal(signal.SIGINT)
        heard.append(talk.hear())

    with FakeServer(script) as server, open(errors, "w") as stream:
        process = start(server, "--sgf", folder, "--player", player, stderr=stream)
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and heard == ["quit"]
    said = errors.read_text()
    assert "Traceback" not in said and "stopped" in said and "is left in the middle" in said
    assert "its end was not seen" in output and "own rating: 1743?" in output
    (record,) = folder.iterdir()
    assert sgf.load(record).result == "?"


def test_an_order_that_got_lost_is_given_again_until_it_is_obeyed():
    """As where a compiler written in C calls Python, which drops what is raised there."""
    script = """
import os, signal, time
from engine.servers import command
command.INSIST_SECONDS = 0.1
heard, lost = [], 0
interrupts = command.Interrupts(lambda: heard.append("a wish"))
interrupts.listen()
os.kill(os.getpid(), signal.SIGINT)
assert heard == ["a wish"]
for attempt in range(3):
    try:
        if attempt == 0:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    except KeyboardInterrupt:
        lost += 1
interrupts.obeyed()
time.sleep(0.5)
print(lost)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_a_wrong_password(start):
    def script(talk):
        talk.log_in()
        talk.send("Error: Sorry, password doesn't match")

    with FakeServer(script) as server:
        process = start(server)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert errors.endswith(f"evogo cgos: 127.0.0.1:{server.port} says: Sorry, password doesn't match\n")
    assert output == "no games were played\n" and PASSWORD not in errors


def test_a_terminal_has_a_prompt_and_a_status_line(start):
    """The password is not to be seen, and the line never wraps at 80 columns."""
    master, slave = pty.openpty()
    seen, prompted = [], threading.Event()

    def watch():
        try:
            while data := os.read(master, 4096):
                seen.append(data.decode())
                if "password of myevogo on 127.0.0.1" in "".join(seen):
                    prompted.set()
        except OSError:
            pass  # the other end is closed

    def script(talk):
        talk.log_in()
        talk.send("info Games in progress: 0 Players:2", SETUP)
        game(talk)

    environment = {name: value for name, value in os.environ.items() if name not in (VARIABLE, "COLUMNS")}
    with FakeServer(script) as server:
        process = start(server, "--games", 1, stdin=slave, stderr=slave, env=environment, start_new_session=True)
        os.close(slave)
        reader = threading.Thread(target=watch, daemon=True)
        reader.start()
        assert prompted.wait(PATIENCE)
        os.write(master, f"{PASSWORD}\n".encode())
        output, _ = process.communicate(timeout=PATIENCE)
    reader.join()
    os.close(master)
    text = "".join(seen)
    assert process.returncode == 0 and PASSWORD not in text
    lines = re.findall(r"\r\x1b\[K([^\r\n\x1b]*)", text)
    playing = r"game 1/1: black v a-name_of.18_chars 1800 \(own 1743\?\)  [01]:\d\d v [01]:\d\d"
    assert any(re.match(playing, line) for line in lines)
    assert max(map(len, lines)) < 80
    assert output.startswith("game 1/1: black v a-name_of.18_chars 1800: B+3.5, won") and "\x1b" not in output
