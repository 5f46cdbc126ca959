"""What ``show`` shows of an internal symmetry network: its weights in text, what it thinks of single stones, some games."""

import numpy as np

from players.isn.network import OUTPUT_NAMES, PARAMETERS, WEIGHTS, unpack
from players.isn.player import load_player
from players.show.examples import game_against_liberty

_KOMI = 7.5
_GAME_SIZES = (9, 13)
_CENTRE = ("white C1", "white C6", "black C1", "black C6", "empty")
_ROWS = (0, 5, 6, 11, 12)


def describe(genome):
    """The sizes of the parts, and the weights with which a cell's own input speaks to the outputs."""
    parameters = np.array(genome.body["parameters"], float)
    parts = unpack(parameters)
    lines = [f"internal symmetry network: {WEIGHTS} free weights, {PARAMETERS - WEIGHTS} biases; 12 hidden units a point"]
    lines += [
        f"  {name:<12} {part.size:>4} parameters, root mean square {np.sqrt(np.mean(part**2)):.3f}"
        for name, part in parts.items()
    ]
    lines.append("  from a point's own input to its outputs:")
    lines.append(" " * 12 + "".join(f"{name:>7}" for name in OUTPUT_NAMES))
    for name, row in zip(_CENTRE, _ROWS):
        lines.append(f"    {name:<8}" + "".join(f"{weight:>7.2f}" for weight in parts["direct"][0, row]))
    return "\n".join(lines)


def games(genome):
    """A game against Liberty on each of some boards, the network as Black."""
    return [game_against_liberty(load_player(genome), "ISN", size, _KOMI) for size in _GAME_SIZES]
