"""The engine as a process: start-up, interrupts, the end of input, the log, and the command line around it."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from engine.gtp import command_table
from tests.processes.gtp_client import EVOGO, PATIENCE, ROOT, STUB, Client

AT_ONCE = 5.0  # seconds: far below what a slow search of the stub takes


@pytest.fixture
def stub(tmp_path):
    client = Client(*STUB, str(tmp_path / "log"))
    yield client
    client.kill()


def test_every_command_has_its_function():
    for name in command_table.MODULE_OF:
        assert callable(command_table.function_of(name)), name
    assert len(set(command_table.NAMES)) == len(command_table.NAMES)


def test_start_up_imports_nothing_heavy():
    """The handshake must not wait for numba or players."""
    code = "import engine.gtp.startup, sys; print([m for m in ('numba', 'numpy', 'players') if m in sys.modules])"
    command = [EVOGO[0], "-c", code]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == "[]\n"


def test_list_commands_names_what_clients_need(stub):
    answer = stub.ask("list_commands")
    names = answer[2:].split("\n")
    assert names[: len(command_table.NAMES)] == list(command_table.NAMES)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", name) for name in names)
    for name in names:
        assert stub.ask(f"known_command {name}") == "= true"


def test_quit_answers_and_leaves_at_once(stub):
    stub.ask("boardsize 9")
    started = time.monotonic()
    assert stub.ask("4 quit") == "=4 "
    code, rest = stub.end()
    assert (code, rest) == (0, "")
    assert time.monotonic() - started < 0.5


def test_quit_before_anything_is_loaded(stub):
    stub.send("quit\nname\n")
    assert stub.end() == (0, "= \n\n")


def test_a_script_is_carried_out_to_its_end(stub):
    stub.send("play b a1\ngenmove w\nshowboard\n5 name")
    code, output = stub.end()
    assert code == 0
    assert output.startswith("= \n\n= A9\n\n= \n") and output.endswith("\n\n=5 stub\n\n")


def test_the_end_of_input_stops_a_search(stub):
    stub.ask("stub-next slow")
    stub.send("genmove b\n")
    time.sleep(0.3)
    started = time.monotonic()
    assert stub.end() == (0, "= A9\n\n")
    assert time.monotonic() - started < AT_ONCE


def test_the_end_of_input_stops_an_analysis(stub):
    stub.ask("boardsize 9")
    stub.send("lz-analyze 1\n")
    code, output = stub.end()
    assert code == 0
    assert output.startswith("= \ninfo move") and output.endswith("\n\n")


@pytest.mark.parametrize("together", [True, False])
def test_interrupt_stops_a_search(stub, together):
    stub.ask("stub-next slow")
    started = time.monotonic()
    if together:
        stub.send("7 genmove b\n# interrupt\n")
    else:
        stub.send("7 genmove b\n")
        time.sleep(0.2)
        stub.send("#interrupt\r\n")
    assert stub.answer() == "=7 A9"
    assert time.monotonic() - started < AT_ONCE
    assert stub.ask("name") == "= stub"


def test_an_interrupt_is_not_kept_for_later(stub):
    stub.send("# interrupt\n")
    stub.ask("stub-next slow")
    stub.send("genmove b\n")
    time.sleep(0.5)
    assert stub.is_silent()
    stub.send("# interrupt\n")
    assert stub.answer() == "= A9"


def test_further_input_does_not_stop_a_search(stub):
    stub.ask("stub-next slow")
    stub.send("genmove b\nname\n")
    time.sleep(0.3)
    assert stub.is_silent()
    stub.send("# interrupt\n")
    assert (stub.answer(), stub.answer()) == ("= A9", "= stub")


@pytest.mark.parametrize("ending", ["name\n", "\n", "# x\n"])
def test_an_analysis_lasts_until_the_next_line(stub, ending):
    stub.ask("boardsize 3")
    stub.send("8 kata-analyze b 5\n")
    assert stub.line() == "=8 "
    for _ in range(4):
        assert stub.line().startswith("info move A3 visits ")
    stub.send(ending)
    while (line := stub.line()) != "":
        assert line.startswith("info move A3 visits ")
    assert stub.ask("version") == ("= stub" if ending == "name\n" else "= 1.2")


def test_standard_error_cannot_be_taken_for_an_answer(stub):
    stub.dialogue("stub-next crash\ngenmove b\nstub-next illegal\ngenmove b\n")
    stub.end()
    assert stub.errors.count("GTP ready") == 1
    assert any(line.startswith("Warning: ") for line in stub.errors)
    assert not [line for line in stub.errors if re.match(r"[=?]|info|play", line) or " -> " in line]


def test_the_log_has_everything_with_times(stub, tmp_path):
    stub.dialogue("1 name\nstub-next crash\ngenmove b\n")
    stub.end()
    log = (tmp_path / "log").read_text()
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [<>!] ?", line) for line in log.splitlines())
    assert " < 1 name\n" in log and " > =1 stub\n" in log
    assert "Traceback" in log and "RuntimeError: a player" in log
    assert not any("crash" in line or "Traceback" in line for line in stub.errors)


def test_without_a_log_a_failure_is_one_line():
    client = Client(*STUB)
    client.dialogue("stub-next crash\ngenmove b\n")
    client.end()
    assert [line for line in client.errors if "a player that fails" in line] == [
        "Warning: genmove failed: RuntimeError: a player that fails (run with --log FILE to see where)"
    ]


def test_a_client_that_goes_away():
    process = subprocess.Popen(
        STUB, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, bufsize=0
    )
    process.stdin.write(b"lz-analyze 1\n")
    assert process.stdout.read(1) == b"="
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    process.stdin.close()


def test_a_very_long_line(stub):
    assert stub.ask("name " + "x" * 3_000_000) == "= stub"
    moves = " ".join(f"{c} pass" for c in "bw" * 20_000)
    assert stub.ask(f"gogui-play_sequence {moves}") == "= "
    assert stub.ask("gg-undo 40000") == "= "


def test_records(stub, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]FF[4]SZ[5]KM[3.5]HA[2]AB[aa][ee];W[cc];B[dd];W[];B[bb])")
    assert stub.ask(f"loadsgf {path}") == "= "
    assert stub.ask("get_komi") == "= 3.5"
    assert stub.ask("play w b4") == "? illegal move"
    assert stub.ask(f"loadsgf {path} 2") == "= "
    text = stub.ask("printsgf")[2:]
    assert ";W[cc]" in text and ";B[dd]" not in text  # the position before move 2
    assert stub.ask("play b d2") == "= "
    text = stub.ask("printsgf")[2:]
    for part in ("SZ[5]", "KM[3.5]", "HA[2]", "AB[aa][ee]", ";W[cc]", ";B[dd]"):
        assert part in text
    assert stub.ask(f"printsgf {tmp_path}/out.sgf") == "= "
    assert stub.ask("clear_board") == "= "
    assert stub.ask(f"loadsgf {tmp_path}/out.sgf") == "= "
    assert stub.ask("printsgf")[2:] == text
    assert stub.ask(f"printsgf {tmp_path}/nowhere/out.sgf").startswith("? cannot write")
    path.write_text("(;SZ[5];B[aa];W[aa])")
    assert stub.ask(f"loadsgf {path}") == "? cannot load file"
    path.write_text("(;SZ[21];B[aa])")
    assert stub.ask(f"loadsgf {path}") == "? unacceptable size"
    assert stub.ask("printsgf")[2:] == text


# The command line


def run(*arguments, text=""):
    return subprocess.run([*EVOGO, *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)


@pytest.mark.parametrize("subcommand", [[], ["gtp"]])
def test_options(subcommand, tmp_path):
    options = ["--player", "random", "--size", "7", "--komi", "3.5", "--rules", "japanese", "--seed", "5"]
    options += ["--log", str(tmp_path / "log"), "--name", "some name", "--version-string", "9.1"]
    options += ["--resign", "never", "--raw"]
    ran = run(*subcommand, *options, text="name\nversion\nget_komi\nget_random_seed\nshowboard\ngenmove b\nquit\n")
    assert ran.returncode == 0
    assert ran.stdout.startswith("= some name\n\n= 9.1\n\n= 3.5\n\n= 5\n\n= \n    A B C D E F G\n")
    assert "japanese rules" in ran.stdout
    assert " < genmove b" in (tmp_path / "log").read_text()
    again = run(*subcommand, *options, text="name\nversion\nget_komi\nget_random_seed\nshowboard\ngenmove b\nquit\n")
    assert again.stdout == ran.stdout


MISTAKES = [
    (["--player", "nobody-of-this-name"], "no player 'nobody-of-this-name'"),
    (["--player", "sane-5x5", "--size", "6"], "does not play on a 6x6 board"),
    (["--player", "random", "--size", "1"], "--size"),
    (["--player", "random", "--size", "0"], "--size"),
    (["--player", "random", "--size", "9" * 5000], "--size"),
    (["--komi", "1e20"], "--komi"),
    (["--player", "random", "--rules", "chess"], "unknown rules 'chess'"),
    (["--size", "x"], "--size"),
    (["--komi", "nan"], "--komi"),
    (["--resign", "2"], "--resign"),
    (["--log", "/nowhere/at/all"], "cannot write the log"),
    (["--nonsense"], "--nonsense"),
    (["nonsense"], "nonsense"),
]


@pytest.mark.parametrize("arguments, words", MISTAKES)
def test_mistakes_end_in_one_line(arguments, words):
    ran = run(*arguments)
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr.count("\n") == 1 and words in ran.stderr  # and nobody has called it ready


def test_a_mistake_is_told_to_a_client_that_waits():
    client = Client(*EVOGO, "--player", "nobody-of-this-name")
    client.send("name\nboardsize 9\n")
    assert client.answer() == "= evogo"
    assert client.line() is None
    assert client.end()[0] == 2


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_a_human_is_greeted():
    controller, terminal = os.openpty()
    command = [*EVOGO, "--player", "random"]
    process = subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    os.close(terminal)
    os.write(controller, b"boardsize 9\nhelp\nquit\n")
    output, errors = process.communicate(timeout=PATIENCE)
    os.close(controller)
    assert process.returncode == 0
    assert "random, on a 9x9 board" in errors and "GoGui" in errors and "Sabaki" in errors and "help" in errors
    assert "genmove white" in output and output.startswith("= \n\n= Commands")


def test_ctrl_c_ends_quietly():
    client = Client(*EVOGO, "--player", "random")
    client.ask("boardsize 9")
    client.process.send_signal(signal.SIGINT)
    assert client.process.wait(timeout=PATIENCE) == 130
    client.end()
    assert "Traceback" not in "\n".join(client.errors)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_the_tests_have_signals_of_their_own():
    """A run that was started with Ctrl-C ignored, as in the background of a shell, ends as any other."""
    test = f"{__file__}::{test_ctrl_c_ends_quietly.__name__}"
    script = f"trap '' INT; exec {shlex.join([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', test])}"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    assert ran.returncode == 0 and "1 passed" in ran.stdout
