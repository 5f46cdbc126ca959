"""A saved SANE network as a player; it plays the board size it was evolved on and no other."""

import numpy as np

from engine.contest.player import Player, View
from engine.go.board import EMPTY, board_points
from players.sane.body import read_body
from players.sane.network import choose_move, new_activity, outputs
from players.sane.side import side_of


class SanePlayer(Player):
    """Plays the largest positive output that is legal, and passes if there is none."""

    name = "sane"

    def __init__(self, network):
        self.network = network
        self.size = network.size
        self.sizes = range(self.size, self.size + 1)
        self._said = None

    def _require_size(self, game):
        if game.size != self.size:
            raise ValueError(f"this network plays on {self.size}x{self.size} only, not on {game.size}x{game.size}")

    def choose(self, game, colour, budget=None):
        self._require_size(game)
        network = self.network
        p = int(choose_move(*network[:3], game.position, game.history, colour, new_activity(network)))
        values = outputs(network, game.position, colour)
        self._said = f"output {values[p]:.2f}" if p else "no legal move has a positive output"
        return p

    def side(self, size, rules):
        return side_of(self.network)

    def policy(self, game, colour):
        """The outputs; nan where a stone stands."""
        self._require_size(game)
        values = outputs(self.network, game.position, colour)
        values[game.position.colour[: len(values)] != EMPTY] = np.nan
        return values

    def views(self):
        return [View("dboard", "Network Output", "evogo-sane_output", self._draw_outputs)]

    def _draw_outputs(self, game, arguments):
        """The output for every point in the colours of a dboard, -1 … 1 in proportion to the strongest."""
        self._require_size(game)
        values = outputs(self.network, game.position, game.to_play)[board_points(self.size)]
        values = values / (np.abs(values).max() or 1.0)
        return "\n".join(" ".join(f"{value:.3f}" for value in row) for row in values.reshape(self.size, self.size))

    def explain(self):
        return self._said


OPTIONS = ()


def load_player(genome):
    """The player of a saved genome; GenomeError if its body holds no network."""
    return SanePlayer(read_body(genome.body))
