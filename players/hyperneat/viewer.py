"""What ``show`` shows of a HyperNEAT genome: its CPPN in text and as a graph, its receptive fields, some of its games."""

import numpy as np

from players.hyperneat.cppn import ACTIVATIONS
from players.hyperneat.pictures import cppn_graph, receptive_fields
from players.hyperneat.player import load_player
from players.hyperneat.substrate import DISCRETE
from players.show.claims import drawn_board
from players.show.examples import game_against_liberty
from players.show.views import Chart, Picture

_MOST_FRAMES = 24
_MOST_FIELDS = 600  # receptive fields of all frames: several hidden sheets have many
_MOST_LINKS = 20_000  # of all CPPNs that are drawn: those of a run have some 100 each
_GAME_SIZES = (5, 7, 9)
_FIELD_BOARDS = 2  # whose receptive fields are drawn: the last ones it was evolved on
_KOMI = 6.5
_FIELD_CAPTION = (
    "The weights with which the node in the centre (ringed) hears the sheet before it, layer by layer: blue excites, red "
    "with a bar holds back, the stronger the fuller. Under discrete extrapolation the pattern of a smaller board is the "
    "middle of the larger one's."
)
_GRAPH_CAPTION = (
    "The small network that paints all weights: it is asked with the places of two nodes and answers with the weight "
    "between them, one output for each pair of sheets. Each node shows its activation function. Blue links have positive "
    "weights, dashed red ones negative; point at one to read it."
)
ABOUT = (
    "HyperNEAT: evolution does not set the weights of the network that plays, but grows a small network, the CPPN, that "
    "paints them over the board as a pattern. So one genome plays boards of every size."
)
CHARTS = {
    "fitness": Chart(
        "Fitness",
        "points of all games",
        "How well individuals did in the games of their generation; it grows with the board.",
    ),
    "mean_wins": Chart("Games won on average", "games won", "What all individuals of a generation won together.", True),
    "worst_wins": Chart(
        "Worst board", "games won", "What the best individual won on the board and colour it liked least.", True
    ),
    "check_wins": Chart("Fresh games", "games won", "What the best individual won of games that did not choose it.", True),
    "links": Chart("Links", "links of the best CPPN", "How many links the best CPPN has: NEAT starts small and adds."),
    "hidden": Chart(
        "Hidden nodes", "hidden nodes of the best CPPN", "How many nodes have been added between inputs and outputs."
    ),
    "species": Chart(
        "Species", "species", "Into how many species the population falls, so that what is new gets time to improve."
    ),
    "threshold": Chart(
        "Compatibility", "distance", "How different two CPPNs of one species may be; set so that there are enough."
    ),
}


def describe(genome):
    """The CPPN as text: nodes in the order in which they are computed, each with what it hears."""
    player = load_player(genome)
    geometry, program = player.geometry, player.program
    names = list(geometry.input_names)
    outputs = {int(slot): name for slot, name in zip(program.outputs, geometry.output_names)}
    hidden = 0
    for slot in range(geometry.inputs, geometry.inputs + len(program.activation)):
        hidden += slot not in outputs
        names.append(outputs.get(slot, f"h{hidden}"))
    lines = [f"CPPN: {geometry.inputs} inputs, {hidden} hidden nodes, {len(program.weight)} links; {geometry.extrapolation}"]
    for k, activation in enumerate(program.activation):
        heard = range(program.first[k], program.first[k + 1])
        sums = " ".join(f"{program.weight[j]:+.2f}·{names[program.source[j]]}" for j in heard)
        lines.append(f"  {names[geometry.inputs + k]} = {ACTIVATIONS[activation]}({sums or '0'})")
    for size in (5, 7, 9):
        weights = player.network(size).weights
        lines.append(f"  {size}x{size}: {np.count_nonzero(weights)} of {weights.size} connections are expressed")
    return "\n".join(lines)


def pictures(genome, champions):
    """Receptive fields and CPPN; of a run, champion by champion."""
    shown = list(champions) or [genome]
    geometry = load_player(genome).geometry
    boards = _boards_of(genome)
    if not geometry.absolute and geometry.extrapolation == DISCRETE:
        boards = boards[-1:]  # the pattern is the same on all
    fields = len(geometry.pairs) * len(boards)
    frames = min(_MOST_FRAMES, max(1, _MOST_FIELDS // fields))
    if len(shown) > frames:
        shown = [shown[i] for i in np.unique(np.linspace(len(shown) - 1, 0, frames).round().astype(int))]
    players = [load_player(one) for one in shown]
    if sum(len(player.program.weight) for player in players) > _MOST_LINKS:
        shown, players = shown[-1:], players[-1:]
    labels = [f"generation {one.generation}" for one in shown]
    return [
        Picture(
            "Receptive fields of the centre",
            [receptive_fields(player, boards) for player in players],
            _FIELD_CAPTION,
            labels,
            wide=True,
            first=-1,
        ),
        Picture(
            "The CPPN",
            [cppn_graph(player.program, player.geometry) for player in players],
            _GRAPH_CAPTION,
            labels,
            wide=True,
            first=-1,
        ),
    ]


def _boards_of(genome):
    """The last boards it was evolved on, the largest its own; 5 and 7 if it does not say."""
    own = drawn_board(genome, _GAME_SIZES[1])
    smaller = [size for size in genome.config.get("boards") or _GAME_SIZES[:2] if size < own]
    return [*smaller, own][-_FIELD_BOARDS:]


def games(genome):
    """A game against Liberty on its own board and on some others, the champion as Black."""
    sizes = dict.fromkeys((drawn_board(genome, _GAME_SIZES[0]), *_GAME_SIZES))
    return [game_against_liberty(load_player(genome), "HyperNEAT", size, _KOMI) for size in sizes]
