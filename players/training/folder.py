"""The folder of a run, and everything that is written into it.

``config.json``       kind and all parameters; what ``--print-config`` prints
``changes.json``      if there were any: parameters that a resumed run changed, what they were, and until which generation
``run.json``          where the genome goes
``metrics.jsonl``     the log, a JSON object a generation; the same bytes whenever the run is repeated
``timing.jsonl``      seconds and games per second by generation, apart because they are never the same twice
``checkpoints/``      the last two states, ``000123.ckpt`` after generation 123
``champions/``        the champion of each election, as a genome, ``000125.json``

A checkpoint remembers how long the log was; to resume is to cut the log back to that length and go on. The log is on the
disk before the checkpoint that speaks of it. A log that was cut or edited since, or is gone, does not stop a run, which
needs only its checkpoint: what is left of it is kept, and what is missing is said.

A run folder may come from anywhere: what is read from it is checked first, and nothing in it may be a link to elsewhere.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path

from engine import limits
from engine.files import FileError, open_regular, read_bytes
from engine.texts import printable
from players.formats import CHANGES, METRICS, check_checkpoint
from players.genome import write_atomically
from players.schema import SchemaError, check, parse_json
from players.training import checkpoint
from players.training.checkpoint import CheckpointError

try:
    import fcntl
except ImportError:  # not on this system: then nothing keeps two processes out of one folder
    fcntl = None

FREE_BYTES = 50 << 20  # less than this on the disk at the start, and the run is refused
_KEPT = 2  # checkpoints: the last, and one more in case it is damaged
_LOCK = ".lock"
_FOLDERS = ("checkpoints", "champions")
_OURS = ("config.json", "changes.json", "run.json", "metrics.jsonl", "timing.jsonl", *_FOLDERS)


class RunError(Exception):
    """A run that cannot start or go on; the message is one line that says why and what to do."""

    def __init__(self, message):
        super().__init__(printable(message))


def free_bytes(folder):
    """How much room the disk of ``folder`` has."""
    return shutil.disk_usage(folder).free


def check_disk(folder):
    """RunError unless files can be made in ``folder`` (which is made if it is not there) and the disk has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        write_atomically(probe, b"\0" * 65536)
        probe.unlink(missing_ok=True)  # another run that starts in the same folder may have been faster
        free = free_bytes(folder)
    except OSError as error:
        raise RunError(f"cannot write in {folder}: {error.strerror}; choose another place") from None
    if free < FREE_BYTES:
        room = f"{free / 2**20:.0f} MB are free where {folder} is, and a run wants {FREE_BYTES / 2**20:.0f} MB"
        raise RunError(f"only {room}: make room first")


class RunFolder:
    """An open run folder, locked against other processes until it is closed."""

    def __init__(self, path):
        self.path = Path(path)
        self._log = None
        self._lock = None

    @classmethod
    def create(cls, path, config, run, force=False):
        """A new run folder; RunError if it holds a run already (and ``force`` does not allow to drop that)."""
        folder = cls(path)
        check_disk(folder.path)
        try:
            folder._acquire()
            if (folder.path / "config.json").exists():
                if not force:
                    raise RunError(
                        f"{path} holds a run already: go on with it by --resume {path}, or start over by --force"
                    )
                folder._drop()
            for name in _FOLDERS:
                (folder.path / name).mkdir(exist_ok=True)
            folder.write_run(run)
            folder.write_config(config)  # the last: a folder that has it is a run
        except OSError as error:
            folder.close()
            raise RunError(f"cannot write in {path}: {error.strerror}; choose another place") from None
        except RunError:
            folder.close()
            raise
        return folder

    @classmethod
    def open(cls, path):
        """The folder of a run that was started before; RunError if there is none."""
        folder = cls(path)
        if not (folder.path / "config.json").is_file():
            raise RunError(f"{path} is not a run folder (it has no config.json)")
        for part in (folder.path / name for name in (*_OURS, _LOCK)):
            if part.is_symlink():
                raise RunError(f"{part} is a link: put what it leads to in its place first")
            wanted, fits = ("folder", part.is_dir()) if part.name in _FOLDERS else ("file", part.is_file())
            if part.exists() and not fits:  # a pipe would be waited for
                raise RunError(f"{part} is not a {wanted}, as it is in a run")
        check_disk(folder.path)
        try:
            folder._acquire()
        except OSError as error:
            raise RunError(f"cannot write in {path}: {error.strerror}") from None
        return folder

    def _acquire(self):
        """Keep other processes out (the lock goes away with the process, however that ends), and tidy up."""
        self._lock = open(self.path / _LOCK, "ab")
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise RunError(f"another process is at work on {self.path}") from None
        for leftover in self.path.rglob(".*.part"):  # of a write that was cut off
            leftover.unlink()

    def _drop(self):
        for name in _OURS:
            path = self.path / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def close(self):
        for file in (self._log, self._lock):
            if file is not None:
                file.close()

    # Small files

    def _write_json(self, name, data):
        write_atomically(self.path / name, (json.dumps(data, indent=2) + "\n").encode())

    def read_json(self, name, schema):
        """The JSON in one of the folder's files; RunError if it cannot be read or is not as the schema says."""
        try:
            return check(schema, parse_json(read_bytes(self.path / name, limits.SETTINGS_BYTES)))
        except FileError as error:
            raise RunError(str(error)) from None
        except SchemaError as error:
            raise RunError(f"cannot use {self.path / name}: {error}") from None

    def write_config(self, config):
        self._write_json("config.json", config)

    def record_changes(self, generation, was):
        """A run goes on after ``generation`` with other values of the parameters in ``was``, which had those.

        Together with ``config.json`` this says what held in each generation: the present values, except until the generation
        of an entry those of the entry, of the first entry if there are several. It is written before the configuration, so that
        nothing is lost if the process dies in between. A change that lies ahead, because the newest checkpoint was damaged,
        holds from ``generation`` on.
        """
        known = self.read_json("changes.json", CHANGES) if (self.path / "changes.json").exists() else []
        merged = {}
        for entry in [*known, {"until": generation, "was": was}]:
            values = merged.setdefault(min(entry["until"], generation), {})
            for name in entry["was"]:
                values.setdefault(name, entry["was"][name])  # what was changed twice in a row was never in force
        changes = [{"until": until, "was": values} for until, values in merged.items() if values]
        if changes != known:
            self._write_json("changes.json", changes)

    def write_run(self, run):
        self._write_json("run.json", run)

    def champion_path(self, generation):
        return self.path / "champions" / f"{generation:06d}.json"

    # The log

    def append_log(self, entry):
        """One line of the log; the caller sees to it that a run writes the same line whenever it is repeated."""
        line = (json.dumps(entry, allow_nan=False) + "\n").encode()
        self._log.write(line)
        self._log.flush()
        self._log_bytes += len(line)
        self._log_hash.update(line)

    def append_timing(self, entry):
        with open(self.path / "timing.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def begin_log(self):
        """An empty log."""
        self._open_log(0, hashlib.sha256())

    def continue_log(self, tree):
        """Go on with the log after a checkpoint; a line about what is missing in it, or None if nothing is."""
        path = self.path / "metrics.jsonl"
        hashed = hashlib.sha256()
        try:
            with open_regular(path, limits.LOG_BYTES) as file:
                _read_on(file, tree["log_bytes"], hashed)
        except FileError as error:
            if path.exists():
                raise RunError(f"{error}; move it away") from None
        if hashed.hexdigest() == tree["log_digest"]:
            self._open_log(tree["log_bytes"], hashed)
            return None
        return self._mend_log(tree["generation"])

    def _mend_log(self, generation):
        """Keep of a log that is not as it was what still says something of the generations so far."""
        path = self.path / "metrics.jsonl"
        entries = {}
        if path.exists():
            with open_regular(path, limits.LOG_BYTES) as file:
                for line in iter(lambda: file.readline(limits.LOG_LINE_BYTES), b""):
                    number = _generation_of(line)
                    if number is not None and number <= generation:
                        entries.setdefault(number, line)
        hashed = hashlib.sha256(b"".join(entries[number] for number in sorted(entries)))
        write_atomically(path, b"".join(entries[number] for number in sorted(entries)))
        self._open_log(path.stat().st_size, hashed)
        missing = generation - sum(1 for number in entries if number >= 1)
        return (
            f"{path} was cut or edited: {missing} of its {generation} generations are missing or unreadable, "
            "and it goes on without them; the run itself is intact"
        )

    def _open_log(self, length, hashed):
        """Open the log for appending after its first ``length`` bytes, and drop the rest."""
        self._log = open(self.path / "metrics.jsonl", "ab")
        self._log.truncate(length)
        self._log_bytes, self._log_hash = length, hashed

    # Checkpoints

    def _checkpoints(self):
        return sorted((self.path / "checkpoints").glob("*.ckpt"), reverse=True)

    def write_checkpoint(self, generation, tree):
        """Save the state after ``generation``; OSError, with the older checkpoints intact, if that fails."""
        os.fsync(self._log.fileno())
        tree = {**tree, "generation": generation, "log_bytes": self._log_bytes, "log_digest": self._log_hash.hexdigest()}
        content = checkpoint.encode(tree)
        if len(content) > limits.CHECKPOINT_BYTES:
            raise RunError(f"the state of this run has more than {limits.CHECKPOINT_BYTES >> 20} MB: make it smaller")
        write_atomically(self.path / "checkpoints" / f"{generation:06d}.ckpt", content)
        for old in self._checkpoints()[_KEPT:]:
            old.unlink()

    def read_checkpoint(self):
        """The newest whole checkpoint, and a list of lines about those that had to be passed over.

        None instead of a checkpoint if the run was stopped before it wrote its first; RunError if all are damaged.
        """
        passed = []
        for path in self._checkpoints():
            try:
                return check_checkpoint(checkpoint.decode(read_bytes(path, limits.CHECKPOINT_BYTES))), passed
            except FileError as error:
                passed.append(str(error))
            except (CheckpointError, SchemaError) as error:
                passed.append(f"{path} cannot be used: {error}")
        if passed:
            raise RunError(
                f"no usable checkpoint ({passed[0]}): put one back from a copy, or start again in another folder (--run) or "
                f"in this one (--force); champions so far are in {self.path / 'champions'}"
            )
        return None, []


def _read_on(file, length, hashed):
    """Hash the next ``length`` bytes of a file, a piece at a time."""
    while length > 0 and (piece := file.read(min(length, 1 << 20))):
        hashed.update(piece)
        length -= len(piece)


def _generation_of(line):
    """The generation that a line of the log tells of, or None if it is not a whole line of a log."""
    if not line.endswith(b"\n"):
        return None
    try:
        return check(METRICS, parse_json(line))["generation"]
    except SchemaError:
        return None
