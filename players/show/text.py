"""``show``: what a genome or a run is, as text; the page with its pictures is made in ``page``."""

import json
import sys
from dataclasses import dataclass, field, fields
from pathlib import Path

from players import genome
from players.genome import GenomeError, write_atomically
from players.kinds import UnknownKind, part
from players.onnx.files import load_genome
from players.show.charts import number_text

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


def _json_lines(path):
    """The objects in a file of JSON lines; a last line that is being written is left out."""
    entries = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                entries.append(json.loads(line))
            except ValueError:
                break
    return entries


def read_subject(path):
    """The genome file or run folder at ``path`` as a Subject; ShowError or GenomeError if it is neither."""
    path = Path(path)
    if not path.is_dir():
        champion = load_genome(path) if path.suffix == ".onnx" else genome.load(path)
        if champion is None:
            raise ShowError(f"{path} holds a network from elsewhere: there is nothing to tell of it")
        return Subject(path.name, champion.kind, champion, champion.config)
    try:
        config = json.loads((path / "config.json").read_bytes())
        kind = config.pop("kind")
    except FileNotFoundError:
        raise ShowError(f"{path} is not a run folder (it has no config.json)") from None
    except (OSError, ValueError, KeyError, AttributeError):
        raise ShowError(f"{path / 'config.json'} cannot be read") from None
    champions = [genome.load(file) for file in sorted((path / "champions").glob("[0-9]*.json"))]
    return Subject(
        name=path.resolve().name,
        kind=kind,
        champion=champions[-1] if champions else None,
        config=config,
        log=_json_lines(path / "metrics.jsonl"),
        timing=_json_lines(path / "timing.jsonl"),
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


def _table(heads, rows):
    """Lines of aligned columns."""
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
    return _table(("generation", "board", "best", "mean", "champion wins", ""), rows)


def text(subject):
    """Everything about the subject as text."""
    lines = []
    if subject.log:
        last = subject.log[-1]
        lines.append(f"{subject.name}: a run of {subject.kind}, {last['generation']} generations so far")
    champion = subject.champion
    if champion is None:
        lines.append(f"{subject.name}: a run of {subject.kind} that has no champion yet")
    else:
        lines.append(f"{'champion' if subject.log else subject.name}: a {subject.kind} genome")
        lines += [
            f"  found in   generation {champion.generation}",
            f"  plays      {sizes_text(champion.sizes)}",
            f"  seed       {value_text(champion.seed)}",
        ]
        if champion.results:
            lines += ["", "results", *_table(RESULT_HEADS, result_rows(champion))]
        if champion.history:
            lines += ["", "score history", *_history_lines(champion.history)]
    rows = [row[:3] for row in config_rows(subject)]
    if rows:
        lines += ["", "configuration", *_table(("parameter", "value", ""), rows)]
    structure = subject.ask_viewer("describe", champion)
    if structure:
        lines += ["", "structure", *("  " + line for line in structure.rstrip("\n").split("\n"))]
    return "\n".join(lines)


def main(arguments):
    """Run ``show``; the exit code."""
    try:
        subject = read_subject(arguments.what)
        if arguments.html is None:
            print(text(subject))
        else:
            from players.show import page

            write_atomically(arguments.html, page.page(subject).encode())
    except (ShowError, GenomeError) as error:
        print(f"evogo show: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # nobody reads on: nothing is wrong
        raise
    except OSError as error:
        print(f"evogo show: cannot write {arguments.html}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
