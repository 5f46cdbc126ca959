"""How fast the search is on this machine: ``bench search``.

By board size, per second of processor time on one thread, all from one run so that they can be compared:
``simulations``  of a search from the empty board, tree and all
``playouts``     by the policy, from the empty board to the end
``light``        uniformly random games, as the board's own bench plays them
``peer``         with ``--against COMMAND``: simulations of that engine, each after ours

and by the clock on the wall how many times the simulations of one thread all cores make.
"""

import time

import numpy as np

from engine.contest.player import Budget
from engine.go.board import BLACK, PASS, copy_into, new_position
from engine.go.game import Game
from engine.go.playout import playouts
from engine.go.rng import new_stream
from engine.kernels import kernel
from players.registry import load_player
from players.search import peers
from players.search.player import PLAYOUT
from players.search.policy import new_policy, new_weighed, play_out
from players.training.workers import core_count

SIZES = (9, 13, 19)
_POINTS = 300_000  # games in a round times points of the board
_SPEEDUP_SIMULATIONS = 30_000
_SPEEDUP_ROUNDS = 5
_ROUNDS = 3  # the best counts: something else may have run beside the others


@kernel
def _play_many(start, scratch, policy, weighed, rng, mover_at, count):
    for _ in range(count):
        copy_into(start, scratch)
        mover_at[:] = 0
        play_out(scratch, BLACK, PASS, PASS, policy, weighed, rng, mover_at)


def _rate(run, count):
    """Games per second of processor time by ``run(count)``, which has compiled by then."""
    run(1)
    best = 0.0
    for _ in range(_ROUNDS):
        began = time.thread_time()
        run(count)
        best = max(best, count / (time.thread_time() - began))
    return best


def _simulations(size, count):
    def run(count):
        player = load_player(f"search,simulations={count},threads=1", seed=1)
        player.variations(Game(size), BLACK, Budget())

    return _rate(run, count)


def thread_speedup(size=9):
    """The simulations of all cores over those of one thread, by the clock on the wall: the median of several rounds."""

    def seconds(threads):
        player = load_player(f"search,simulations={_SPEEDUP_SIMULATIONS},threads={threads}", seed=1)
        began = time.perf_counter()
        player.variations(Game(size), BLACK, Budget())
        return time.perf_counter() - began

    return float(np.median([seconds(1) / seconds(core_count()) for _ in range(_SPEEDUP_ROUNDS)]))


def rates(size, peer=None):
    """What this machine does on a board of ``size``, as a dict; ``peer`` is the command of another engine or None."""
    count = max(1, _POINTS // size**2)
    start, scratch, rng = new_position(size), new_position(size), new_stream(1)
    policy, weighed = new_policy(load_player(PLAYOUT).weights), new_weighed()
    mover_at = np.zeros(len(scratch.colour), np.uint8)
    found = {
        "simulations": round(_simulations(size, count)),
        "playouts": round(_rate(lambda n: _play_many(start, scratch, policy, weighed, rng, mover_at, n), count)),
        "light": round(_rate(lambda n: playouts(start, scratch, BLACK, rng, n), count)),
    }
    if peer is not None:
        found["peer"] = round(peers.rate(peer, size))
        found["ratio_to_peer"] = round(found["simulations"] / found["peer"], 2)
    return found


def measure(against=None):
    """Everything ``bench search`` reports, as a dict; ``against`` is the command of another engine or None."""
    if against is not None:
        peers.check(against)
    return {
        "per_second": {str(size): rates(size, against) for size in SIZES},
        "cores": core_count(),
        "speedup_all_cores": round(thread_speedup(), 2),
    }


def table(report):
    """The report for a reader."""
    lines = ["size  simulations/s  playouts/s by the policy  light playouts/s (one thread, processor time)"]
    for size, found in report["per_second"].items():
        lines.append(f"{size:>4}  {found['simulations']:>13,}  {found['playouts']:>24,}  {found['light']:>16,}")
        if "peer" in found:
            lines[-1] += f"   the other engine {found['peer']:,}/s: {found['ratio_to_peer']} times as many"
    lines.append(f"all {report['cores']} cores over one thread: {report['speedup_all_cores']}")
    return "\n".join(lines)
