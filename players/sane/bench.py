"""How fast SANE evolves on this machine: ``bench sane``.

``games_per_second`` by board size: a first generation's games against randomised Wally, on one thread.
``paper_run_minutes``: one 9x9 run of 260 generations with the usual parameters, on all cores, extrapolated from its first
generations, as if later ones took as long.
"""

import time

from players.sane.trainer import Trainer, play_item
from players.training import config as configuration
from players.training.workers import Workers

SIZES = (5, 7, 9)
_ITEMS = 40  # networks that play for games_per_second
_GENERATIONS = 12  # of the paper's run that are really played


def _trainer(size):
    return Trainer(configuration.make(Trainer.Config, {"size": size}))


def games_per_second(size):
    """Games of fresh networks against Wally per second of processor time on one thread."""
    trainer = _trainer(size)
    items = trainer.ask(trainer.init(), 0)
    play_item(items[0])  # compiles, or reads what was compiled
    began = time.thread_time()
    games = sum(len(play_item(item)) for item in items[1 : _ITEMS + 1])
    return games / (time.thread_time() - began)


def paper_run_minutes(workers=None, generations=_GENERATIONS):
    """Minutes for the 9x9 run on ``workers`` (all cores if not said), and how many of them that is."""
    trainer = _trainer(9)
    state = trainer.init()
    pool = Workers(workers)
    try:
        pool.evaluate(play_item, trainer.ask(state, 0)[: pool.count])
        began = time.perf_counter()
        for generation in range(generations):
            trainer.advance(state, generation, lambda items: pool.evaluate(play_item, items))
        seconds = (time.perf_counter() - began) / generations
    finally:
        pool.close()
    return seconds * trainer.generations() / 60, pool.count


def measure():
    """Everything ``bench sane`` reports, as a dict."""
    rates = {str(size): round(games_per_second(size)) for size in SIZES}
    minutes, workers = paper_run_minutes()
    return {"games_per_second": rates, "paper_run_minutes": round(minutes, 1), "workers": workers}


def table(report):
    """The report for a reader."""
    lines = ["size  games/s against Wally, on one thread"]
    lines += [f"{size:>4}  {rate:,}" for size, rate in report["games_per_second"].items()]
    minutes, workers = report["paper_run_minutes"], report["workers"]
    lines.append(f"a 9x9 run of 260 generations: {minutes} minutes with {workers} workers")
    return "\n".join(lines)
