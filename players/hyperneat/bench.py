"""How fast HyperNEAT is on this machine: ``gtp_main.py bench hyperneat``.

Times are processor time of one thread, the best of several rounds; ``paper_run_minutes`` is by the clock on the wall, on all
cores: some generations of the paper's run are made as ``train`` makes them, and their time is counted up to the whole.
"""

import time

import numpy as np

from engine.go.board import BLACK, new_position, place
from engine.go.rng import new_stream
from engine.kernels import kernel
from players.hyperneat import cppn, substrate
from players.hyperneat.neat import Evolution
from players.hyperneat.selector import POSITIVE, activate
from players.hyperneat.substrate import Geometry
from players.hyperneat.trainer import SALT, Config, Item, Trainer, play_item
from players.play.loop import Terms
from players.play.schedule import Fixture
from players.scripted.kernels import opponent
from players.training.workers import Workers, core_count

SIZES = (5, 7, 9, 13, 19)
_ROUNDS = 5
_WARM_UP = 30  # generations that make a population which plays like one
_PAPER_SAMPLE = 12  # generations of each board that stand for all of it
_CANDIDATES = 20
_POINTS = 490  # of all boards on which a candidate plays: ten games on 7x7, one on 19x19


def _best(function, repeats):
    """The shortest processor time of one call, in seconds."""
    function()  # compiles
    times = []
    for _ in range(_ROUNDS):
        began = time.thread_time()
        for _ in range(repeats):
            function()
        times.append((time.thread_time() - began) / repeats)
    return min(times)


def _cppn_of_five():
    """A genome with five hidden nodes, one of each function and one more sigmoid, all fully linked."""
    geometry = Geometry()
    hidden = range(geometry.inputs + geometry.outputs, geometry.inputs + geometry.outputs + 5)
    outputs = range(geometry.inputs, geometry.inputs + geometry.outputs)
    pairs = [(i, h) for h in hidden for i in range(geometry.inputs)] + [(h, o) for h in hidden for o in outputs]
    links = np.zeros(len(pairs), cppn.LINK)
    rng = np.random.default_rng(5)
    for number, (link, (source, target)) in enumerate(zip(links, pairs)):
        link["innovation"], link["source"], link["target"] = number, source, target
        link["weight"] = rng.uniform(-3, 3)
    functions = np.zeros(hidden[-1] + 1, np.uint8)
    functions[list(hidden)] = (cppn.SIGMOID, cppn.GAUSSIAN, cppn.SINE, cppn.LINEAR, cppn.SIGMOID)
    return cppn.compile_links(links, functions, geometry.inputs, geometry.outputs), geometry


def _busy_position(size):
    """A board half full of stones in no special order."""
    position = new_position(size)
    points = np.random.default_rng(7).permutation(position.empties[: size * size].astype(np.int64))
    for i, p in enumerate(points[: size * size // 2]):
        if position.colour[p] == 0:
            place(position, p, BLACK + i % 2)
    return position


@kernel
def _activate_often(network, position, output, times):
    for _ in range(times):
        activate(network, position, BLACK, output)


def _grown(config):
    """A trainer and its state after a few generations on the first board."""
    trainer = Trainer(config)
    state = trainer.init()
    for generation in range(_WARM_UP):
        trainer.advance(state, generation)
    return trainer, state


def _games_per_second(evolution, geometry, size):
    """Games of evolved candidates against Liberty, for each second of processor time, substrates included."""
    programs = [
        cppn.compile_links(evolution.genome(i), evolution.innovations.functions, geometry.inputs, geometry.outputs)
        for i in range(_CANDIDATES)
    ]
    count = max(1, _POINTS // size**2)
    terms, liberty = Terms(size, Config().komi), (opponent("liberty"),)
    best = 0.0
    for _ in range(3 if size > 9 else _ROUNDS):
        began = time.thread_time()
        for key, program in enumerate(programs):
            play_item(Item(program, geometry, POSITIVE, Fixture(terms, liberty, "black", key, 0, count, SALT)))
        best = max(best, count * len(programs) / (time.thread_time() - began))
    return best


def _paper_minutes():
    """The paper's run by the clock on the wall, from a sample of its generations on each board."""
    workers = Workers(core_count())
    total = 0.0
    for size in Config().boards:
        trainer, state = _grown(Config(boards=(size,), largest=max(Config().boards)))
        began = time.perf_counter()
        for generation in range(_WARM_UP, _WARM_UP + _PAPER_SAMPLE):
            trainer.advance(state, generation, lambda items: workers.evaluate(trainer.evaluate, items))
        total += (time.perf_counter() - began) / _PAPER_SAMPLE * dict(Config().board_lengths())[size]
    workers.close()
    return total / 60


def _generation_seconds(evolution):
    """Speciation and reproduction of a generation of 100."""
    tree = evolution.dump()
    fitness = np.random.default_rng(3).uniform(100, 1000, len(evolution.counts))
    times = []
    for i in range(4 * _ROUNDS):
        again = Evolution.load(tree, evolution.settings, evolution.inputs, evolution.outputs)
        rng = new_stream(i)
        began = time.thread_time()
        again.advance(fitness, rng)
        times.append(time.thread_time() - began)
    return sorted(times)[len(times) // 2]


def measure():
    """Everything ``bench hyperneat`` reports, as a dict."""
    program, geometry = _cppn_of_five()
    network, position = substrate.build(program, 7, geometry), _busy_position(7)
    output = np.empty(49, np.float32)
    activation = _best(lambda: _activate_often(network, position, output, 1000), 5) / 1000
    trainer, state = _grown(Config())
    rates = {size: _games_per_second(state.evolution, trainer.geometry, size) for size in SIZES}
    return {
        "games_per_second": {str(size): round(rate, 1) for size, rate in rates.items()},
        "substrate_build_ms": round(1e3 * _best(lambda: substrate.build(program, 7, geometry), 200), 4),
        "activation_us": round(1e6 * activation, 3),
        "generation_ms": round(1e3 * _generation_seconds(state.evolution), 3),
        "paper_run_minutes": round(_paper_minutes(), 2),
        "workers": core_count(),
    }


def table(report):
    """The report for a reader."""
    lines = ["size  games/s against Liberty, one thread"]
    lines += [f"{size:>4}  {rate:>10,}" for size, rate in report["games_per_second"].items()]
    lines.append(f"a 7x7 substrate from a CPPN with 5 hidden nodes: {report['substrate_build_ms']} ms")
    lines.append(f"one activation of it: {report['activation_us']} us")
    lines.append(f"speciation and reproduction of 100: {report['generation_ms']} ms")
    lines.append(f"the paper's run on {report['workers']} cores: {report['paper_run_minutes']} minutes")
    return "\n".join(lines)
