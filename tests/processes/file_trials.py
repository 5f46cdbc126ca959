"""Commands on files that may be anything, each tried in a process of its own, with its time and memory.

``Trials`` starts ``python -m tests.processes.file_trials``, which imports and compiles everything once; each trial is then a
fork of that process, so that thousands of them are cheap, and none sees what another one left behind.

A trial is the words of a command line: those of ``evogo``, or ``play FILE`` (load a player, ask it everything once) or
``loadsgf FILE`` (read a game, write it again).
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 2.0  # of processor time
MOST_MEGABYTES = 200  # more than before
_PATIENCE = 600.0  # seconds until a trial that does nothing counts as one that never ends: the machine may be busy
_MOST_WORK = 30  # seconds of processor time until a trial that does something does
_SPARE = 4 << 30  # bytes of address space for a trial: what floods the memory ends before the machine does
_LONGEST_LINE = 1000

SHORT = "--quiet --workers 1 --generations 2 --retest-every 1 --retest-games 4"
RUNS = {  # the words of a short run of each kind
    "hyperneat": f"{SHORT} --population 4 --games 2 --boards 5",
    "organism": f"{SHORT} --islands 2 --island-size 2 --games 2 --opponents naixt",
    "sane": f"{SHORT} --blueprints 4 --neurons 60 --network-neurons 20 --games 2 --size 5",
    "isn": f"{SHORT} --games 2 --size 5",
    "expert": f"{SHORT} --games 2 --boards 5 --election-boards 5 --full 8 --quick 4",
    "playout": f"{SHORT} --gathering 1 --games 2 --size 5 --quick 4 --deep 8 --steps 1 --batch 4 --playouts 4 --exam 4 --trial 4",
}


class Outcome(NamedTuple):
    """What became of a trial; ``code`` is negative for a process that was ended by a signal."""

    code: int
    out: str
    error: str
    seconds: float
    megabytes: float

    @property
    def problem(self):
        """What is wrong with it, or None: it must succeed, or end with one line and an exit code; soon, in little room."""
        lines = self.error.splitlines()
        if self.code < 0:
            return f"ended by signal {-self.code}"
        if "Traceback" in self.error:
            return "a traceback"
        if self.code not in (0, 1, 2):
            return f"exit code {self.code}"
        if self.code and (len(lines) != 1 or not lines[0].strip() or len(lines[0]) > _LONGEST_LINE):
            return f"{len(lines)} lines of complaint"
        if not all(line.isprintable() for line in self.out.split("\n") + self.error.split("\n")):
            return "characters that a terminal acts upon"
        if self.seconds > MOST_SECONDS:
            return f"{self.seconds:.1f} s"
        if self.megabytes > MOST_MEGABYTES:
            return f"{self.megabytes:.0f} MB"
        return None


class Trials:
    """A process that tries commands."""

    def __init__(self):
        self._number = 0
        command = [sys.executable, "-m", "tests.processes.file_trials"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *words):
        """The Outcome of a command."""
        self._number += 1
        self._process.stdin.write(json.dumps([self._number, [str(word) for word in words]]) + "\n")
        self._process.stdin.flush()
        while True:  # a test that was given up on may have left its answer
            number, outcome = json.loads(self._process.stdout.readline())
            if number == self._number:
                return Outcome(*outcome)

    def close(self):
        self._process.stdin.close()
        self._process.wait(_PATIENCE)


# The process


def _play(path):
    from engine.contest.player import Budget
    from engine.go.board import BLACK, WHITE
    from engine.go.game import Game
    from players.registry import PlayerError, load_player

    try:
        player = load_player(path, 1)
    except PlayerError as error:
        print(f"evogo: {error}", file=sys.stderr)
        return 2
    game = Game(min(player.sizes, key=lambda size: abs(size - 7)))
    for colour in (BLACK, WHITE):
        game.play(colour, player.choose(game.copy(), colour, Budget(0.05)))
        player.policy(game, colour)
    player.evaluate(game)
    for view in player.views():
        if "%p" not in view.command:
            view.draw(game.copy(), [])
    return 0


def _load_sgf(path):
    from engine.go.rules import CHINESE
    from engine.records import record, sgf

    try:
        game = record.game_of(sgf.load(path), CHINESE, 7.5)
        game.undo(min(1, len(game.moves)))
        sgf.dump(record.record_of(game))
    except ValueError as error:
        from engine.texts import printable

        print(printable(error), file=sys.stderr)
        return 1
    return 0


def _command(words):
    import gtp_main

    other = {"play": _play, "loadsgf": _load_sgf}.get(words[0])
    return other(*words[1:]) if other else gtp_main.main(words)


def _warm_up():
    """Import and compile what trials use."""
    from players.registry import champions

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as silent:
        usual, errors, sys.stdout, sys.stderr = sys.stdout, sys.stderr, silent, silent
        for path in champions().values():
            _command(["show", str(path)])
            _command(["show", str(path), "--html", f"{folder}/page.html"])
            _play(str(path))
        for kind, words in RUNS.items():
            _command(["train", kind, "--out", f"{folder}/{kind}.json", *words.split()])
        sys.stdout, sys.stderr = usual, errors


def _limit():
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _SPARE, used + _SPARE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_WORK, _MOST_WORK))


def _try(words, folder):
    out, error = Path(folder, "out"), Path(folder, "error")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            for number, path in ((1, out), (2, error)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.write(write, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).encode())
            _limit()
            sys.stdout, sys.stderr = os.fdopen(1, "w", encoding="utf-8"), os.fdopen(2, "w", encoding="utf-8", buffering=1)
            try:
                code = _command(words)
            except SystemExit as exit:
                code = exit.code
            sys.stdout.flush()
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code if isinstance(code, int) else 99)
    before = int(os.read(read, 100))
    os.close(read)
    os.close(write)
    status, usage = _wait(child)
    code = os.waitstatus_to_exitcode(status)
    texts = [path.read_bytes()[-100_000:].decode("utf-8", "replace") for path in (out, error)]
    return code, *texts, usage.ru_utime + usage.ru_stime, (usage.ru_maxrss - before) / 1024


def _wait(child):
    end, pause = time.monotonic() + _PATIENCE, 0.001
    while time.monotonic() < end:
        found, status, usage = os.wait4(child, os.WNOHANG)
        if found:
            return status, usage
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    os.kill(child, signal.SIGKILL)
    return os.wait4(child, 0)[1:]


def main():
    _warm_up()
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            number, words = json.loads(line)
            print(json.dumps([number, _try(words, folder)]), flush=True)


if __name__ == "__main__":
    main()
