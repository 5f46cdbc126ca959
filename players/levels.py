"""Ten strengths: what ``--level`` and GTP's ``level`` mean.

The lowest level is an evolved player as it is. The next ones are a small search that strays: a share of its moves is drawn as in its
playouts, which makes mistakes that look natural. Then come searches with ever more simulations, and at the top all of it, guided
by the network that it taught. models/README.md has the ladder that was played to set them.
"""

from engine.contest.player import Wrapped

# The player of each level, the weakest first; each plays on all boards.
LEVELS = (
    "organism-9x9",
    "search,simulations=100,threads=1,strays=0.65",
    "search,simulations=100,threads=1,strays=0.45",
    "search,simulations=100,threads=1,strays=0.25",
    "search,simulations=100,threads=1",
    "search,simulations=180,threads=1",
    "search,simulations=400,threads=1",
    "search,simulations=1200,threads=1",
    "search,guide=expert-9x9,simulations=3000,threads=1",
    "search,guide=expert-9x9",
)
TOP = len(LEVELS)


def spec_of(level):
    """The spec of a level's player; ValueError if there is no such level."""
    if not 1 <= level <= TOP:
        raise ValueError(f"a level is 1 to {TOP}")
    return LEVELS[level - 1]


class Levelled(Wrapped):
    """The player of a level, which can be changed. ``load(spec)`` gives a player."""

    def __init__(self, load, level=TOP):
        self._load, self._seed = load, None
        super().__init__(load(spec_of(level)))

    def seed(self, seed):
        self._seed = seed
        self.player.seed(seed)

    def set_level(self, level):
        player = self._load(spec_of(level))
        if self._seed is not None:
            player.seed(self._seed)
        self.player.close()
        self.player = player
