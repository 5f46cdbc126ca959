"""How fast organisms are on this machine: ``gtp_main.py bench organism``.

``games_per_second`` by board size is for one thread's processor time: games of a population that was evolved a little,
against the opponents of configuration 2RG, as in fitness evaluation. ``paper_run_hours`` is what the paper's run of that
configuration takes on all cores at that speed (3,000 individuals, 400 generations, 32 games; 104 hours in the paper), and
``breeding_ms`` what a generation of 3,000 needs besides its games, in one thread. Later programs have more live rules
and longer games: ``full_program_games_per_second`` is the same on 5x5 for a program of 40 rules, none of them dead, that plays
every game to its end, and ``paper_run_hours_at_most`` is the run's time if all programs were like that from the start.
"""

import time

import numpy as np

from players.organism import breeding
from players.organism.analysis import without_dead
from players.organism.program import CHANGE_SIZE, RELEASE, from_text
from players.organism.trainer import Config, Trainer, play_item
from players.play.loop import RESULT
from players.training import config as configuration
from players.training.workers import core_count

SIZES = (5, 7, 9, 13, 19)
PAPER_GAMES = 3000 * 400 * 32
_WARM_UP = 12  # generations that make a population which plays like one
_ROUNDS = 5
_SAMPLE = 60  # individuals that play
# A way to play that no random program has: it covers the board, always proposes moves, and plays to the end.
_BASIS = (
    "if cell is empty then replicate",
    "if cell is own stone then release mediator 1 by 0.6",
    "if cell is opponent stone then release mediator 2 by 0.6",
    "if mediator 2 > 0.1 then release mediator 3 by 0.2",
    "if mediator 1 > 0.1 then release mediator 4 by 0.2",
    "if mediator 4 > 0.4 then release mediator 5 by 0.2",
    "if cell is empty then become move",
    "if mediator 2 > 0.1 then set size to 0.5",
    "if mediator 5 > 0.3 then set size to 0.7",
    "if mediator 3 > 0.9 then become empty",
)


def _trainer(**changes):
    opponents = {"opponents": ("random", "gojen")}  # as when speed was first measured
    return Trainer(configuration.make(Config, Trainer.presets["2RG"], opponents, changes))


def _evolved():
    """A trainer of configuration 2RG and a small population, evolved a little."""
    trainer = _trainer(islands=2, island_size=_SAMPLE)
    state = trainer.init()
    for generation in range(_WARM_UP):
        trainer.advance(state, generation)
    return trainer, state


def full_program(seed=1):
    """A program of the most rules there may be, all of them live."""
    generator = np.random.default_rng(seed)
    program, most = from_text(_BASIS), Config().most_rules
    while len(program) < most:
        # sizes and mediators only: growth and moves stay as they are
        rule = breeding.random_rule(generator)
        longer = program + (rule,)
        if rule.action in (CHANGE_SIZE, RELEASE) and len(without_dead(longer)) == len(longer):
            program = longer
    return program


def _rate(programs, trainer, size, games):
    """Games per second of processor time, the best of some rounds: a round is short, and machines are noisy."""
    items = [trainer.item(program, size, key, 0, games) for key, program in enumerate(programs)]
    play_item(items[0])  # compiles
    best = 0.0
    for _ in range(_ROUNDS):
        began = time.thread_time()
        for item in items:
            play_item(item)
        best = max(best, games * len(items) / (time.thread_time() - began))
    return best


def _breeding_seconds():
    """What a generation of the paper's size needs besides its games."""
    trainer = _trainer()
    state = trainer.init()
    results = np.recarray((3000, 32), RESULT)
    results.score = np.random.default_rng(1).normal(size=results.shape)
    results.opponent = np.arange(32) // 2 % 2
    results = list(results)
    trainer.tell(state, 0, results, None)
    began = time.thread_time()
    trainer.ask(state, 1)
    trainer.tell(state, 1, results, None)
    return time.thread_time() - began


def measure():
    """Everything ``bench organism`` reports, as a dict."""
    trainer, state = _evolved()
    programs = state.population[0]
    rates = {}
    for size in SIZES:
        some = programs if size <= 9 else programs[:10]
        rates[size] = _rate(some, trainer, size, 32 if size == 5 else 4)
    full = _rate([full_program(seed) for seed in range(3)], trainer, 5, 200)
    breeding_seconds = _breeding_seconds()
    workers = core_count()

    def hours(rate):
        return round((PAPER_GAMES / rate / workers + 400 * breeding_seconds) / 3600, 2)

    return {
        "games_per_second": {str(size): round(rate, 1) for size, rate in rates.items()},
        "full_program_games_per_second": round(full, 1),
        "breeding_ms": round(1e3 * breeding_seconds),
        "paper_run_hours": hours(rates[5]),
        "paper_run_hours_at_most": hours(full),
        "workers": workers,
    }


def table(report):
    """The report for a reader."""
    lines = ["size  games/s against Random and GOjen, one thread"]
    lines += [f"{size:>4}  {rate:>10,}" for size, rate in report["games_per_second"].items()]
    lines.append(f"5x5 with 40 live rules: {report['full_program_games_per_second']:,} games/s")
    lines.append(f"a generation of 3,000 besides its games: {report['breeding_ms']} ms")
    lines.append(
        f"the paper's run on {report['workers']} cores: {report['paper_run_hours']} hours, "
        f"{report['paper_run_hours_at_most']} at the most (104 in the paper)"
    )
    return "\n".join(lines)
