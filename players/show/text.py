"""``show``: what a genome or a run is, as text; the page with its pictures is made in ``page``."""

import os
import sys
from dataclasses import dataclass, field, fields
from pathlib import Path

from engine import limits
from engine.files import FileError, open_regular, read_bytes
from engine.texts import printable, with_article
from players import genome
from players.formats import METRICS, RUN_CONFIG, TIMING
from players.genome import GenomeError, write_atomically
from players.kinds import UnknownKind, part
from players.onnx.files import load_genome
from players.schema import SchemaError, check, parse_json
from players.show.charts import number_text
from players.training.config import ConfigError, check_saved

_BAR = 30  # characters of a full bar
_ROWS = 20  # of the score history in text


class ShowError(Exception):
    """Nothing that can be shown; the message is one line that says why."""


@dataclass
class Subject:
    """What is to be shown: a genome (None before a run's first election), and the run around it if there is one."""

    name: str
    kind: str
    champion: genome.Genome | None
    config: dict
    log: list = field(default_factory=list)
    timing: list = field(default_factory=list)
    champions: list = field(default_factory=list)  # genomes by generation, oldest first

    @property
    def viewer(self):
        """The viewer module of the kind, or None."""
        try:
            return part(self.kind, "viewer")
        except UnknownKind:
            return None

    def ask_viewer(self, name, *arguments):
        """What a function of the viewer gives, or None if it has no such function (or there is nothing to draw)."""
        function = getattr(self.viewer, name, None)
        return function(*arguments) if function and self.champion else None


def _json_lines(path, schema):
    """The objects in a file of JSON lines, every second, fourth, … if there are many; [] if there is no file.

    A last line that is being written is left out. ShowError if another one is not as the schema says.
    """
    if not path.exists():
        return []
    entries, last, step = [], None, 1
    with open_regular(path, limits.LOG_BYTES) as file:
        for number, line in enumerate(iter(lambda: file.readline(limits.LOG_LINE_BYTES), b"")):
            if not line.endswith(b"\n"):
                if len(line) == limits.LOG_LINE_BYTES:
                    raise ShowError(f"{path}, line {number + 1}: it has more than {limits.LOG_LINE_BYTES} bytes")
                break
            last = (number, line)
            if number % step:
                continue
            entries.append(_entry(path, number, line, schema))
            if len(entries) > limits.LOG_ENTRIES:
                entries, step = entries[::2], 2 * step
    if last is not None and last[0] % step:
        entries.append(_entry(path, *last, schema))
    return entries


def _entry(path, number, line, schema):
    try:
        return check(schema, parse_json(line))
    except SchemaError as error:
        raise ShowError(f"{path}, line {number + 1}: {error}") from None


def read_subject(path):
    """The genome file or run folder at ``path`` as a Subject; ShowError, GenomeError or FileError if it is neither."""
    path = Path(path)
    subject = _read_run(path) if os.path.isdir(path) else _read_genome(path)
    try:
        known = part(subject.kind, "trainer").Trainer.Config
    except UnknownKind:
        return subject
    for config in [subject.config, *(champion.config for champion in subject.champions)]:
        try:
            check_saved(known, config)
        except ConfigError as error:
            raise ShowError(f"the configuration in {path} cannot be used: {error}") from None
    return subject


def _read_genome(path):
    champion = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
    if champion is None:
        raise ShowError(f"{path} holds a network from elsewhere: there is nothing to tell of it")
    return Subject(path.name, champion.kind, champion, champion.config)


def _read_run(path):
    if not (path / "config.json").exists():
        raise ShowError(f"{path} is not a run folder (it has no config.json), and holds no genomes")
    try:
        config = check(RUN_CONFIG, parse_json(read_bytes(path / "config.json", limits.SETTINGS_BYTES)))
    except SchemaError as error:
        raise ShowError(f"{path / 'config.json'} cannot be read: {error}") from None
    kind = config.pop("kind")
    files = sorted((path / "champions").glob("[0-9]*.json"))
    if len(files) > limits.CHAMPIONS:
        raise ShowError(f"{path} has more than {limits.CHAMPIONS} champions")
    champions = [genome.load(file, kind) for file in files]
    return Subject(
        name=path.resolve().name,
        kind=kind,
        champion=champions[-1] if champions else None,
        config=config,
        log=_json_lines(path / "metrics.jsonl", METRICS),
        timing=_json_lines(path / "timing.jsonl", TIMING),
        champions=champions,
    )


def sizes_text(sizes):
    """``5, 7`` or ``2–25``."""
    sizes = sorted(sizes)
    if len(sizes) > 2 and sizes == list(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]}–{sizes[-1]}"
    return ", ".join(map(str, sizes))


def value_text(value):
    if isinstance(value, list):
        return ",".join(map(value_text, value))
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)


def config_rows(subject):
    """(name, value, where the value comes from, what it is) for each parameter; empty text for what is not known."""
    try:
        known = {entry.name: entry for entry in fields(part(subject.kind, "trainer").Trainer.Config)}
    except UnknownKind:
        known = {}
    rows = []
    for name, value in subject.config.items():
        entry = known.get(name)
        source = entry.metadata["source"] if entry else ""
        default = list(entry.default) if entry and isinstance(entry.default, tuple) else entry.default if entry else value
        if value != default:
            source = f"changed from {value_text(default)}"
        rows.append((name, value_text(value), source, entry.metadata["help"] if entry else ""))
    return rows


def result_rows(champion):
    return [
        (
            result.opponent,
            f"{result.size}x{result.size}",
            f"{result.komi:g}",
            result.colour,
            f"{result.games:,}",
            f"{result.win_rate:.1%}",
            "{:.1%} … {:.1%}".format(*result.interval),
        )
        for result in champion.results
    ]


RESULT_HEADS = ("opponent", "board", "komi", "colour", "games", "won", "95% interval")


def aligned(heads, rows):
    """Lines of aligned columns."""
    rows = [tuple(map(printable, row)) for row in rows]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [heads, *rows]]


def _history_lines(history):
    step = max(1, -(-len(history) // _ROWS))
    shown = history[::-step][::-1]  # the last one is always there
    rows = []
    for entry in shown:
        rate = entry.get("win_rate") or 0.0
        bar = "█" * round(rate * _BAR)
        board = f"{entry['size']}x{entry['size']}" if "size" in entry else ""
        fitness = [number_text(entry.get(name)) for name in ("best", "mean")]
        rows.append((str(entry["generation"]), board, *fitness, f"{rate:.1%}", bar))
    return aligned(("generation", "board", "best", "mean", "champion wins", ""), rows)


def text(subject):
    """Everything about the subject as text."""
    lines, name = [], printable(subject.name)
    if subject.log:
        last = subject.log[-1]
        lines.append(f"{name}: a run of {subject.kind}, {last['generation']} generations so far")
    champion = subject.champion
    if champion is None:
        lines.append(f"{name}: a run of {subject.kind} that has no champion yet")
    else:
        lines.append(f"{'champion' if subject.log else name}: {with_article(f'{subject.kind} genome')}")
        lines += [
            f"  found in   generation {champion.generation}",
            f"  plays      {sizes_text(champion.sizes)}",
            f"  seed       {value_text(champion.seed)}",
        ]
        if champion.results:
            lines += ["", "results", *aligned(RESULT_HEADS, result_rows(champion))]
        if champion.history:
            lines += ["", "score history", *_history_lines(champion.history)]
    rows = [row[:3] for row in config_rows(subject)]
    if rows:
        lines += ["", "configuration", *aligned(("parameter", "value", ""), rows)]
    structure = subject.ask_viewer("describe", champion)
    if structure:
        lines += ["", "structure", *("  " + printable(line) for line in structure.rstrip("\n").split("\n"))]
    return "\n".join(lines)


def show(what, html):
    """Print the genome file, run folder or folder of genomes ``what``, or write the page ``html`` if that is said.

    Returns the exit code.
    """
    from players.show import gallery, page

    try:
        files = gallery.champion_files(what)
        shown, subject = (gallery, gallery.read_champions(what, files)) if files else (page, read_subject(what))
        if html is None:
            print(gallery.text(subject) if files else text(subject))
        else:
            write_atomically(html, shown.page(subject).encode())
    except (ShowError, GenomeError, FileError) as error:
        print(f"evogo show: {printable(error)}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # nobody reads on: nothing is wrong
        raise
    except OSError as error:
        tried = f"write {html}" if html else f"read {what}"
        print(f"evogo show: cannot {printable(tried)}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0
