"""How ``show`` draws a SANE network: in words, by its first moves, and by its strongest neurons on the board."""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EMPTY, WHITE, board_points, new_position
from engine.go.history import begin, new_history
from engine.records.vertex import format_vertex
from players.play.schedule import Fixture
from players.sane.body import read_body
from players.sane.network import INPUTS, STONES, choose_move, new_activity, outputs
from players.sane.side import RULES, side_of
from players.sane.trainer import Config
from players.scripted.kernels import opponent
from players.show.boards import Board, panels
from players.show.examples import example_games
from players.show.views import Chart, Picture
from players.training import config as configuration

STRONGEST = 12  # neurons that are drawn and described
MOST_BOARDS = 12  # champions whose first moves are shown
SHOWN_GAMES = 3
_PANEL = 160  # pixels of a board at least
_LAYERS = {"own": 0, "enemy": 1}  # of a Neuron, by the first word of a kind of input; all others are moves
_SQUARE = 0.86  # of a move that is spoken for, in distances between lines
_EVERYWHERE = " The neuron stands in the middle, on every point of the board and turned every way."
ABOUT = (
    "SANE: neurons evolve that look at a few points of the board and speak for a few moves, and with them blueprints that "
    "say which neurons make a good network together."
)
CHARTS = {
    "fitness": Chart(
        "Fitness", "points of all games", "The points that networks won by (or lost by) in the games of a generation."
    ),
    "mean_wins": Chart("Games won on average", "games won", "What all networks of a generation won together.", True),
    "capped": Chart("Endless games", "games cut short", "Games that did not end by themselves; they count as lost.", True),
    "first_line": Chart(
        "First move", "lines from the edge", "How far from the edge networks open, on average: 1 is the edge itself."
    ),
    "stones": Chart("Handicap", "stones given", "The stones that the network gives its opponent."),
}


class Neuron(NamedTuple):
    """A hidden neuron as a reader wants it: its connections by point, and how often the network has it.

    Where inputs tell stones apart by their liberties, the weights of a point are added up. Points are those of the board, or of
    what a neuron that stands everywhere has within its reach, itself in the middle.
    """

    own: dict  # number of the point, row by row → weight
    enemy: dict
    moves: dict  # that it looks at: empty points by what a move would do there
    proposes: dict
    edge: dict  # where it feels the edge of the board
    copies: int

    @property
    def strength(self):
        """How much it can add to or take from the outputs as stones come and go."""
        seen = (self.own, self.enemy, self.moves, self.edge)
        inputs = sum(abs(weight) for layer in seen for weight in layer.values())
        swing = np.tanh(inputs / 4)  # from its rest at 0.5 the sigmoid goes this share of the way to 0 or 1
        return float(self.copies * swing * sum(map(abs, self.proposes.values())))


def neurons_of(body):
    """The Neurons of a network, the strongest first; equal ones are put together."""
    area = width_of(body) ** 2
    places = [_LAYERS.get(name.split()[0], 2) for name in INPUTS[body.get("inputs", STONES)]] + [3, 4]
    found = {}
    for labels, weights in zip(body["labels"], body["weights"]):
        layers = ({}, {}, {}, {}, {})
        for label, weight in zip(labels, weights):
            layer = layers[places[label // area]]
            layer[label % area] = layer.get(label % area, 0.0) + weight
        key = tuple(tuple(sorted(layer.items())) for layer in layers)
        copies = found[key].copies + 1 if key in found else 1
        found[key] = Neuron(*layers, copies)
    return sorted(found.values(), key=lambda neuron: -neuron.strength)


def width_of(body):
    """How many lines a neuron can name points on."""
    return body["size"] if "reach" not in body else 2 * body["reach"] + 1


def first_move(network):
    """What the network plays as Black on the empty board."""
    position, history = new_position(network.size), new_history(RULES.ko, RULES.suicide)
    begin(position, history, BLACK)
    return int(choose_move(*network[:4], position, history, BLACK, new_activity(network)))


# In words


def describe(genome):
    """The structure of the network as text."""
    body = genome.body
    network, size, reach = read_body(body), body["size"], body.get("reach")
    neurons = neurons_of(body)
    to_moves = sum(len(neuron.proposes) * neuron.copies for neuron in neurons)
    board = f"{size}x{size}" if reach is None else "every board"
    where = "" if reach is None else f" on every point in eight directions, reaching {reach} lines"
    lines = [
        f"SANE network for {board}: {len(body['labels'])} hidden neurons ({len(neurons)} different){where}, "
        f"{_connections(neurons) - to_moves} connections from stones, {to_moves} to moves",
        f"first move{'' if reach is None else f' on {size}x{size}'}: {format_vertex(first_move(network), size)}",
        "strongest neurons (own stones, enemy stones -> moves):",
    ]
    name = _vertex(size) if reach is None else _relative(reach)
    for number, neuron in enumerate(neurons[:STRONGEST], 1):
        own, enemy, proposes = (_listed(layer, name) for layer in (neuron.own, neuron.enemy, neuron.proposes))
        seen = f"; moves {_listed(neuron.moves, name)}" if neuron.moves else ""
        seen += f"; edge {_listed(neuron.edge, name)}" if neuron.edge else ""
        copies = f" ({neuron.copies} copies)" if neuron.copies > 1 else ""
        lines.append(f"{number:3}. own {own}; enemy {enemy}{seen} -> {proposes}{copies}")
    return "\n".join(lines)


def _connections(neurons):
    """Of all neurons; those to one point count once."""
    return sum(len(layer) * neuron.copies for neuron in neurons for layer in neuron[:-1])


def _vertex(size):
    points = board_points(size)
    return lambda unit: format_vertex(int(points[unit]), size)


def _relative(reach):
    """Names points by where they are from the neuron, right and up."""

    def name(unit):
        down, right = (place - reach for place in divmod(unit, 2 * reach + 1))
        return f"({right:+d},{-down:+d})" if down or right else "here"

    return name


def _listed(layer, name):
    return ", ".join(f"{name(unit)} {weight:+.1f}" for unit, weight in layer.items()) or "none"


# In pictures


def pictures(genome, champions):
    """The strongest neurons of the genome, and the champions' first moves, oldest first."""
    shown = champions or [genome]
    if len(shown) > MOST_BOARDS:
        shown = [shown[i] for i in np.linspace(0, len(shown) - 1, MOST_BOARDS).round().astype(int)]
    neurons = neurons_of(genome.body)[:STRONGEST]
    return [
        Picture(
            "Strongest neurons",
            [panels([_neuron(neuron, width_of(genome.body), i) for i, neuron in enumerate(neurons, 1)], _PANEL)],
            "What each neuron looks at and speaks for. Stones are what it looks at, its own black and the enemy's white: "
            "a plus excites it, a minus holds it back, the larger the stronger. Blue squares are moves that it argues "
            "for, red ones with a bar moves that it argues against. Point at one for its weights."
            + _EVERYWHERE * ("reach" in genome.body),
            wide=True,
        ),
        Picture(
            "First move by generation" if len(shown) > 1 else "First move",
            [panels([_first_move(one) for one in shown], _PANEL)],
            "What the network of each champion says of the empty board: blue points are proposed, red ones with a bar are "
            "not, and the stone is the first move. In the paper it drifts from the edge to the centre.",
            wide=len(shown) > 1,
        ),
    ]


def _first_move(genome):
    network = read_body(genome.body)
    size = network.size
    values = outputs(network, new_position(size), BLACK)[board_points(size)]
    drawn = Board(size).shade(values / (np.abs(values).max() or 1.0), _SQUARE).values(values)
    drawn.stones(np.where(board_points(size) == first_move(network), BLACK, EMPTY))
    return drawn.svg(), f"generation {genome.generation}"


def _neuron(neuron, size, number):
    """A neuron on the board: the moves it speaks for as squares, the stones it looks at with the sign of their weights."""
    shares, tips = np.zeros(size * size), [[] for _ in range(size * size)]
    highest = max(map(abs, neuron.proposes.values()), default=1.0) or 1.0
    for unit, weight in neuron.proposes.items():
        shares[unit] = weight / highest
        tips[unit].append(f"move {weight:+.2f}")
    for unit, weight in neuron.moves.items():
        tips[unit].append(f"move here {weight:+.2f}")
    for unit, weight in neuron.edge.items():
        tips[unit].append(f"beyond the edge {weight:+.2f}")
    drawn = Board(size).shade(shares, _SQUARE)
    strongest = max(map(abs, [*neuron.own.values(), *neuron.enemy.values()]), default=1.0) or 1.0
    for layer, colour, name in ((neuron.own, BLACK, "own stone"), (neuron.enemy, WHITE, "enemy stone")):
        for unit, weight in layer.items():
            tips[unit].append(f"{name} {weight:+.2f}")
            drawn.stones([colour if at == unit else EMPTY for at in range(unit + 1)], 0.45 + 0.5 * abs(weight) / strongest)
            drawn.sign(unit, weight > 0, colour == BLACK)
    copies = f", {neuron.copies} copies" if neuron.copies > 1 else ""
    return drawn.tips(", ".join(words) for words in tips).svg(), f"neuron {number}{copies}"


# Games


def games(genome):
    """Some games against the opponents of its training, as the training plays them."""
    config = configuration.saved(Config, genome.config)
    network = read_body(genome.body, config.size)
    games_terms, colour = config.terms(config.give_stones)
    opponents = tuple(opponent(name, config.randomness) for name in config.opponents)
    fixture = Fixture(games_terms, opponents, colour, key=1, first=0, count=SHOWN_GAMES)
    return example_games(fixture, side_of(network), "SANE", config.opponents)
