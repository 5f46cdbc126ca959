"""``train``: from what the user wants to a run."""

import json
import math
import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

from engine.texts import printable
from players.formats import RUN_CONFIG
from players.kinds import TRAINED
from players.training import config as configuration
from players.training.config import ConfigError
from players.training.folder import RunError, RunFolder
from players.training.progress import Progress
from players.training.run import Run
from players.training.workers import PATIENCE, Silence, Workers

_MOST_WORKERS = 10_000  # our choice: a large cluster
_INTERRUPTED = 130  # the exit code that shells expect after Ctrl-C


@dataclass(frozen=True)
class Request:
    """What the user wants of ``train``."""

    kind: str | None = None  # as it was typed
    trainer: type | None = None  # the Trainer class of that kind, or of the run to resume
    given: dict = field(default_factory=dict)  # parameters by name, as text (or bool)
    out: str | None = None
    folder: str | None = None
    resume: str | None = None
    force: bool = False
    preset: str | None = None
    config: str | None = None
    print_config: bool = False
    workers: int | None = None
    executor: str | None = None
    patience: float = PATIENCE
    checkpoint_seconds: float = 30.0
    hours: float | None = None  # that this call may take; None: as long as it takes
    quiet: bool = False


def kind_of_run(path):
    """The kind of the run in a folder; RunError if the folder holds no run, or one whose trainer has to be named."""
    folder = RunFolder(path)
    if not (folder.path / "config.json").exists():
        raise RunError(f"{path} is not a run folder (it has no config.json)")
    kind = folder.read_json("config.json", RUN_CONFIG)["kind"]
    if kind not in TRAINED:
        raise RunError(f"name the trainer of this run as well: train module:Class --resume {path}")
    return kind


def train(request):
    """Carry out a Request; the exit code."""
    try:
        return _train(request)
    except (ConfigError, RunError) as error:
        print(f"evogo train: {printable(error)}", file=sys.stderr, flush=True)
        if isinstance(error.__cause__, Silence):
            os._exit(1)  # an executor may wait at the end of the program, too
        return 1
    except BrokenPipeError:  # nobody reads on, as after --print-config | head: nothing is wrong
        raise
    except OSError as error:
        print(f"evogo train: {printable(error.filename or 'a file')}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("evogo train: stopped before it began", file=sys.stderr)
        return _INTERRUPTED


def _train(request):
    trainer = request.trainer
    if trainer is None:
        raise ConfigError(f"say what to train ({', '.join(TRAINED)}) or what to --resume")
    if request.workers is not None and not 1 <= request.workers <= _MOST_WORKERS:
        raise ConfigError(f"--workers must be at least 1 and at most {_MOST_WORKERS}")
    if not 0 <= request.checkpoint_seconds < math.inf:
        raise ConfigError("--checkpoint-seconds must be a number that is not negative")
    if request.hours is not None and not 0 < request.hours < math.inf:
        raise ConfigError("--hours must be a number above 0")
    if not 0 < request.patience < math.inf:
        raise ConfigError("--patience must be a number above 0")
    given = configuration.parse(trainer.Config, request.given)
    if request.resume is not None:
        for name in ("preset", "config", "print_config", "folder", "force"):
            if getattr(request, name):
                option = {"print_config": "print-config", "folder": "run"}.get(name, name)
                raise ConfigError(f"--{option} does not go with --resume: the run has its folder and its configuration")
        return _go(lambda: Run.resume(request.resume, trainer, given, request.out), request)
    config = configuration.make(trainer.Config, *_layers(trainer, request), given)
    if request.print_config:
        print(json.dumps({"kind": trainer.kind, **configuration.to_json(config)}, indent=2))
        return 0
    if request.out is None:
        raise ConfigError("say where the champion goes: --out GENOME")
    folder = request.folder or Path(request.out).with_suffix(".run")
    return _go(lambda: Run.start(trainer(config), folder, request.out, request.force), request)


def _layers(trainer, request):
    """What preset and file say, in this order."""
    if request.preset is not None:
        if request.preset not in trainer.presets:
            raise ConfigError(f"unknown preset {request.preset!r} (there are: {', '.join(trainer.presets)})")
        yield trainer.presets[request.preset]
    if request.config is not None:
        values = configuration.read(request.config)
        kind = values.pop("kind", trainer.kind)
        if kind != trainer.kind:
            raise ConfigError(f"{request.config} is a configuration of {kind}, not of {trainer.kind}")
        yield values


def _go(open_run, request):
    """Work on the run that ``open_run()`` gives. The workers come first: without them nothing is begun, and no folder made."""
    workers = Workers(request.workers, request.executor, request.patience)
    try:
        run = open_run()
    except BaseException:
        workers.close(wait=False)
        raise
    costs = [run.trainer.cost(generation) for generation in range(run.trainer.generations())]
    seconds = None if request.hours is None else 3600 * request.hours
    progress = Progress(sys.stderr, costs, request.quiet, run.trainer.words, seconds)
    again = f"go on with: evogo train {request.kind or run.trainer.kind} --resume {shlex.quote(str(run.folder.path))}"
    if not run.is_beside:
        again += f" --out {shlex.quote(str(run.out))}"
    try:
        done = run.go(workers, progress, request.checkpoint_seconds, seconds)
    except KeyboardInterrupt:
        progress.say(f"stopped at once; the checkpoint of generation {run.saved_generation} stands; {again}")
        sys.stderr.flush()
        os._exit(_INTERRUPTED)  # not to wait for games that still run in threads
    finally:
        progress.close()
        run.folder.close()
    workers.close()
    if not done:
        why = "stopped" if run.was_asked_to_stop else "the hours are over"
        progress.say(f"{why} after generation {run.generation}; the best so far is in {run.out}; {again}")
        return _INTERRUPTED if run.was_asked_to_stop else 0
    progress.say(f"done: {run.out} {run.summary()}")
    return 0
