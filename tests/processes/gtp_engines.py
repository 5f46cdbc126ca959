"""GTP engines made up for tests, as small Python programs, and where to find GNU Go."""

import shlex
import shutil
import sys

_ENGINE = '''
import os, subprocess, sys, time
moves = {moves!r}
log = open({log!r}, "a")
for line in sys.stdin:
    line = line.strip()
    print(line, file=log, flush=True)
    command = line.split()[0]
    answered = False
{answers}
    if answered:
        continue
    if command == "genmove":
        move = moves.pop(0) if moves else "pass"
        print("= " + move + "\\n", flush=True)
    elif command in ("name", "version"):
        print("= " + ("fake" if command == "name" else "") + "\\n", flush=True)
    elif command == "list_commands":
        print("= " + "\\n".join({commands!r}.split()) + "\\n", flush=True)
    else:
        print("=\\n", flush=True)
    if command == "quit":
        break
'''
COMMANDS = (
    "protocol_version name version list_commands quit boardsize clear_board komi play genmove set_free_handicap"
    " time_settings time_left set_random_seed final_status_list final_score"
)

# What an engine may do instead of answering properly, as the code that it runs at some command.
DIE = "print('out of coffee', file=sys.stderr); sys.exit(3)"
HANG = "time.sleep(60)"
NONSENSE = "print('Hello, I am an engine', flush=True); answered = True"
REFUSE = "print('? cannot do that\\n', flush=True); answered = True"
ECHOLESS = "[print(flush=True) for _ in iter(int, 1)]"  # blank lines for ever
SPOUT = "[print('x' * 4095, end='') for _ in iter(int, 1)]"  # one line for ever
STAY = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
BABBLE = "print('= ' + 'spam\\n' * 20000, flush=True); answered = True"


def say(text):
    """The code that answers ``text``."""
    return f"print({'= ' + text + chr(10)!r}, flush=True); answered = True"


def fake_engine(folder, moves=(), commands=COMMANDS, **answers):
    """Write an engine that makes the given moves and then passes; its command line.

    ``answers`` maps a command to the code that the engine runs before it answers, or instead. All that the engines in
    ``folder`` are sent can be read with ``sent``.
    """
    path = folder / f"engine-{len(list(folder.iterdir()))}.py"
    branches = "\n".join(f"    if command == {command!r}:\n        {code}" for command, code in answers.items())
    path.write_text(_ENGINE.format(moves=list(moves), answers=branches, log=str(folder / "log"), commands=commands))
    return shlex.join([sys.executable, str(path)])


def sent(folder):
    """The commands that the engine in ``folder`` has been sent."""
    return (folder / "log").read_text().splitlines()


def gnugo():
    """The command line of GNU Go, or None."""
    program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games:/usr/local/games")
    return program and f"{shlex.quote(program)} --mode gtp --level 1"
