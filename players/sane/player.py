"""A saved SANE network as a player. It plays the board size it was evolved on and no other, unless its labels are relative."""

import numpy as np

from engine.contest.player import Player, View
from engine.go.board import EMPTY, board_points
from players.sane.body import read_body
from players.sane.network import choose_move, new_activity, outputs
from players.sane.side import side_of


class SanePlayer(Player):
    """Plays the largest positive output that is legal, and passes if there is none."""

    name = "sane"

    def __init__(self, network, make=None):
        """``make(size)`` gives the network for a board of another size, if there can be one."""
        self._networks, self._make = {network.size: network}, make
        if make is None:
            self.sizes = range(network.size, network.size + 1)
        self._said = None

    def network(self, size):
        """The network on a board of this size; ValueError if it plays on others only."""
        if size not in self._networks:
            if self._make is None:
                (own,) = self.sizes
                raise ValueError(f"this network plays on {own}x{own} only, not on {size}x{size}")
            self._networks[size] = self._make(size)
        return self._networks[size]

    def choose(self, game, colour, budget=None):
        network = self.network(game.size)
        p = int(choose_move(*network[:4], game.position, game.history, colour, new_activity(network)))
        values = outputs(network, game.position, colour)
        self._said = f"output {values[p]:.2f}" if p else "no legal move has a positive output"
        return p

    def side(self, size, rules):
        return side_of(self.network(size))

    def policy(self, game, colour):
        """The outputs; nan where a stone stands."""
        values = outputs(self.network(game.size), game.position, colour)
        values[game.position.colour[: len(values)] != EMPTY] = np.nan
        return values

    def views(self):
        return [View("dboard", "Network Output", "evogo-sane_output", self._draw_outputs)]

    def _draw_outputs(self, game, arguments):
        """The output for every point in the colours of a dboard, -1 … 1 in proportion to the strongest."""
        values = outputs(self.network(game.size), game.position, game.to_play)[board_points(game.size)]
        values = values / (np.abs(values).max() or 1.0)
        return "\n".join(" ".join(f"{value:.3f}" for value in row) for row in values.reshape(game.size, game.size))

    def explain(self):
        return self._said


OPTIONS = ()


def load_player(genome):
    """The player of a saved genome; GenomeError if its body holds no network."""
    body = genome.body
    network = read_body(body)
    return SanePlayer(network, (lambda size: read_body(body, size)) if "reach" in body else None)
