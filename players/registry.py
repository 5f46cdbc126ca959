"""Everything that can play, by name: the one way from what a user types to a ``Player``.

A *spec* is a name (``gojen``), a genome file or ``gtp:COMMAND``, followed by options of that player:
``wally,randomness=0.1``. Which options there are, every player declares as a tuple of ``Option``; a value is read as the
type of the option's default. Players are imported only when they are asked for.

A new scripted player is a line in ``players.scripted.table``; a new kind of learned player is a line in ``players.kinds``; a
new champion is a file in ``models/``.
"""

import importlib.resources
import math
import os
import re
from pathlib import Path
from typing import NamedTuple

from engine.contest.failure import CannotPlay
from engine.go.board import MAX_SIZE, MIN_SIZE
from players import genome, kinds, levels, scripted
from players.onnx.files import FOREIGN, load_genome

DEFAULT = "strongest"  # who plays when nobody is named
# What ``strongest`` is short for: it wins against all others wherever it was tried (models/README.md). Without a clock it
# thinks two seconds at most.
STRONGEST = "search"
SEARCH = "search"  # looks ahead with any other player as its guide: see ``players.search``
GTP_PREFIX = "gtp:"
_LEVEL = re.compile(r"level-([0-9]{1,3})")  # short for the player of a level
_SHOWN_RESULTS = 3  # of a champion, in the table of players: files have the most telling ones first
_SHOWN_NAME = 80  # characters of a name that does not exist
_SHOWN_OPTION = 40
_GENOME_SUFFIXES = (".json", ".onnx")

# evogo ladder random liberty wally naixt gojen --size 7 --komi 4.5 --games 1000 --anchor random=0
_SCRIPTED_ELO = {"random": 0, "liberty": 645, "wally": 994, "naixt": 651, "gojen": 1225}


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


def load_program(command):
    """The engine that ``command`` starts, which may be a whole spec of one."""
    return load_player(command if command.strip().startswith(GTP_PREFIX) else GTP_PREFIX + command)


def title(spec, player):
    """What reports and records call the player of a spec: its name with the options it was given, a program with its command."""
    spec = spec.strip()
    if spec.startswith(GTP_PREFIX):
        return f"{player.name} ({spec})"
    options = "" if os.path.isfile(spec) else spec.partition(",")[2]
    return f"{player.name},{options}" if options else player.name


def names():
    """The names of all players: the strongest, the search, the scripted ones, then the champions that ship."""
    return [DEFAULT, SEARCH, *scripted.NAMES, *champions()]


def champions():
    """The genome files that ship, as a dict from name to path."""
    try:
        folder = importlib.resources.files("models")
    except ModuleNotFoundError:
        return {}
    files = (Path(str(entry)) for entry in folder.iterdir())
    return {path.stem: path for path in sorted(files) if path.suffix in _GENOME_SUFFIXES}


def _load(spec):
    if spec.startswith(GTP_PREFIX):
        return _load_process(spec[len(GTP_PREFIX) :])
    if os.path.isfile(spec):  # the name of a file may hold a comma
        return _load_genome(Path(spec), {})
    name, *texts = spec.split(",")
    if name.lower() == DEFAULT:
        return _load(",".join([STRONGEST, *texts]))
    if level := _LEVEL.fullmatch(name.lower()):
        try:
            return _load(",".join([levels.spec_of(int(level[1])), *texts]))
        except ValueError as error:
            raise PlayerError(f"there is no player {name[:_SHOWN_NAME]!r}: {error}") from None
    options = _parse_options(name, texts)
    if name.lower() == SEARCH:
        from players.search.player import OPTIONS, load_search

        parts = []  # its guide and its playout policy
        player = _make(SEARCH, load_search, OPTIONS, (lambda part: parts.append(_load(part)) or parts[-1],), options)
        player.files = [file for part in parts for file in part.files]
        return player
    if name.lower() in scripted.NAMES:
        from players.scripted.table import SCRIPTED

        player_class = SCRIPTED[name.lower()]
        return _make(name.lower(), player_class, player_class.options, (), options)
    path = champions().get(name)
    if path is None:
        path = Path(name)
        if not name or not os.path.exists(path):
            looks_like_file = path.suffix in _GENOME_SUFFIXES or len(path.parts) > 1
            what, shown = "file" if looks_like_file else "player", name[:_SHOWN_NAME]
            raise PlayerError(
                f"there is no {what} {shown!r}: choose from {', '.join(names())}, a genome file or gtp:COMMAND"
            )
    return _load_genome(path, options)


def _load_genome(path, options):
    data = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
    kind = FOREIGN if data is None else data.kind
    part = kinds.part(kind, "player")
    player = _make(path.name, part.load_player, part.OPTIONS, (path if data is None else data,), options)
    player.name, player.files = path.stem, [path]
    player.komis = {} if data is None else _komis(data.results)
    return player


def _komis(results):
    """The komi of results, a set by board size."""
    komis = {}
    for result in results:
        komis.setdefault(result.size, set()).add(result.komi)
    return komis


def _load_process(text):
    from players.programs.process import OPTIONS, GtpProcess

    # A command may hold commas itself, so that only what ends it and names an option of ours is one.
    ending = re.compile(rf",({'|'.join(option.name for option in OPTIONS)})=([^,=]*)$")
    texts = []
    while match := ending.search(text):
        texts.insert(0, match[0][1:])
        text = text[: match.start()]
    return _make("gtp", GtpProcess, OPTIONS, (text,), _parse_options("gtp", texts))


# Options


def _parse_options(name, texts):
    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key.strip() and equals):
            raise PlayerError(f"{name}: an option is written key=value, not {text[:_SHOWN_OPTION]!r}")
        options[key.strip()] = value.strip()
    return options


def _make(name, make, declared, arguments, texts):
    """Call ``make`` with the options in ``texts`` (name to text); PlayerError if one is not ``declared`` or is refused."""
    known = {option.name: option.default for option in declared}
    options = {}
    for key, text in texts.items():
        if key not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise PlayerError(f"{name} has no option {key[:_SHOWN_OPTION]!r} ({has})")
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
            raise PlayerError(f"{what} must be yes or no, not {text[:_SHOWN_OPTION]!r}")
        return text.lower() in ("true", "yes", "1")
    if isinstance(default, str):
        return text
    try:
        value = type(default)(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PlayerError(f"{what} must be a number, not {text[:_SHOWN_OPTION]!r}")
    return value


# What there is


def rows():
    """A Row for everything that can be played, for ``players``."""
    every_size = f"{MIN_SIZE}-{MAX_SIZE}"
    found = [Row(DEFAULT, "of these", every_size, STRONGEST, "-"), Row(SEARCH, "search", every_size, "-", "-")]
    found += [Row(name, "scripted", every_size, f"Elo {_SCRIPTED_ELO[name]} on 7x7", "-") for name in scripted.NAMES]
    found += [_champion_row(name, path) for name, path in champions().items()]
    found.append(Row("level-N", "of these", every_size, f"N from 1 to {levels.TOP}, as evogo --level N plays", "-"))
    return found + [Row("FILE", "any genome", "-", "-", "FILE"), Row("gtp:COMMAND", "GTP engine", "-", "-", "-")]


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
