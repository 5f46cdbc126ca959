"""How fast the internal symmetry network is on this machine: ``gtp_main.py bench isn``.

A position is a candidate move that is judged. Kernel and onnxruntime judge the same
candidates of the same positions, each in one thread; times are processor time, the best of several rounds. Training games
are by the clock on the wall, on all cores, as ``train`` plays them in the preset ``fast``; for each second of processor time
they are given too, since a machine that does other things as well slows the clock's figure down.
"""

import time

import numpy as np

from engine.go.board import board_points, new_position
from engine.go.game import Game
from players.isn.anatomy import PAPER, random_parameters
from players.isn.candidates import judge_moves, new_turn
from players.isn.model import Session, encode
from players.isn.network import build, new_sight, see_first
from players.isn.rewards import CHINESE, values_of
from players.isn.trainer import Config, Trainer
from players.training.workers import Workers, core_count

SIZES = (9, 13, 19)
_ROUNDS = 5
_POSITIONS = 4
_TRAINING_GENERATIONS = 4


def _parameters():
    """A network with weights of the size that training gives them."""
    return random_parameters(np.random.default_rng(1), 0.3) + np.random.default_rng(2).normal(0, 0.3, PAPER.parameters)


def _games(size):
    """Games at several stages, from quiet to full boards, moves in no special order."""
    games = []
    for stage in range(_POSITIONS):
        game = Game(size)
        generator = np.random.default_rng(stage)
        for _ in range(size * size * (stage + 1) // (_POSITIONS + 2)):
            legal = game.legal_points(game.to_play)
            game.play(game.to_play, int(generator.choice(legal)))
        games.append(game)
    return games


def _best(judge, games):
    """What ``judge`` says it has done, in a second of processor time: of the best round over all games."""
    best = 0.0
    for game in games:
        judge(game)  # compiles
    for _ in range(_ROUNDS):
        began = time.thread_time()
        count = sum(judge(game) for game in games)
        best = max(best, count / (time.thread_time() - began))
    return best


def _kernel_rate(parameters, size):
    network, values = build(parameters), values_of(*CHINESE)
    turn, ground, now, other, after = new_turn(), new_sight(), new_sight(), new_sight(), new_position(size)

    def judge(game):
        see_first(network, game.position, now, other)
        return judge_moves(
            network, game.position, game.history, after, now, turn, ground, values, 0.0, game.to_play, False
        )

    return _best(judge, _games(size))


def _onnx_rate(parameters, size):
    """onnxruntime on batches of whole boards, one for each empty point."""
    session = Session(encode(parameters, {}))
    sight, other, network = new_sight(), new_sight(), build(parameters)
    points = board_points(size).reshape(size, size)

    def judge(game):
        see_first(network, game.position, sight, other)
        count = int(game.position.empty_count)
        session.run(np.broadcast_to(sight.kind[points], (count, size, size)))
        return count

    return _best(judge, _games(size))


def _training_rate():
    """Games of self-play a second, by the clock and by processor time."""
    workers = Workers(core_count())
    trainer = Trainer(Config(**{**Trainer.presets["fast"], "games": 16 * core_count()}))
    state = trainer.init()

    def play(items):
        return workers.evaluate(trainer.evaluate, items)

    trainer.advance(state, 0, play)  # compiles
    began, busy = time.perf_counter(), time.process_time()
    games = 0
    for generation in range(1, _TRAINING_GENERATIONS + 1):
        games += trainer.advance(state, generation, play)["games"]
    rate, core_rate = games / (time.perf_counter() - began), games / (time.process_time() - busy)
    workers.close()
    return rate, core_rate


def measure():
    """Everything ``bench isn`` reports, as a dict."""
    parameters = _parameters()
    training, training_of_core = _training_rate()
    return {
        "kernel_positions_per_second": {str(size): round(_kernel_rate(parameters, size)) for size in SIZES},
        "onnx_positions_per_second": {str(size): round(_onnx_rate(parameters, size)) for size in SIZES},
        "training_games_per_second": round(training, 1),
        "training_games_per_core_second": round(training_of_core, 1),
        "workers": core_count(),
    }


def table(report):
    """The report for people."""
    lines = ["size  positions/s, compiled kernel  positions/s, onnxruntime (one thread each)"]
    for size, rate in report["kernel_positions_per_second"].items():
        lines.append(f"{size:>4}  {rate:>27,}  {report['onnx_positions_per_second'][size]:>24,}")
    games, of_core = report["training_games_per_second"], report["training_games_per_core_second"]
    lines.append(f"training games/s on 9x9 with {report['workers']} workers: {games} ({of_core} a second of one core)")
    return "\n".join(lines)
