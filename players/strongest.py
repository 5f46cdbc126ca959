"""The strongest player there is for the board in use: who plays when nobody is named.

Which one that is was measured (models/README.md); it is loaded when a board of its size is first played on.
"""

from engine.contest.player import Player
from engine.go.board import MAX_SIZE, MIN_SIZE

# By size of the board, what registry.load_player takes: the search wins against all others wherever it was tried. Without a
# clock it thinks two seconds at most.
BY_SIZE = dict.fromkeys(range(MIN_SIZE, MAX_SIZE + 1), "search")
OTHERWISE = "gojen"  # if that player is not there


class Strongest(Player):
    """Plays as the strongest player for the size of the board does."""

    name = "strongest"

    def __init__(self, load, known):
        """``load(spec)`` gives a player; of the players in the table only those that are ``known`` names can be had."""
        self._load, self._known = load, set(known)
        self._players = {}
        self._seed = None
        self._last = None  # who was asked last

    def spec_for(self, size):
        """The name of the player that plays on a board of this size."""
        spec = BY_SIZE.get(size, OTHERWISE)
        return spec if spec.split(",")[0] in self._known else OTHERWISE

    def _named(self, spec):
        if spec not in self._players:
            self._players[spec] = self._load(spec)
            if self._seed is not None:
                self._players[spec].seed(self._seed)
        return self._players[spec]

    def _for(self, game):
        self._last = self._named(self.spec_for(game.size))
        return self._last

    def seed(self, seed):
        self._seed = seed
        for player in self._players.values():
            player.seed(seed)

    def choose(self, game, colour, budget):
        return self._for(game).choose(game, colour, budget)

    def policy(self, game, colour):
        return self._for(game).policy(game, colour)

    def variations(self, game, colour, budget=None):
        return self._for(game).variations(game, colour, budget)

    def evaluate(self, game):
        return self._for(game).evaluate(game)

    def views(self):
        """The pictures of all players of the table: each can be drawn on any board."""
        specs = {self.spec_for(size): None for size in self.sizes}
        return [view for spec in specs for view in self._named(spec).views()]

    def explain(self):
        said = self._last and self._last.explain()
        return said and f"{self._last.name}: {said}"

    def close(self):
        for player in self._players.values():
            player.close()
