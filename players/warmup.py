"""``warmup``: compiles everything ahead, by doing a little of everything, in as many processes as there are cores.

Whatever compiles for long is a Job here, and a Job is a command as a user would give it, with as little work as possible. So
what is compiled is what is used later, and nothing needs to be said twice. What the jobs make is thrown away.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from engine.compiling import QUIET
from players.kinds import TRAINED
from players.training.progress import duration
from players.training.workers import core_count

_MAIN = Path(__file__).resolve().parent.parent / "gtp_main.py"
_FOLDER = "FOLDER"  # stands in the words of a job for a folder that is thrown away
_TRAIN = ("--quiet", "--workers", "1", "--retest-games", "2")
_GTP = "boardsize 9\ngenmove b\ngenmove w\nfinal_score\nquit\n"
_THINKS = "seconds=0.2"  # a search need not be good here
PLAIN = "play"
MATCH = "match"
_ABOUT = "all of them take about two minutes on two cores, and seconds if everything is there already"
INTERRUPTED = 130  # the exit code that shells use for Ctrl-C


class Job(NamedTuple):
    """A command that compiles what it needs."""

    part: str  # what it is for: PLAIN, MATCH or a kind of player
    words: list
    lines: str = ""  # that it is given to read


def _train(kind, *words):
    return Job(kind, ["train", kind, "--preset", "quick", *words, *_TRAIN, "--out", f"{_FOLDER}/{kind}.json"])


def _play(part, player):
    return Job(part, ["gtp", "--player", player], _GTP)


def _match(*words):
    return Job(MATCH, ["match", *words, "--games", "2"])


def _ladder(*players):
    return Job(MATCH, ["ladder", *players, "--games", "1", "--size", "9", "--out", f"{_FOLDER}/ladder.jsonl"])


# A player of each kind.
_CHAMPIONS = {kind: f"{kind}-9x9" for kind in TRAINED} | {"hyperneat": "hyperneat-any"}
# These have the board and the scripted players, which all others need.
FIRST = (_match("gojen", "naixt", "--size", "5"), _play(PLAIN, f"strongest,{_THINKS}"))
OTHERS = (  # what takes long begins early, so that no core has nothing to do in the end
    _train("isn", "--size", "3", "--generations", "2"),
    _train("expert", "--boards", "3", "--election-boards", "3", "--generations", "3", "--games", "1"),
    _train("hyperneat", "--boards", "3", "--generations", "2", "--population", "6", "--games", "2"),
    _train("playout", "--size", "3", "--gathering", "1", "--generations", "2", "--games", "2", "--exam", "2"),
    _ladder(*_CHAMPIONS.values()),
    _train("organism", "--boards", "3", "--generations", "2", "--islands", "2", "--island-size", "6"),
    _train("sane", "--size", "3", "--generations", "2", "--blueprints", "6", "--network-neurons", "6"),
    _match("hyperneat-any", "hyperneat-any", "--size", "7"),
    _match("organism-9x9", "organism-5x5", "--size", "5"),
    _match("isn-9x9", "isn-small", "--size", "5"),
    _match("sane-9x9", "sane-9x9", "--size", "9"),
    _match(f"search,{_THINKS}", "random", "--size", "5"),
    *(_play(kind, champion) for kind, champion in _CHAMPIONS.items()),
    *(_play(kind, f"search,{_THINKS},guide={champion}") for kind, champion in _CHAMPIONS.items()),
)
PARTS = tuple(dict.fromkeys(job.part for job in (*FIRST, *OTHERS)))


def words_of(job, folder):
    """The words of its command; what it makes goes to ``folder``."""
    return [word.replace(_FOLDER, folder) for word in job.words]


def run_job(job):
    """Do it in a process of its own; what went wrong (the empty text if nothing did) and the seconds that it took."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(_MAIN), *words_of(job, folder)],
            input=job.lines,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **QUIET},
        )
    said = done.stderr.strip().splitlines()
    problem = (said[-1] if said else f"it ended with code {done.returncode}") if done.returncode else ""
    return problem, time.monotonic() - began


def warmup(parts, workers=None):
    """Compile what the given PARTS need (all of them if none is named); the exit code."""
    wanted = [job for job in OTHERS if not parts or job.part in parts]
    first = [job for job in FIRST if wanted or not parts or job.part in parts]
    workers = workers or core_count()
    began, code = time.monotonic(), 0
    total, done = len(first) + len(wanted), 0
    print(f"{total} small jobs, {workers} at a time; {_ABOUT}", file=sys.stderr)
    try:
        for jobs in (first, wanted):
            with ThreadPoolExecutor(workers) as pool:
                pending = {pool.submit(run_job, job): job for job in jobs}
                try:
                    for future in as_completed(pending):
                        done += 1
                        problem, seconds = future.result()
                        words = " ".join(pending[future].words[:3])
                        print(f"{done:2}/{total}  {seconds:4.0f} s  {words}", file=sys.stderr, flush=True)
                        if problem:
                            print(f"evogo warmup: evogo {words} failed: {problem}", file=sys.stderr)
                            code = 1
                except KeyboardInterrupt:
                    pool.shutdown(wait=False, cancel_futures=True)  # Ctrl-C is for the jobs that run as well
                    raise
    except KeyboardInterrupt:
        print("evogo warmup: interrupted; what is compiled is kept", file=sys.stderr)
        return INTERRUPTED
    print(f"compiled in {duration(time.monotonic() - began)}; it is kept in {os.environ.get('NUMBA_CACHE_DIR', 'a cache')}")
    return code
