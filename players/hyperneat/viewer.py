"""What ``show`` shows of a HyperNEAT genome: its CPPN in text and as a graph, its receptive fields, some of its games."""

import numpy as np

from players.hyperneat.cppn import ACTIVATIONS
from players.hyperneat.pictures import cppn_graph, receptive_fields
from players.hyperneat.player import load_player
from players.show.examples import game_against_liberty
from players.show.views import Picture

_MOST_FRAMES = 24
_MOST_LINKS = 20_000  # of all CPPNs that are drawn: those of a run have some 100 each
_GAME_SIZES = (5, 7, 9)
_KOMI = 6.5
_FIELD_CAPTION = (
    "The weights with which the node in the centre hears the sheet before it: the darker the heavier, a white corner where "
    "negative. Under discrete extrapolation the pattern of the smaller board is the middle of the larger one's."
)


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
        expressed = np.count_nonzero(player.weights(size))
        lines.append(f"  {size}x{size}: {expressed} of {player.weights(size).size} connections are expressed")
    return "\n".join(lines)


def pictures(genome, champions):
    """Receptive fields and CPPN; of a run, champion by champion."""
    shown = list(champions) or [genome]
    if len(shown) > _MOST_FRAMES:
        shown = [shown[i] for i in np.unique(np.linspace(0, len(shown) - 1, _MOST_FRAMES).round().astype(int))]
    players = [load_player(one) for one in shown]
    if sum(len(player.program.weight) for player in players) > _MOST_LINKS:
        shown, players = shown[-1:], players[-1:]
    labels = [f"generation {one.generation}" for one in shown]
    return [
        Picture("Receptive fields of the centre", [receptive_fields(player) for player in players], _FIELD_CAPTION, labels),
        Picture(
            "The CPPN",
            [cppn_graph(player.program, player.geometry) for player in players],
            "Inputs on the left; each node shows its activation function. Blue links have positive weights, red ones negative.",
            labels,
            wide=True,
        ),
    ]


def games(genome):
    """A game against Liberty on each of some boards, the champion as Black."""
    return [game_against_liberty(load_player(genome), "HyperNEAT", size, _KOMI) for size in _GAME_SIZES]
