"""How ``show`` draws a SANE network: in words, by its first moves, and by its strongest neurons on the board."""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, board_points, new_position
from engine.go.history import begin, new_history
from engine.records.vertex import format_vertex
from players.play.schedule import Fixture
from players.sane.body import read_body
from players.sane.network import choose_move, new_activity, outputs
from players.sane.side import RULES, side_of, terms
from players.sane.trainer import Config
from players.scripted.kernels import opponent
from players.show.examples import example_games
from players.show.views import Picture
from players.training import config as configuration

STRONGEST = 12  # neurons that are drawn and described
MOST_BOARDS = 12  # champions whose first moves are shown
SHOWN_GAMES = 3
_CELL = 20  # between two lines of a drawn board
_GOOD, _BAD, _BOARD = "#2a8c4a", "#c03a2b", "#e8c98b"


class Neuron(NamedTuple):
    """A hidden neuron as a reader wants it: its connections by point, and how often the network has it."""

    own: dict  # unit of the board (0 … n² - 1) → weight
    enemy: dict
    proposes: dict
    copies: int

    @property
    def strength(self):
        """How much it can add to or take from the outputs as stones come and go."""
        inputs = sum(map(abs, self.own.values())) + sum(map(abs, self.enemy.values()))
        swing = np.tanh(inputs / 4)  # from its rest at 0.5 the sigmoid goes this share of the way to 0 or 1
        return float(self.copies * swing * sum(map(abs, self.proposes.values())))


def neurons_of(body):
    """The Neurons of a network, the strongest first; equal ones are put together."""
    area = body["size"] ** 2
    found = {}
    for labels, weights in zip(body["labels"], body["weights"]):
        layers = ({}, {}, {})
        for label, weight in zip(labels, weights):
            layer = layers[label // area]
            layer[label % area] = layer.get(label % area, 0.0) + weight
        key = tuple(tuple(sorted(layer.items())) for layer in layers)
        copies = found[key].copies + 1 if key in found else 1
        found[key] = Neuron(*layers, copies)
    return sorted(found.values(), key=lambda neuron: -neuron.strength)


def first_move(network):
    """What the network plays as Black on the empty board."""
    position, history = new_position(network.size), new_history(RULES.ko, RULES.suicide)
    begin(position, history, BLACK)
    return int(choose_move(*network[:3], position, history, BLACK, new_activity(network)))


# In words


def describe(genome):
    """The structure of the network as text."""
    network, size = read_body(genome.body), genome.body["size"]
    neurons = neurons_of(genome.body)
    inputs = int(network.start[2 * size * size])
    lines = [
        f"SANE network for {size}x{size}: {network.neurons} hidden neurons ({len(neurons)} different), "
        f"{inputs} connections from stones, {len(network.weight) - inputs} to moves",
        f"first move: {format_vertex(first_move(network), size)}",
        "strongest neurons (own stones, enemy stones -> moves):",
    ]
    for number, neuron in enumerate(neurons[:STRONGEST], 1):
        own, enemy, moves = (_listed(layer, size) for layer in (neuron.own, neuron.enemy, neuron.proposes))
        copies = f" ({neuron.copies} copies)" if neuron.copies > 1 else ""
        lines.append(f"{number:3}. own {own}; enemy {enemy} -> {moves}{copies}")
    return "\n".join(lines)


def _listed(layer, size):
    points = board_points(size)
    names = (f"{format_vertex(int(points[unit]), size)} {weight:+.1f}" for unit, weight in layer.items())
    return ", ".join(names) or "none"


# In pictures


def pictures(genome, champions):
    """The champions' first moves, oldest first, and the strongest neurons of the genome."""
    shown = champions or [genome]
    if len(shown) > MOST_BOARDS:
        shown = [shown[i] for i in np.linspace(0, len(shown) - 1, MOST_BOARDS).round().astype(int)]
    neurons = neurons_of(genome.body)[:STRONGEST]
    size = genome.body["size"]
    return [
        Picture(
            "First move by generation",
            [_first_moves(shown)],
            "What each champion's network says of the empty board: green points are proposed, red ones are not, and "
            "the stone is the first move. In the paper it drifts from the edge to the centre.",
            wide=True,
        ),
        Picture(
            "Strongest neurons",
            [_neuron_frame(neuron, size) for neuron in neurons],
            "Stones are what the neuron looks at, its own black and the enemy's white; a green rim excites it and a red "
            "one holds it back. Squares are the moves it argues for (green) or against (red).",
            [f"neuron {number}" for number in range(1, len(neurons) + 1)],
        ),
    ]


def _svg(width, height, parts):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'


def _grid(size, left=0, top=0):
    low, high = _CELL / 2, _CELL * (size - 0.5)
    lines = "".join(
        f"M{left + low} {top + at}H{left + high}M{left + at} {top + low}V{top + high}"
        for at in (_CELL * (i + 0.5) for i in range(size))
    )
    return (
        f'<rect x="{left}" y="{top}" width="{size * _CELL}" height="{size * _CELL}" fill="{_BOARD}"/>'
        f'<path d="{lines}" stroke="#0006" fill="none"/>'
    )


def _centre(unit, size, left=0, top=0):
    return left + _CELL * (unit % size + 0.5), top + _CELL * (unit // size + 0.5)


def _square(unit, size, share, left=0, top=0):
    """A square in the colour of the sign of ``share`` (-1 … 1), the stronger the fuller."""
    x, y = _centre(unit, size, left, top)
    half = _CELL * 0.4
    return (
        f'<rect x="{x - half:g}" y="{y - half:g}" width="{2 * half:g}" height="{2 * half:g}" '
        f'fill="{_GOOD if share > 0 else _BAD}" fill-opacity="{0.15 + 0.85 * abs(share):.2f}"/>'
    )


def _disc(unit, size, fill, rim, share, left=0, top=0):
    x, y = _centre(unit, size, left, top)
    radius = _CELL * (0.2 + 0.22 * share)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{fill}" stroke="{rim}" stroke-width="2"/>'


def _first_moves(genomes):
    parts, left = [], 0
    height = 0
    for genome in genomes:
        network = read_body(genome.body)
        size = network.size
        values = outputs(network, new_position(size), BLACK)[board_points(size)]
        values = values / (np.abs(values).max() or 1.0)
        parts.append(_grid(size, left))
        parts += [_square(unit, size, value, left) for unit, value in enumerate(values)]
        chosen = np.flatnonzero(board_points(size) == first_move(network))
        parts += [_disc(int(unit), size, "#111", "#111", 1.0, left) for unit in chosen]
        middle, below = left + size * _CELL / 2, size * _CELL + 16
        parts.append(f'<text x="{middle:g}" y="{below}" font-size="13" text-anchor="middle">{genome.generation}</text>')
        left += size * _CELL + 12
        height = max(height, size * _CELL + 22)
    return _svg(left - 12, height, parts)


def _neuron_frame(neuron, size):
    highest = max(map(abs, neuron.proposes.values()), default=1.0) or 1.0
    parts = [_grid(size)]
    parts += [_square(unit, size, weight / highest) for unit, weight in neuron.proposes.items()]
    strongest = max(map(abs, [*neuron.own.values(), *neuron.enemy.values()]), default=1.0) or 1.0
    for layer, fill in ((neuron.own, "#111"), (neuron.enemy, "#fafafa")):
        for unit, weight in layer.items():
            parts.append(_disc(unit, size, fill, _GOOD if weight > 0 else _BAD, abs(weight) / strongest))
    return _svg(size * _CELL, size * _CELL, parts)


# Games


def games(genome):
    """Some games against the opponents of its training, as the training plays them."""
    config = configuration.saved(Config, genome.config)
    network = read_body(genome.body)
    games_terms, colour = terms(network.size, config.give_stones)
    opponents = tuple(opponent(name, config.randomness) for name in config.opponents)
    fixture = Fixture(games_terms, opponents, colour, key=1, first=0, count=SHOWN_GAMES)
    return example_games(fixture, side_of(network), "SANE", config.opponents)
