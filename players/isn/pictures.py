"""Drawings of an internal symmetry network: what it says of a position, and what its hidden units look at and speak for."""

from html import escape

import numpy as np

from engine.go.board import BLACK, WHITE, board_points
from players.isn.anatomy import OUTPUT_NAMES, OUTPUTS, STEPS, class_of_kind, expand, plane_names
from players.show.boards import LARGE, Board, beside, colours_of, panels
from players.show.charts import text_width

_MAP = 170  # pixels of a map
_SMALL = 0.34  # of the stones on a map, in distances between lines

# What each output says, in the order of the outputs: how likely it is that …
SAID = (
    "Z+: an empty point becomes White's",
    "Zo: a white stone stays White's",
    "Z*: a black stone falls to White",
    "A+o: White makes an eye here",
    "A+*: Black makes an eye here",
    "Ao: a white stone is lost, a black eye",
    "A*: a black stone is lost, a white eye",
)


def said_of(sight, position):
    """What the network says of a position: its groups by class, and the seven outputs as maps."""
    size = int(position.board_size)
    points = board_points(size)
    colours, kinds = colours_of(position), np.array(sight.kind[points])
    classes = Board(size, pixels=LARGE // size).stones(colours)
    stones = np.flatnonzero((colours == BLACK) | (colours == WHITE)).tolist()
    names = {number: f"C{class_of_kind(int(kinds[number])) + 1}" for number in stones}
    if classes.has_room_for_text:
        classes.texts(names, stones=colours)
    told = [names.get(number, "empty") for number in range(size * size)]
    maps = []
    for number in range(OUTPUTS):
        values = np.array(sight.outputs[points, number], float)
        drawn = Board(size, lines=False, pixels=_MAP // size).shade(values).stones(colours, _SMALL).values(values)
        maps.append((drawn.svg(SAID[number]), SAID[number]))
    words = "groups by class: C1 is the weakest, C6 has two eyes"
    return beside(classes.tips(told).svg(words), words, maps)


# Hidden units. A unit is drawn as rows of 3×3 windows: what it hears from each kind of input around, and what it tells each
# output around.

_WINDOW, _STEP, _ROW_HEIGHT, _NAME = 30, 38, 52, 56  # pixels: of a window, from one to the next, of a row, before a row
_WIDTH = _NAME + 7 * _STEP

def unit_names(anatomy):
    """The hidden units by representation, in their order."""
    t, u = anatomy.trivial, anatomy.trivial // 2
    return (
        *(f"T{i + 1}" for i in range(t)),
        *(f"S{i + 1}" for i in range(u)),
        *(f"D{i + 1}" for i in range(u)),
        *(f"F{i + 1} east" for i in range(u)),
        *(f"F{i + 1} north" for i in range(u)),
    )


def plane_rows(anatomy):
    """How the inputs are drawn: rows (name, [(name of a column, number of the plane)])."""
    rows = {}
    for number, name in enumerate(plane_names(anatomy)):
        first, _, rest = name.partition(" ")
        if first in ("white", "black"):
            group, _, liberties = rest.partition(" ")
            colour = first.capitalize()
            if group.startswith("C") and group[1:].isdigit():
                row = f"{colour} {liberties[0]}" if liberties else colour
            else:
                row, group = f"{colour} is", rest
            rows.setdefault(row, []).append((group, number))
        else:
            rows.setdefault("else", []).append((name, number))
    return list(rows.items())


def hidden_units(parameters, anatomy):
    """All hidden units as panels."""
    seen, _, read = expand(parameters, anatomy)
    rows = plane_rows(anatomy)
    loudest_seen, loudest_read = (float(np.abs(weights).max()) or 1.0 for weights in (seen, read))
    drawings = []
    for unit, unit_name in enumerate(unit_names(anatomy)):
        parts = []
        for row, (name, columns) in enumerate(rows):
            words, numbers = zip(*columns)
            parts.append(_row(name, words, seen[unit, list(numbers)], loudest_seen, row))
        parts.append(_row("tells", OUTPUT_NAMES, read[:, unit], loudest_read, len(rows)))
        height = _ROW_HEIGHT * (len(rows) + 1)
        style = f'viewBox="0 0 {_WIDTH} {height}" style="max-width:{_WIDTH}px"'
        drawings.append((f'<svg class="graph" {style}>{"".join(parts)}</svg>', unit_name))
    return panels(drawings, _WIDTH)


def _row(name, columns, windows, loudest, row):
    top = row * _ROW_HEIGHT
    parts = [f'<text x="0" y="{top + 36}" class="soft">{name}</text>']
    step = max(_STEP, *(text_width(column) + 6 for column in columns))
    for i, (column, window) in enumerate(zip(columns, windows)):
        left = round(_NAME + i * step)
        parts.append(f'<text x="{left + _WINDOW / 2:g}" y="{top + 14}" text-anchor="middle">{escape(column)}</text>')
        parts.append(_window(window, loudest, left, top + 18))
    return "".join(parts)


def _window(weights, loudest, left, top):
    """The 3×3 weights of a window, in blue and in red with a bar; 0 is left out."""
    third = _WINDOW / 3
    parts = [f'<rect x="{left}" y="{top}" width="{_WINDOW}" height="{_WINDOW}" class="frame-line"/>']
    for weight, (east, north) in zip(weights, STEPS):
        if weight == 0:
            continue
        x, y = left + third * (1 + east), top + third * (1 - north)
        share = min(1.0, abs(weight) / loudest)
        kind = "fill-plus" if weight > 0 else "fill-minus"
        box = f'x="{x:g}" y="{y:g}" width="{third:g}" height="{third:g}"'
        parts.append(f'<rect {box} class="{kind}" fill-opacity="{0.08 + 0.92 * share:.2f}" data-tip="{weight:+.3f}"/>')
        if weight < 0:
            parts.append(f'<path d="M{x + 2:g} {y + third / 2:g}h{third - 4:g}" class="thin"/>')
    return "".join(parts)
