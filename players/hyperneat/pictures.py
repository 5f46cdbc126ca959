"""Drawings as SVG: receptive fields in the manner of figure 3b, and a CPPN as a graph."""

import numpy as np

from engine.go.board import point
from players.hyperneat.cppn import ACTIVATIONS
from players.hyperneat.substrate import LARGEST_WEIGHT

_BOX, _GAP, _TITLE = 24, 36, 26
_STYLE = 'font-family="sans-serif" font-size="12"'


def _svg(width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {_STYLE}>'
    paper = f'<rect width="{width:g}" height="{height:g}" fill="white"/>'
    return "\n".join([head, paper, *parts, "</svg>"])


def _field(weights, left, top):
    """Boxes, the darker the larger a weight, with a white triangle in the corner of those below 0."""
    size = len(weights)
    parts = []
    for row in range(size):
        for col in range(size):
            share = min(1.0, abs(float(weights[row, col])) / float(LARGEST_WEIGHT))
            grey = round(255 * (1 - share))
            x, y = left + col * _BOX, top + row * _BOX
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_BOX}" fill="rgb({grey},{grey},{grey})" stroke="#999"/>'
            )
            if weights[row, col] < 0:
                parts.append(f'<path d="M{x} {y}h{_BOX * 0.45:g}l{-_BOX * 0.45:g} {_BOX * 0.45:g}z" fill="white" stroke="#666"/>')
    return parts


def receptive_fields(player, sizes=(5, 7)):
    """What the node in the centre of a sheet hears from the sheet before it: a row for each pair of sheets, by board."""
    names = player.geometry.pairs
    left, parts, height = 10, [], 0
    for size in sizes:
        centre = point(size, size // 2, size // 2)
        for pair, name in enumerate(names):
            top = 10 + pair * (max(sizes) * _BOX + _GAP)
            parts.append(f'<text x="{left}" y="{top + 12}">{size}×{size}, {name}</text>')
            inset = (max(sizes) - size) * _BOX // 2  # discrete extrapolation: the smaller board sits in the middle
            parts += _field(player.receptive_field(size, centre, pair), left, top + _TITLE - 6 + inset)
            height = max(height, top + _TITLE + max(sizes) * _BOX)
        left += max(size * _BOX, 130) + _GAP
    return _svg(left, height + 10, parts)


def figure_3b(champions, sizes):
    """What the output in the centre hears from the hidden sheet, as in the paper's figure 3b: a row for each champion.

    ``champions`` are pairs (player, generation after which it was champion); ``sizes`` the boards, one after the other.
    """
    parts, high, wide = [], max(sizes) * _BOX, max(sizes) * _BOX + _GAP
    for row, (player, generation) in enumerate(champions):
        for column, size in enumerate(sizes):
            left, top = 10 + column * wide, 10 + row * (high + _GAP)
            inset = (max(sizes) - size) * _BOX // 2
            parts.append(f'<text x="{left}" y="{top + 12}">generation {generation}, {size}×{size}</text>')
            weights = player.receptive_field(size, point(size, size // 2, size // 2), len(player.geometry.pairs) - 1)
            parts += _field(weights, left + inset, top + _TITLE - 6 + inset)
    return _svg(10 + len(sizes) * wide, 10 + len(champions) * (high + _GAP), parts) + "\n"


def cppn_graph(program, geometry):
    """The CPPN from its inputs on the left to its outputs on the right; blue links have positive weights, red negative."""
    inputs, nodes = geometry.inputs, len(program.activation)
    outputs = {int(slot): name for slot, name in zip(program.outputs, geometry.output_names)}
    depth = np.zeros(inputs + nodes, np.int64)
    for k in range(nodes):
        heard = program.source[program.first[k] : program.first[k + 1]]
        depth[inputs + k] = 1 + max((depth[s] for s in heard), default=0)
    deepest = depth.max()
    depth[list(outputs)] = deepest
    columns = [[s for s in range(inputs + nodes) if depth[s] == level] for level in range(deepest + 1)]
    tallest = max(len(column) for column in columns)
    width, height = 170 + 110 * deepest + 110, 60 + 46 * tallest
    at = {}
    for level, column in enumerate(columns):
        for i, slot in enumerate(column):
            wave = 12 * (level % 2)  # so that links along a row do not hide behind nodes
            at[slot] = 90 + 110 * level, 20 + wave + (i + 0.5) * (height - 40) / len(column)
    parts = []
    for k in range(nodes):
        for j in range(program.first[k], program.first[k + 1]):
            (x1, y1), (x2, y2) = at[int(program.source[j])], at[inputs + k]
            weight = float(program.weight[j])
            colour = "#1b6ca8" if weight > 0 else "#b3261e"
            bend = (x2 - x1) / 2
            parts.append(
                f'<path d="M{x1:.1f} {y1:.1f}c{bend:.1f} 0 {bend:.1f} {y2 - y1:.1f} {x2 - x1:.1f} {y2 - y1:.1f}" fill="none" '
                f'stroke="{colour}" stroke-opacity="0.7" stroke-width="{0.4 + 0.6 * abs(weight):.2f}">'
                f"<title>{weight:+.3f}</title></path>"
            )
    for slot, (x, y) in at.items():
        if slot < inputs:
            parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="6" fill="#333"/>')
            parts.append(f'<text x="{x - 12}" y="{y + 4:.1f}" text-anchor="end">{geometry.input_names[slot]}</text>')
            continue
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="15" fill="white" stroke="#333"/>')
        parts.append(_curve(int(program.activation[slot - inputs]), x, y))
        if slot in outputs:
            parts.append(f'<text x="{x + 20}" y="{y + 4:.1f}">{outputs[slot]}</text>')
    return _svg(width, height, parts)


_SHAPES = {
    "sigmoid": lambda t: 2 / (1 + np.exp(-6 * t)) - 1,
    "gaussian": lambda t: 2 * np.exp(-6 * t * t) - 1,
    "sine": lambda t: np.sin(np.pi * t),
    "linear": lambda t: t,
}


def _curve(activation, x, y):
    """The graph of an activation function, small enough for a node."""
    name = ACTIVATIONS[activation]
    steps = np.linspace(-1, 1, 17)
    path = "L".join(f"{x + 9 * t:.1f} {y - 8 * v:.1f}" for t, v in zip(steps, _SHAPES[name](steps)))
    return f'<path d="M{path}" fill="none" stroke="#333" stroke-width="1.5"><title>{name}</title></path>'
