"""Configurations: every parameter of a run, what it means and where its value comes from.

A trainer declares its parameters once, as a frozen dataclass of ``option`` fields; the command-line options, their help,
the JSON of ``--config`` and ``--print-config`` and the header of the genome are all made from it::

    @dataclass(frozen=True, kw_only=True)
    class Config(RunConfig):
        population: int = option(100, "individuals in a generation", PAPER, range=(2, 10_000))
        boards: tuple[int, ...] = option((5, 7), "board sizes, one after the other", PAPER, range=ranges.BOARDS)
        drop_off: int | None = option(15, "generations that a species may not get better", PAPER, range=ranges.GENERATIONS)

        def __post_init__(self):
            super().__post_init__()
            require(self.boards, "boards must name a board size")

A field may be an ``int``, ``float``, ``str`` or ``bool``, one of the first three ``| None``, or a ``tuple[…, ...]`` of
them. Every number has a range, so that a slip of the finger is told and does not fill the memory.
"""

import dataclasses
import types
import typing
from dataclasses import dataclass
from typing import NamedTuple

from engine import limits
from engine.files import FileError, read_bytes
from engine.texts import printable, shortened
from players.schema import SchemaError, parse_json
from players.training import ranges

PAPER = "paper"
AUTHOR = "author's code"
OURS = "our choice"

_LONGEST_LIST = 100  # values of a parameter that has many


class ConfigError(ValueError):
    """A configuration that cannot be used; the message is one line that says why."""


def option(default, help, source, choices=None, may_grow=False, range=None, formerly=None):
    """A field of a configuration.

    ``range`` is the pair of the least and the largest value of a number, of each of them if there are many.
    ``source`` is PAPER, AUTHOR or OURS (or longer text that starts with one of them: ``"paper, §5"``).
    ``may_grow`` fields may be changed when a run is resumed: those, such as the number of generations, that have no
    effect on what happened so far. ``formerly`` is the name that the field has in older runs and genomes.
    """
    metadata = {"help": help, "source": source, "choices": choices, "may_grow": may_grow}
    metadata |= {"range": range, "formerly": formerly}
    return dataclasses.field(default=default, metadata=metadata)


def require(condition, message):
    """ConfigError with ``message`` unless ``condition`` holds."""
    if not condition:
        raise ConfigError(message)


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """What every run has; the configuration of a trainer inherits from it."""

    seed: int = option(1, "the run is a pure function of its configuration and this number", OURS, range=ranges.SEEDS)
    retest_every: int = option(
        25, "generations between two elections of the champion", OURS, may_grow=True, range=ranges.GENERATIONS
    )
    retest_candidates: int = option(
        5, "individuals that stand for election beside the reigning champion", OURS, may_grow=True, range=ranges.CANDIDATES
    )
    retest_games: int = option(
        100,
        "fresh games that each of them plays, and the winner once more for its score",
        OURS,
        may_grow=True,
        range=ranges.GAMES,
    )

    def __post_init__(self):
        check(self)


def check(config):
    """ConfigError unless every value of a configuration has the type and range of its field."""
    for field, kind in _fields(type(config)):
        _check(field, kind, getattr(config, field.name))


@dataclass(frozen=True)
class _Kind:
    """The type of a field: ``item`` (int, float, str or bool), perhaps None instead, perhaps many of them."""

    item: type
    optional: bool = False
    many: bool = False


def _kind(annotation):
    if typing.get_origin(annotation) is tuple:
        return _Kind(typing.get_args(annotation)[0], many=True)
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        item = next(part for part in typing.get_args(annotation) if part is not type(None))
        return dataclasses.replace(_kind(item), optional=True)
    return _Kind(annotation)


def _fields(config_class):
    annotations = typing.get_type_hints(config_class)
    return [(field, _kind(annotations[field.name])) for field in dataclasses.fields(config_class)]


def _option_name(field):
    return field.name.replace("_", "-")


def _check(field, kind, value):
    """ConfigError unless ``value`` has the type of the field and is one of its choices."""
    name = _option_name(field)
    if value is None:
        require(kind.optional, f"{name} needs a value")
        return
    require(not kind.many or isinstance(value, tuple), f"{name} must be a list")
    require(not kind.many or len(value) <= _LONGEST_LIST, f"{name} must have at most {_LONGEST_LIST} values")
    for item in value if kind.many else (value,):
        fits = isinstance(item, kind.item) and (kind.item is bool or not isinstance(item, bool)) and item == item
        require(fits, f"{name} must be {_TYPE_NAMES[kind.item]}, not {shortened(repr(item))}")
        choices, limit = field.metadata["choices"], field.metadata["range"]
        require(
            not choices or item in choices,
            f"{name} must be one of {', '.join(map(str, choices or ()))}, not {shortened(repr(item))}",
        )
        if limit is not None:
            low, high = limit
            require(item >= low, f"{name} must be at least {_figure(low)}, not {shortened(_figure(item))}")
            require(item <= high, f"{name} must be at most {_figure(high)}, not {shortened(_figure(item))}")
        elif kind.item in (int, float):
            require(abs(item) <= limits.LARGEST_NUMBER, f"{name} must be a number, not {shortened(_figure(item))}")


def _figure(number):
    return str(number) if isinstance(number, int) else f"{number:g}"


_TYPE_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _coerce(kind, value):
    """A JSON value as the field wants it: lists become tuples, whole numbers become floats where floats are wanted."""
    if kind.many and isinstance(value, list):
        return tuple(_coerce(_Kind(kind.item), item) for item in value)
    if kind.item is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def _parse(field, kind, text):
    """The value that an option's text stands for."""
    if kind.optional and text.lower() == "none":
        return None
    try:
        if kind.many:
            parts = [part.strip() for part in text.split(",") if part.strip()]
            return tuple(item for part in parts for item in (_span(part) if kind.item is int else [kind.item(part)]))
        return kind.item(text)
    except ValueError:
        shape = f"{_TYPE_NAMES[kind.item]}{' (several with commas between)' if kind.many else ''}"
        raise ConfigError(f"--{_option_name(field)} must be {shape}, not {shortened(repr(text))}") from None


def _span(text):
    """The whole numbers of ``3`` or of ``3-5``."""
    low, dash, high = text.partition("-")
    return range(int(low), int(high) + 1) if dash and low else [int(text)]


def to_json(config):
    """The configuration as a dict that JSON can hold."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(config).items()}


def make(config_class, *layers):
    """A configuration from the defaults and dicts of values that override them, later ones first in rank.

    ConfigError for a name that does not exist or a value that does not fit.
    """
    fields = {field.name: kind for field, kind in _fields(config_class)}
    renamed = {field.metadata["formerly"]: field.name for field in dataclasses.fields(config_class)}
    values = {}
    for layer in layers:
        for name, value in layer.items():
            name = name.replace("-", "_")
            name = renamed.get(name, name)
            require(name in fields, f"unknown parameter {shortened(repr(name))}")
            values[name] = _coerce(fields[name], value)
    return config_class(**values)


def saved(config_class, values):
    """The configuration in the header of a genome; parameters that are not known any more are left out."""
    fields = dataclasses.fields(config_class)
    known = {field.name for field in fields} | {field.metadata["formerly"] for field in fields}
    return make(config_class, {name: value for name, value in values.items() if name in known})


def check_saved(config_class, values):
    """ConfigError if a value of a saved configuration is not of the type and range of its parameter.

    Parameters that there are no more, and rules between parameters that came later, are passed over.
    """
    for field, kind in _fields(config_class):
        for name in (field.name, field.metadata["formerly"]):
            if name in values:
                _check(field, kind, _coerce(kind, values[name]))


def read(path):
    """The dict in a JSON configuration file; ConfigError, in one line, if it holds none."""
    try:
        data = parse_json(read_bytes(path, limits.SETTINGS_BYTES))
    except FileError as error:
        raise ConfigError(str(error)) from None
    except SchemaError as error:
        raise ConfigError(f"{printable(path)} is not valid JSON: {error}") from None
    require(isinstance(data, dict), f"{printable(path)} must hold one JSON object of parameters")
    return data


class Parameter(NamedTuple):
    """A field of a configuration as an option of the command line."""

    name: str  # of the field
    option: str  # --retest-every
    metavar: str | None  # None: a switch, yes or no
    help: str


def parameters(config_class):
    """A Parameter for each field."""
    found = []
    for field, kind in _fields(config_class):
        meta, metavar = field.metadata, None
        if kind.item is not bool:
            shape = "|".join(map(str, meta["choices"])) if meta["choices"] else _METAVARS[kind.item]
            metavar = f"{shape},…" if kind.many else shape
        source = f"; {meta['source']}" if meta["source"] else ""
        told = f"{meta['help']} [{_shown(field.default)}{source}]"
        found.append(Parameter(field.name, f"--{_option_name(field)}", metavar, told))
    return found


_METAVARS = {int: "N", float: "X", str: "TEXT"}


def _shown(value):
    """A value as the command line would give it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)


def parse(config_class, given):
    """The values of parameters from what the command line said, name to text (or bool); ConfigError if some does not fit."""
    fields = {field.name: (field, kind) for field, kind in _fields(config_class)}
    return {name: said if isinstance(said, bool) else _parse(*fields[name], said) for name, said in given.items()}


def growable(config_class):
    """The names of the fields that may change when a run is resumed."""
    return [field.name for field in dataclasses.fields(config_class) if field.metadata["may_grow"]]
