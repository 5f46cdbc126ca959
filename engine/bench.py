"""How fast the board is on this machine: ``gtp_main.py bench board``.

Rates are per second of processor time on one thread, the best of several rounds, because machines are noisy. GNU Go is
measured in the same rounds, so that the ratio means something.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine.go import board, playout
from engine.go.board import BLACK
from engine.go.rng import new_stream

SIZES = (5, 7, 9, 13, 19)
_ROUNDS = 5
_ROUND_SECONDS = 0.4
_GNUGO_GAMES = (4000, 24000)  # two numbers of playouts; the difference of their times takes start-up out
_PATIENCE = 600  # seconds for one program
_MAIN = Path(__file__).resolve().parent.parent / "gtp_main.py"


class BenchError(Exception):
    """Something that was to be measured could not be."""


def _playouts(size, count, stream):
    start = board.new_position(size)
    return playout.playouts(start, board.copy(start), BLACK, new_stream(stream), count)


def _round_of(size):
    """A number of playouts that takes about _ROUND_SECONDS; compiles what is needed on the way."""
    _playouts(size, 1, 0)
    began = time.perf_counter()
    _playouts(size, 200, 0)
    return max(200, int(200 * _ROUND_SECONDS / (time.perf_counter() - began)))


def playout_rate(size, count, stream):
    """(playouts per second of processor time, mean length, Black's share) over ``count`` playouts."""
    began = time.thread_time()
    moves, black = _playouts(size, count, stream)
    return count / (time.thread_time() - began), moves / count, black / count


def thread_speedup(size=9):
    """Throughput of two threads over that of one, by the clock on the wall, as the median of several rounds."""
    count = _round_of(size)
    ratios = []
    with ThreadPoolExecutor(2) as pool:
        for stream in range(_ROUNDS):
            began = time.perf_counter()
            _playouts(size, count, stream)
            middle = time.perf_counter()
            list(pool.map(lambda stream: _playouts(size, count, stream), (stream, stream + 100)))
            ratios.append(2 * (middle - began) / (time.perf_counter() - middle))
    return sorted(ratios)[len(ratios) // 2]


def _run(command, script, environment=None):
    """A finished program that was given ``script`` to read; BenchError if it does not start or end."""
    try:
        return subprocess.run(command, input=script, capture_output=True, text=True, env=environment, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"{command[0]} cannot be measured: {error}") from None


def start_seconds(cache):
    """Seconds from starting the engine as a program to its first answers to ``genmove`` and ``final_score``."""
    script = "boardsize 9\nclear_board\ngenmove b\nfinal_score\nquit\n"
    environment = dict(os.environ, NUMBA_CACHE_DIR=cache)
    began = time.perf_counter()
    done = _run([sys.executable, str(_MAIN)], script, environment)
    if done.returncode != 0 or done.stdout.count("=") < 5:
        raise BenchError(f"the engine did not play: {done.stderr.strip()[-200:]}")
    return time.perf_counter() - began


def find_gnugo():
    """The path of GNU Go, or None. Debian keeps it in /usr/games, which is not on everybody's path."""
    return shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games:/usr/local/games")


def gnugo_rate(program):
    """GNU Go's Monte Carlo playouts per second of its own processor time, on 9x9 after B E5, W C3."""
    seconds = []
    for games in _GNUGO_GAMES:
        command = [program, "--mode", "gtp", "--monte-carlo", "--nofusekidb", "--level", "1"]
        script = "boardsize 9\nclear_board\nplay b E5\nplay w C3\nreg_genmove b\ncputime\nquit\n"
        done = _run(command + ["--mc-games-per-level", str(games)], script)
        answers = [line[1:].strip() for line in done.stdout.splitlines() if line.startswith("=")]
        if len(answers) < 6:
            raise BenchError("GNU Go did not answer")
        seconds.append(float(answers[5]))
    return (_GNUGO_GAMES[1] - _GNUGO_GAMES[0]) / (seconds[1] - seconds[0])


def measure(against_gnugo=False):
    """Everything ``bench board`` reports, as a dict; BenchError if GNU Go is asked for and missing."""
    gnugo = find_gnugo() if against_gnugo else None
    if against_gnugo and gnugo is None:
        raise BenchError("GNU Go is not installed (Debian: apt-get install gnugo)")
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = start_seconds(cache), start_seconds(cache)
    counts = {size: _round_of(size) for size in SIZES}
    best, lengths, shares, gnugo_rates = {}, {}, {}, []
    for stream in range(_ROUNDS):
        for size in SIZES:
            rate, lengths[size], shares[size] = playout_rate(size, counts[size], stream)
            best[size] = max(best.get(size, 0.0), rate)
        if gnugo:
            gnugo_rates.append(gnugo_rate(gnugo))
    report = {
        "playouts_per_second": {str(size): round(best[size]) for size in SIZES},
        "mean_moves": {str(size): round(lengths[size], 1) for size in SIZES},
        "black_share": {str(size): round(shares[size], 3) for size in SIZES},
        "ratio_19_to_9": round(best[19] / best[9], 3),
        "speedup_2_threads": round(thread_speedup(), 2),
        "compile_cold_s": round(cold, 2),
        "compile_warm_s": round(warm, 2),
    }
    if gnugo_rates:
        report["gnugo_playouts_per_second"] = round(max(gnugo_rates))
        report["ratio_to_gnugo"] = round(best[9] / max(gnugo_rates), 2)
    return report


def table(report):
    """The report for a reader."""
    lines = ["size  playouts/s  mean moves  Black's share"]
    for size, rate in report["playouts_per_second"].items():
        lines.append(f"{size:>4}  {rate:>10,}  {report['mean_moves'][size]:>10}  {report['black_share'][size]:>13}")
    lines.append(f"19x19 over 9x9: {report['ratio_19_to_9']}; two threads over one: {report['speedup_2_threads']}")
    lines.append(
        f"start to first move and score: {report['compile_cold_s']} s compiling, {report['compile_warm_s']} s after that"
    )
    if "ratio_to_gnugo" in report:
        lines.append(
            f"GNU Go's Monte Carlo mode on 9x9: {report['gnugo_playouts_per_second']:,}/s; "
            f"evogo plays {report['ratio_to_gnugo']} times as many"
        )
    return "\n".join(lines)
