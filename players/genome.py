"""Saved genomes: the file format that every learned player shares.

A genome file is data, never code. It is one JSON object whose header says what the file is and how it came about, and
whose ``body`` belongs to the kind of player:

``evogo``       always ``"genome"``
``version``     of this format; a newer one than ours is refused
``kind``        ``hyperneat``, ``sane``, …
``sizes``       the board sizes it can play
``generation``  of its run in which this individual was found
``config``      the whole configuration of that run, its seed included
``results``     what it scored in games that played no part in choosing it, a list of ``Result`` objects
``history``     how the champion of the run scored over time, a list of objects
``body``        what the kind needs to play
``digest``      SHA-256 over all the rest, so that a damaged or edited file is noticed

A file is checked as a whole, its header by ``players.formats`` and its body by the ``body.py`` of its kind, before
anything is built from it: that a digest is right says nothing about who made it.

Two runs that find the same genome write the same bytes: there are no times and no machine names in the file.
"""

import hashlib
import json
import math
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from engine import limits
from engine.contest.elo import wilson
from engine.files import FileError, read_bytes
from engine.texts import printable, with_article
from players import kinds
from players.formats import check_header
from players.schema import Anything, NotJson, SchemaError, Table, check, parse_json

VERSION = 1
_HEADER = ("kind", "sizes", "generation", "config", "history")
_FILE = Table({"body": Table({}, others=Anything())}, others=Anything())


class GenomeError(ValueError):
    """A genome that cannot be used, whatever its kind; the message is one line that says why and names the file."""

    def __init__(self, message):
        super().__init__(printable(message))


@dataclass(frozen=True)
class Result:
    """What a player scored against one opponent."""

    opponent: str
    size: int
    komi: float
    games: int
    wins: float  # a drawn game counts one half
    colour: str = "black"  # or "white", or "both" when the colours alternated

    @property
    def win_rate(self):
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self):
        """The 95% interval of the win rate, as (low, high)."""
        return wilson(self.wins, self.games)

    def to_json(self):
        return {**asdict(self), "win_rate": self.win_rate, "interval": list(self.interval)}

    @classmethod
    def from_json(cls, data):
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})


@dataclass
class Genome:
    """A saved player: what it is (``kind``, ``body``, ``sizes``) and where it comes from."""

    kind: str
    sizes: list
    body: dict
    config: dict = field(default_factory=dict)
    generation: int = 0
    results: list = field(default_factory=list)  # of Result
    history: list = field(default_factory=list)  # of dict

    @property
    def seed(self):
        """The seed of the run, or None."""
        return self.config.get("seed")


def plain(tree):
    """``tree`` as JSON can hold it: numpy arrays and numbers become lists and numbers, tuples become lists.

    TypeError for anything else, ValueError for a number that is not finite: a genome must not hold either.
    """
    if isinstance(tree, np.ndarray):
        return plain(tree.tolist())
    if isinstance(tree, np.generic):
        return plain(tree.item())
    if isinstance(tree, dict):
        if not all(isinstance(key, str) for key in tree):
            raise TypeError("a key in a genome must be a string")
        return {key: plain(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [plain(value) for value in tree]
    if isinstance(tree, float) and not math.isfinite(tree):
        raise ValueError("a number in a genome is not finite")
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    raise TypeError(f"a genome cannot hold a {type(tree).__name__}")


def _digest(data):
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def encode(genome):
    """The bytes of the genome's file."""
    data = plain(
        {
            "evogo": "genome",
            "version": VERSION,
            "kind": genome.kind,
            "sizes": sorted(genome.sizes),
            "generation": genome.generation,
            "config": genome.config,
            "results": [result.to_json() for result in genome.results],
            "history": genome.history,
            "body": genome.body,
        }
    )
    data["digest"] = _digest(data)
    lines = (f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in data.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def decode(content, name="genome", kind=None):
    """The Genome in ``content`` (bytes); ``name`` is how errors call it, ``kind`` the only kind to accept.

    GenomeError if it is not a genome, is damaged, is of another kind or of a newer version, or holds what it must not.
    """
    data = _parsed(content, name)
    check_version(data.get("version"), VERSION, name)
    if data.pop("digest", None) != _digest(data):
        raise GenomeError(f"{name} is damaged or was edited: its digest does not match its content")
    if kind is not None and data.get("kind") != kind:
        held, wanted = (with_article(f"{each} genome") for each in (data.get("kind"), kind))
        raise GenomeError(f"{name} holds {held}, not {wanted}")
    try:
        check(_FILE, data)
    except SchemaError as error:
        raise GenomeError(f"{name} cannot be used: {error}") from None
    return from_header(data, data["body"], name)


def _parsed(content, name):
    """The JSON object of a genome file."""
    try:
        data = parse_json(content)
    except NotJson as error:
        raise GenomeError(f"{name} cannot be read: {_damage(content) or error}") from None
    except SchemaError as error:
        raise GenomeError(f"{name} cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("evogo") != "genome":
        raise GenomeError(f"{name} is not a genome file of evogo")
    return data


def _damage(content):
    """What is obviously wrong with bytes that are no JSON, or None."""
    if not content.strip():
        return "it is empty"
    if content.lstrip()[:1] != b"{":
        return "it is not a genome (no JSON object)"
    return None if content.rstrip().endswith(b"}") else "it is truncated (no complete JSON object)"


def check_version(version, newest, name):
    """GenomeError unless ``version`` is one that there is."""
    if type(version) is not int or version < 1:
        raise GenomeError(f"{name} has no valid format version")
    if version > newest:
        raise GenomeError(f"{name} has format version {version}, newer than {newest}: it needs a newer evogo")


def from_header(header, body, name):
    """The Genome of a header (with ``kind``, ``sizes``, …) and a body; GenomeError unless both are as declared."""
    try:
        check_header(header)
    except SchemaError as error:
        raise GenomeError(f"{name} cannot be used: {error}") from None
    try:
        check_body(header["kind"], body)
    except GenomeError as error:
        raise GenomeError(f"{name} cannot be used: {error}") from None
    results = [Result.from_json(result) for result in header["results"]]
    return Genome(body=body, results=results, **{part: header[part] for part in _HEADER})


def check_body(kind, body):
    """GenomeError unless ``body`` is that of a genome of this kind; kinds that are not ours may hold anything."""
    try:
        declared = kinds.part(kind, "body")
    except kinds.UnknownKind:
        return
    declared.read_body(body)


def load(path, kind=None):
    """The Genome in the file at ``path``; GenomeError if there is none to be had."""
    try:
        content = read_bytes(path, limits.GENOME_BYTES)
    except FileError as error:
        raise GenomeError(str(error)) from None
    return decode(content, str(path), kind)


def save(genome, path):
    """Write the genome's file in one step: at any moment there is the old file or the whole new one."""
    write_atomically(path, encode(genome))


def write_atomically(path, content):
    """Replace the file at ``path`` by ``content`` (bytes), or leave it as it was; OSError if it cannot be written."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(path.parent)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder):
    """Make the new name survive a power cut; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
