"""Line charts as SVG text: enough for learning curves, with nothing to install and nothing to fetch.

A chart is drawn for the width in which it will be shown, so that its text keeps its size: ``Shape`` says how wide.
"""

import math
import re
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

FONT = 13  # of all text, in the units of the drawing: no less than 12 pixels where it is shown a little smaller
# Widths of characters as shares of the font's size, as in DejaVu Sans, which is wider than most.
_LETTER = 0.64
_WIDE_LETTERS = {"%": 0.95, "M": 0.87, "m": 0.98, "w": 0.82, "×": 0.84, "→": 0.84, "+": 0.84}
_MOST_POINTS = 400  # of a line: more cannot be seen, and the page would grow with the run
_EDGE = 4  # room that is left beside text
_LEGEND_COLUMNS, _LEGEND_LINE = 3, 15
_STYLE = "<style>.grid{stroke:#ddd}.axis{stroke:#444}text{font:12px sans-serif;fill:#222}</style>"  # of a chart outside a page


class Shape(NamedTuple):
    """How large a chart is drawn, and how many labels its axes have at most."""

    width: int = 640
    height: int = 300
    x_labels: int = 8
    y_labels: int = 6


WIDE = Shape(520, 270, 6, 6)  # half of a page
NARROW = Shape(320, 220, 4, 5)  # a third of a page, or all of a telephone


@dataclass
class Series:
    """A line. ``low`` and ``high`` add a band (or bars, if ``dots``); a y of None is a gap."""

    name: str
    xs: list
    ys: list
    colour: str
    low: list | None = None
    high: list | None = None
    dots: bool = False
    dash: str = ""  # as in stroke-dasharray: lines differ in more than their colour

    @property
    def varies(self):
        """Whether there is anything to see."""
        known = [y for y in self.ys if y is not None]
        return bool(known) and min(known) < max(known)


class _Axes(NamedTuple):
    """Where the numbers x0 … x1 and y0 … y1 lie in a drawing."""

    x0: float
    x1: float
    y0: float
    y1: float
    left: float
    right: float
    top: float
    bottom: float

    def px(self, x):
        return round(self.left + (x - self.x0) / (self.x1 - self.x0) * (self.right - self.left), 1)

    def py(self, y):
        return round(self.bottom - (y - self.y0) / (self.y1 - self.y0) * (self.bottom - self.top), 1)


def _ticks(low, high, most=6):
    """Round numbers between ``low`` and ``high``."""
    span = high - low  # never so small that a step vanishes: see _y_range
    magnitude = 10.0 ** math.floor(math.log10(span / most))
    step = next(magnitude * factor for factor in (1, 2, 5, 10) if span / (magnitude * factor) <= most)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def number_text(value):
    """A number as an axis or a table shows it: ``1,200``, ``0.25``, ``1.5M``."""
    if value is None:
        return "–"
    if abs(value) >= 1e6:
        return f"{value / 1e6:.4g}M"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def value_text(value, percent=False):
    """A value of a chart in words."""
    return number_text(value) if value is None or not percent else f"{value:.1%}"


def text_width(text):
    """How wide a label is, at most."""
    return FONT * sum(_WIDE_LETTERS.get(letter, _LETTER) for letter in text)


def thinned(series):
    """The indices to draw: all of them, or the lowest and the highest of each of some hundred stretches."""
    count = len(series.xs)
    if count <= _MOST_POINTS:
        return list(range(count))
    kept = {0, count - 1}
    for part in range(_MOST_POINTS // 2):
        stretch = range(part * count * 2 // _MOST_POINTS, (part + 1) * count * 2 // _MOST_POINTS)
        known = [i for i in stretch if series.ys[i] is not None]
        if known:
            kept |= {min(known, key=lambda i: series.ys[i]), max(known, key=lambda i: series.ys[i])}
    return sorted(kept)


def _y_range(ys):
    """From a little below the least to a little above the largest; from 0 if that is not far."""
    low, high = min(ys), max(ys)
    margin = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    margin = max(margin, 1e-9 * max(abs(low), abs(high)), 1e-9)  # differences that no chart can show
    return (0.0 if 0 <= low < high / 3 else low - margin), high + margin


def line_chart(series, x_label="", y_label="", y_range=None, percent=False, bands=(), shape=Shape(), style=""):
    """An ``<svg>`` with the given Series.

    ``bands`` are (first x, last x, text) stretches that the background tells apart, such as board sizes. ``percent``
    writes the y axis as percentages; ``y_range`` fixes it. ``style`` is one more class of the element.
    """
    head = f'<svg class="chart {style}" viewBox="0 0 {shape.width} {shape.height}"'
    xs = [x for line in series for x in line.xs]
    ys = [y for line in series for values in (line.ys, line.low or (), line.high or ()) for y in values if y is not None]
    if not xs or not ys:
        return f'{head}><text x="{shape.width // 2}" y="{shape.height // 2}" class="empty">no data yet</text></svg>'
    x0, x1 = min(xs), max(xs)
    x0, x1 = (x0, x1) if x1 > x0 else (x0 - 1, x1 + 1)
    y0, y1 = y_range or _y_range(ys)
    y_texts = [(tick, f"{tick:.0%}" if percent else number_text(tick)) for tick in _ticks(y0, y1, shape.y_labels)]
    left = 12 + max((text_width(text) for _, text in y_texts), default=0)
    top = FONT + 14 + (FONT if bands else 0)  # the unit stands above the axis, the bands' names below it
    axes = _Axes(x0, x1, y0, y1, left, shape.width - 12, top, shape.height - 2 * FONT - 16)
    where = f"{axes.left:g} {axes.right:g} {shape.width} {x0} {x1}"
    parts = [f'{head} data-axis="{where}" role="img" aria-label="{escape(y_label)}">']
    parts += _background(bands, axes)
    parts.append(f'<text x="{_EDGE}" y="{FONT}">{escape(y_label)}</text>')
    for tick, text in y_texts:
        y = axes.py(tick)
        parts.append(f'<line x1="{axes.left:g}" x2="{axes.right:g}" y1="{y}" y2="{y}" class="grid"/>')
        parts.append(f'<text x="{axes.left - 7:g}" y="{y + 4:g}" text-anchor="end">{text}</text>')
    parts += _x_labels(axes, shape)
    parts.append(f'<line x1="{axes.left:g}" x2="{axes.right:g}" y1="{axes.bottom}" y2="{axes.bottom}" class="axis"/>')
    middle = (axes.left + axes.right) / 2
    parts.append(f'<text x="{middle:g}" y="{shape.height - 6}" text-anchor="middle">{escape(x_label)}</text>')
    for line in series:
        parts += _drawn(line, axes)
    parts.append(f'<line class="cursor" y1="{axes.top}" y2="{axes.bottom}" visibility="hidden"/></svg>')
    return "".join(parts)


def with_legend(chart, series):
    """A ``line_chart`` with the names of its Series in lines above it: the picture begins higher up."""
    height = _LEGEND_LINE * -(-len(series) // _LEGEND_COLUMNS) + 4
    legend = "".join(
        f'<text x="{60 + 190 * (i % _LEGEND_COLUMNS)}" y="{_LEGEND_LINE * (i // _LEGEND_COLUMNS + 1) - height}" '
        f'style="fill:{line.colour}">{line.name}</text>'
        for i, line in enumerate(series)
    )
    width, below = re.search(r'viewBox="0 0 (\d+) (\d+)"', chart).groups()
    taller = re.sub(r'viewBox="[^"]*"', f'viewBox="0 -{height} {width} {int(below) + height}"', chart, count=1)
    return taller.replace("</svg>", legend + "</svg>")


def alone(drawing):
    """A drawing of a page as an SVG text that stands alone."""
    return drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(">", ">" + _STYLE, 1)


def _background(bands, axes):
    for i, (first, last, text) in enumerate(bands):
        left, right = axes.px(max(first - 0.5, axes.x0)), axes.px(min(last + 0.5, axes.x1))
        if i % 2:
            box = f'x="{left}" y="{axes.top}" width="{right - left:.1f}" height="{axes.bottom - axes.top}"'
            yield f'<rect {box} class="stretch"/>'
        if text_width(text) < right - left:
            yield f'<text x="{left + 2:g}" y="{axes.top - 5}" class="band">{escape(text)}</text>'


def _x_labels(axes, shape):
    """The numbers below the axis, none of which leaves the drawing or meets another."""
    free = 0.0
    for tick in _ticks(axes.x0, axes.x1, shape.x_labels):
        text = number_text(tick)
        half = text_width(text) / 2
        x = min(max(axes.px(tick), half), shape.width - half - 1)
        if x - half >= free:
            yield f'<text x="{x:g}" y="{axes.bottom + FONT + 4}" text-anchor="middle">{text}</text>'
            free = x + half + _EDGE


def _drawn(line, axes):
    px, py, kept = axes.px, axes.py, thinned(line)
    if line.low is not None and line.high is not None:
        known = [i for i in kept if line.low[i] is not None and line.high[i] is not None]
        if line.dots:
            for i in known:
                x = px(line.xs[i])
                ends = f'x1="{x}" x2="{x}" y1="{py(line.low[i])}" y2="{py(line.high[i])}"'
                yield f'<line {ends} style="stroke:{line.colour}" opacity=".45"/>'
        elif known:
            outline = [f"{px(line.xs[i])},{py(line.high[i])}" for i in known]
            outline += [f"{px(line.xs[i])},{py(line.low[i])}" for i in reversed(known)]
            yield f'<polygon points="{" ".join(outline)}" style="fill:{line.colour}" opacity=".15"/>'
    stretch = []
    for i in [*kept, None]:
        if i is not None and line.ys[i] is not None:
            stretch.append(f"{px(line.xs[i])},{py(line.ys[i])}")
        elif stretch:
            dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
            style = f'fill="none" style="stroke:{line.colour}" stroke-width="1.8" stroke-linejoin="round"{dash}'
            yield f'<polyline points="{" ".join(stretch)}" {style}/>'
            stretch = []
    if line.dots:
        for i in kept:
            if line.ys[i] is not None:
                place = f'cx="{px(line.xs[i])}" cy="{py(line.ys[i])}" r="3.5"'
                yield f'<circle {place} style="fill:{line.colour}"/>'
