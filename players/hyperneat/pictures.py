"""Drawings as SVG: receptive fields for the page and in the manner of figure 3b, and a CPPN as a graph."""

import numpy as np

from engine.go.board import point
from players.hyperneat.cppn import ACTIVATIONS
from players.hyperneat.substrate import LARGEST_WEIGHT
from players.show.boards import Board, panels
from players.show.charts import text_width

_BOX, _GAP, _TITLE = 24, 36, 26  # of figure 3b
_PANEL, _LEAST = 280, 112  # pixels of a receptive field at most, and of its panel at least
_FEW = 2  # pairs of sheets of which all boards stand in one row
# Of the graph: room for the names of inputs and above the layers, and between layers and nodes.
_LEFT, _HEAD, _STEP_RIGHT, _STEP_DOWN, _WAVE = 90, 30, 150, 46, 12
_THICKEST = 10.0  # a weight beyond which links grow no thicker
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
                corner = _BOX * 0.45
                parts.append(f'<path d="M{x} {y}h{corner:g}l{-corner:g} {corner:g}z" fill="white" stroke="#666"/>')
    return parts


def receptive_fields(player, sizes):
    """What the node in the centre of a sheet hears from the sheet before it, in the order of the layers, board by board."""
    names = player.geometry.pairs
    rows = []
    for size in sizes:
        centre, node = point(size, size // 2, size // 2), size // 2 * (size + 1)
        row = []
        for pair, name in enumerate(names):
            weights = player.receptive_field(size, centre, pair).ravel()
            field = Board(size, lines=False, pixels=_PANEL // size)
            field.shade(weights / float(LARGEST_WEIGHT)).values(weights)
            words = f"{size}×{size}, {name.replace('→', ' → ')}"
            row.append((field.ring(node, "here").svg(words), words))
        rows.append(row)
    if len(names) <= _FEW:
        rows = [[drawing for row in rows for drawing in row]]
    return "".join(panels(row, _LEAST) for row in rows)


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
            pair = player.geometry.pairs.index("hidden→output")
            weights = player.receptive_field(size, point(size, size // 2, size // 2), pair)
            parts += _field(weights, left + inset, top + _TITLE - 6 + inset)
    return _svg(10 + len(sizes) * wide, 10 + len(champions) * (high + _GAP), parts) + "\n"


def _layers(program, inputs, outputs):
    """The slots of a CPPN by layer: inputs, hidden nodes by their longest way from an input, outputs.

    In each layer nodes stand in the order of where their links come from, so that fewer links cross.
    """
    nodes = len(program.activation)
    depth = np.zeros(inputs + nodes, np.int64)
    for k in range(nodes):
        depth[inputs + k] = 1 + max((depth[s] for s in _heard(program, k) if s not in outputs), default=0)
    by_depth = {}
    for slot in range(inputs, inputs + nodes):
        if slot not in outputs:
            by_depth.setdefault(int(depth[slot]), []).append(slot)
    layers = [list(range(inputs)), *(by_depth[level] for level in sorted(by_depth))]
    height = {slot: (i + 0.5) / inputs for i, slot in enumerate(layers[0])}
    for layer in layers[1:]:
        heights = {slot: [height.get(int(s), 0.5) for s in _heard(program, slot - inputs)] for slot in layer}
        wanted = {slot: np.mean(found or [0.5]) for slot, found in heights.items()}
        layer.sort(key=wanted.get)
        height |= {slot: (i + 0.5) / len(layer) for i, slot in enumerate(layer)}
    return [*layers, list(outputs)]  # which keep their order, that of the sheets


def _heard(program, k):
    return program.source[program.first[k] : program.first[k + 1]]


def cppn_graph(program, geometry):
    """The CPPN in layers, inputs on the left and outputs, by name, on the right; a link is as thick as its weight.

    Blue links have positive weights; red ones, which are dashed, negative.
    """
    inputs = geometry.inputs
    outputs = {int(slot): name.replace("→", " → ") for slot, name in zip(program.outputs, geometry.output_names)}
    layers = _layers(program, inputs, outputs)
    height = _HEAD + _STEP_DOWN * max(len(layer) for layer in layers)
    names, at = dict(enumerate(geometry.input_names)) | outputs, {}
    for level, layer in enumerate(layers):
        for i, slot in enumerate(layer):
            wave = _WAVE * (level % 2)  # so that links along a row do not hide behind nodes
            at[slot] = _LEFT + _STEP_RIGHT * level, _HEAD + wave + (i + 0.5) * (height - _HEAD - _WAVE) / len(layer)
            names.setdefault(slot, f"hidden node {len(names) - inputs - len(outputs) + 1}")
    width = _LEFT + _STEP_RIGHT * (len(layers) - 1) + 30 + round(max(map(text_width, outputs.values())))
    heads = ["inputs", *([f"hidden {i + 1}" if len(layers) > 3 else "hidden" for i in range(len(layers) - 2)]), "outputs"]
    parts = [
        f'<text x="{_LEFT + _STEP_RIGHT * level}" y="16" text-anchor="middle" class="soft">{head}</text>'
        for level, head in enumerate(heads)
    ]
    for k in range(len(program.activation)):
        for j in range(program.first[k], program.first[k + 1]):
            parts.append(_link(names, at, int(program.source[j]), inputs + k, float(program.weight[j])))
    for slot, (x, y) in at.items():
        if slot < inputs:
            parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="6" class="input" data-tip="input {names[slot]}"/>')
            parts.append(f'<text x="{x - 12}" y="{y + 4:.1f}" text-anchor="end">{names[slot]}</text>')
            continue
        activation = int(program.activation[slot - inputs])
        told = f"{names[slot]}: {ACTIVATIONS[activation]}"
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="15" class="node" data-tip="{told}"/>')
        parts.append(_curve(activation, x, y))
        if slot in outputs:
            parts.append(f'<text x="{x + 22}" y="{y + 4:.1f}">{outputs[slot]}</text>')
    style = f'style="width:{width}px" viewBox="0 0 {width} {height:g}"'
    return f'<div class="natural"><svg class="graph" {style}>{"".join(parts)}</svg></div>'


def _link(names, at, source, target, weight):
    (x1, y1), (x2, y2) = at[source], at[target]
    bend = (x2 - x1) / 2
    kind, dash = ("plus", "") if weight > 0 else ("minus", ' stroke-dasharray="7 4"')
    told = f"{names[source]} to {names[target]}: {weight:+.3f}"
    thick = 0.6 + 0.6 * min(abs(weight), _THICKEST)
    return (
        f'<path d="M{x1:.1f} {y1:.1f}c{bend:.1f} 0 {bend:.1f} {y2 - y1:.1f} {x2 - x1:.1f} {y2 - y1:.1f}" '
        f'class="link {kind}" stroke-width="{thick:.2f}"{dash} data-tip="{told}"/>'
    )


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
    return f'<path d="M{path}" class="curve"/>'
