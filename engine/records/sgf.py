"""Game records: reads and writes SGF, the text format of Go games (FF[4]; FF[1] to FF[3] are read too).

Reading guide: first what callers see (`SgfError`, `Node`, `GameRecord`), then the types of SGF values, each with a
reader and a writer, and the tables that say which property fills which field; then the `_Reader`; at the end `parse`,
`load`, `dump` and `save`.

The main line of a tree is what stands before its first ``)``: each node up to there is the first child of the one
before it. So one loop reads it without recursion, and in the rest of the tree only brackets are matched. Every step is
linear in the length of the file, since files come from anywhere, and the limits (``engine.limits``) stop small files that
would unfold into huge records.

This module knows the notation and not the rules: whether a move is legal is for the game to say.
"""

from __future__ import annotations

import codecs
import os
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from engine import limits
from engine.files import FileError, read_bytes
from engine.go.board import BLACK, EMPTY, MAX_SIZE, MIN_SIZE, PASS, WHITE, coordinates, point

DEFAULT_SIZE = 19  # what FF[4] says of a Go game without SZ
OLD_PASS_SIZE = 19  # up to this size "tt" lies off the board; old files use it for a pass


class SgfError(ValueError):
    """Why a record cannot be read or written, in one line; `line` and `column` count from 1, None without a place."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None):
        super().__init__(message if line is None else f"{message} (line {line}, column {column})")
        self.message = message
        self.line = line
        self.column = column


@dataclass(slots=True)
class Node:
    """One step of a game: set-up stones, or a move, or only remarks.

    A node should not hold both set-up and a move; in one that does, set-up comes first. `properties` keeps what has no
    field here, by name, each value as it stands in the file with its escapes.
    """

    move: tuple[int, int] | None = None  # (colour, point or PASS)
    add_black: list[int] = field(default_factory=list)
    add_white: list[int] = field(default_factory=list)
    add_empty: list[int] = field(default_factory=list)
    to_play: int | None = None
    comment: str = ""
    black_time: float | None = None  # seconds left after the move
    white_time: float | None = None
    black_stones: int | None = None  # moves left in the period of overtime
    white_stones: int | None = None
    properties: dict[str, list[str]] = field(default_factory=dict)

    @property
    def has_setup(self) -> bool:
        """Whether the node changes the position, or whose turn it is, other than by a move."""
        return bool(self.add_black or self.add_white or self.add_empty or self.to_play)


@dataclass(slots=True)
class GameRecord:
    """One game: what is known about it (None: not known) and its main line, of which the root is always there."""

    size: int = DEFAULT_SIZE
    komi: float | None = None
    rules: str | None = None
    handicap: int = 0
    result: str | None = None
    black_name: str | None = None
    black_rank: str | None = None
    white_name: str | None = None
    white_rank: str | None = None
    date: str | None = None
    event: str | None = None
    place: str | None = None
    time_limit: float | None = None  # seconds of main time
    overtime: str | None = None
    application: tuple[str, str] | None = None  # name and version of the program that wrote the file
    comment: str | None = None  # on the game as a whole; the one on its first position is nodes[0].comment
    nodes: list[Node] = field(default_factory=lambda: [Node()])

    @property
    def setup(self) -> list[tuple[int, int]]:
        """The stones set up in the root as (colour, point), Black's first."""
        root = self.nodes[0]
        return [(BLACK, p) for p in root.add_black] + [(WHITE, p) for p in root.add_white]

    @property
    def moves(self) -> list[tuple[int, int]]:
        """All moves as (colour, point or PASS)."""
        return [node.move for node in self.nodes if node.move]


# --- Types of values: a reader raises ValueError for bad text; a blank number is None, as if it were not there. ---

_COLON = re.compile(r"\\.|(:)", re.DOTALL)
_TABS = str.maketrans("\t\v\f", "   ")
_REAL = re.compile(r"[+-]?(?:[0-9]{1,15}(?:[.,][0-9]{0,400})?|[.,][0-9]{1,400})")  # 400 hold any float
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")


def _quote(raw: str) -> str:
    """A value as error messages show it: short and on one line."""
    return repr(raw if len(raw) <= 20 else raw[:17] + "...")


def _unix_lines(text: str) -> str:
    """The text with LF for each of the four line breaks of SGF."""
    return text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")


def _read_text(raw: str) -> str:
    """Undo escapes; an escaped line break is a soft one and vanishes."""
    parts = raw.translate(_TABS).split("\\\\")  # so that each backslash left in a part begins an escape
    return "\\".join(part.replace("\\\n", "").replace("\\", "") for part in parts)


def _write_text(text: str) -> str:
    return _unix_lines(text).replace("\\", "\\\\").replace("]", "\\]")


def _read_simple_text(raw: str) -> str:
    return _read_text(raw).replace("\n", " ").strip()


def _write_simple_text(text: str) -> str:
    return _write_text(text).replace("\n", " ")


def _read_pair(raw: str) -> tuple[str, str] | None:
    """Two simple texts with a colon between them; without a colon, the second is empty."""
    colon = next((match for match in _COLON.finditer(raw) if match[1]), None)
    first, second = (raw[: colon.start()], raw[colon.end() :]) if colon else (raw, "")
    pair = _read_simple_text(first), _read_simple_text(second)
    return pair if any(pair) else None


def _write_pair(pair: tuple[str, str]) -> str:
    return ":".join(_write_simple_text(text).replace(":", "\\:") for text in pair)


def _read_real(raw: str) -> float | None:
    if raw.strip() and not _REAL.fullmatch(raw.strip()):
        raise ValueError(f"{_quote(raw)} is not a number")
    return float(raw.replace(",", ".")) if raw.strip() else None


def _write_real(value: float) -> str:
    """Without an exponent or idle zeros."""
    if not abs(value) < 1e15:  # this way round, NaN is caught too
        raise SgfError(f"cannot write the number {value}")
    text = f"{Decimal(repr(value + 0.0)):f}"  # plus zero: no "-0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _read_integer(raw: str) -> int | None:
    if raw.strip() and not _INTEGER.fullmatch(raw.strip()):
        raise ValueError(f"{_quote(raw)} is not a whole number")
    return int(raw) if raw.strip() else None


def _read_handicap(raw: str) -> int | None:
    stones = _read_integer(raw)
    if stones is not None and stones < 0:
        raise ValueError(f"{stones} is not a number of stones")
    return stones


def _read_size(raw: str) -> int | None:
    """From "9" or "9:9"."""
    columns, _, rows = raw.partition(":")
    size = _read_integer(columns)
    if rows and _read_integer(rows) != size:
        raise ValueError(f"a board of {_quote(raw)} is not square")
    if size is not None and not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"a board of size {size} is not supported ({MIN_SIZE} to {MAX_SIZE})")
    return size


def _write_size(size: int) -> str:
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"cannot write a board of size {size} ({MIN_SIZE} to {MAX_SIZE})")
    return str(size)


def _read_colour(raw: str) -> int:
    """From "B", "white" or the like, or the numbers of old files."""
    try:
        return {"B": BLACK, "W": WHITE, "1": BLACK, "2": WHITE}[raw.strip()[:1].upper()]
    except KeyError:
        raise ValueError(f"{_quote(raw)} is not a colour") from None


def _write_point(size: int, p: int) -> str:
    """The two letters of a point, nothing for a pass."""
    if p == PASS:
        return ""
    col, row = coordinates(size, p)
    if not (0 <= col < size and 0 <= row < size):
        raise SgfError(f"cannot write the point {p}: it is outside the {size}x{size} board")
    return chr(ord("a") + col) + chr(ord("a") + row)


_Field = tuple[str, Callable[[str], Any], Callable[[Any], str]]  # attribute, reader, writer
_SIMPLE_TEXT = _read_simple_text, _write_simple_text
_INFORMATION: dict[str, _Field] = {  # in the order they are written
    "AP": ("application", _read_pair, _write_pair),
    "SZ": ("size", _read_size, _write_size),
    "KM": ("komi", _read_real, _write_real),
    "RU": ("rules", *_SIMPLE_TEXT),
    "HA": ("handicap", _read_handicap, str),
    "TM": ("time_limit", _read_real, _write_real),
    "OT": ("overtime", *_SIMPLE_TEXT),
    "PB": ("black_name", *_SIMPLE_TEXT),
    "BR": ("black_rank", *_SIMPLE_TEXT),
    "PW": ("white_name", *_SIMPLE_TEXT),
    "WR": ("white_rank", *_SIMPLE_TEXT),
    "RE": ("result", *_SIMPLE_TEXT),
    "DT": ("date", *_SIMPLE_TEXT),
    "EV": ("event", *_SIMPLE_TEXT),
    "PC": ("place", *_SIMPLE_TEXT),
    "GC": ("comment", _read_text, _write_text),
}
_CLOCKS: dict[str, _Field] = {
    "BL": ("black_time", _read_real, _write_real),
    "WL": ("white_time", _read_real, _write_real),
    "OB": ("black_stones", _read_integer, str),
    "OW": ("white_stones", _read_integer, str),
}
_SETUP = {"AB": ("add_black", BLACK), "AW": ("add_white", WHITE), "AE": ("add_empty", EMPTY)}
_MOVES = {"B": BLACK, "W": WHITE}
_COLOUR_LETTERS = {BLACK: "B", WHITE: "W"}


# --- Reading ---

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CHARSET = re.compile(rb"\bCA\s*\[\s*([\w.:+-]{1,40})\s*\]")
# Files name an old national standard and use its later extensions.
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
# CA was found as ASCII, so a codec that changes these bytes (UTF-16, EBCDIC, IDNA ...) cannot be the one.
_PROBE = rb"xn--a\u0041(;[])"

_Property = tuple[str, list[tuple[str, int]]]  # a name and its values, each raw and with its offset in the text

_GAME_START = re.compile(r"\(\s*;")
_TOKEN = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9]*)|(\(\s*;|.?))", re.DOTALL)  # a name, or a mark; "" at the end
_NAME = re.compile(r"[A-Z][A-Z0-9]*")
_BRACKETS = re.compile(r"[()]+|\[(?:[^\]\\]*\])?")  # a value without escapes is taken whole
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")


def _declared_codec(data: bytes) -> str | None:
    """The codec that CA names, None if it names none that can be meant."""
    if (declared := _CHARSET.search(data)) is None:
        return None
    try:
        codec = codecs.lookup(declared[1].decode("ascii")).name
        codec = _SUPERSETS.get(codec, codec)
        return codec if _PROBE.decode(codec) == _PROBE.decode("ascii") else None
    except (LookupError, ValueError):
        return None


def _decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else as CA declares, else UTF-8; what fits none is Latin-1.

    This comes before any bracket is looked for, since in Big5, GBK and Shift-JIS the second byte of a character may be
    that of a bracket or a backslash.
    """
    marked = next((codec for mark, codec in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)
    for codec in filter(None, (marked, _declared_codec(data), "utf-8")):
        try:
            return data.decode(codec)
        except UnicodeError:
            continue
    return data.decode("latin-1")


def _without_escapes(text: str) -> str:
    """The text with two blanks for every ``\\\\`` and ``\\]``: each ``]`` that is left closes a value.

    Backslashes in pairs escape each other, not the bracket.
    """
    return text.replace("\\\\", "  ").replace("\\]", "  ")


class _Reader:
    """Reads the first game of a text, in two layers: `scan` knows brackets, the other methods know properties."""

    def __init__(self, text: str):
        self.text = text
        self.closing = _without_escapes(text)  # where values end
        self.size = DEFAULT_SIZE
        self.points: dict[str, int] = {}  # by their two letters
        self.setup_points = 0  # so far

    def error(self, message: str, offset: int) -> SgfError:
        """The error to raise for a fault at an offset of the text."""
        line = self.text.count("\n", 0, offset) + 1
        return SgfError(message, line, offset - self.text.rfind("\n", 0, offset))

    def scan(self) -> Iterator[list[_Property]]:
        """The nodes of the main line, uninterpreted. Raises SgfError, also if a variation is not closed."""
        text = self.text
        if (start := _GAME_START.search(text)) is None:
            raise self.error("there is no game: '(;' not found", 0)
        offset, depth = start.end(), 1
        node: list[_Property] = []
        values: list[tuple[str, int]] | None = None  # of the property being read
        for _ in range(limits.SGF_TOKENS):
            match = _TOKEN.match(text, offset)
            name, mark = match.groups()
            begin, offset = match.start(match.lastindex), match.end()
            if mark == "[" and values is not None:
                end = self.value_end(offset)
                values.append((text[offset:end], offset))
                offset = end + 1
            elif values == []:
                raise self.error(f"'[' expected after the property {_quote(node[-1][0])}", begin)
            elif name:
                if not _NAME.fullmatch(name := name if name.isupper() else re.sub("[a-z]", "", name)):
                    raise self.error("a property name needs capital letters", begin)
                values = []
                node.append((name, values))
            elif mark.endswith(";"):
                yield node
                node, values = [], None
                depth += mark != ";"
            elif mark == ")":
                yield node
                self.skip_variations(offset, depth - 1)
                return
            elif mark == "(":
                raise self.error("';' expected after '('", begin)
            elif mark:
                raise self.error(f"unexpected {_quote(mark)}", begin)
            else:
                raise self.error("the text ends within the game: ')' expected", begin)
        raise self.error(f"the game is too long (more than {limits.SGF_TOKENS} tokens)", offset)

    def skip_variations(self, offset: int, depth: int) -> None:
        """Check that the text from `offset` on closes `depth` brackets."""
        while depth:
            if (match := _BRACKETS.search(self.text, offset)) is None:
                raise self.error("the text ends within a variation: ')' expected", len(self.text))
            offset = match.end()
            if match[0] == "[":
                offset = self.value_end(offset) + 1
            elif match[0][0] != "[":
                closed = match[0].count(")")
                if closed < depth:  # whatever their order, they do not close all
                    depth += len(match[0]) - 2 * closed
                    continue
                for bracket in match[0]:
                    depth += 1 if bracket == "(" else -1
                    if not depth:
                        return

    def value_end(self, start: int) -> int:
        if (end := self.closing.find("]", start)) < 0:
            raise self.error("a value begins here and is never closed by ']'", start - 1)
        return end

    def read(self) -> GameRecord:
        """The record of the game. Raises SgfError."""
        nodes = self.scan()
        record, rest = self.read_information(next(nodes))
        record.nodes = self.read_node(rest, is_root=True)
        self.check_length(record.nodes, 0)
        setups = 0
        for properties in nodes:
            found = self.read_node(properties)
            record.nodes += found
            setups += found[0].has_setup
            self.check_length(record.nodes, setups)
        return record

    def check_length(self, nodes: list[Node], setups: int) -> None:
        if len(nodes) > limits.SGF_MOVES or setups > limits.SGF_SETUPS:
            raise SgfError(f"the game is too long (more than {limits.SGF_MOVES} moves or {limits.SGF_SETUPS} set-ups)")

    def read_value(self, read: Callable[[str], Any], name: str, raw: str, offset: int) -> Any:
        """What `read` makes of a value, its ValueError given a place."""
        try:
            return read(raw)
        except ValueError as fault:
            raise self.error(f"{name}: {fault}", offset) from None

    def read_information(self, root: list[_Property]) -> tuple[GameRecord, list[_Property]]:
        """What the root says of the game, and its other properties. From here on, points can be read."""
        record, rest = GameRecord(), []
        for name, values in root:
            raw, offset = values[0]
            if name == "TM" and not _REAL.fullmatch(raw.strip()):  # free text in old files
                rest.append((name, values))
            elif name in _INFORMATION:
                attribute, read, _ = _INFORMATION[name]
                if (value := self.read_value(read, name, raw, offset)) not in (None, ""):
                    setattr(record, attribute, value)
            elif name == "GM" and raw.strip() not in ("", "1"):
                raise self.error(f"GM: {_quote(raw)} is not Go (Go is 1)", offset)
            elif name not in ("GM", "FF", "CA"):
                rest.append((name, values))
        self.size = record.size
        for col in range(self.size):
            for row in range(self.size):
                p = point(self.size, col, row)
                self.points[_write_point(self.size, p)] = p
        return record, rest

    def read_node(self, properties: list[_Property], is_root: bool = False) -> list[Node]:
        """The node; several where the file has in one node what should be in a row: set-up, a move, another move."""
        node = Node()
        moves: list[tuple[int, int]] = []
        stones: dict[int, int] = {}
        comments: list[str] = []
        clocks: dict[str, float] = {}
        for name, values in properties:
            if name in _MOVES:
                moves += [(_MOVES[name], self.read_value(self.read_move, name, *value)) for value in values]
            elif name in _SETUP:
                content = _SETUP[name][1]
                for raw, offset in values:
                    for p in self.read_value(self.read_points, name, raw, offset):
                        if stones.setdefault(p, content) != content:
                            raise self.error(f"{name}: {_quote(raw)} contradicts the other set-up of this node", offset)
            elif name == "PL":
                node.to_play = self.read_value(_read_colour, name, *values[0])
            elif name == "C":
                comments += [_read_text(raw) for raw, _ in values]
            elif name in _CLOCKS:
                attribute, read, _ = _CLOCKS[name]
                try:
                    clocks[attribute] = read(values[0][0])
                except ValueError:  # a broken clock does not spoil the game
                    node.properties[name] = [raw for raw, _ in values]
            else:
                node.properties.setdefault(name, []).extend(raw for raw, _ in values)
        node.comment = "\n".join(filter(None, comments))
        for attribute, content in _SETUP.values() if stones else ():
            setattr(node, attribute, [p for p, wanted in stones.items() if wanted == content])
        nodes = [node]
        if moves and not (is_root or node.has_setup):
            node.move = moves.pop(0)
        nodes += [Node(move=move) for move in moves]
        for attribute, left in clocks.items():
            setattr(nodes[-1], attribute, left)
        return nodes

    def read_point(self, raw: str) -> int:
        if (p := self.points.get(raw)) is not None:
            return p
        if _TWO_LETTERS.fullmatch(raw):
            raise ValueError(f"{raw!r} is outside the {self.size}x{self.size} board")
        raise ValueError(f"{_quote(raw)} is not a point")

    def read_move(self, raw: str) -> int:
        """A point or PASS."""
        raw = raw.strip()
        if not raw or (raw == "tt" and self.size <= OLD_PASS_SIZE):
            return PASS
        return self.read_point(raw)

    def read_points(self, raw: str) -> list[int]:
        """One point, the rectangle between two corners, or nothing."""
        if not raw.strip():
            return []
        first, _, last = raw.strip().partition(":")
        corners = [coordinates(self.size, self.read_point(corner)) for corner in (first, last or first)]
        (left, right), (top, bottom) = (sorted(side) for side in zip(*corners))
        self.setup_points += (right - left + 1) * (bottom - top + 1)
        if self.setup_points > limits.SGF_SETUP_POINTS:
            raise ValueError(f"the game has too many set-up stones (more than {limits.SGF_SETUP_POINTS})")
        return [point(self.size, col, row) for row in range(top, bottom + 1) for col in range(left, right + 1)]


def parse(data: bytes | str) -> GameRecord:
    """The first game in an SGF text, or in the bytes of an SGF file.

    Returns its main line, not checked against the rules. Where a node of the file holds set-up and a move, or more
    than one move, they become nodes in a row, set-up first; the root never has a move. Raises SgfError for broken
    text, another game than Go, a board that is not square or not of a size we play, a point outside the board, and for
    set-up in which a node gives one point two different contents.
    """
    text = data.removeprefix("\ufeff") if isinstance(data, str) else _decode(bytes(data))
    return _Reader(_unix_lines(text)).read()


def load(path: str | os.PathLike[str]) -> GameRecord:
    """The first game in a file, as `parse` reads it. Raises SgfError, which names the file."""
    try:
        return parse(read_bytes(path, limits.SGF_BYTES))
    except FileError as error:
        raise SgfError(str(error)) from None
    except SgfError as error:
        raise SgfError(f"{path}: {error.message}", error.line, error.column) from None


# --- Writing ---


def _write_property(name: str, *values: str) -> str:
    return name + "".join(f"[{value}]" for value in values)


def _write_remarks(node: Node) -> list[str]:
    remarks = []
    for name, values in node.properties.items():
        sound = all(_without_escapes(raw + "]").find("]") == len(raw) for raw in values)
        if not _NAME.fullmatch(name) or not values or not sound:
            raise SgfError(f"cannot write the property {_quote(name)}: its name or a value is not valid SGF")
        remarks.append(_write_property(name, *values))
    if node.comment:
        remarks.append(_write_property("C", _write_text(node.comment)))
    return remarks


def _write_node(node: Node, size: int, information: list[str]) -> str:
    """The node (the root if there is information); its move in a second one where FF[4] forbids it in the first."""
    before = list(information)
    for name, (attribute, _) in _SETUP.items():
        if points := getattr(node, attribute):
            before.append(_write_property(name, *(_write_point(size, p) for p in points)))
    if node.to_play:
        before.append(_write_property("PL", _COLOUR_LETTERS[node.to_play]))

    move = []
    if node.move:
        colour, p = node.move
        move.append(_write_property(_COLOUR_LETTERS[colour], _write_point(size, p)))
    for name, (attribute, _, write) in _CLOCKS.items():
        if (left := getattr(node, attribute)) is not None:
            move.append(_write_property(name, write(left)))

    remarks = _write_remarks(node)
    parts = [before + remarks, move] if before and node.move else [before + move + remarks]
    return "\n".join(";" + "".join(part) for part in parts)


def dump(record: GameRecord, version: str | None = None) -> str:
    """The record as the text of an FF[4] file, to be encoded in UTF-8.

    With a `version` the file says that this version of evogo wrote it, otherwise it keeps `record.application`. What
    `parse` returned is read back equal. Raises SgfError for what the format cannot hold: a board of a size we do not
    play, a point outside the board, an infinite number, a malformed entry of `properties`.
    """
    information = ["FF[4]", "GM[1]", "CA[UTF-8]"]
    for name, (attribute, _, write) in _INFORMATION.items():
        value = ("evogo", version) if name == "AP" and version else getattr(record, attribute)
        if value not in (None, "") and (value or name != "HA"):
            information.append(_write_property(name, write(value)))
    root, *others = record.nodes
    nodes = [_write_node(root, record.size, information), *(_write_node(node, record.size, []) for node in others)]
    return "(" + "\n".join(nodes) + ")\n"


def save(record: GameRecord, path: str | os.PathLike[str], version: str | None = None) -> None:
    """Write `dump(record, version)` to a file; whatever happens, it holds all of the old content or all of the new.

    Raises SgfError as `dump` does, and if the file cannot be written.
    """
    data = dump(record, version).encode("utf-8", "replace")
    try:
        temporary = Path(path).with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            temporary.write_bytes(data)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise SgfError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from None
