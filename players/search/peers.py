"""How many games another engine's search plays in a second, for ``bench search --against``."""

import os
import shlex
import subprocess
import tempfile
import threading
from contextlib import suppress

from engine.bench import BenchError

GAMES = "{games}"  # stands in the command for the number of games
POINTS = (200_000, 900_000)  # two numbers of games times points of the board: the difference takes start-up out
PATIENCE = 600  # seconds for one run


def check(command):
    """BenchError for a command that cannot be meant."""
    if GAMES not in command:
        raise BenchError(f"the command of an engine to compare with needs {GAMES} where it is told how many games to play")


def rate(command, size):
    """Games per second of processor time that an engine plays for one move on an empty board; BenchError if it does not.

    ``command`` starts it in GTP mode, with ``{games}`` where it is told how many games to play for a move.
    """
    counts = [points // size**2 for points in POINTS]
    few, many = (_processor_seconds(command.replace(GAMES, str(count)), size) for count in counts)
    if many <= few:
        raise BenchError(f"{shlex.split(command)[0]} takes no longer for {counts[1]} games than for {counts[0]}")
    return (counts[1] - counts[0]) / (many - few)


def _processor_seconds(command, size):
    """What a run costs that chooses one move: of this process alone, since others of ours may end meanwhile."""
    script = f"boardsize {size}\nclear_board\nkomi 7.5\ngenmove b\nquit\n"
    with tempfile.TemporaryFile() as complaints:
        try:
            words = shlex.split(command)
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints)
        except (OSError, ValueError, IndexError) as error:
            raise BenchError(f"the engine to compare with does not run: {error}") from None
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(script.encode())
            answers = process.stdout.read().count(b"=")
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if answers < 5:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").split("\n")
            raise BenchError(": ".join([f"{words[0]} did not choose a move", *said[-2:-1]])[:200])
    return usage.ru_utime + usage.ru_stime
