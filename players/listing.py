"""``players``: everything that can be played, how strong it is on each board, and the options that it takes.

Elo ratings come from the ladders whose results ship (``models/results/ladder-9x9.json`` and so on; the commands are in
``models/README.md``), in which Random has 0: numbers in one column can be compared, numbers in different columns cannot.
"""

import importlib.resources
import re
import textwrap
from typing import NamedTuple

from engine.contest.report import columns
from engine.files import FileError, read_bytes
from engine.go.board import MAX_SIZE, MIN_SIZE
from engine.limits import SETTINGS_BYTES
from players import genome, kinds, levels, registry, scripted
from players.onnx.files import FOREIGN, load_genome
from players.schema import SchemaError, parse_json

WIDTH = 100  # columns that the text fits
_LADDER = re.compile(r"ladder-(\d+)x\d+\.json")
_EVERY_SIZE = f"{MIN_SIZE}-{MAX_SIZE}"


class Row(NamedTuple):
    """What is known of a player without playing it."""

    name: str
    kind: str
    boards: str
    elo: dict  # by board size: its rating, for the ladders that it was in
    options: tuple  # of Option
    genome: str | None = None  # its file
    note: str = ""  # what is wrong with it


def elo_tables():
    """{board size: {player: Elo}} of the ladders that ship."""
    tables = {}
    try:
        folder = importlib.resources.files("models") / "results"
        files = sorted(folder.iterdir(), key=lambda file: file.name)
    except (OSError, ModuleNotFoundError):
        return tables
    for file in files:
        if match := _LADDER.fullmatch(file.name):
            try:
                found = parse_json(read_bytes(file, SETTINGS_BYTES))
                tables[int(match[1])] = {row["player"]: float(row["elo"]) for row in found["players"]}
            except (FileError, SchemaError, KeyError, TypeError, ValueError):
                continue  # a damaged table rates nobody
    return dict(sorted(tables.items()))


def rows():
    """A Row for everything that can be played."""
    from players.programs.process import OPTIONS as PROGRAM_OPTIONS
    from players.scripted.table import SCRIPTED
    from players.search.player import OPTIONS as SEARCH_OPTIONS

    tables = elo_tables()

    def elo(*names):
        """By the first of the names that a table has: a level may stand there as the player that it is."""
        return {size: table[name] for size, table in tables.items() for name in reversed(names) if name in table}

    found = [
        Row(registry.DEFAULT, registry.STRONGEST, _EVERY_SIZE, elo(registry.STRONGEST), SEARCH_OPTIONS),
        Row(registry.SEARCH, "search", _EVERY_SIZE, elo(registry.SEARCH), SEARCH_OPTIONS),
    ]
    found += [Row(name, "scripted", _EVERY_SIZE, elo(name), SCRIPTED[name].options) for name in scripted.NAMES]
    for name, path in registry.champions().items():
        found.append(_champion_row(name, path)._replace(elo=elo(name)))
    for level, spec in enumerate(levels.LEVELS, 1):
        found.append(Row(f"level-{level}", spec, _EVERY_SIZE, elo(f"level-{level}", spec), ()))
    return [
        *found,
        Row("FILE", "any genome", "-", {}, ()),
        Row("RUN@120", "of a run", "-", {}, ()),
        Row("gtp:COMMAND", "GTP engine", "-", {}, PROGRAM_OPTIONS),
    ]


def _champion_row(name, path):
    try:
        saved = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
    except genome.GenomeError as error:
        return Row(name, "damaged", "-", {}, (), str(path), str(error))
    kind, boards = (FOREIGN, "-") if saved is None else (saved.kind, _ranges(saved.sizes))
    return Row(name, kind, boards, {}, kinds.part(kind, "player").OPTIONS, str(path))


def as_json(row):
    """The row as plain data."""
    options = {option.name: option.default if option.default != float("inf") else "inf" for option in row.options}
    return {**row._asdict(), "elo": {str(size): elo for size, elo in row.elo.items()}, "options": options}


def text(found):
    """The rows for people."""
    sizes = sorted({size for row in found for size in row.elo})
    table = [("name", "kind", "boards", *(f"Elo {size}x{size}" for size in sizes))]
    for row in found:
        ratings = (f"{row.elo[size]:.0f}" if size in row.elo else "-" for size in sizes)
        table.append((row.name, row.kind, row.boards, *ratings))
    parts = [columns(table, left=3)]
    if sizes:
        parts.append("Elo: Random has 0 on each board. How it was measured: models/README.md.")
    parts += [f"{row.name}: {row.note}" for row in found if row.note]
    parts.append(_options_text(found))
    return "\n\n".join(parts)


def _options_text(found):
    """The options of all players, those of several together."""
    takers = {}
    for row in found:
        if row.options and row.name != registry.DEFAULT:
            takers.setdefault(row.options, []).append(row.name)
    lines = ["Options, as in wally,randomness=0.1 (what they are if nothing is said in brackets):"]
    for options, names in takers.items():
        lines += textwrap.wrap(", ".join(names), WIDTH, initial_indent="  ", subsequent_indent="  ")
        width = max(len(option.name) for option in options)
        for option in options:
            told = textwrap.wrap(f"{option.help} [{_value(option.default)}]", WIDTH - width - 6)
            starts = [option.name] + [""] * (len(told) - 1)
            lines += [f"    {start:{width}}  {line}".rstrip() for start, line in zip(starts, told)]
    return "\n".join(lines)


def _value(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _ranges(sizes):
    """``5-9, 13`` for 5, 6, 7, 8, 9, 13."""
    runs = []
    for size in sorted(sizes):
        if runs and size == runs[-1][1] + 1:
            runs[-1][1] = size
        else:
            runs.append([size, size])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
