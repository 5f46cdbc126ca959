"""Positions as ASCII diagrams, for every test that looks at a board.

A diagram has one line a row, the top row first: ``X`` is Black, ``O`` White, ``.`` empty, and a small letter is an
empty point that a test wants to name. Blanks mean nothing, so a diagram may be indented and spaced:

    . X O a
    X O . .
    ...
"""

from engine.go import board
from engine.go.board import BLACK, EMPTY, WHITE, point
from engine.go.game import Game
from engine.go.rules import CHINESE

_SIGNS = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_COLOURS = {"X": BLACK, "O": WHITE}


def _rows(diagram):
    rows = ["".join(line.split()) for line in diagram.strip().splitlines()]
    size = len(rows)
    for row in rows:
        if len(row) != size:
            raise ValueError(f"a row of {len(row)} points in a diagram of {size} rows: {row}")
        if any(sign not in ".XO" and not ("a" <= sign <= "z") for sign in row):
            raise ValueError(f"an unknown sign in the diagram row {row}")
    return rows


def _signs(diagram):
    """``(point, sign)`` for every point of the diagram, from the top left."""
    rows = _rows(diagram)
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            yield point(len(rows), x, y), sign


def size_of(diagram):
    """The board size of a diagram."""
    return len(_rows(diagram))


def stones_of(diagram):
    """The stones of a diagram as a list of (colour, point)."""
    return [(_COLOURS[sign], p) for p, sign in _signs(diagram) if sign in _COLOURS]


def marks_of(diagram):
    """The points named by a small letter: a dictionary from the letter to the list of its points."""
    marks = {}
    for p, sign in _signs(diagram):
        if sign.islower():
            marks.setdefault(sign, []).append(p)
    return marks


def mark(diagram, letter):
    """The one point that ``letter`` names."""
    (p,) = marks_of(diagram)[letter]
    return p


def position_of(diagram):
    """The diagram as a board position."""
    position = board.new_position(size_of(diagram))
    for colour, p in stones_of(diagram):
        board.place(position, p, colour)
    return position


def game_of(diagram, to_play=BLACK, rules=CHINESE, komi=0.0):
    """A game that starts from the diagram."""
    game = Game(size_of(diagram), komi, rules)
    game.set_up(stones_of(diagram), to_play)
    return game


def draw(position):
    """A position as a diagram without names: lines of signs with no blanks."""
    size = int(position.board_size)
    return "\n".join("".join(_SIGNS[int(position.colour[point(size, x, y)])] for x in range(size)) for y in range(size))


def plain(diagram):
    """A diagram in the form of ``draw``, its names made empty points: what to compare a drawn position with."""
    return "\n".join("".join("." if sign.islower() else sign for sign in row) for row in _rows(diagram))
