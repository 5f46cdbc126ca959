"""Everything that can play, by name: the one way from what a user types to a ``Player``.

A *spec* is a name (``gojen``), a genome file or ``gtp:COMMAND``, followed by options of that player:
``wally,randomness=0.1``. The options of a player are the keyword arguments of whatever makes it, each read as the
type of its default; nothing else needs to be declared. Players are imported only when they are asked for.

A new scripted player is a line in ``players.scripted``; a new kind of learned player is a line in ``players.kinds``; a
new champion is a file in ``models/``.
"""

import importlib.resources
import inspect
import math
import re
from pathlib import Path
from typing import NamedTuple

from engine.contest.failure import CannotPlay
from engine.go.board import MAX_SIZE, MIN_SIZE
from players import genome, kinds, scripted
from players.onnx.files import load_genome
from players.strongest import BY_SIZE, OTHERWISE, Strongest

DEFAULT = "strongest"  # who plays when nobody is named: see ``players.strongest``
SEARCH = "search"  # looks ahead with any other player as its guide: see ``players.search``
GTP_PREFIX = "gtp:"
_SHOWN_RESULTS = 3  # of a champion, in the table of players: files have the most telling ones first
_GENOME_SUFFIXES = (".json", ".onnx")

# evogo ladder random liberty wally naixt gojen --size 7 --komi 4.5 --games 1000 --anchor random=0
_SCRIPTED_ELO = {"random": 0, "liberty": 694, "wally": 1063, "naixt": 702, "gojen": 1306}


class PlayerError(CannotPlay):
    """There is no such player, or not with these options; the message is one line."""


class Row(NamedTuple):
    """What ``players`` says about a player."""

    name: str
    kind: str
    sizes: str
    strength: str
    genome: str  # its file


# From names to players


def load_player(spec, seed=None):
    """The player that ``spec`` describes, its randomness started from ``seed`` if there is one.

    PlayerError if the spec means nothing, has a bad option, or the player cannot be had.
    """
    try:
        player = _load(spec.strip())
    except (genome.GenomeError, kinds.UnknownKind) as error:
        raise PlayerError(str(error)) from None
    if seed is not None:
        player.seed(seed)
    return player


def names():
    """The names of all players: the strongest for the board, the search, the scripted ones, then the champions that ship."""
    return [DEFAULT, SEARCH, *scripted.NAMES, *champions()]


def champions():
    """The genome files that ship, as a dict from name to path."""
    try:
        folder = importlib.resources.files("models")
    except ModuleNotFoundError:
        return {}
    files = (Path(str(entry)) for entry in folder.iterdir())
    return {path.stem: path for path in sorted(files) if path.suffix in _GENOME_SUFFIXES}


def is_program(spec):
    """Whether a spec means an engine in a process of its own."""
    return spec.strip().startswith(GTP_PREFIX)


def as_program(command):
    """The spec of the engine that ``command`` starts (which may be such a spec already)."""
    return command if is_program(command) else GTP_PREFIX + command


def _load(spec):
    if is_program(spec):
        return _load_process(spec[len(GTP_PREFIX) :])
    if Path(spec).is_file():  # the name of a file may hold a comma
        return _load_genome(Path(spec), {})
    name, *texts = spec.split(",")
    options = _parse_options(name, texts)
    if name.lower() == DEFAULT:
        return _make(DEFAULT, Strongest, (_load, names()), options)
    if name.lower() == SEARCH:
        from players.search.player import load_search

        return _make(SEARCH, load_search, (_load,), options)
    if name.lower() in scripted.NAMES:
        from players.scripted.table import SCRIPTED

        return _make(name.lower(), SCRIPTED[name.lower()], (), options)
    path = champions().get(name)
    if path is None:
        path = Path(name)
        if not path.is_file():
            looks_like_file = path.suffix in _GENOME_SUFFIXES or len(path.parts) > 1
            what = "file" if looks_like_file else "player"
            raise PlayerError(
                f"there is no {what} {name[:80]!r}: choose from {', '.join(names())}, a genome file or gtp:COMMAND"
            )
    return _load_genome(path, options)


def _load_genome(path, options):
    if path.suffix == ".onnx":
        kind, data = _onnx_kind(path), path
    else:
        data = genome.load(path)
        kind = data.kind
    player = _make(path.name, kinds.part(kind, "player").load_player, (data,), options)
    player.name = path.stem
    return player


def _onnx_kind(path):
    """What the metadata of an ONNX file say it is; ``onnx`` (any policy and value network) if they say nothing."""
    import onnxruntime

    try:
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a type of its own for each of many failures
        raise PlayerError(f"{path} is not an ONNX model: {str(error).splitlines()[0][:120]}") from None
    return session.get_modelmeta().custom_metadata_map.get("kind", "onnx")


def _load_process(text):
    from players.programs.process import GtpProcess

    options = _keyword_options(GtpProcess)
    # A command may hold commas itself, so that only what ends it and names an option of ours is one.
    ending = re.compile(rf",({'|'.join(options)})=([^,=]*)$")
    texts = []
    while match := ending.search(text):
        texts.insert(0, match[0][1:])
        text = text[: match.start()]
    return _make("gtp", GtpProcess, (text,), _parse_options("gtp", texts))


# Options


def _parse_options(name, texts):
    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key.strip() and equals):
            raise PlayerError(f"{name}: an option is written key=value, not {text[:40]!r}")
        options[key.strip()] = value.strip()
    return options


def _keyword_options(make):
    """The options of what ``make`` makes: its keyword arguments that have a default, by name."""
    parameters = inspect.signature(make).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty and p.name != "seed"}


def _make(name, make, arguments, texts):
    """Call ``make`` with the options in ``texts`` (name to text); PlayerError if one is unknown or refused."""
    known = _keyword_options(make)
    options = {}
    for key, text in texts.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise PlayerError(f"{name} has no option {key[:40]!r} ({has})")
        options[key] = _read_option(f"option {key} of {name}", text, known[key])
    try:
        return make(*arguments, **options)
    except CannotPlay as error:
        raise PlayerError(str(error)) from None
    except ValueError as error:
        raise PlayerError(f"{name}: {error}") from None


def _read_option(what, text, default):
    """The value that ``text`` stands for, of the type of ``default``."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false", "yes", "no", "1", "0"):
            raise PlayerError(f"{what} must be yes or no, not {text[:40]!r}")
        return text.lower() in ("true", "yes", "1")
    if isinstance(default, str) or default is None:
        return text
    try:
        value = type(default)(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PlayerError(f"{what} must be a number, not {text[:40]!r}")
    return value


# What there is


def rows():
    """A Row for everything that can be played, for ``players``."""
    every_size = f"{MIN_SIZE}-{MAX_SIZE}"
    found = [Row(DEFAULT, "of these", every_size, _strongest_by_size(), "-")]
    found.append(Row(SEARCH, "search", every_size, "-", "-"))
    found += [Row(name, "scripted", every_size, _scripted_strength(name), "-") for name in scripted.NAMES]
    found += [_champion_row(name, path) for name, path in champions().items()]
    return found + [Row("FILE", "any genome", "-", "-", "FILE"), Row("gtp:COMMAND", "GTP engine", "-", "-", "-")]


def _strongest_by_size():
    """``isn-9x9 on 5-9, else gojen``."""
    specs = dict.fromkeys(BY_SIZE.values())
    parts = [f"{spec} on {_ranges(size for size in BY_SIZE if BY_SIZE[size] == spec)}" for spec in specs]
    return ", ".join([*parts, f"else {OTHERWISE}"])


def _scripted_strength(name):
    return f"Elo {_SCRIPTED_ELO[name]} on 7x7" if name in _SCRIPTED_ELO else "-"


def _champion_row(name, path):
    try:
        saved = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
    except genome.GenomeError as error:
        return Row(name, "damaged", "-", str(error), str(path))
    if saved is None:
        return Row(name, "onnx", "-", "-", str(path))
    strength = ", ".join(map(_result_text, saved.results[:_SHOWN_RESULTS])) or "-"
    return Row(name, saved.kind, _ranges(saved.sizes), strength, str(path))


def _result_text(result):
    """Short, for a table: ``evogo show`` has all of them, with games and intervals."""
    return f"{100 * result.win_rate:.0f}% {result.opponent} {result.size}x{result.size}"


def _ranges(sizes):
    """``5-9, 13`` for 5, 6, 7, 8, 9, 13."""
    runs = []
    for size in sorted(sizes):
        if runs and size == runs[-1][1] + 1:
            runs[-1][1] = size
        else:
            runs.append([size, size])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
