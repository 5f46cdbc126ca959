"""What a CGOS server says, line by line, as values; times are in seconds. Knows no Go: moves stay text.

    protocol [genmove_analyze …]                              Prompt
    username, password                                        Prompt
    setup ID SIZE KOMI MS WHITE(rating) BLACK(rating) [MOVE MS …]    Setup
    play COLOUR MOVE MS                                       Play
    genmove COLOUR MS                                         Genmove
    gameover DATE RESULT [TEXT]                               Gameover
    info TEXT                                                 Info
    Error: TEXT                                               Refusal
"""

import re
from typing import NamedTuple

from engine.texts import shortened

BLACK, WHITE = "black", "white"
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_PROGRAM = re.compile(r"(.+?)(?:\((.*)\))?")  # name(rating)
_MILLISECONDS = re.compile(r"-?[0-9]{1,12}")  # a clock may be told after it has run out
_SIZE = re.compile(r"[0-9]{1,2}")
_KOMI = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4})?")


class OddLine(ValueError):
    """A line that says nothing we know; the message quotes it."""


class UnknownLine(OddLine):
    """One that does not even begin with a known word."""


class Prompt(NamedTuple):
    """The server asks for a line: ``protocol``, ``username`` or ``password``."""

    what: str
    offers: tuple  # further words: what the server can do


class Program(NamedTuple):
    """Who plays."""

    name: str
    rating: str  # "1800?" while it is provisional; may be empty


class Setup(NamedTuple):
    """A game begins, or goes on where it was."""

    number: str  # the server's
    size: int
    komi: float
    seconds: float  # for each side
    white: Program
    black: Program
    moves: tuple  # of (move, seconds left after it), from Black's first


class Play(NamedTuple):
    """The opponent has moved."""

    colour: str
    move: str
    seconds: float


class Genmove(NamedTuple):
    """A move is wanted."""

    colour: str
    seconds: float


class Gameover(NamedTuple):
    date: str
    result: str
    text: str


class Info(NamedTuple):
    text: str


class Refusal(NamedTuple):
    """The server will have nothing more to do with us."""

    text: str


def parse(line):
    """The value of a line; OddLine if it has none, None if there is nothing in it."""
    words = line.split()
    if not words:
        return None
    if line.startswith("Error"):
        return Refusal(line.removeprefix("Error").lstrip(":").strip() or "no reason was given")
    read = _READERS.get(words[0])
    if read is None:
        raise UnknownLine(_quoted(line))
    try:
        return read(words)
    except (ValueError, KeyError, IndexError):
        raise OddLine(_quoted(line)) from None


def _quoted(line):
    return f"'{shortened(line, 60)}'"


def _setup(words):
    number, size, komi, milliseconds, white, black = words[1:7]
    told = words[7:]
    if len(told) % 2 or not _SIZE.fullmatch(size) or not _KOMI.fullmatch(komi):
        raise ValueError(words)
    moves = tuple((told[i].lower(), _seconds(told[i + 1])) for i in range(0, len(told), 2))
    return Setup(number, int(size), float(komi), _seconds(milliseconds), _program(white), _program(black), moves)


def _program(word):
    name, rating = _PROGRAM.fullmatch(word).groups()
    return Program(name, rating or "")


def _seconds(word):
    if not _MILLISECONDS.fullmatch(word):
        raise ValueError(word)
    return int(word) / 1000


_READERS = {
    "protocol": lambda words: Prompt(words[0], tuple(words[1:])),
    "username": lambda words: Prompt(words[0], ()),
    "password": lambda words: Prompt(words[0], ()),
    "setup": _setup,
    "play": lambda words: Play(_COLOURS[words[1].lower()], words[2].lower(), _seconds(words[3])),
    "genmove": lambda words: Genmove(_COLOURS[words[1].lower()], _seconds(words[2])),
    "gameover": lambda words: Gameover(words[1], words[2], " ".join(words[3:])),
    "info": lambda words: Info(" ".join(words[1:])),
}
