"""The folder of a run, and everything that is written into it.

``config.json``       kind and all parameters; what ``--print-config`` prints
``run.json``          where the genome goes
``metrics.jsonl``     the log, a JSON object a generation; the same bytes whenever the run is repeated
``timing.jsonl``      seconds and games per second by generation, apart because they are never the same twice
``checkpoints/``      the last two states, ``000123.ckpt`` after generation 123
``champions/``        the champion of each election, as a genome, ``000125.json``

A checkpoint remembers how long the log was; to resume is to cut the log back to that length and go on. The log is on the
disk before the checkpoint that speaks of it.
"""

import hashlib
import json
import os
import shutil
from pathlib import Path

from players.genome import write_atomically
from players.training import checkpoint
from players.training.checkpoint import CheckpointError

try:
    import fcntl
except ImportError:  # not on this system: then nothing keeps two processes out of one folder
    fcntl = None

FREE_BYTES = 50 << 20  # less than this on the disk at the start, and the run is refused
_KEPT = 2  # checkpoints: the last, and one more in case it is damaged
_OURS = ("config.json", "run.json", "metrics.jsonl", "timing.jsonl", "checkpoints", "champions")


class RunError(Exception):
    """A run that cannot start or go on; the message is one line that says why and what to do."""


def free_bytes(folder):
    """How much room the disk of ``folder`` has."""
    return shutil.disk_usage(folder).free


def check_disk(folder):
    """RunError unless files can be made in ``folder`` (which is made if it is not there) and the disk has room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        write_atomically(probe, b"\0" * 65536)
        probe.unlink()
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
            for name in ("checkpoints", "champions"):
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
        check_disk(folder.path)
        folder._acquire()
        return folder

    def _acquire(self):
        """Keep other processes out (the lock goes away with the process, however that ends), and tidy up."""
        self._lock = open(self.path / ".lock", "ab")
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

    def read_json(self, name):
        """The JSON object in one of the folder's files; RunError if it cannot be read."""
        try:
            data = json.loads((self.path / name).read_bytes())
        except (OSError, ValueError) as error:
            raise RunError(f"cannot read {self.path / name}: {getattr(error, 'strerror', None) or error}") from None
        if not isinstance(data, dict):
            raise RunError(f"cannot read {self.path / name}: it is not a JSON object")
        return data

    def write_config(self, config):
        self._write_json("config.json", config)

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

    def cut_log(self, length):
        """Open the log for appending after its first ``length`` bytes, and drop the rest."""
        path = self.path / "metrics.jsonl"
        kept = path.read_bytes()[:length] if path.exists() else b""
        self._log = open(path, "ab")
        self._log.truncate(length)
        self._log_bytes, self._log_hash = len(kept), hashlib.sha256(kept)

    def _log_matches(self, tree):
        path = self.path / "metrics.jsonl"
        kept = path.read_bytes()[: tree["log_bytes"]] if path.exists() else b""
        return hashlib.sha256(kept).hexdigest() == tree["log_digest"]

    # Checkpoints

    def _checkpoints(self):
        return sorted((self.path / "checkpoints").glob("*.ckpt"), reverse=True)

    def write_checkpoint(self, generation, tree):
        """Save the state after ``generation``; OSError, with the older checkpoints intact, if that fails."""
        os.fsync(self._log.fileno())
        tree = {**tree, "generation": generation, "log_bytes": self._log_bytes, "log_digest": self._log_hash.hexdigest()}
        write_atomically(self.path / "checkpoints" / f"{generation:06d}.ckpt", checkpoint.encode(tree))
        for old in self._checkpoints()[_KEPT:]:
            old.unlink()

    def read_checkpoint(self):
        """The newest whole checkpoint, and a list of lines about those that had to be passed over.

        None instead of a checkpoint if the run was stopped before it wrote its first; RunError if all are damaged.
        """
        passed = []
        for path in self._checkpoints():
            try:
                tree = checkpoint.decode(path.read_bytes())
                if not self._log_matches(tree):
                    raise CheckpointError("the log does not reach as far as it does, or was changed")
                return tree, passed
            except (CheckpointError, OSError) as error:
                passed.append(f"{path} cannot be used: {getattr(error, 'strerror', None) or error}")
        if passed:
            raise RunError(f"no usable checkpoint ({passed[0]}): start the run again with --force")
        return None, []
