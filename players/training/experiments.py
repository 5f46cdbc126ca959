"""What experiments share: many runs from one command, results that are kept, tables made from them.

An experiment is a list of entries, each a name and a function that makes its data (usually by ``evolve``). Entries that
are there already are not made again, runs go on where they stopped, and data and tables are written after each entry.
"""

import json
import sys
from pathlib import Path

from players import genome
from players.genome import write_atomically
from players.training import config as configuration
from players.training.config import ConfigError
from players.training.folder import RunError
from players.training.progress import Progress
from players.training.run import Run
from players.training.workers import Workers


class Results:
    """The data of experiments, a dict of dicts of plain data, in ``results.json``, and their tables in ``results.md``."""

    def __init__(self, folder, tables):
        """``tables(data)`` makes the text of the tables."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path = self.folder / "results.json"
        self._tables = tables

    @property
    def data(self):
        return json.loads(self._path.read_bytes()) if self._path.exists() else {}

    def has(self, experiment, name):
        return name in self.data.get(experiment, {})

    def add(self, experiment, name, entry):
        """Keep an entry, and write data and tables anew. Other processes may have written meanwhile."""
        data = self.data
        data.setdefault(experiment, {})[name] = entry
        write_atomically(self._path, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
        write_atomically(self.folder / "results.md", self._tables(data).encode())


def evolve(trainer_class, folder, name, values, workers):
    """The finished run ``name`` with parameters from the dicts ``values``: (its log as a list of dicts, its Genome)."""
    path, out = Path(folder) / f"{name}.run", Path(folder) / f"{name}.json"
    if (path / "config.json").exists():
        run = Run.resume(path, trainer_class)
    else:
        run = Run.start(trainer_class(configuration.make(trainer_class.Config, *values)), path, out)
    try:
        if not run.done or not out.exists():
            if not run.go(workers, Progress(sys.stderr, [1.0] * run.trainer.generations(), quiet=True)):
                raise KeyboardInterrupt
    finally:
        run.folder.close()
    log = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    return log, genome.load(out, trainer_class.kind)


def numbers(text):
    """``1,3-5`` as a list of integers."""
    found = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


numbers.__name__ = "list of whole numbers"  # argparse says "invalid … value"


def add_options(parser, names, seeds):
    """The options that all experiments have."""
    parser.add_argument("name", choices=[*names, "table"], help="what to do")
    parser.add_argument("--out", required=True, metavar="DIR", help="where runs and results are kept")
    parser.add_argument("--seeds", type=numbers, default=seeds, metavar="N,…", help="one run each, as in 1-20")
    parser.add_argument("--workers", type=int, metavar="N", help="never changes the result [all cores]")
    parser.add_argument("--config", metavar="FILE", help="parameters of the runs from a JSON file")


def carry_out(arguments, tables, entries):
    """Print the tables, or make what is missing of ``entries(given parameters)``; the exit code.

    ``entries`` yields (name, function of the folder, the name and the workers that makes the entry) in a fixed order.
    """
    results = Results(arguments.out, tables)
    if arguments.name == "table":
        print(tables(results.data))
        return 0
    try:
        given = configuration.read(arguments.config) if arguments.config else {}
        workers = Workers(arguments.workers)
        for name, make in entries(given):
            if not results.has(arguments.name, name):
                entry = make(arguments.out, name, workers)
                results.add(arguments.name, name, entry)
                print(f"{name}: {json.dumps(entry)}", flush=True)
        workers.close()
    except (ConfigError, RunError) as error:
        print(f"experiment: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130
    return 0
