"""Boards as SVG, for the pictures of all kinds, and panels of them.

One unit of a drawing is the distance between two lines, and point (0, 0) is the top left; points are counted row by row.
Stones and squares are strokes without length, which browsers draw as dots and squares of the stroke's width: seven
characters each, so that a page may hold hundreds of boards. What is below 0 is red and has a bar, what is above is blue: a
reader who sees no colours sees the bars. Hover values come from the list of values that the drawing carries along.
"""

from html import escape

import numpy as np

from engine.go.board import BLACK, PASS, WHITE, board_points, coordinates

_SHADES = 10
PIXELS = 26  # of a point, unless there is text on it
TEXT_PIXELS = 36  # of a point with a number on it
_FONT = 13 / TEXT_PIXELS  # of such numbers, in units
_LARGEST_TEXT_BOARD = 9  # on larger boards a telephone has no room for numbers
LARGE = 324  # pixels of a drawing that fills a telephone
_PAGE, _GAP = 1080, 16  # pixels of a row of panels on a large screen, and between two of them


class Board:
    """A board to draw on; methods add to it, ``svg`` gives the text. ``lines``: a Go board, else a plain field."""

    def __init__(self, size, lines=True, pixels=PIXELS):
        self.size = size
        self._pixels = pixels
        self._values = None
        self._parts = []
        if lines:
            last = size - 1
            path = "".join(f"M0 {i}H{last}M{i} 0V{last}" for i in range(size))
            self._parts.append(f'<path d="{path}" class="lines"/>')

    @property
    def has_room_for_text(self):
        return self.size <= _LARGEST_TEXT_BOARD

    def _spots(self, numbers):
        return "".join(f"M{i % self.size} {i // self.size}h0" for i in map(int, numbers))

    def _stroke(self, numbers, kind, width, more=""):
        path = self._spots(numbers)
        if path:
            self._parts.append(f'<path d="{path}" class="{kind}" stroke-width="{width:g}"{more}/>')

    def shade(self, shares, width=1.0, bars=True):
        """Squares in the strength of ``shares``, -1 … 1 by point: blue above 0, red with a bar below."""
        shares = np.clip(np.nan_to_num(np.asarray(shares, float)), -1, 1)
        steps = np.ceil(np.abs(shares) * _SHADES - 1e-9).astype(int)
        for kind, side in (("plus", shares > 0), ("minus", shares < 0)):
            for step in range(1, _SHADES + 1):
                where = np.flatnonzero(side & (steps == step))
                self._stroke(where, f"square {kind}", width, f' stroke-opacity="{step / _SHADES:g}"')
        if bars:
            below = np.flatnonzero((shares < 0) & (steps > 0)).tolist()
            path = "".join(f"M{i % self.size - 0.22:g} {i // self.size}h.44" for i in below)
            if path:
                self._parts.append(f'<path d="{path}" class="bar-mark"/>')
        return self

    def squares(self, numbers, kind, width=0.9):
        """Squares of one class of the style sheet."""
        self._stroke(numbers, f"square {kind}", width)
        return self

    def stones(self, colours, width=0.92):
        """Stones by point: BLACK, WHITE or anything else for none."""
        colours = np.asarray(colours)
        self._stroke(np.flatnonzero((colours == BLACK) | (colours == WHITE)), "dot rim", width)
        self._stroke(np.flatnonzero(colours == BLACK), "dot black", width - 0.06)
        self._stroke(np.flatnonzero(colours == WHITE), "dot white", width - 0.06)
        return self

    def sign(self, number, positive, on_dark):
        """A plus or a minus on a stone."""
        x, y = number % self.size, number // self.size
        path = f"M{x - 0.16:g} {y}h.32" + (f"M{x} {y - 0.16:g}v.32" if positive else "")
        self._parts.append(f'<path d="{path}" class="sign {"on-dark" if on_dark else ""}"/>')
        return self

    def cross(self, number):
        """A stroke through one point."""
        x, y = number % self.size, number // self.size
        self._parts.append(f'<path d="M{x - 0.3:g} {y + 0.3:g}l.6 -.6" class="cross"/>')
        return self

    def ring(self, number, kind="ring"):
        """A ring around one point, with a rim of the field's colour, so that it stands out from any shade."""
        place = f'cx="{number % self.size}" cy="{number // self.size}" r=".3"'
        self._parts.append(f'<circle {place} class="halo"/><circle {place} class="{kind}"/>')
        return self

    def texts(self, texts, stones=None):
        """Short texts by the numbers of their points, readable on the ``stones`` there."""
        for number, text in texts.items():
            below = None if stones is None else stones[number]
            kind = {BLACK: ' class="on-dark"', WHITE: ' class="on-light"'}.get(below, "")
            x, y = number % self.size, number // self.size + 0.35 * _FONT
            self._parts.append(f'<text x="{x}" y="{y:.2f}" font-size="{_FONT:.2f}"{kind}>{escape(text)}</text>')
        return self

    def values(self, values, digits=2):
        """What a reader is told of each point under the pointer."""
        self._values = " ".join("–" if value != value else f"{value:.{digits}f}" if value else "0" for value in values)
        return self

    def tips(self, texts):
        """The same in words of one's own."""
        self._values = " ".join(text.replace(" ", "\u00a0") or "–" for text in texts)
        return self

    def svg(self, label=""):
        size, wide = self.size, self.size * self._pixels
        held = f' data-values="{escape(self._values)}" data-size="{size}"' if self._values is not None else ""
        name = f' role="img" aria-label="{escape(label)}"' if label else ""
        box = f'viewBox="-.5 -.5 {size} {size}" style="max-width:{wide}px"'
        return f'<svg class="field" {box}{held}{name}>{"".join(self._parts)}</svg>'


def colours_of(position):
    """The stones of a position by the numbers of the points."""
    return np.array(position.colour[board_points(int(position.board_size))])


def number_of(size, p):
    """The number of a point of the padded board; None for a pass."""
    if p == PASS:
        return None
    col, row = coordinates(size, int(p))
    return row * size + col


def panels(drawings, least=150, page=_PAGE):
    """Drawings side by side: pairs (svg, words below), each at least so many pixels wide, in rows of the same length."""
    drawings = list(drawings)
    rows = max(1, -(-len(drawings) * (least + _GAP) // (page + _GAP)))
    columns = max(1, -(-len(drawings) // rows))
    figures = "".join(f"<figure>{drawing}<figcaption>{escape(words)}</figcaption></figure>" for drawing, words in drawings)
    return f'<div class="panels" style="--least:{least}px;--columns:{columns}">{figures}</div>'


def beside(drawing, words, drawings, least=150):
    """A large drawing with small ones beside it, or above them where there is no room."""
    return f'<div class="beside">{panels([(drawing, words)], LARGE)}{panels(drawings, least, _PAGE - LARGE - 24)}</div>'
