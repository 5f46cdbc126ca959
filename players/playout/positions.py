"""Positions to learn from: games of the search against itself, and what a deeper search says of some of their positions.

The first moves are drawn by the visits of the search. Later ones are its best, but now and then one is drawn by the playout
policy instead: a tree is full of positions in which somebody has blundered, and playouts must be right about those too.
A game is over when a side has next to no chance, says its search.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EDGE, EMPTY, PASS, WHITE, board_points, cells, new_position, place
from engine.go.game import Game, longest_game
from engine.go.rng import stream_key
from engine.go.rules import CGOS
from players.playout.player import PlayoutPlayer
from players.search.policy import NAMES, new_policy
from players.search.threads import Forest
from players.search.timing import Limit
from players.search.tree import new_tuning
from players.training.checkpoint import require_sound

_MEGABYTES = 16  # for a tree: more than ten thousand simulations on 9×9 need
LOST = 0.05  # a side with less of a chance gives up: our choice


class Positions(NamedTuple):
    """Positions of one board size, all fields by position."""

    stones: np.ndarray  # uint8 [position, point row by row]: EMPTY, BLACK or WHITE
    colour: np.ndarray  # uint8: to move
    last: np.ndarray  # int16: the move before, PASS if there was none …
    before: np.ndarray  # int16: … and the one before that
    ko: np.ndarray  # int16: where simple ko forbids the next move, or 0
    value: np.ndarray  # float32: how likely Black wins, says the deep search
    game: np.ndarray  # int32: in which of the games it was met

    @property
    def amount(self):
        """How many."""
        return len(self.colour)

    def chosen(self, which):
        """Those of an index array or mask."""
        return Positions(*(field[which] for field in self))


TYPES = Positions(np.uint8, np.uint8, np.int16, np.int16, np.int16, np.float32, np.int32)


def no_positions(size):
    """Positions without any."""
    return Positions(*(np.zeros((0, size * size) if i == 0 else 0, kind) for i, kind in enumerate(TYPES)))


def joined(many):
    """Several Positions as one; there must be some."""
    return Positions(*(np.concatenate(parts) for parts in zip(*many)))


def set_up(positions, number):
    """The board of a position."""
    stones = positions.stones[number]
    size = int(round(np.sqrt(len(stones))))
    board, points = new_position(size), board_points(size)
    for index in np.flatnonzero(stones):
        place(board, int(points[index]), int(stones[index]))  # what has a liberty in the end has one all the way
    board.ko = int(positions.ko[number])
    return board


def check(positions, size):
    """ValueError unless Positions, whose fields are arrays of the right kinds, are positions of a board that there can be."""
    count = positions.amount
    shapes = [field.shape for field in positions]
    require_sound(shapes == [(count, size * size), *[(count,)] * 6], "positions are not as long as they say")
    require_sound((positions.stones <= WHITE).all(), "a stone of a position has no colour")
    require_sound(np.isin(positions.colour, (BLACK, WHITE)).all(), "nobody is to move in a position")
    require_sound(((positions.value >= 0) & (positions.value <= 1)).all(), "a chance to win is none")
    on_board = np.append(board_points(size), PASS)
    for field in (positions.last, positions.before, positions.ko):
        require_sound(np.isin(field, on_board).all(), "a move of a position is not on the board")
    for number in range(count):
        board = set_up(positions, number)
        same = np.array_equal(board.colour[board_points(size)], positions.stones[number])
        require_sound(same, "a chain of a position has no liberty")
        ko = int(positions.ko[number])
        require_sound(board.colour[ko] in (EMPTY, EDGE), "a ko of a position is not empty")


class Recipe(NamedTuple):
    """How positions are found."""

    size: int
    komi: float
    quick: int  # simulations for a move of a game …
    deep: int  # … and for what is learned
    opening: int  # moves at first that are drawn by their visits
    stray: float  # of the later moves that are drawn by the playout policy
    positions: int  # of a game that are learned from


class Met(NamedTuple):
    """A game that was played."""

    game: Game
    black_won: bool
    was_given_up: bool


def policy_of(weights):
    """The policy of weights in the order of its names."""
    return new_policy(dict(zip(NAMES, map(float, weights))))


def forest_of(weights, tuning=None):
    """A search of one thread with these playouts."""
    return Forest(policy_of(weights), 1, _MEGABYTES, tuning=tuning)


def play_game(forests, recipe, key, stray_by=None):
    """A game between two Forests, by colour; who strays draws moves of the PlayoutPlayer ``stray_by``: a Met."""
    generator = np.random.Generator(np.random.PCG64(key))
    game = Game(recipe.size, recipe.komi, CGOS)
    passes = 0
    while passes < 2 and len(game.moves) < longest_game(recipe.size):
        colour = game.to_play
        forest = forests[colour]
        forest.turn_to(game, colour)
        forest.grow(recipe.size, Limit(forest, recipe.quick))
        moves = forest.moves_of(forest.root)
        best = moves[int(np.argmax(moves.visits))]
        if best.wins < LOST * best.visits:
            return Met(game, colour != BLACK, True)
        p = int(best.point)
        if len(game.moves) < recipe.opening:
            p = int(generator.choice(moves.point, p=moves.visits / moves.visits.sum()))
        elif stray_by is not None and generator.random() < recipe.stray:
            p = int(stray_by.choose(game, colour))
        passes = passes + 1 if p == PASS else 0
        game.play(colour, p)
    return Met(game, game.score() > 0, False)


def gather(weights, recipe, key, number):
    """Positions of game number ``number`` of ``key``, and how many moves it had."""
    forest = forest_of(weights)
    forest.seed(stream_key(key, number, 0))
    stray_by = PlayoutPlayer(dict(zip(NAMES, weights)), seed=stream_key(key, number, 1))
    met = play_game({BLACK: forest, WHITE: forest}, recipe, stream_key(key, number, 2), stray_by)
    generator = np.random.Generator(np.random.PCG64(stream_key(key, number, 3)))
    length = len(met.game.moves)
    chosen = sorted(generator.permutation(length)[: recipe.positions].tolist())
    judge = forest_of(weights, new_tuning(points_share=0.0))  # winning is all that counts
    judge.seed(stream_key(key, number, 4))
    game, found = Game(recipe.size, recipe.komi, CGOS), []
    for at, (colour, p) in enumerate(met.game.moves):
        if at in chosen:
            found.append(_learned(game, judge, recipe, number))
        game.play(colour, p)
    return (joined(found) if found else no_positions(recipe.size)), length


def _learned(game, judge, recipe, number):
    """The Positions of the one that a game has come to."""
    judge.forget()
    judge.turn_to(game, game.to_play)
    judge.grow(recipe.size, Limit(judge, recipe.deep, hurry=False))
    moves = judge.moves_of(judge.root)
    best = moves[int(np.argmax(moves.visits))]
    value = float(best.wins / best.visits)
    last, before = ([p for _, p in game.moves[-2:]][::-1] + [PASS, PASS])[:2]
    stones = game.position.colour[: cells(recipe.size)][board_points(recipe.size)]
    fields = (
        [stones], [game.to_play], [last], [before], [game.position.ko],
        [value if game.to_play == BLACK else 1 - value], [number],
    )  # fmt: skip
    return Positions(*(np.asarray(field).astype(kind) for field, kind in zip(fields, TYPES)))
