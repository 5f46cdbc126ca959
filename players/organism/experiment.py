"""Tables II to IV of the paper, repeated: ``python -m players.organism.experiment NAME --out DIR`` (see ``--help``).

``1N``, ``2RG``, ``3RNG``  runs of a configuration, one for each seed, and 1,000 test games of each champion against each
                           of Random, Naixt and GOjen on 5x5, 7x7 and 9x9
``growing``                the same for runs whose board grows from 5x5 to 9x9
``table``                  the tables from all data there is so far

Every run has a folder of its own in DIR and goes on where it stopped, finished ones are not repeated, and the data are
written to DIR/results.json, the tables to DIR/results.md, after each of them. Nothing in them depends on the machine.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

from engine.rng import stream_key
from players import genome
from players.genome import Result, write_atomically
from players.organism.analysis import without_dead
from players.organism.games import KOMI, play_games
from players.organism.player import program_of
from players.organism.program import flat
from players.organism.trainer import Trainer
from players.scripted.kernels import KINDS
from players.training import config as configuration
from players.training.config import ConfigError
from players.training.folder import RunError
from players.training.progress import Progress
from players.training.run import Run
from players.training.workers import Workers

CONFIGURATIONS = ("1N", "2RG", "3RNG", "growing")
OPPONENTS, SIZES = ("random", "naixt", "gojen"), (5, 7, 9)
TEST_GAMES = 1000
_TEST_SEED = 7_002  # test games are never those of a run

# (opponent, size) → min, average, max as printed.
PAPER = {
    "1N": {
        ("random", 5): (0.748, 0.909, 0.991),
        ("naixt", 5): (0.359, 0.471, 0.691),
        ("naixt", 7): (0.03, 0.17, 0.44),
        ("naixt", 9): (0.00, 0.08, 0.37),
        ("gojen", 5): (0.000, 0.130, 0.271),
        "strength": (0.410, 0.504, 0.601),
    },
    "2RG": {
        ("random", 5): (0.858, 0.968, 0.997),
        ("naixt", 5): (0.062, 0.234, 0.428),
        ("gojen", 5): (0.063, 0.510, 0.823),
        ("gojen", 7): (0.001, 0.018, 0.103),
        ("gojen", 9): (0.000, 0.006, 0.104),
        "strength": (0.327, 0.571, 0.705),
    },
    "3RNG": {
        ("random", 5): (0.899, 0.966, 0.994),
        ("naixt", 5): (0.267, 0.393, 0.531),
        ("naixt", 7): (0.117, 0.208, 0.422),
        ("naixt", 9): (0.011, 0.085, 0.249),
        ("gojen", 5): (0.098, 0.330, 0.822),
        "strength": (0.451, 0.563, 0.689),
    },
}


# Testing


def test(champion, opponents=OPPONENTS, sizes=SIZES, games=TEST_GAMES):
    """The Results of a Genome in fresh games, colours alternating, komi as in training."""
    program, (initial, regular) = program_of(champion.body)
    rules = flat(without_dead(program))
    found = []
    for size in sizes:
        for name in opponents:
            key = stream_key(_TEST_SEED, champion.seed or 0, size, KINDS[name])
            scores, _ = play_games(rules, (initial * size, regular), [(KINDS[name], 0.0)], size, key, 0, games)
            found.append(Result(name, size, KOMI, games, float((scores > 0).sum()), "both"))
    return found


def strength(results, size=5):
    """The share of games won on a board when as many are played against each opponent (Section V.B)."""
    return statistics.mean(result.win_rate for result in results if result.size == size)


# Runs


def evolve(folder, name, values, workers):
    """The Genome of the finished run ``name`` with the given parameters, and how many generations it took."""
    path, out = Path(folder) / f"{name}.run", Path(folder) / f"{name}.json"
    if (path / "config.json").exists():
        run = Run.resume(path, Trainer)
    else:
        run = Run.start(Trainer(configuration.make(Trainer.Config, *values)), path, out)
    try:
        if not run.done or not out.exists():
            if not run.go(workers, Progress(sys.stderr, [1.0] * run.trainer.generations(), quiet=True)):
                raise KeyboardInterrupt
    finally:
        run.folder.close()
    return genome.load(out, "organism"), run.generation


def entry(folder, name, values, workers, games):
    """One run and the tests of its champion, as plain data; the tested champion is written beside the run."""
    champion, generations = evolve(folder, name, values, workers)
    champion.results = test(champion, games=games)
    genome.save(champion, Path(folder) / f"{name}-tested.json")
    return {
        "seed": champion.seed,
        "generations": generations,
        "individuals": champion.config["islands"] * champion.config["island_size"],
        "games": games,
        "strength": strength(champion.results),
        "win_rates": {f"{result.opponent} {result.size}": result.win_rate for result in champion.results},
    }


class Results:
    """The data of all runs, a dict of dicts of plain data, kept in a file."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path = self.folder / "results.json"

    @property
    def data(self):
        return json.loads(self._path.read_bytes()) if self._path.exists() else {}

    def add(self, experiment, name, found):
        """Keep an entry, and write data and tables anew. Other processes may have written meanwhile."""
        data = self.data
        data.setdefault(experiment, {})[name] = found
        write_atomically(self._path, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
        write_atomically(self.folder / "results.md", tables(data).encode())


# The tables


def tables(data):
    """All results as Markdown, the paper's numbers beside ours."""
    return "\n".join(line for name in CONFIGURATIONS if name in data for line in _table(name, list(data[name].values())))


def _table(name, entries):
    kinds = sorted({(e["individuals"], e["generations"], e["games"]) for e in entries})
    scale = "; ".join(f"{people:,} individuals, {count} generations, {games:,} test games" for people, count, games in kinds)
    columns = [(opponent, size) for opponent in OPPONENTS for size in SIZES]
    heads = [f"{opponent} {size}x{size}" for opponent, size in columns] + ["strength 5x5"]
    values = [[e["win_rates"][f"{opponent} {size}"] for e in entries] for opponent, size in columns]
    values.append([e["strength"] for e in entries])
    printed = [PAPER.get(name, {}).get(column) for column in [*columns, "strength"]]
    lines = [f"## {name}: {len(entries)} runs ({scale})", "", f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for i, (row, pick) in enumerate((("min", min), ("average", statistics.mean), ("max", max))):
        lines.append(f"| {row} | {' | '.join(f'{pick(column):.3f}' for column in values)} |")
        if name in PAPER:
            lines.append(f"| {row}, paper | {' | '.join('-' if p is None else f'{p[i]:.3f}' for p in printed)} |")
    return [*lines, ""]


# The command


def _numbers(text):
    """``1,3-5`` as a list of integers."""
    found = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


_numbers.__name__ = "list of whole numbers"  # argparse says "invalid … value"


def main(argv=None):
    """Do one experiment; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m players.organism.experiment", description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=[*CONFIGURATIONS, "table"], help="what to do")
    parser.add_argument("--out", required=True, metavar="DIR", help="where runs and results are kept")
    parser.add_argument("--seeds", type=_numbers, default=[1, 2, 3], metavar="N,…", help="one run each, as in 1-20 [1-3]")
    parser.add_argument("--test-games", type=int, default=TEST_GAMES, metavar="N", help="for each entry [%(default)s]")
    parser.add_argument("--workers", type=int, metavar="N", help="never changes the result [all cores]")
    parser.add_argument("--config", metavar="FILE", help="parameters of the runs from a JSON file")
    arguments = parser.parse_args(argv)
    results = Results(arguments.out)
    if arguments.name == "table":
        print(tables(results.data))
        return 0
    try:
        given = configuration.read(arguments.config) if arguments.config else {}
        workers = Workers(arguments.workers)
        for seed in arguments.seeds:
            name = f"{arguments.name}-{seed}"
            if name not in results.data.get(arguments.name, {}):
                values = Trainer.presets[arguments.name], given, {"seed": seed}
                found = entry(arguments.out, name, values, workers, arguments.test_games)
                results.add(arguments.name, name, found)
                print(f"{name}: {json.dumps(found)}", flush=True)
        workers.close()
    except (ConfigError, RunError) as error:
        print(f"experiment: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
