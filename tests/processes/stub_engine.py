"""A GTP engine with a player that tests can steer: ``python -m tests.processes.stub_engine [log file]``.

Left alone it plays the first legal point in board order and passes when there is none. ``stub-next WORD`` says what it
does instead at the next move: a vertex, ``pass``, ``resign``, ``illegal``, ``crash``, ``exit``, ``print``, ``slow``,
``budget`` (which tells by its exception whether there is a limit of time).
``stub-powers WORD…`` says which powers it has: ``policy``, ``evaluation``.
"""

import os
import sys

from engine.gtp.startup import Settings, serve

SLOW_SECONDS = 20


class Limited(Exception):
    """The player was given a limit of time."""


def make_stub():
    """The player; imports happen here, behind the handshake, as in the real engine."""
    import numpy as np

    from engine.contest.player import Evaluation, Player, View
    from engine.go.board import PASS, RESIGN, cells
    from engine.records.vertex import parse_vertex

    class Stub(Player):
        name = "stub"
        sizes = range(2, 20)

        def __init__(self):
            self.next = None
            self.powers = {"policy", "evaluation"}
            self.number = 0

        def seed(self, seed):
            self.number = seed

        def choose(self, game, colour, budget):
            word, self.next = self.next, None
            if word == "crash":
                raise RuntimeError("a player\nthat fails")
            if word == "exit":
                sys.exit(3)
            if word == "illegal":
                return cells(game.size) - 1
            if word == "resign":
                return RESIGN
            if word == "budget":
                raise Limited() if budget.seconds else RuntimeError("no limit")
            if word == "print":
                print("= not an answer\n")
                os.write(1, b"? nor this\n\n")
            if word == "slow":
                budget.stop.wait(SLOW_SECONDS)
            if word and word not in ("print", "slow"):
                return parse_vertex(word, game.size)
            game.komi = 1000  # a player gets a copy
            points = game.legal_points(colour)
            return int(points[0]) if len(points) else PASS

        def policy(self, game, colour):
            if "policy" not in self.powers:
                return None
            policy = np.full(cells(game.size), np.nan)
            points = game.legal_points(colour)
            policy[points] = np.arange(len(points), 0, -1)
            return policy

        def evaluate(self, game, budget=None):
            if "evaluation" not in self.powers:
                return None
            owner = np.zeros(cells(game.size))
            owner[game.position.colour[: len(owner)] == 1] = 1.0
            owner[game.position.colour[: len(owner)] == 2] = -1.0
            return Evaluation(owner.sum() - game.komi, 0.25, owner)

        def explain(self):
            return f"seed {self.number}"

        def views(self):
            return [
                View("none", "Next/Move", "stub-next %s", self._set_next),
                View("none", "Powers", "stub-powers %s", self._set_powers),
            ]

        def _set_next(self, game, arguments):
            self.next = arguments[0]
            return ""

        def _set_powers(self, game, arguments):
            self.powers = set(arguments)
            return ""

    return Stub()


if __name__ == "__main__":
    serve(
        Settings(
            load=lambda seed: make_stub(),
            seed=7,
            name="stub",
            version="1.2",
            size=9,
            komi=6.5,
            log=sys.argv[1] if len(sys.argv) > 1 else None,
        )
    )
