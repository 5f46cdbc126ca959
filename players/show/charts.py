"""Line charts as SVG text: enough for learning curves, with nothing to install and nothing to fetch."""

import math
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 22, 22, 40
_MOST_POINTS = 400  # of a line: more cannot be seen, and the page would grow with the run


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


def _ticks(low, high, most=6):
    """Round numbers between ``low`` and ``high``."""
    span = high - low  # never so small that a step vanishes: see line_chart
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


def _thinned(series):
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


def line_chart(series, x_label="", y_label="", y_range=None, percent=False, bands=()):
    """An ``<svg>`` with the given Series.

    ``bands`` are (first x, last x, text) stretches that the background tells apart, such as board sizes. ``percent``
    writes the y axis as percentages; ``y_range`` fixes it.
    """
    xs = [x for line in series for x in line.xs]
    ys = [y for line in series for values in (line.ys, line.low or (), line.high or ()) for y in values if y is not None]
    if not xs or not ys:
        text = '<text x="320" y="150" class="empty">no data yet</text>'
        return f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}">{text}</svg>'
    x0, x1 = min(xs), max(xs)
    x0, x1 = (x0, x1) if x1 > x0 else (x0 - 1, x1 + 1)
    y0, y1 = y_range or (min(ys), max(ys))
    if y_range is None:
        margin = (y1 - y0) * 0.06 or abs(y1) * 0.1 or 1.0
        margin = max(margin, 1e-9 * max(abs(y0), abs(y1)), 1e-9)  # differences that no chart can show
        y0, y1 = (0.0 if 0 <= y0 < y1 / 3 else y0 - margin), y1 + margin

    def px(x):
        return round(_LEFT + (x - x0) / (x1 - x0) * (_WIDTH - _LEFT - _RIGHT), 1)

    def py(y):
        return round(_HEIGHT - _BOTTOM - (y - y0) / (y1 - y0) * (_HEIGHT - _TOP - _BOTTOM), 1)

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(y_label)}">']
    bottom = _HEIGHT - _BOTTOM
    for i, (first, last, text) in enumerate(bands):
        left, right = px(max(first - 0.5, x0)), px(min(last + 0.5, x1))
        if i % 2:
            shape = f'x="{left}" y="{_TOP}" width="{right - left:.1f}" height="{bottom - _TOP}"'
            parts.append(f'<rect {shape} fill="#f3f0e8"/>')
        parts.append(f'<text x="{left + 2}" y="{_TOP - 7}" class="band">{escape(text)}</text>')
    for tick in _ticks(y0, y1):
        text = f"{tick:.0%}" if percent else number_text(tick)
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{py(tick)}" y2="{py(tick)}" class="grid"/>')
        parts.append(f'<text x="{_LEFT - 7}" y="{py(tick) + 4}" text-anchor="end">{text}</text>')
    for tick in _ticks(x0, x1, 8):
        parts.append(f'<text x="{px(tick)}" y="{bottom + 16}" text-anchor="middle">{number_text(tick)}</text>')
    parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{bottom}" y2="{bottom}" class="axis"/>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>')
    for line in series:
        parts += _drawn(line, px, py)
    parts.append("</svg>")
    return "".join(parts)


def _drawn(line, px, py):
    kept = _thinned(line)
    if line.low is not None and line.high is not None:
        known = [i for i in kept if line.low[i] is not None and line.high[i] is not None]
        if line.dots:
            for i in known:
                x = px(line.xs[i])
                ends = f'x1="{x}" x2="{x}" y1="{py(line.low[i])}" y2="{py(line.high[i])}"'
                yield f'<line {ends} stroke="{line.colour}" opacity=".45"/>'
        elif known:
            outline = [f"{px(line.xs[i])},{py(line.high[i])}" for i in known]
            outline += [f"{px(line.xs[i])},{py(line.low[i])}" for i in reversed(known)]
            yield f'<polygon points="{" ".join(outline)}" fill="{line.colour}" opacity=".15"/>'
    stretch = []
    for i in [*kept, None]:
        if i is not None and line.ys[i] is not None:
            stretch.append(f"{px(line.xs[i])},{py(line.ys[i])}")
        elif stretch:
            style = f'fill="none" stroke="{line.colour}" stroke-width="1.6" stroke-linejoin="round"'
            yield f'<polyline points="{" ".join(stretch)}" {style}/>'
            stretch = []
    if line.dots:
        for i in kept:
            if line.ys[i] is not None:
                label = escape(f"{line.name}, {line.xs[i]}: {number_text(line.ys[i])}")
                place = f'cx="{px(line.xs[i])}" cy="{py(line.ys[i])}" r="3"'
                yield f'<circle {place} fill="{line.colour}"><title>{label}</title></circle>'
