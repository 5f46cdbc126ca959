"""A saved HyperNEAT champion as a Player, with a look at its receptive fields (§5, figure 3b)."""

import numpy as np

from engine.contest.player import Player, View
from engine.go.board import EMPTY, PASS, board_points, cells, coordinates
from engine.go.rng import any_seed, new_stream
from engine.gtp import arguments as read
from engine.gtp.protocol import GtpError
from players.hyperneat import substrate
from players.hyperneat.body import read_body
from players.hyperneat.cppn import compile_links
from players.hyperneat.selector import activate, choose_move
from players.hyperneat.side import Substrate


class HyperneatPlayer(Player):
    """Plays what the substrate's outputs say. One genome plays every board size; substrates are built when needed."""

    name = "hyperneat"

    def __init__(self, body):
        """From the body of a genome; GenomeError if it is not one of ours."""
        self.body = read_body(body)
        self.geometry, self.rule = self.body.geometry, self.body.rule.number
        self.program = compile_links(self.body.links, self.body.functions, self.geometry.inputs, self.geometry.outputs)
        self._networks = {}
        self._why = None
        self.seed(any_seed())

    def seed(self, seed):
        self.rng = new_stream(seed)

    def network(self, size):
        """The substrate of a board, a Network."""
        if size not in self._networks:
            self._networks = {size: substrate.build(self.program, size, self.geometry)}  # large: only the last is kept
        return self._networks[size]

    def _outputs(self, game, colour):
        net = np.empty(game.size**2, np.float32)
        activate(self.network(game.size), game.position, colour, net)
        return np.tanh(net.astype(np.float64) / 2)

    def choose(self, game, colour, budget):
        p = int(choose_move(self.network(game.size), self.rule, game.position, game.history, colour, self.rng))
        self._why = None
        if p:
            col, row = coordinates(game.size, p)
            self._why = f"output {self._outputs(game, colour)[row * game.size + col]:+.3f}"
        return p

    def side(self, size, rules):
        return Substrate(self.network(size), self.rule)

    def policy(self, game, colour):
        values = np.full(cells(game.size), np.nan)
        points = board_points(game.size)
        values[points] = self._outputs(game, colour)
        values[points[game.position.colour[points] != EMPTY]] = np.nan
        return values

    def explain(self):
        return self._why

    # Views

    def receptive_field(self, size, p, pair):
        """The weights with which the node at ``p`` hears the sheet before it: an array of rows, the top one first.

        ``pair`` is the number of the pair of sheets in ``Geometry.pairs``.
        """
        col, row = coordinates(size, p)
        return self.network(size).weights[pair][: size**2, row * size + col].reshape(size, size)

    def views(self):
        return [
            View("dboard", f"Receptive Field ({name.replace('→', ' to ')})", f"evogo-field-{pair} %p", self._draw(pair))
            for pair, name in enumerate(self.geometry.pairs)
        ]

    def _draw(self, pair):
        def draw(game, arguments):
            p = read.vertex(arguments, 0, game.size)
            if p == PASS:
                raise GtpError("a point of the board is needed")
            rows = self.receptive_field(game.size, p, pair) / float(substrate.LARGEST_WEIGHT)
            return "\n".join(" ".join(f"{weight:.3f}" for weight in row) for row in rows)

        return draw


OPTIONS = ()


def load_player(genome):
    """The player of a saved genome; GenomeError if its body holds no CPPN."""
    return HyperneatPlayer(genome.body)
