"""What ``show`` shows of an internal symmetry network: its weights in text, what it thinks of single stones, some games."""

import numpy as np

from engine.board import BLACK
from engine.game import Game, result_text
from engine.rules import CHINESE
from players.isn.network import OUTPUT_NAMES, PARAMETERS, WEIGHTS, unpack
from players.isn.player import load_player
from players.scripted.liberty import Liberty
from players.training.views import GameRecord

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
    return [_game(genome, size) for size in _GAME_SIZES]


def _game(genome, size):
    player, opponent = load_player(genome), Liberty()
    player.seed(size)
    opponent.seed(size)
    game = Game(size, _KOMI, CHINESE)
    while not game.is_over and len(game.moves) < 3 * size * size:
        mover = player if game.to_play == BLACK else opponent
        game.play(game.to_play, mover.choose(game, game.to_play, None))
    title = f"Against Liberty on {size}x{size}"
    return GameRecord(title, size, list(game.moves), result_text(game.score()), _KOMI, "ISN", "Liberty")
