"""The paper's figure 3, and which detail of the evolution makes it so.

    evogo experiment hyperneat figure3a --folder RUNS --out models/results/figure3a
    evogo experiment hyperneat ablations --folder RUNS --out models/results/ablations
    evogo experiment hyperneat figure3b --folder RUNS --out models/results/figure3b
    evogo experiment hyperneat extrapolation --folder RUNS --out models/results/extrapolation

``figure3a`` asks whether evolution on 7x7 profits from having begun on 5x5: pairs of a scaled run (5x5, then 7x7) and an
unscaled one (7x7 from the start). ``ablations`` does the same in small with and without each of ``DETAILS``. ``figure3b``
draws what the centre of the board hears at the end of both boards in one of these runs. ``extrapolation`` compares what a
CPPN may see, and where, by how its players fare on boards that they never saw. Files are OUT.json (games won of ten by the
best of each generation, run by run), OUT-tests.json, and OUT.svg and OUT-fresh.svg, or OUT.md.

Data and pictures are written after every pair. Stopped and started again, a command goes on where it was, within a run;
runs whose results are in the JSON are not made again, wherever they were made. ``--draw`` makes pictures and tables anew
from the JSON alone.
"""

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from players import genome
from players.genome import write_atomically
from players.hyperneat import comparison, extrapolation
from players.hyperneat.comparison import GAMES, SCALED, UNSCALED
from players.hyperneat.pictures import figure_3b
from players.hyperneat.player import load_player
from players.hyperneat.trainer import AUTHORS_NEAT, Trainer
from players.training import ranges
from players.training.config import option, require
from players.training.experiments import ExperimentConfig, Store, evolve
from players.training.workers import Workers

_BOARDS = {SCALED: (5, 7), UNSCALED: (7,)}  # paper
_CHECK = {"capture_dead": True}
# What runs are made with, by name: nothing of the author's that was found out late, the sanity check, the check and one
# detail of NEAT, one detail of NEAT without the check, and everything: the paper's preset.
DETAILS = {
    "none": {},
    "check": _CHECK,
    **{f"check+{name}": {**_CHECK, name: value} for name, value in AUTHORS_NEAT.items()},
    "all": {**_CHECK, **AUTHORS_NEAT},
    **{name: {name: value} for name, value in AUTHORS_NEAT.items()},
}
# Seeds, generations on each board, details.
_SIZES = {
    "figure3a": (range(1, 26), (500, 500), ("all",)),  # paper
    "ablations": (range(1, 6), (100, 200), tuple(DETAILS)),  # our choice
    "extrapolation": (range(1, 6), (40, 40), ()),  # our choice
}
_TEST_GAMES = 200  # of a champion on each board with each colour; our choice


def parameters(details, variant, seed, generations, fresh):
    """The parameters of one run, as a dict."""
    return {
        "capture_dead": False,
        **DETAILS[details],
        "boards": _BOARDS[variant],
        "largest": max(_BOARDS[SCALED]),
        "generations": generations[-len(_BOARDS[variant]) :],
        "seed": seed,
        "fresh_games": fresh,
        "check_games": GAMES,
        "retest_every": generations[0],  # elections change nothing in a run: one at the end of each board is enough
    }


def render(out, tabled):
    """For a Store: tests of the pairs of runs that are complete, and a table of the details, or figures of the first."""

    def files(data):
        found = {name: comparison.tests(comparison.runs_of(entries)) for name, entries in data.items()}
        found = {name: tests for name, tests in found.items() if tests}
        texts = {f"{out.name}-tests.json": json.dumps(found, indent=1) + "\n"}
        if tabled:
            texts[f"{out.name}.md"] = comparison.table(found)
        elif found:
            runs = comparison.runs_of(data[next(iter(found))])
            texts[f"{out.name}.svg"] = comparison.figure(runs)
            texts[f"{out.name}-fresh.svg"] = comparison.figure(runs, "won_fresh")
        return texts

    return files


def run_name(details, variant, seed, generations, fresh=False):
    """What tells a run from all others that may be in one folder, those of other experiments among them."""
    return "-".join([details, variant, *map(str, generations), *["fresh"] * fresh, f"{seed:03d}"])


def make_runs(store, config, seeds, generations, details):
    """Make what is missing, a pair of each of the details before the next seed."""
    how = {"generations": list(generations), "fresh_games": config.fresh_games}
    for entries in store.data.values():
        other = any(entry[name] != how[name] for entry in entries.values() for name in how)
        require(not other, f"{config.out} holds runs of another length or with other games: choose another --out")
    workers = Workers(config.workers)
    for seed in seeds:
        for name in details:
            for variant in (SCALED, UNSCALED):
                if f"{variant}-{seed:03d}" not in store.entries(name):
                    values = parameters(name, variant, seed, generations, config.fresh_games)
                    called = run_name(name, variant, seed, generations, config.fresh_games)
                    log, _ = evolve(Trainer, config.folder, called, (values,), workers)
                    store.add(name, f"{variant}-{seed:03d}", {"seed": seed, **how, **comparison.digits(log)})
                    print(f"{called} is done", file=sys.stderr, flush=True)
    workers.close()


def draw_fields(folder, out, details, seed, generations):
    """Figure 3b from the champions that a scaled run had at the end of each board."""
    champions = Path(folder) / f"{run_name(details, SCALED, seed, generations)}.run" / "champions"
    ends = (generations[0], sum(generations))
    first, last = (genome.load(champions / f"{end:06d}.json", Trainer.kind) for end in ends)
    text = figure_3b([(load_player(one), end) for one, end in zip((first, last), ends)], _BOARDS[SCALED])
    write_atomically(Path(f"{out}.svg"), text.encode())


def extrapolate(config, out, seeds, generations):
    """Make what is missing of the runs that differ in what a CPPN sees, a run of each before the next seed."""
    store = Store(
        out.with_name(f"{out.name}.json"), lambda data: {f"{out.name}.md": extrapolation.table(data)}
    )
    workers = Workers(config.workers)

    def make(number, name, seed):
        values = extrapolation.parameters(name, seed, generations)
        _, champion = evolve(Trainer, config.folder, f"sees-{number}-{seed:03d}", (values,), workers)
        return {"generations": generations, "won": extrapolation.test(champion.body, _TEST_GAMES)}

    for seed in () if config.draw else seeds:
        for number, name in enumerate(extrapolation.VARIANTS):
            store.fill(name, [(f"{seed:03d}", partial(make, number, name, seed))])
    workers.close()
    store.draw()
    print(extrapolation.table(store.data), end="")


EXPERIMENTS = {
    "figure3a": "does evolution on 7x7 profit from having begun on 5x5?",
    "ablations": "the same in small, with and without each detail of the author's",
    "figure3b": "what the centre of the board hears at the end of both boards, in one of these runs",
    "extrapolation": "what a CPPN may see, and where, compared on boards that its players never saw",
}


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of these experiments. ``out`` is the name of the files without ending."""

    folder: str | None = option(None, "where the runs are kept; not needed with --draw", "")
    seeds: tuple[int, ...] = option((), "a pair of runs each (none: 1-25; others: 1-5)", "", range=ranges.SEEDS)
    generations: tuple[int, ...] = option(
        (), "on 5x5 and on 7x7 (none: 500,500; ablations: 100,200; extrapolation: 40,40)", "", range=ranges.GENERATIONS
    )
    details: tuple[str, ...] = option((), "what runs are made with (none: all; ablations: each)", "", choices=tuple(DETAILS))
    fresh_games: bool = option(False, "opponents draw new random numbers in each generation", "")
    draw: bool = option(False, "make no more runs, but pictures and tables anew", "")

    def __post_init__(self):
        super().__post_init__()
        require(len(self.generations) in (0, 2), "generations must be two numbers, as in 500,500")
        require(self.folder or self.draw, "say where the runs are kept: --folder")


def run(name, config):
    """Do one experiment."""
    seeds, generations, details = _SIZES.get(name, _SIZES["figure3a"])
    seeds, generations = config.seeds or seeds, config.generations or generations
    details, out = config.details or details, Path(config.out)
    if name == "figure3b":
        draw_fields(config.folder, config.out, details[0], seeds[0], generations)
        return
    if name == "extrapolation":
        extrapolate(config, out, seeds, generations[0])
        return
    store = Store(out.with_name(f"{out.name}.json"), render(out, name == "ablations"))
    if not config.draw:
        make_runs(store, config, seeds, generations, details)
    store.draw()
    tests = {name: comparison.tests(comparison.runs_of(entries)) for name, entries in store.data.items()}
    print(comparison.table({name: found for name, found in tests.items() if found}), end="")
