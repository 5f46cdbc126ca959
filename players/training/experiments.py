"""What experiments share: ``experiment KIND NAME``, runs that go on where they stopped, one store of what they found.

The module ``experiment.py`` in the package of a kind has:

``EXPERIMENTS``      the names of its experiments, each with a line that says what it is
``Config``           their parameters, an ``ExperimentConfig``
``run(name, config)``  does one; what is in the store already is not done again, so that the same command goes on
"""

import json
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from engine.contest.failure import CannotPlay, PlayerFailure
from players import genome
from players.genome import GenomeError, write_atomically
from players.training import config as configuration
from players.training.config import ConfigError, option, require
from players.training.folder import RunError
from players.training.progress import Progress
from players.training.run import Run

INTERRUPTED = 130  # the exit code that shells use for Ctrl-C
_SHORT = 12  # numbers in a list that is still printed


@dataclass(frozen=True, kw_only=True)
class ExperimentConfig:
    """What every experiment has."""

    out: str | None = option(None, "where results are kept; runs too, if nothing else is said", "must be said")
    workers: int | None = option(None, "never changes the result (none: all cores)", "", range=(1, 10_000))

    def __post_init__(self):
        configuration.check(self)
        require(self.out, "say where results are kept: --out")


class Store:
    """What experiments found: a JSON file of plain data {experiment: {entry: data}}, and files that are made from it."""

    def __init__(self, path, render):
        """``render(data)`` gives the texts of further files by their names, which stand beside the JSON file."""
        self._path, self._render = Path(path), render
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()

    @property
    def data(self):
        return json.loads(self._path.read_bytes()) if self._path.exists() else {}

    def entries(self, experiment):
        """{entry: data} of one experiment."""
        return self.data.get(experiment, {})

    def add(self, experiment, name, entry):
        """Keep an entry and make all files anew. Other processes may have written meanwhile."""
        with self._lock:
            data = self.data
            data.setdefault(experiment, {})[name] = entry
            write_atomically(self._path, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
            self.draw()

    def draw(self):
        """Make the further files from what is there."""
        for name, text in self._render(self.data).items():
            write_atomically(self._path.with_name(name), text.encode())

    def fill(self, experiment, jobs):
        """Make what is missing of ``jobs``, pairs (entry, function that makes its data), one after the other."""
        for name, make in jobs:
            if name not in self.entries(experiment):
                entry = make()
                self.add(experiment, name, entry)
                print(f"{name}: {json.dumps(_brief(entry))}", flush=True)


def _brief(entry):
    """What is printed of an entry: not the curves, which have a number for each generation and are in the file."""
    return {name: value for name, value in entry.items() if not (isinstance(value, list) and len(value) > _SHORT)}


def evolve(trainer_class, folder, name, values, workers):
    """The finished run ``name`` with parameters from the dicts ``values``: (its log as a list of dicts, its Genome).

    ConfigError if there is a run of that name with other parameters.
    """
    path, out = Path(folder) / f"{name}.run", Path(folder) / f"{name}.json"
    config = configuration.make(trainer_class.Config, *values)
    run = Run.resume(path, trainer_class) if (path / "config.json").exists() else Run.start(trainer_class(config), path, out)
    try:
        require(run.trainer.config == config, f"{path} is a run with other parameters: choose another folder")
        if not run.done or not out.exists():
            if not run.go(workers, Progress(sys.stderr, [1.0] * run.trainer.generations(), quiet=True)):
                raise KeyboardInterrupt
    finally:
        run.folder.close()
    log = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    return log, genome.load(out, trainer_class.kind)


def carry_out(module, name, given):
    """Do the experiment ``name`` of an ``experiment.py`` with parameters as typed (name to text or bool); the exit code."""
    try:
        module.run(name, configuration.make(module.Config, configuration.parse(module.Config, given)))
    except (ConfigError, RunError, GenomeError, CannotPlay, PlayerFailure) as error:
        print(f"evogo experiment: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # nobody reads on: nothing is wrong
        raise
    except OSError as error:
        print(f"evogo experiment: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("evogo experiment: stopped; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0
