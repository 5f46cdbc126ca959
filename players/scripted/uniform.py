"""Random: the weakest opponent of the organism paper (Section V.A, "Computer Players").

As in the paper, every legal move is equally likely, and the pass is one of them. The usual engine variant
(``fill_eyes=False``) never fills its own single-point eyes and passes only when nothing else is left.
"""


from engine.contest.player import Option
from engine.kernels import kernel
from players.scripted.chance import uniform_move, uniform_point
from players.scripted.player import ScriptedPlayer

FILL_EYES, KEEP_EYES = 0.0, 1.0  # the options of this player for ``kernels.scripted_move``


@kernel
def random_move(position, history, colour, rng, option):
    """The move of the paper's player, or of the variant."""
    keep_eyes = option != FILL_EYES
    if keep_eyes:
        return uniform_point(position, history, colour, rng, keep_eyes)
    return uniform_move(position, history, colour, rng)


class Random(ScriptedPlayer):
    """Plays legal moves at random; see the module for the two ways of doing so."""

    name = "random"
    options = (Option("fill_eyes", True, "whether it also fills its own eyes, as in the paper"),)

    def __init__(self, fill_eyes=True, seed=None):
        super().__init__(seed=seed)
        self.option = FILL_EYES if fill_eyes else KEEP_EYES

    def choose(self, game, colour, budget=None):
        return int(random_move(game.position, game.history, colour, self.rng, self.option))
