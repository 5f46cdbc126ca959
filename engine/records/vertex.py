"""Text at the edges: GTP vertices and colours to points and numbers, and back."""

from engine.go.board import BLACK, PASS, RESIGN, WHITE, coordinates, point
from engine.texts import with_article

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP has no column I
COLOUR_NAMES = {BLACK: "black", WHITE: "white"}
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def parse_vertex(text, size):
    """The point that ``text`` names on a board of ``size``, or PASS; ValueError if it names none."""
    text = text.upper()
    if text == "PASS":
        return PASS
    col = COLUMNS.find(text[:1]) if text else -1
    digits = text[1:]
    if 0 <= col < size and digits.isascii() and digits.isdigit() and len(digits) <= 3 and 1 <= int(digits) <= size:
        return point(size, col, size - int(digits))
    raise ValueError(f"not a vertex on {with_article(f'{size}x{size} board')}: {text[:20]!r}")


def format_vertex(p, size):
    """``"D4"``, ``"pass"`` or ``"resign"``."""
    if p == PASS:
        return "pass"
    if p == RESIGN:
        return "resign"
    col, row = coordinates(size, int(p))
    return f"{COLUMNS[col]}{size - row}"


def parse_colour(text):
    """BLACK or WHITE from ``b``, ``w``, ``black`` or ``white`` in any case; ValueError otherwise."""
    try:
        return _COLOURS[text.lower()]
    except KeyError:
        raise ValueError(f"not a colour: {text[:20]!r}") from None
