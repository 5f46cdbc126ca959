"""The arguments of GTP commands as values; what cannot be read is the protocol's ``syntax error``."""

import math
import re

from engine.gtp.protocol import GtpError
from engine.records.vertex import parse_colour, parse_vertex

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")  # what 64 bits hold, with whatever is added to it
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

SYNTAX_ERROR = "syntax error"


def word(arguments, index):
    """The argument at ``index`` as it is."""
    try:
        return arguments[index]
    except IndexError:
        raise GtpError(SYNTAX_ERROR) from None


def integer(arguments, index):
    """The argument at ``index`` as an int."""
    text = word(arguments, index)
    if not _INTEGER.fullmatch(text):
        raise GtpError(SYNTAX_ERROR)
    return int(text)


def number(arguments, index):
    """The argument at ``index`` as a finite float."""
    text = word(arguments, index)
    value = float(text) if len(text) <= 400 and _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise GtpError(SYNTAX_ERROR)
    return value


def is_integer(text):
    """Whether a text is a whole number, however long."""
    return text.isascii() and text.lstrip("+-").isdigit()


def colour(arguments, index):
    """The argument at ``index`` as BLACK or WHITE."""
    try:
        return parse_colour(word(arguments, index))
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None


def vertex(arguments, index, size, problem=SYNTAX_ERROR):
    """The argument at ``index`` as a point or PASS; what is none is the given problem."""
    try:
        return parse_vertex(word(arguments, index), size)
    except ValueError:
        raise GtpError(problem) from None


def placements(arguments, size):
    """``B D4 W E5 …`` as a list of (colour, point or PASS)."""
    if len(arguments) % 2:
        raise GtpError(SYNTAX_ERROR)
    return [(colour(arguments, i), vertex(arguments, i + 1, size)) for i in range(0, len(arguments), 2)]
