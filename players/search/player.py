"""The search as a player."""

import numpy as np

from engine.contest.player import Budget, Evaluation, Option, Player, Variation
from engine.go.board import BLACK, EMPTY, PASS, board_points, cells
from engine.go.game import Game
from engine.go.rng import any_seed
from engine.records.vertex import format_vertex
from players.playout.player import PlayoutPlayer, weights_of
from players.search.cold import companion
from players.search.default import Default
from players.search.guide import NONE, Guide
from players.search.policy import named_weights, new_policy
from players.search.pondering import Ponderer
from players.search.straying import Straying
from players.search.threads import Forest
from players.search.timing import Limit, Watched
from players.search.tree import new_tuning
from players.training.workers import core_count

PLAYOUT = "playout-9x9"  # the playout policy, on all boards so far
# For a move, if neither a clock nor an option says anything else: a person, who also waits for what comes after the search, does
# not want to wait more than two seconds.
SECONDS = 1.9
MEGABYTES = 160  # for the tree
GLANCE = 300  # simulations that an evaluation makes when the tree knows less of a position: some ten milliseconds
FORESIGHT = 5000  # simulations for a question of counting …
FORESIGHT_MEGABYTES = 32  # … what they need on 25x25 …
# … by priors and playouts that were set for it: with those that win most games it is wrong about one of the games that GNU Go
# counted, with either of them.
FORESIGHT_WEIGHTS = {"nakade": 0.0}
FORESIGHT_TUNING = {
    "ripe": 8.0, "amaf_half": 3000.0, "escape": 15.0, "escape_many": 30.0, "atari": 8.0, "ladder": 15.0, "ladder_many": 30.0,
    "shape": 10.0, "nakade": 20.0, "near_1": 24.0, "near_2": 16.0, "near_3": 8.0, "edge": 10.0, "third_line": 10.0,
}  # fmt: skip
FEWEST = 16  # visits of a move before a line goes on with it


class Search(Player):
    """Plays the move that its simulations visit most.

    ``simulations`` (0: no limit) and ``seconds`` bound what it does for a move; when a clock runs, it says the seconds.
    """

    name = "search"

    def __init__(
        self,
        weights,
        simulations=0,
        seconds=SECONDS,
        threads=0,
        megabytes=MEGABYTES,
        guide=None,
        ponder=False,
        seed=None,
        tuning=None,
        default=None,
    ):
        """``weights`` of the playout policy, by name; ``threads`` 0 for all cores; a Guide; a ``tree.new_tuning``; a Default."""
        if simulations < 0 or threads < 0:
            raise ValueError("simulations and threads must not be negative")
        if not seconds > 0:
            raise ValueError(f"seconds must be above 0, not {seconds:g}")
        if megabytes < 1:
            raise ValueError("megabytes must be at least 1")
        self._simulations, self._seconds = simulations, float(seconds)
        self._companion, self._policy = companion(), new_policy(weights)
        self._foresight = new_policy({**weights, **FORESIGHT_WEIGHTS})
        self._forest = Forest(self._policy, threads or core_count(), megabytes, guide, tuning, default)
        self._ponders, self._ponderer = ponder, Ponderer(self._forest)
        self._guide, self._said = guide, None
        for adviser in (guide, default):
            if adviser is not None:
                self.sizes = [size for size in self.sizes if size in adviser.player.sizes]
        self.seed(any_seed() if seed is None else seed)

    def seed(self, seed):
        self._ponderer.stop()
        self._forest.seed(seed)
        if self._guide is not None:
            self._guide.player.seed(seed)

    def close(self):
        self._ponderer.stop()
        if self._guide is not None:
            self._guide.player.close()

    # Searching

    def _search(self, game, colour, simulations, seconds, stop, hurry, watch=None, saves=False):
        """The variations, most visited first, when the tree has had so many simulations or the time is over."""
        self._ponderer.stop()
        self._get_ready()
        self._forest.turn_to(game, colour)
        limit = Limit(self._forest, simulations, seconds, stop, hurry, saves)
        self._forest.grow(game.size, limit if watch is None else Watched(limit, lambda: watch(self._variations())))
        return self._variations()

    def _get_ready(self):
        """Let a first compilation be shared, if there is one to come."""
        if self._companion is not None:
            self._companion.share(self._policy, self._guide is not None and self._guide.network is not None)
            self._companion = None

    def _variations(self):
        moves = self._forest.moves_of(self._forest.root)
        order = [int(i) for i in np.argsort(-moves.visits, kind="stable") if moves[i].visits > 0]
        return {int(moves[i].point): self._variation(moves[i]) for i in order}

    def _variation(self, move):
        """A move with the most visited moves after it, as long as they have been visited enough to mean something."""
        visits = int(move.visits)
        winrate, score = float(move.wins / visits), float(move.points / visits)
        line = [int(move.point)]
        while move.count:
            following = self._forest.moves_of(move)
            move = following[int(np.argmax(following.visits))]
            if move.visits < FEWEST:
                break
            line.append(int(move.point))
        return Variation(line, visits, winrate, score)

    def _limits(self, budget):
        """(simulations, seconds) that a budget and the options leave. With 0 seconds a first few simulations are made."""
        seconds = budget.left
        if self._simulations == 0 and seconds is None:
            seconds = self._seconds
        return self._simulations or None, seconds

    # Playing

    def choose(self, game, colour, budget=None):
        budget = budget or Budget()
        saves = budget.seconds is not None
        found = self._search(game, colour, *self._limits(budget), budget.stop, True, budget.watch, saves)
        chosen, variation = next(iter(found.items()))
        self._said = self._in_words(variation, game.size)
        if self._ponders:
            later = game.copy()
            later.play(colour, chosen)
            self._ponderer.start(later, 3 - colour)
        return chosen

    def _in_words(self, variation, size):
        visits = int(self._forest.root.visits)
        line = " ".join(format_vertex(p, size) for p in variation.line[:8])
        ahead = "ahead" if variation.score > 0 else "behind"
        return (
            f"wins {100 * variation.winrate:.0f}% of {variation.visits} games of {visits} that go {line}, "
            f"{abs(variation.score):.1f} points {ahead} on average"
        )

    def policy(self, game, colour):
        """The share of the visits that each move has in the tree; of a glance if it is about another position."""
        found = self._known(game, colour) or self._glance(game, colour)
        policy = np.full(cells(game.size), np.nan)
        for p, variation in found.items():
            policy[p] = variation.visits
        policy[PASS] = np.nan
        return policy / self._forest.root.visits

    def variations(self, game, colour, budget=None):
        budget = budget or Budget()
        simulations, seconds = self._limits(budget)
        if budget.seconds is not None:
            simulations = None  # to analyse is to look further for as long as one may
        return self._search(game, colour, simulations, seconds, budget.stop, hurry=False)

    def _known(self, game, colour):
        """The variations as they are, if the tree is about this position; else none."""
        self._ponderer.stop()
        return self._variations() if self._forest.is_about(game, colour) else {}

    def _glance(self, game, colour, seconds=None):
        return self._search(game, colour, min(GLANCE, self._simulations or GLANCE), seconds, None, hurry=False)

    def evaluate(self, game, budget=None):
        """What the tree says of the position; it looks a little if that is nothing yet."""
        colour, budget = game.to_play, budget or Budget()
        best = next(iter(self._glance(game, colour, 0.0 if budget.is_over else budget.left).values()))
        sign = 1 if colour == BLACK else -1
        ownership, games = self._forest.ownership()
        if games < GLANCE // 3 and not budget.is_over:  # the tree was grown about an earlier position: few games counted
            self._forest.grow(game.size, Limit(self._forest, int(self._forest.root.visits) + GLANCE // 3))
            ownership, games = self._forest.ownership()
        winrate = best.winrate if colour == BLACK else 1 - best.winrate
        return Evaluation(sign * best.score, winrate, ownership)

    def foresee(self, position, komi, first):
        """By one thread in a tree of its own that knows nothing before: the same whenever it is asked."""
        self._get_ready()
        size = int(position.board_size)
        game = Game(size, komi)
        game.set_up([(int(position.colour[p]), int(p)) for p in board_points(size) if position.colour[p] != EMPTY], first)
        forest = Forest(self._foresight, 1, FORESIGHT_MEGABYTES, tuning=new_tuning(**FORESIGHT_TUNING))
        forest.turn_to(game, first)
        forest.grow(size, Limit(forest, FORESIGHT, hurry=False))
        moves = forest.moves_of(forest.root)
        best = moves[int(np.argmax(moves.visits))]
        chance = float(best.wins / best.visits)
        return chance if first == BLACK else 1 - chance

    def explain(self):
        return self._said


OPTIONS = (
    Option("guide", NONE, "a player whose policy says where to look first"),
    Option("playout", PLAYOUT, "the playout policy (hand: set by hand; uniform), or a player that plays out games with itself"),
    Option("simulations", 0, "for a move; 0: as many as the time allows"),
    Option("seconds", SECONDS, "for a move, if no clock runs and simulations do not say how much"),
    Option("strays", 0.0, "share of its moves that are drawn as in its playouts instead: a weaker opponent"),
    Option("threads", 0, "that share one tree; 0: one for each core"),
    Option("megabytes", MEGABYTES, "of memory for the tree"),
    Option("ponder", False, "whether it thinks on while the other side does"),
)


def load_search(
    load,
    guide=NONE,
    playout=PLAYOUT,
    simulations=0,
    seconds=SECONDS,
    strays=0.0,
    threads=0,
    megabytes=MEGABYTES,
    ponder=False,
):
    """The search with a guide and a playout policy by name; ``load(spec)`` gives a player. ValueError for what cannot be."""
    weights, default = named_weights(playout), None
    if weights is None:
        player = load(playout)
        default = None if isinstance(player, PlayoutPlayer) else Default(player, playout)
        weights = player.weights if default is None else weights_of(PLAYOUT, load)
    guide = None if guide == NONE else Guide(load(guide), guide)
    search = Search(weights, simulations, seconds, threads, megabytes, guide, ponder, default=default)
    return Straying(search, weights, strays) if strays else search
