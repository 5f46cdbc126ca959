"""What ``show`` shows of an internal symmetry network: its weights in text, what it says of a game, its hidden units."""

import numpy as np

from engine.go.game import Game
from engine.records.vertex import format_vertex
from players.isn.anatomy import INPUTS, OUTPUT_NAMES, plane_names, unpack
from players.isn.body import read_body
from players.isn.pictures import hidden_units, said_of
from players.isn.player import load_player
from players.show.claims import drawn_board
from players.show.examples import game_against_liberty
from players.show.views import Chart, Picture

_KOMI = 7.5
_GAME_SIZES = (9, 13)
_POSITIONS = 24  # of the shown game that the network is asked about
_SHOWN_AT = 0.4  # of the game: where there are groups, and the board is still open
ABOUT = (
    "An internal symmetry network: a small network sits on every point of the board, all with the same weights, and "
    "learns by playing against itself what each point will be worth in the end. It plays where the whole board is worth "
    "most."
)
CHARTS = {
    "fitness": None,  # the loss, turned round
    "wins": None,  # it plays itself
    "loss": Chart("Loss", "cross entropy of an output", "How far what it says is from what came of it; lower is better."),
    "length": Chart("Length of games", "moves a game", "How long the games against itself are."),
    "black_score": Chart("Black's lead", "points", "By how much Black wins the games, komi not counted."),
    "capped": Chart("Endless games", "games cut short", "Games that did not end by themselves.", True),
    "beta": Chart(
        "Sharpness", "beta", "How strictly it takes the best move in games against itself: the larger the stricter."
    ),
    "rate": Chart("Learning rate", "step", "How far a step of learning goes."),
    "largest_weight": Chart(
        "Largest weight", "weight", "The largest of its weights: a network that is sure of itself has large ones."
    ),
}
_SAID_CAPTION = (
    "What the network says after each of some moves of a game against Liberty. It sorts groups into six classes by the "
    "territory and the eyes around them: C1 to C3 have no eye and little, some or much territory, C4 and C5 about one "
    "eye, C6 two. The maps are its seven outputs, the fuller the likelier; each is meant for what its words say and means "
    "little elsewhere."
)
_HIDDEN_CAPTION = (
    "Its hidden units: the 3×3 windows of weights with which a unit hears white and black stones of each class, "
    "empty points and the edge around it, and below what it tells each output. Blue excites, red with a bar holds back. T "
    "units stay the same when the board is turned or mirrored, S and D units change their sign, and an F unit is one of a "
    "pair that turns with the board."
)
_CENTRE = ("white C1", "white C6", "black C1", "black C6", "empty")  # how the names of the planes begin that are told


def describe(genome):
    """The sizes of the parts, and the weights with which a cell's own input speaks to the outputs."""
    found = read_body(genome.body)
    anatomy = found.anatomy
    parts = unpack(found.parameters, anatomy)
    biases = anatomy.parameters - anatomy.weights
    passes = f" in {anatomy.passes} passes" if anatomy.passes > 1 else ""
    lines = [
        f"internal symmetry network: {anatomy.weights} free weights, {biases} biases; "
        f"{anatomy.hidden} hidden units a point{passes}",
        *(f"  sees {INPUTS[name]}" for name in anatomy.inputs),
    ]
    lines += [
        f"  {name:<12} {part.size:>4} parameters, root mean square {np.sqrt(np.mean(part**2)):.3f}"
        for name, part in parts.items()
    ]
    lines.append("  from a point's own input to its outputs:")
    width = max(len(name) for name in plane_names(anatomy) if name.startswith(_CENTRE))
    lines.append(" " * (width + 4) + "".join(f"{name:>7}" for name in OUTPUT_NAMES))
    for row, name in enumerate(plane_names(anatomy)):
        if name.startswith(_CENTRE):
            lines.append(f"    {name:<{width}}" + "".join(f"{weight:>7.2f}" for weight in parts["direct"][0, row]))
    return "\n".join(lines)


def pictures(genome, champions):
    """What it says of positions of its first game, and what its hidden units see."""
    player, record = load_player(genome), games(genome)[0]
    game = Game(record.size, record.komi)
    wanted = set(np.linspace(0, len(record.moves), _POSITIONS).round().astype(int).tolist())
    frames, labels = [], []
    for number in range(len(record.moves) + 1):
        if number in wanted:
            frames.append(said_of(player.sight(game), game.position))
            labels.append(f"move {number}: {format_vertex(game.moves[-1].point, game.size)}" if number else "before move 1")
        if number < len(record.moves):
            game.play(*record.moves[number])
    return [
        Picture("What it says of a game", frames, _SAID_CAPTION, labels, wide=True, first=int(_SHOWN_AT * len(frames))),
        Picture("Hidden units", [hidden_units(*_network(genome))], _HIDDEN_CAPTION, wide=True),
    ]


def _network(genome):
    found = read_body(genome.body)
    return found.parameters, found.anatomy


def games(genome):
    """A game against Liberty on its own board and on some others, the network as Black."""
    sizes = dict.fromkeys((drawn_board(genome, _GAME_SIZES[0]), *_GAME_SIZES))
    return [game_against_liberty(load_player(genome), "ISN", size, _KOMI) for size in sizes]
