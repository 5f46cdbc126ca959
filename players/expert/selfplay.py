"""Games of the search against itself, and what can be learned from them.

Most moves come from quick searches, so that games are finished; some come from full ones, and only these are learned from
(Wu 2019: playout cap randomization). Boards and komi are drawn anew for each game, the komi about what Black won by lately
on such a board, so that games stay open. The first moves are drawn by the visits of the search, the later ones are nearly
always its best; in full searches noise makes the network look at what it would not."""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EMPTY, PASS, WHITE, cells
from engine.go.game import Game, longest_game
from engine.go.rng import stream_key
from engine.go.rules import CGOS
from engine.go.scoring import mark_territory
from players.expert import samples
from players.expert.features import last_moves, see
from players.expert.network import build, new_sight
from players.scripted.reading import new_work
from players.search.policy import NAMES, new_policy
from players.search.threads import Forest
from players.search.timing import Limit

_MEGABYTES = 16  # for the tree, more than a few thousand simulations need
_LATER_SHARPNESS = 4.0  # the power of visits by which moves after the opening are drawn
NOISE_SHARE = 0.25  # of what the network likes at the root of a full search is noise …
NOISE_MOVES = 10.0  # … that is spread over about so many moves (both: Silver et al. 2017, Wu 2019)


class Recipe(NamedTuple):
    """How games are played."""

    boards: tuple  # one is drawn for a game
    komis: tuple  # by board: what Black won by lately
    komi_spread: float  # standard deviation of the komi about that, in points for each line of the board
    full: int  # simulations of a full search …
    quick: int  # … and of a quick one
    full_share: float  # of the searches that are full
    opening: float  # moves that are drawn by their visits, for each line of the board
    trust: float  # of the target for winning that is what the search thought, the rest is the result


class Asked(NamedTuple):
    """A full search: what is learned from it but for the end of the game."""

    colour: int
    bits: np.ndarray
    visits: np.ndarray  # by cell
    winrate: float  # the mover's


class Report(NamedTuple):
    """What came of a game."""

    size: int
    length: int
    score: int  # Black's area less White's
    black_won: bool


class _Seeing:
    """A network as the guide of a forest."""

    def __init__(self, network):
        self.network = network


class SelfPlay:
    """Everything that games by one network need; without parameters the search plays without a guide."""

    def __init__(self, parameters, weights, recipe):
        """``weights`` of the playout policy, in the order of its names."""
        guide = _Seeing(build(parameters)) if len(parameters) else None
        self._forest = Forest(new_policy(dict(zip(NAMES, weights))), 1, _MEGABYTES, guide)
        self._guided, self._recipe = guide is not None, recipe
        self._sight, self._work = new_sight(), new_work()

    def play(self, key, number, iteration):
        """Game number ``number`` of ``key``: (its Samples, its Report)."""
        recipe, generator = self._recipe, np.random.Generator(np.random.PCG64(stream_key(key, number)))
        chosen = int(generator.integers(len(recipe.boards)))
        size = recipe.boards[chosen]
        game = Game(size, round(recipe.komis[chosen] + generator.normal(0, recipe.komi_spread * size)) + 0.5, CGOS)
        self._forest.seed(stream_key(key, number, 1))
        asked, passes = [], 0
        while passes < 2 and len(game.moves) < longest_game(size):
            full = generator.random() < recipe.full_share
            visits, winrate = self._search(game, full, generator)
            if full:
                asked.append(Asked(game.to_play, self._features(game), visits, winrate))
            p = _draw(visits, 1.0 if len(game.moves) < recipe.opening * size else _LATER_SHARPNESS, generator)
            passes = passes + 1 if p == PASS else 0
            game.play(game.to_play, p)
        return self._learned(game, asked, iteration)

    def _search(self, game, full, generator):
        """(visits by cell, the mover's winrate)."""
        forest, colour = self._forest, game.to_play
        if full:
            forest.forget()
        forest.turn_to(game, colour)
        if full and self._guided:
            forest.grow(game.size, Limit(forest, 1, hurry=False))
            moves = forest.moves_of(forest.root)
            noise = generator.dirichlet(np.full(len(moves), NOISE_MOVES / len(moves)))
            moves.share[:] = (1 - NOISE_SHARE) * moves.share + NOISE_SHARE * noise
        simulations = self._recipe.full if full else self._recipe.quick
        forest.grow(game.size, Limit(forest, simulations, hurry=not full))
        moves = forest.moves_of(forest.root)
        visits = np.zeros(cells(game.size))
        visits[moves.point] = moves.visits
        return visits, float(moves.wins.sum() / max(moves.visits.sum(), 1))

    def _features(self, game):
        sight = self._sight
        see(game.position, game.history, game.to_play, *last_moves(game), self._work, sight.found, sight.bits)
        return sight.bits[: cells(game.size)].copy()

    def _learned(self, game, asked, iteration):
        holder = owners(game.position)
        score = int(holder.sum())
        black_won = score > game.komi
        found = []
        for colour, bits, visits, winrate in asked:
            sign = 1 if colour == BLACK else -1
            won = float(black_won == (colour == BLACK))
            win = (1 - self._recipe.trust) * won + self._recipe.trust * winrate
            found.append(samples.sample(bits, visits, sign * holder, game.size, sign * game.komi, win, iteration))
        return samples.joined(found), Report(game.size, len(game.moves), score, bool(black_won))


def owners(position):
    """Who has each cell at the end of a game, all stones alive: 1 Black, -1 White, 0 neither."""
    n = cells(int(position.board_size))
    owner = np.zeros(n, np.int8)
    mark_territory(position, owner)
    holder = np.where(position.colour[:n] == EMPTY, owner, position.colour[:n])
    return (holder == BLACK).astype(int) - (holder == WHITE).astype(int)


def _draw(visits, sharpness, generator):
    """A move, in proportion to a power of its visits."""
    weights = (visits / visits.max()) ** sharpness
    return int(generator.choice(len(weights), p=weights / weights.sum()))
