"""The first start of the search on a machine: two processes compile its kernels, because numba compiles one at a time.

The largest parts of a simulation, the priors, the playout and a network, do not need each other, and what one process has
compiled the other finds in numba's cache. So a second process is started for the priors, while this one compiles the
playout, the network if there is one, and then waits. Afterwards the other goes on with what later moves and counting need,
until it is done or this process ends.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from engine import kernel_cache
from engine.go import board, death, scoring
from engine.go.board import BLACK, PASS
from engine.go.game import Game
from players.expert.features import see
from players.expert.network import PARAMETERS, build, look, new_sight
from players.outlook import Outlook
from players.search.policy import draw_move
from players.search.priors import think
from players.search.threads import Worker
from players.search.tree import new_tuning, simulate

PATIENCE = 120.0  # seconds to wait for the other process; without it this one compiles everything, twice as long
_SIZE = 5  # a small board is as good as any: kernels do not depend on its size


class Companion:
    """The other process, which compiles the priors."""

    def __init__(self):
        command = [sys.executable, "-m", __name__]
        root = Path(__file__).resolve().parent.parent.parent
        try:
            self._process = subprocess.Popen(
                command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError:
            self._process = None

    def share(self, policy, sees=False):
        """Compile the playout's moves, and the network if one guides; return when the priors are compiled too, or given up."""
        position, weighed = board.new_position(_SIZE), Worker().weighed
        draw_move(position, BLACK, PASS, PASS, policy, weighed)
        scoring.area_score(position)
        if sees:
            look(build(np.zeros(PARAMETERS)), new_sight(), _SIZE, 0.5)
        if self._process is not None:
            answer = threading.Thread(target=self._process.stdout.readline, daemon=True)
            answer.start()
            answer.join(PATIENCE)


def companion():
    """A Companion if the search was never compiled on this machine and there is a second core, else None."""
    return None if kernel_cache.holds(simulate) or (os.cpu_count() or 1) < 2 else Companion()


def _compile_priors():
    worker, game = Worker(), Game(_SIZE)
    think(game.position, game.history, BLACK, PASS, 0, new_tuning(), worker.work, worker.ground, worker.moves)
    sight = new_sight()  # what a network sees are much the same kernels
    see(game.position, game.history, BLACK, PASS, PASS, worker.work, sight.found, sight.bits)


def _compile_the_rest():
    game = Game(_SIZE)
    scoring.safe_territory(game.position, np.empty(board.cells(_SIZE), np.int8))
    outlook = Outlook(game, BLACK, True)
    outlook.useful, outlook.hunting_moves  # noqa: B018 – working them out is what compiles
    death.warm_up()


def main():
    """Be the other process: say a word when the priors are there, end when the input does."""
    kernel_cache.guard()
    threading.Thread(target=_end_with_input, daemon=True).start()
    _compile_priors()
    print("priors", flush=True)
    _compile_the_rest()


def _end_with_input():
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
