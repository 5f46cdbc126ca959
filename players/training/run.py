"""The run loop: generations, elections, log, checkpoints, resume and interrupt, for any trainer.

A run is a pure function of its configuration and seed, and of the changes to its configuration, which the folder records, if
it was resumed with any. What is written for comparison (log, genomes) holds no times;
checkpoints may be written at any moment, because going on from one gives the same bytes as never having stopped.
"""

import glob
import math
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

from engine import limits
from players import genome
from players.formats import RUN, RUN_CONFIG
from players.genome import Genome, GenomeError, Result, plain
from players.onnx.files import load_genome
from players.training import config as configuration
from players.training.checkpoint import has_form
from players.training.folder import FREE_BYTES, RunError, RunFolder, check_disk, free_bytes
from players.training.trainer import TRIALS
from players.training.workers import WorkerDied

# What a trainer raises when its state is not one: only for the first generation after a checkpoint was read.
_UNFIT = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, ZeroDivisionError)
_SELECT, _CONFIRM = 0, 1  # the two sets of fresh games of an election


class _Stop:
    """Turns the first Ctrl-C (or SIGTERM) into a flag, and a second one into KeyboardInterrupt, while it is entered."""

    def __init__(self, notify):
        self._notify = notify
        self.asked = False

    def __enter__(self):
        self._old, self._owner = {}, os.getpid()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._old[number] = signal.signal(number, self._handle)
        return self

    def _handle(self, number, frame):
        if os.getpid() != self._owner:  # a worker process that was forked from this one
            if number == signal.SIGTERM:
                os._exit(128 + number)
            return  # Ctrl-C is for the process that started it
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        try:
            self._notify()
        except RuntimeError:  # the signal came in the middle of another line to the same stream
            pass

    def __exit__(self, *exception):
        for number, handler in self._old.items():
            signal.signal(number, handler)


class Run:
    """A run of ``trainer`` in an open run folder. Make it with ``Run.start`` or ``Run.resume``."""

    def __init__(self, trainer, folder, out):
        self.trainer = trainer
        self.folder = folder
        self.out = out
        self.generation = 0
        self.saved_generation = None  # of the last checkpoint
        self.champion = None  # {"body", "generation" it was found in, "results"}
        self.history = []
        self.notes = []  # lines that the user should see
        self.was_asked_to_stop = False  # by a signal, the last time that it went on
        self._state = None
        self._resumed_at = None  # the generation of the checkpoint that it goes on from

    @classmethod
    def start(cls, trainer, path, out, force=False):
        """A new run in the folder ``path`` whose genome goes to the file ``out``; RunError if it cannot be."""
        path, out = Path(path), Path(out).absolute()
        if out.is_dir() or out == path.absolute():
            raise RunError(f"{out} is a folder: --out must name a file")
        if out.exists() and not force and not (path / "config.json").exists():
            raise RunError(f"{out} exists already: choose another name, or replace it by --force")
        _check_length(trainer)
        check_disk(out.parent)
        state = trainer.init()  # before there is a folder: what a configuration names may not be there
        config = {"kind": trainer.kind, **configuration.to_json(trainer.config)}
        folder = RunFolder.create(path, config, {"version": 1, "out": str(out)}, force)
        run = cls(trainer, folder, out)
        run._begin(state)
        return run

    @classmethod
    def resume(cls, path, trainer_class, grow=None, out=None):
        """The run in the folder ``path``, from its last checkpoint; RunError if it cannot go on.

        ``grow`` is a dict of parameters to change, of those that may (``option(…, may_grow=True)``).
        """
        folder = RunFolder.open(path)
        try:
            config = folder.read_json("config.json", RUN_CONFIG)
            kind = config.pop("kind")
            if kind != trainer_class.kind:
                raise RunError(f"{path} holds a run of {kind}, not of {trainer_class.kind}")
            tree, passed = folder.read_checkpoint()
            # A run may be older than some option: it goes on with what that option is if nothing is said.
            known = configuration.to_json(_known_config(trainer_class, config, folder))
            grown = configuration.to_json(configuration.make(trainer_class.Config, config, grow or {}))
            for name in grown:
                if grown[name] != known[name] and name not in configuration.growable(trainer_class.Config):
                    raise RunError(f"--{name.replace('_', '-')} cannot change when a run is resumed")
            trainer = trainer_class(configuration.make(trainer_class.Config, grown))
            _check_length(trainer)
            out = Path(out).absolute() if out is not None else _known_out(folder)
            if out.is_dir():
                raise RunError(f"{out} is a folder: --out must name a file")
            was = {name: known[name] for name in grown if grown[name] != known[name]}
            folder.record_changes(0 if tree is None else tree["generation"], was)
            if grown != config:
                folder.write_config({"kind": kind, **grown})
            folder.write_run({"version": 1, "out": str(out)})
            check_disk(out.parent)
            for leftover in out.parent.glob(f".{glob.escape(out.name)}.*.part"):
                leftover.unlink()
            run = cls(trainer, folder, out)
            if tree is None:
                run._begin(trainer.init())
                return run
            run.generation = run.saved_generation = run._resumed_at = tree["generation"]
            run.champion, run.history = _checked_champion(trainer, tree["champion"], path), tree["history"]
            run.notes = passed
            run._state = _loaded(trainer, tree["state"], path)
            missing = folder.continue_log(tree)
            if missing:
                run.notes.append(missing)
            return run
        except BaseException:
            folder.close()
            raise

    def _begin(self, state):
        self._state = state
        self.folder.begin_log()
        self._save()  # tells at once whether a checkpoint can be made and written

    @property
    def done(self):
        """Whether no generation is left."""
        return self.generation >= self.trainer.generations() or self.trainer.finished(self._state)

    def go(self, workers, progress, checkpoint_seconds=30.0, seconds=None):
        """Work until the run is done, is asked to stop, or has taken so many ``seconds``; whether it is done.

        RunError if it cannot go on.
        """
        end = math.inf if seconds is None else time.monotonic() + seconds
        for note in self.notes:
            progress.say(note)
        with _Stop(lambda: progress.say("stopping after this generation (Ctrl-C again: at once)")) as stop:
            try:
                self._loop(workers, progress, checkpoint_seconds, stop, end)
                self._write_genome(workers, lambda: stop.asked)
                self.was_asked_to_stop = stop.asked
            except OSError as error:
                raise RunError(self._cannot_write(error)) from None
            except WorkerDied as error:
                kept = f"the checkpoint of generation {self.saved_generation} stands"
                raise RunError(f"{error}; {kept}: go on with --resume {self.folder.path}") from error
        return self.done

    @property
    def is_beside(self):
        """Whether the genome goes beside the run folder, where a resumed run looks for it by itself."""
        return self.out.parent.resolve() == self.folder.path.resolve().parent

    def _cannot_write(self, error):
        if not self.folder.path.is_dir():
            return f"the run folder {self.folder.path} is gone: it was moved or removed while the run went on"
        problem = f"cannot write in {self.folder.path}: {error.strerror or error}"
        if self.saved_generation is None:
            return f"{problem}; choose another place"
        return (
            f"{problem}; the checkpoint of generation {self.saved_generation} is intact: "
            f"make room and go on with --resume {self.folder.path}"
        )

    def _loop(self, workers, progress, checkpoint_seconds, stop, end):
        saved_at, warned = time.monotonic(), False
        now = -math.inf  # one generation in any case: who goes on again and again gets on
        while not self.done and not stop.asked and now < end:
            began, first = time.monotonic(), self.generation == self._resumed_at
            try:
                entry, games = self._step(workers, stop)
            except _UNFIT as error:
                if not first:
                    raise  # a fault of the trainer, and not of what was in a file
                raise RunError(
                    f"the checkpoint in {self.folder.path} holds a state that cannot go on ({type(error).__name__}: {error})"
                ) from None
            seconds = time.monotonic() - began
            self.folder.append_log(entry)
            self.folder.append_timing({"generation": self.generation, "seconds": seconds, "games": games})
            rate = entry["champion"]["win_rate"] if "champion" in entry else self._champion_rate(entry.get("size"))
            progress.update(entry, rate, seconds, games, self.done)
            now = time.monotonic()
            if self.done or stop.asked or now >= end or now - saved_at >= checkpoint_seconds:
                self._save()
                saved_at = time.monotonic()
                if not warned and free_bytes(self.folder.path) < FREE_BYTES:
                    warned = True
                    progress.say(f"warning: the disk of {self.folder.path} is nearly full")

    def _step(self, workers, stop):
        """One generation, and the election if one is due: its entry in the log, and how many games it took."""
        trainer = self.trainer

        def play(items):
            return workers.evaluate(trainer.evaluate, items, lambda: stop.asked)

        metrics = trainer.advance(self._state, self.generation, play)
        self.generation += 1
        entry = {"generation": self.generation, **_loggable(metrics)}
        games = entry.get("games", 0)
        if self.generation % trainer.config.retest_every == 0 or self.done:
            self.champion, report = self._elect(workers, lambda: stop.asked)
            entry["champion"] = report
            games += report["played"]
            self.history.append(
                {name: entry[name] for name in ("generation", "size", "best", "mean") if name in entry}
                | {"win_rate": report["win_rate"], "games": report["games"]}
            )
            genome.save(self._genome(self.champion), self.folder.champion_path(self.generation))
        return entry, games

    # Elections

    def _elect(self, workers, stopping):
        """The champion after fresh games between the candidates and the reigning one, and what the log says of it.

        Changes nothing, so that it can be done for a look as well.
        """
        trainer, games = self.trainer, self.trainer.config.retest_games
        standing = [self.champion] if self.champion else []
        for body in trainer.candidates(self._state, trainer.config.retest_candidates):
            body = plain(body)
            if all(body != other["body"] for other in standing):
                standing.append({"body": body, "generation": self.generation, "results": []})
        key = trainer.key(TRIALS, self.generation, _SELECT)
        verdicts = self._try([one["body"] for one in standing], key, games, workers, stopping)
        best = max(range(len(standing)), key=lambda i: verdicts[i].rank)  # the first of equals: the reigning champion
        champion = dict(standing[best])
        key = trainer.key(TRIALS, self.generation, _CONFIRM)
        (confirmed,) = self._try([champion["body"]], key, games, workers, stopping)
        champion["results"] = _pooled(champion["results"], confirmed.results)
        played = sum(result.games for result in confirmed.results)
        report = {
            "generation": champion["generation"],
            "win_rate": confirmed.win_rate,
            "games": played,
            "fitness": confirmed.fitness,
            "candidates": len(standing),
            "played": played + sum(result.games for verdict in verdicts for result in verdict.results),
        }
        return champion, _loggable(report)

    def _try(self, bodies, key, games, workers, stopping):
        """The verdict on each body after fresh games from ``key``, all played in one go."""
        state, told = self._state, self.generation - 1
        batches = [self.trainer.trials(state, told, body, key, games) for body in bodies]
        items = [item for batch in batches for item in batch]
        results = iter(workers.evaluate(self.trainer.evaluate, items, stopping))
        return [self.trainer.judge(state, told, [next(results) for _ in batch]) for batch in batches]

    def _champion_rate(self, size):
        """What the last election said of the champion; None if that was on another board."""
        last = self.history[-1] if self.history else {}
        return last.get("win_rate") if last.get("size") == size else None

    def summary(self):
        """What the champion is known to do, in a line: in games that decided nothing, against whom and with which colour."""
        if not self.champion:
            return f"has {self.generation} generations and no champion yet"
        results = [Result.from_json(result) for result in self.champion["results"]]
        told = [f"{result.win_rate:.1%} of {_games_text(result)}" for result in results]
        return f"wins {', '.join(told)}"

    # Files

    def _genome(self, champion):
        return Genome(
            kind=self.trainer.kind,
            sizes=[int(size) for size in self.trainer.sizes(champion["body"])],
            body=champion["body"],
            config=configuration.to_json(self.trainer.config),
            generation=champion["generation"],
            results=[Result.from_json(result) for result in champion["results"]],
            history=list(self.history),
        )

    def _write_genome(self, workers, stopping):
        """The champion into the file that the user asked for; before the first election, who would win it now."""
        champion = self.champion
        if champion is None and self.generation > 0:
            champion, _ = self._elect(workers, stopping)
        if champion is not None:
            self.trainer.write(self._genome(champion), self.out)

    def _save(self):
        tree = {"state": self.trainer.dump(self._state), "champion": self.champion, "history": self.history}
        try:
            self.folder.write_checkpoint(self.generation, tree)
        except OSError as error:
            raise RunError(self._cannot_write(error)) from None
        self.saved_generation = self.generation


def _games_text(result):
    colour = "" if result.colour == "both" else f" as {result.colour.capitalize()}"
    return f"{result.games} fresh games{colour} against {result.opponent} on {result.size}x{result.size}"


def _check_length(trainer):
    """RunError if the run is longer than its files may tell of."""
    generations = trainer.generations()
    if generations > limits.GENERATIONS:
        raise RunError(f"{generations} generations are more than {limits.GENERATIONS}")
    if generations // trainer.config.retest_every > limits.HISTORY:
        raise RunError(f"so many generations need fewer elections: at most {limits.HISTORY} (--retest-every)")


def _known_config(trainer_class, values, folder):
    """The configuration in ``config.json``; RunError, which names the file, if it is none of this trainer."""
    try:
        return configuration.make(trainer_class.Config, values)
    except configuration.ConfigError as error:
        raise RunError(f"cannot use {folder.path / 'config.json'}: {error}") from None


def _known_out(folder):
    """Where ``run.json`` says that the genome goes, if that is beside the run and overwrites nothing but a genome.

    RunError otherwise: a folder that comes from elsewhere must not say which of the user's files is written.
    """
    out = Path(folder.read_json("run.json", RUN)["out"])
    again = f"say where the champion goes: --resume {folder.path} --out GENOME"
    if out.parent.resolve() != folder.path.resolve().parent:
        raise RunError(f"the run would write {out}, which is not beside its folder; {again}")
    if out.is_symlink() or (out.exists() and not _is_genome(out)):
        raise RunError(f"the run would write over {out}, which is not a genome; {again}")
    return out


def _is_genome(path):
    try:
        return genome.load(path) is not None if path.suffix != ".onnx" else load_genome(path) is not None
    except GenomeError:
        return False


def _loaded(trainer, state, path):
    """The state that a checkpoint holds; RunError if it is not one of this trainer, or not one that can go on."""
    if has_form(state, trainer.dump(trainer.blank())):
        try:
            loaded = trainer.load(state)
        except _UNFIT:
            pass
        else:
            try:
                trainer.check(loaded)
            except _UNFIT as error:
                raise RunError(f"the checkpoint in {path} holds a state that cannot go on: {error}") from None
            return loaded
    raise RunError(f"the checkpoint in {path} holds no state of {trainer.kind}")


def _checked_champion(trainer, champion, path):
    """The champion of a checkpoint; RunError if it is none of this kind."""
    if champion is not None:
        try:
            genome.check_body(trainer.kind, champion["body"])
        except GenomeError as error:
            raise RunError(f"the champion in the checkpoint in {path} cannot be used: {error}") from None
    return champion


def _loggable(entry):
    """The entry as JSON can hold it; a number that is not finite becomes null, which any reader understands."""
    return {name: _finite(value) for name, value in entry.items()}


def _finite(value):
    try:
        return plain(value)
    except ValueError:
        return None


def _pooled(old, new):
    """Results with those against the same opponent, on the same board, added up.

    A champion's confirming games never decided anything, so that they may all be counted together.
    """
    pooled = [Result.from_json(result) for result in old]
    for result in new:
        for i, other in enumerate(pooled):
            if replace(other, games=0, wins=0) == replace(result, games=0, wins=0):
                pooled[i] = replace(other, games=other.games + result.games, wins=other.wins + result.wins)
                break
        else:
            pooled.append(result)
    return [plain(result.to_json()) for result in pooled]
