"""How fast the network of an expert is on this machine: ``bench expert``.

By board size, per second of processor time on one thread: positions that the kernels see and judge, positions that
onnxruntime judges (features given), and positions that are learned from."""

import time

import numpy as np

from engine.go.board import PASS, board_points, cells
from engine.go.game import Game
from players.expert import samples
from players.expert.learning import Teacher
from players.expert.model import Session, encode
from players.expert.network import random_parameters
from players.expert.player import ExpertPlayer

SIZES = (9, 13, 19)
_POSITIONS = 4
_BATCH = 16  # positions that are learned from at a time
_POINTS = 20_000  # points that are judged in a round
_ROUNDS = 3  # the best counts: something else may have run beside the others


def _games(size):
    """Games at several stages, moves in no special order."""
    games = []
    for stage in range(_POSITIONS):
        game, generator = Game(size), np.random.default_rng(stage)
        for _ in range(size * size * (stage + 1) // (_POSITIONS + 2)):
            game.play(game.to_play, int(generator.choice(game.legal_points(game.to_play))))
        games.append(game)
    return games


def _rate(judge, games, count):
    """Positions a second of processor time by ``judge(game)``."""
    judge(games[0])  # compiles
    best = 0.0
    for _ in range(_ROUNDS):
        began = time.thread_time()
        for number in range(count):
            judge(games[number % len(games)])
        best = max(best, count / (time.thread_time() - began))
    return best


def rates(size):
    """What this machine does on a board of ``size``, as a dict."""
    parameters = random_parameters(np.random.default_rng(1))
    player, session, teacher = ExpertPlayer(parameters), Session(encode(parameters, {})), Teacher()
    games, points = _games(size), board_points(size)
    bits, albums = {}, {}
    for game in games:
        seen = player.sight(game, game.to_play).bits.copy()
        visits, owner = np.zeros(cells(size)), np.zeros(cells(size))
        visits[PASS] = 1
        bits[id(game)] = seen[points].reshape(1, size, size)
        albums[id(game)] = samples.Album(samples.sample(seen, visits, owner, size, 0.5, 0.5, 0))
    count = max(1, _POINTS // size**2)

    def learn(game):
        teacher.gradient(parameters, albums[id(game)], [0] * _BATCH)

    return {
        "kernel": round(_rate(lambda game: player.sight(game, game.to_play), games, count)),
        "onnx": round(_rate(lambda game: session.run(bits[id(game)], [0.5]), games, count)),
        "learned": round(_BATCH * _rate(learn, games, count // _BATCH + 1)),
    }


def measure():
    """Everything ``bench expert`` reports, as a dict."""
    return {"per_second": {str(size): rates(size) for size in SIZES}}


def table(report):
    """The report for a reader."""
    lines = ["size  positions/s, compiled kernel  onnxruntime  learned from (one thread each, processor time)"]
    for size, found in report["per_second"].items():
        lines.append(f"{size:>4}  {found['kernel']:>28,}  {found['onnx']:>11,}  {found['learned']:>12,}")
    return "\n".join(lines)
