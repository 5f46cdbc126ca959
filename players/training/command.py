"""``train``: options made from the parameters of the trainer, and the run itself."""

import json
import math
import os
import shlex
import sys
from pathlib import Path

from engine import limits
from engine.files import FileError, read_bytes
from engine.texts import printable
from players.formats import RUN_CONFIG
from players.kinds import TRAINED, trainer_class
from players.schema import SchemaError, check, parse_json
from players.training import config as configuration
from players.training.config import ConfigError
from players.training.folder import RunError
from players.training.progress import Progress
from players.training.run import Run
from players.training.workers import Workers, core_count

_MOST_WORKERS = 10_000  # our choice: a large cluster
_INTERRUPTED = 130  # the exit code that shells expect after Ctrl-C


def add_options(parser, words):
    """Fill the parser of ``train``; the parameters of the kind that ``words`` begin with become options."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"{', '.join(TRAINED)}, or module:Class of another trainer")
    parser.add_argument("--out", metavar="GENOME", help="where the champion goes")
    parser.add_argument("--run", metavar="DIR", dest="folder", help="the run folder [GENOME with the ending .run]")
    parser.add_argument("--resume", metavar="DIR", help="go on with the run in this folder")
    parser.add_argument("--force", action="store_true", help="start over if the run folder holds a run already")
    parser.add_argument("--preset", metavar="NAME", help="a named configuration, which further options change")
    parser.add_argument("--config", metavar="FILE", help="parameters from a JSON file, over those of the preset")
    parser.add_argument("--print-config", action="store_true", help="print the configuration as JSON and stop")
    parser.add_argument("--workers", type=int, metavar="N", help=f"never changes the result [{core_count()}]")
    parser.add_argument("--executor", metavar="MODULE:FACTORY", help="another concurrent.futures executor than threads")
    seconds = "between checkpoints; never changes the result [30]"
    parser.add_argument("--checkpoint-seconds", type=float, default=30.0, metavar="S", help=seconds)
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    parser.usage = "evogo train KIND --out GENOME [options], or evogo train --resume DIR"
    kind = words[0] if words and not words[0].startswith("-") else _kind_to_resume(words)
    if kind is None:
        parser.epilog = "train KIND --help lists the parameters and presets of a kind."
        return
    try:
        found = trainer_class(kind)
    except ValueError as error:
        parser.error(str(error))
    parser.epilog = f"presets: {', '.join(found.presets)}"
    parser.set_defaults(trainer=found)
    configuration.add_options(parser, found.Config)


def _kind_to_resume(words):
    """The kind of the run that ``--resume`` names, or None; what is wrong with its folder is said later."""
    for word, following in zip(words, words[1:] + [""]):
        path = following if word == "--resume" else word.removeprefix("--resume=") if word.startswith("--resume=") else None
        if path:
            try:
                content = read_bytes(Path(path) / "config.json", limits.SETTINGS_BYTES)
                kind = check(RUN_CONFIG, parse_json(content))["kind"]
            except (FileError, SchemaError):
                return None
            return kind if kind in TRAINED else None
    return None


def main(arguments):
    """Run ``train``; the exit code."""
    try:
        return _train(arguments)
    except (ConfigError, RunError) as error:
        print(f"evogo train: {printable(error)}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"evogo train: {printable(error.filename or 'a file')}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("evogo train: stopped before it began", file=sys.stderr)
        return _INTERRUPTED


def _train(arguments):
    trainer = getattr(arguments, "trainer", None)
    if arguments.resume is not None and trainer is None:
        if not (Path(arguments.resume) / "config.json").is_file():
            raise RunError(f"{arguments.resume} is not a run folder (it has no config.json)")
        raise RunError(f"name the trainer of this run as well: train module:Class --resume {arguments.resume}")
    if trainer is None:
        raise ConfigError(f"say what to train ({', '.join(TRAINED)}) or what to --resume")
    if arguments.workers is not None and not 1 <= arguments.workers <= _MOST_WORKERS:
        raise ConfigError(f"--workers must be at least 1 and at most {_MOST_WORKERS}")
    if not 0 <= arguments.checkpoint_seconds < math.inf:
        raise ConfigError("--checkpoint-seconds must be a number that is not negative")
    given = configuration.given_options(trainer.Config, arguments)
    if arguments.resume is not None:
        for name in ("preset", "config", "print_config", "folder", "force"):
            if getattr(arguments, name):
                option = {"print_config": "print-config", "folder": "run"}.get(name, name)
                raise ConfigError(f"--{option} does not go with --resume: the run has its folder and its configuration")
        run = Run.resume(arguments.resume, trainer, given, arguments.out)
    else:
        config = configuration.make(trainer.Config, *_layers(trainer, arguments), given)
        if arguments.print_config:
            print(json.dumps({"kind": trainer.kind, **configuration.to_json(config)}, indent=2))
            return 0
        if arguments.out is None:
            raise ConfigError("say where the champion goes: --out GENOME")
        folder = arguments.folder or Path(arguments.out).with_suffix(".run")
        run = Run.start(trainer(config), folder, arguments.out, arguments.force)
    return _go(run, arguments)


def _layers(trainer, arguments):
    """What preset and file say, in this order."""
    if arguments.preset is not None:
        if arguments.preset not in trainer.presets:
            raise ConfigError(f"unknown preset {arguments.preset!r} (there are: {', '.join(trainer.presets)})")
        yield trainer.presets[arguments.preset]
    if arguments.config is not None:
        values = configuration.read(arguments.config)
        kind = values.pop("kind", trainer.kind)
        if kind != trainer.kind:
            raise ConfigError(f"{arguments.config} is a configuration of {kind}, not of {trainer.kind}")
        yield values


def _go(run, arguments):
    costs = [run.trainer.cost(generation) for generation in range(run.trainer.generations())]
    progress = Progress(sys.stderr, costs, arguments.quiet)
    again = f"go on with: evogo train {arguments.kind or run.trainer.kind} --resume {shlex.quote(str(run.folder.path))}"
    if not run.is_beside:
        again += f" --out {shlex.quote(str(run.out))}"
    try:
        workers = Workers(arguments.workers, arguments.executor)
        try:
            done = run.go(workers, progress, arguments.checkpoint_seconds)
        except KeyboardInterrupt:
            progress.say(f"stopped at once; the checkpoint of generation {run.saved_generation} stands; {again}")
            sys.stderr.flush()
            os._exit(_INTERRUPTED)  # not to wait for games that still run in threads
        finally:
            progress.close()
        workers.close()
    finally:
        run.folder.close()
    if not done:
        progress.say(f"stopped after generation {run.generation}; the best so far is in {run.out}; {again}")
        return _INTERRUPTED
    progress.say(f"done: {run.out} ({run.summary()})")
    return 0
