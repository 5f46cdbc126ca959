"""The paper's figure 3, and which detail of the evolution makes it so.

    python -m players.hyperneat.experiment figure3a --folder RUNS --out models/results/figure3a
    python -m players.hyperneat.experiment ablations --folder RUNS --out models/results/ablations
    python -m players.hyperneat.experiment figure3b --folder RUNS --out models/results/figure3b
    python -m players.hyperneat.experiment extrapolation --folder RUNS --out models/results/extrapolation

``figure3a`` asks whether evolution on 7x7 profits from having begun on 5x5: pairs of a scaled run (5x5, then 7x7) and an
unscaled one (7x7 from the start). ``ablations`` does the same in small with and without each of ``DETAILS``. ``figure3b``
draws what the centre of the board hears at the end of both boards in one of these runs. ``extrapolation`` compares what a
CPPN may see, and where, by how its players fare on boards that they never saw. Files are OUT.json (games won of ten by the
best of each generation, run by run, and the tests), OUT.svg and OUT-fresh.svg, or OUT.md.

Data and pictures are written after every pair. Stopped and started again, a command goes on where it was, within a run;
runs whose results are in the JSON are not made again, wherever they were made. ``--draw`` makes pictures and tables anew
from the JSON alone.
"""

import argparse
import json
import sys
from pathlib import Path

from players import genome
from players.genome import GenomeError, write_atomically
from players.hyperneat import comparison, extrapolation
from players.hyperneat.comparison import GAMES, SCALED, UNSCALED
from players.hyperneat.pictures import figure_3b
from players.hyperneat.player import load_player
from players.hyperneat.trainer import AUTHORS_NEAT, Trainer
from players.training.config import ConfigError
from players.training.experiments import evolve, numbers
from players.training.folder import RunError
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
}


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


class Data:
    """The results of an experiment in ``OUT.json``, and what is made from them."""

    def __init__(self, out, generations, fresh, tabled=False):
        """``tabled``: a table of the details is made, instead of pictures of the first."""
        self.out, self._tabled = Path(out), tabled
        self._path = self.out.with_name(f"{self.out.name}.json")
        self.tree = {"games": GAMES, "generations": list(generations), "fresh_games": fresh, "runs": {}, "tests": {}}
        self._read()

    def _read(self):
        try:
            known = json.loads(self._path.read_text())
        except FileNotFoundError:
            return
        if any(known.get(name) != self.tree[name] for name in ("games", "generations", "fresh_games")):
            raise RunError(f"{self._path} holds runs of another length or with other games: choose another --out")
        self.tree = known

    def runs(self, details):
        return self.tree["runs"].setdefault(details, comparison.nothing())

    def add(self, details, variant, seed, log):
        """Keep a finished run, and write everything anew. Other processes may have written meanwhile."""
        self._read()
        if seed not in self.runs(details)[variant]["seeds"]:
            comparison.add_run(self.runs(details), variant, seed, log)
        self.write()

    def write(self):
        """All files, from the pairs of runs that are complete."""
        tests = {name: comparison.tests(runs) for name, runs in self.tree["runs"].items()}
        self.tree["tests"] = {name: found for name, found in tests.items() if found}
        write_atomically(self._path, (json.dumps(self.tree, indent=1) + "\n").encode())
        if self._tabled:
            self._write(".md", comparison.table(self.tree["tests"]))
        elif self.tree["tests"]:
            runs = self.tree["runs"][next(iter(self.tree["tests"]))]
            self._write(".svg", comparison.figure(runs))
            self._write("-fresh.svg", comparison.figure(runs, "won_fresh"))

    def _write(self, ending, text):
        write_atomically(self.out.with_name(f"{self.out.name}{ending}"), text.encode())


def run_name(details, variant, seed):
    return f"{details}-{variant}-{seed:03d}"


def make_runs(data, seeds, generations, details, folder, workers, fresh):
    """Make what is missing in the data, a pair of each of the details before the next seed."""
    for seed in seeds:
        for name in details:
            for variant in (SCALED, UNSCALED):
                if seed not in data.runs(name)[variant]["seeds"]:
                    values = parameters(name, variant, seed, generations, fresh)
                    log, _ = evolve(Trainer, folder, run_name(name, variant, seed), (values,), workers)
                    data.add(name, variant, seed, log)
                    print(f"{run_name(name, variant, seed)} is done", file=sys.stderr, flush=True)


def draw_fields(folder, out, details, seed, generations):
    """Figure 3b from the champions that a scaled run had at the end of each board."""
    champions = Path(folder) / f"{run_name(details, SCALED, seed)}.run" / "champions"
    ends = (generations[0], sum(generations))
    first, last = (genome.load(champions / f"{end:06d}.json", Trainer.kind) for end in ends)
    text = figure_3b([(load_player(one), end) for one, end in zip((first, last), ends)], _BOARDS[SCALED])
    write_atomically(Path(f"{out}.svg"), text.encode())


_TEST_GAMES = 200  # of a champion on each board with each colour; our choice


def extrapolate(out, seeds, generations, folder, workers):
    """Make what is missing of the runs that differ in what a CPPN sees, a run of each before the next seed."""
    path, text = Path(f"{out}.json"), Path(f"{out}.md")
    data = json.loads(path.read_text()) if path.exists() else {"generations": generations, "runs": {}}
    if data["generations"] != generations:
        raise RunError(f"{path} holds runs of another length: choose another --out")
    for seed in seeds:
        for number, name in enumerate(extrapolation.VARIANTS):
            known = data["runs"].setdefault(name, {})
            if str(seed) not in known and workers:
                values = extrapolation.parameters(name, seed, generations)
                _, champion = evolve(Trainer, folder, f"sees-{number}-{seed:03d}", (values,), workers)
                known[str(seed)] = extrapolation.test(champion.body, _TEST_GAMES)
                write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())
                write_atomically(text, extrapolation.table(data["runs"]).encode())
                print(f"{name}, seed {seed}: {json.dumps(known[str(seed)])}", file=sys.stderr, flush=True)
    write_atomically(text, extrapolation.table(data["runs"]).encode())


def _parser():
    parser = argparse.ArgumentParser(
        prog="players.hyperneat.experiment",
        description="The paper's figure 3, which detail of the evolution makes it so, and what CPPNs should see.",
    )
    parser.add_argument("name", choices=(*_SIZES, "figure3b", "extrapolation"), help="what to make")
    parser.add_argument("--out", required=True, help="where data and figures go, without ending")
    parser.add_argument("--folder", help="where the runs are kept")
    parser.add_argument("--seeds", type=numbers, metavar="N,…", help="a pair of runs each [1-25; others: 1-5]")
    parser.add_argument(
        "--generations", type=numbers, metavar="N,N", help="on 5x5 and on 7x7 [500,500; ablations 100,200; extrapolation 40]"
    )
    parser.add_argument("--details", metavar="NAME,…", help=f"of {', '.join(DETAILS)} [all; ablations: each of them]")
    parser.add_argument("--workers", type=int, metavar="N", help="never changes the result [all cores]")
    parser.add_argument("--fresh-games", action="store_true", help="opponents draw new random numbers in each generation")
    parser.add_argument("--draw", action="store_true", help="make no more runs")
    return parser


def main(argv=None):
    """The exit code."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    seeds, generations, details = _SIZES.get(arguments.name, _SIZES["figure3a"])
    seeds, generations = arguments.seeds or seeds, tuple(arguments.generations or generations)
    details = arguments.details.split(",") if arguments.details else details
    if unknown := set(details) - set(DETAILS):
        parser.error(f"unknown details {', '.join(sorted(unknown))}: choose from {', '.join(DETAILS)}")
    if arguments.name == "extrapolation":
        seeds, generations = arguments.seeds or range(1, 6), tuple(arguments.generations or (40,)) * 2
    if len(generations) != 2:
        parser.error("--generations needs two numbers, as in 500,500")
    if arguments.folder is None and not arguments.draw:
        parser.error("say where the runs are kept: --folder")
    try:
        if arguments.name == "figure3b":
            draw_fields(arguments.folder, arguments.out, details[0], seeds[0], generations)
            return 0
        if arguments.name == "extrapolation":
            workers = None if arguments.draw else Workers(arguments.workers)
            extrapolate(arguments.out, seeds, generations[0], arguments.folder, workers)
            return 0
        data = Data(arguments.out, generations, arguments.fresh_games, arguments.name == "ablations")
        if not arguments.draw:
            workers = Workers(arguments.workers)
            make_runs(data, seeds, generations, details, arguments.folder, workers, arguments.fresh_games)
            workers.close()
        data.write()
        print(comparison.table(data.tree["tests"]), end="")
        return 0
    except (ConfigError, RunError, GenomeError, OSError) as error:
        print(f"experiment: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
