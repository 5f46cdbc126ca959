"""Everything that can play, by name: the one way from what a user types to a ``Player``.

A *spec* is a name (``gojen``), a genome file, a run folder (``mine.run``; ``mine.run@120`` is its champion after generation
120) or ``gtp:COMMAND``, followed by options of that player: ``wally,randomness=0.1``. Which options there are, every player
declares as a tuple of ``Option``; a value is read as the type of the option's default. Players are imported only when they
are asked for. ``players.listing`` tells what there is.

A new scripted player is a line in ``players.scripted.table``; a new kind of learned player is a line in ``players.kinds``; a
new champion is a file in ``models/``.
"""

import importlib.resources
import math
import os
import re
from pathlib import Path

from engine.contest.failure import CannotPlay
from players import genome, kinds, levels, scripted
from players.onnx.files import FOREIGN, load_genome

DEFAULT = "strongest"  # who plays when nobody is named
SEARCH = "search"  # looks ahead with any other player as its guide: see ``players.search``
# What ``strongest`` is short for: it wins against all others wherever it was tried (models/README.md). Without a clock it
# thinks two seconds at most.
STRONGEST = levels.LEVELS[-1]
GTP_PREFIX = "gtp:"
_LEVEL = re.compile(r"level-([0-9]{1,3})")  # short for the player of a level
_CHAMPIONS = "champions"  # the folder of a run that holds them, by the generation of their election
_SHOWN_NAME = 80  # characters of a name that does not exist
_SHOWN_OPTION = 40
_GENOME_SUFFIXES = (".json", ".onnx")


class PlayerError(CannotPlay):
    """There is no such player, or not with these options; the message is one line."""


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


def searches(spec):
    """Whether a spec is that of a search."""
    return spec.partition(",")[0].strip().lower() in (DEFAULT, SEARCH)


def thinking(spec, seconds=None, threads=None):
    """The spec of a player that searches, with what it may use for a move; PlayerError if it does not search."""
    given = {"seconds": seconds, "threads": threads}
    texts = [f"{name}={value:g}" for name, value in given.items() if value is not None]
    if texts and not searches(spec):
        raise PlayerError(f"--time and --threads are for players that search, such as search,guide={spec[:_SHOWN_NAME]}")
    return ",".join([spec, *texts])


def load_program(command):
    """The engine that ``command`` starts, which may be a whole spec of one."""
    return load_player(command if command.strip().startswith(GTP_PREFIX) else GTP_PREFIX + command)


def title(spec, player):
    """What reports and records call the player of a spec: its name with the options it was given, a program with its command."""
    spec = spec.strip()
    if spec.startswith(GTP_PREFIX):
        return f"{player.name} ({spec})"
    head, _, options = (spec, "", "") if os.path.isfile(spec) else spec.partition(",")
    name = head.lower() if _LEVEL.fullmatch(head.lower()) else player.name
    return f"{name},{options}" if options else name


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
    if past := _champion_of_run(name):
        return _load_genome(past, options, f"{Path(name.rpartition('@')[0] or name).stem}@{int(past.stem)}")
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
                f"there is no {what} {shown!r}: choose from {', '.join(names())}, a genome file, a run folder or gtp:COMMAND"
            )
    return _load_genome(path, options)


def _champion_of_run(name):
    """The genome file of a run's champion, the newest or that after ``@generation``; None if ``name`` is no run folder."""
    folder, at, generation = name.rpartition("@")
    if not os.path.isdir(Path(folder) / _CHAMPIONS if at else Path(name) / _CHAMPIONS):
        return None
    files = sorted((Path(folder) if at else Path(name)).glob(f"{_CHAMPIONS}/*.json"))
    elected = {int(file.stem): file for file in files if file.stem.isascii() and file.stem.isdigit()}
    if not elected:
        raise PlayerError(f"{name[:_SHOWN_NAME]} has no champion yet")
    if not at:
        return elected[max(elected)]
    told = f"its champions were elected after generation {_some(elected)}"
    if not (generation.isascii() and generation.isdigit()):
        raise PlayerError(f"after the @ stands the number of a generation, not {generation[:_SHOWN_OPTION]!r}; {told}")
    reigning = [number for number in elected if number <= int(generation)]
    if not reigning:
        raise PlayerError(f"{folder[:_SHOWN_NAME]} had no champion after generation {int(generation)}; {told}")
    return elected[max(reigning)]


def _some(numbers):
    """``10, 20, 30, …, 170``."""
    texts = [str(number) for number in sorted(numbers)]
    return ", ".join(texts if len(texts) <= 5 else [*texts[:3], "...", texts[-1]])


def _load_genome(path, options, name=None):
    data = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
    kind = FOREIGN if data is None else data.kind
    part = kinds.part(kind, "player")
    player = _make(path.name, part.load_player, part.OPTIONS, (path if data is None else data,), options)
    player.name, player.files = name or path.stem, [path]
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
