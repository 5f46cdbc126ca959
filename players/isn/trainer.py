"""``train isn``: TD(λ) by self-play (§V) on the run loop that all trainers share.

A generation is some games of the present network. In the paper's recipe they follow one another and each changes the
weights; in a *batch* all are played by the same network, on any number of cores, and one step of Adam follows. The first
games train the inputs → outputs weights alone (the linear phase), so that games come to an end; then all weights learn.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine import limits
from players.isn import learning
from players.isn.anatomy import (
    HIDDEN_CHOICES,
    INPUTS,
    MOST_PASSES,
    anatomy_of,
    linear_mask,
    random_parameters,
    swap_colours,
)
from players.isn.body import anatomy_in, body_of
from players.isn.candidates import GREEDY
from players.isn.learning import CAPPED, LENGTH, LOSS, SCORE, TERMS, Recipe
from players.isn.side import Style, side_of
from players.play.schedule import Fixture
from players.scripted.kernels import KINDS, opponent
from players.training import ranges
from players.training.checkpoint import require_sound
from players.training.config import OURS, PAPER, RunConfig, option, require
from players.training.networks import NetworkTrainer
from players.training.trainer import EVOLVE, GAMES

_ITEM_GAMES = 4  # games of a batch that make one work item


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    """Every parameter of a run."""

    size: int = option(9, "board size", PAPER, range=ranges.BOARDS_FROM_3)
    generations: int = option(8600, "generations in all", "paper: 860,000 games", may_grow=True, range=ranges.GENERATIONS)
    games: int = option(100, "games of self-play in a generation", OURS, range=ranges.GAMES)
    linear_generations: int = option(50, "generations of the linear phase", OURS, range=ranges.GENERATIONS_OR_NONE)
    c: float = option(0.4, "reward for a captured stone", PAPER, range=ranges.SHARE)
    s: float = option(0.4, "reward for a stone that stays", PAPER, range=ranges.SHARE)
    trace: float = option(0.9, "λ of TD(λ)", PAPER, range=ranges.SHARE)
    beta: float = option(4.0, "moves are drawn in proportion to exp(β · value): at first", PAPER, range=ranges.FACTOR)
    last_beta: float | None = option(
        None, "β in the last generation, approached geometrically (none: as at first)", OURS, range=ranges.FACTOR
    )
    beta_generations: int | None = option(
        None, "generations until β is there (none: all of them)", OURS, range=ranges.GENERATIONS
    )
    most_moves: float = option(3.0, "longest game, in moves for each point of the board", OURS, range=(1.0, 100.0))
    spare_eyes: bool = option(False, "own eyes are never filled", OURS)
    update: str = option("game", "weights change after each game or once a generation (batch)", PAPER, ("game", "batch"))
    rate: float = option(5e-6, "learning rate: of the sum over a game (game), of Adam (batch)", PAPER, range=ranges.FACTOR)
    last_rate: float | None = option(
        None, "learning rate in the last generation, approached geometrically", OURS, range=ranges.FACTOR
    )
    decay: float = option(0.99999, "what weights are multiplied with at each update", PAPER, range=ranges.SHARE)
    momentum: float = option(0.9, "Adam: memory of the mean gradient", "our choice: Adam's usual value", range=ranges.SHARE)
    variance_memory: float = option(
        0.999, "Adam: memory of the squared gradient", "our choice: Adam's usual value", range=ranges.SHARE
    )
    averaging: float = option(
        0.0, "what stands for election is a mean of the network over generations: its memory (0: the last one)", OURS,
        range=ranges.SHARE,
    )  # fmt: skip
    spread: float = option(0.3, "standard deviation of the first inputs → hidden weights", OURS, range=ranges.FACTOR)
    colour_symmetry: bool = option(False, "the network treats Black and White alike", OURS)
    turn_aware: bool = option(False, "the network sees the side that has moved as White: it knows whose turn it is", OURS)
    partners: tuple[str, ...] = option(
        (), "sparring partners, in as many games each as the network plays itself (batch)", OURS, tuple(KINDS), may_grow=True
    )
    partners_from: int = option(
        0, "generations of pure self-play before partners are met", OURS, may_grow=True, range=ranges.GENERATIONS_OR_NONE
    )
    inputs: tuple[str, ...] = option(
        (), "what the network sees besides the paper's group classes", OURS, choices=tuple(INPUTS)
    )
    hidden: int = option(12, "hidden units of a cell", PAPER, choices=HIDDEN_CHOICES)
    passes: int = option(1, "passes of a recurrent network (1: it is not)", PAPER, range=(1, MOST_PASSES))
    opponents: tuple[str, ...] = option(("naixt", "wally", "gojen"), "opponents in elections", OURS, choices=tuple(KINDS))
    komi: float = option(7.5, "White's komi in elections", "our choice: as on CGOS", range=ranges.KOMI)
    retest_every: int = option(100, "generations between two elections of the champion", OURS, range=ranges.GENERATIONS)
    retest_candidates: int = option(
        1, "a run has one network: it stands against the reigning champion", OURS, range=ranges.CANDIDATES
    )
    retest_games: int = option(
        40, "fresh games that each of them plays, and the winner once more for its score", OURS, range=ranges.GAMES
    )

    def __post_init__(self):
        super().__post_init__()
        require(self.momentum < 1 and self.variance_memory < 1, "momentum and variance-memory must be below 1")
        require(self.averaging < 1, "averaging must be below 1")
        for name in ("beta", "last_beta", "rate", "last_rate"):
            value = getattr(self, name)
            require(value is None or value > 0, f"{name.replace('_', '-')} must be above 0")
        both = self.turn_aware and self.colour_symmetry
        require(not both, "turn-aware networks treat the colours alike as it is: no colour-symmetry")
        require(self.opponents, "opponents must name an opponent")
        require(not self.partners or self.update == "batch", "partners need batches: --update batch")

    @property
    def anatomy(self):
        return anatomy_of(self.inputs, self.hidden, self.passes)

    @property
    def longest(self):
        return int(self.most_moves * self.size**2)


class Batch(NamedTuple):
    """Games of self-play by one network, for their gradient."""

    parameters: np.ndarray
    recipe: Recipe
    key: int
    first: int
    count: int
    partners: tuple  # sides, None for the network itself; empty: no partners

    def play(self):
        """(gradient, report), summed."""
        numbers = range(self.first, self.first + self.count)
        return learning.gradient_of_games(self.parameters, self.recipe, self.key, numbers, self.partners)


class Sequence(NamedTuple):
    """Games of self-play one after the other, each of which changes the weights."""

    parameters: np.ndarray
    recipe: Recipe
    key: int
    count: int
    rate: float
    decay: float
    mask: np.ndarray

    def play(self):
        """(new parameters, report)."""
        return learning.learn_games(
            self.parameters, self.recipe, self.key, range(self.count), self.rate, self.decay, self.mask
        )


class Trial(NamedTuple):
    """Games of an election."""

    parameters: np.ndarray
    style: Style
    fixture: Fixture

    def play(self):
        """Their RESULTs."""
        return self.fixture.play(side_of(self.parameters, self.style))


def play_item(item):
    """What a work item yields."""
    return item.play()


def between(first, last, share):
    """Geometrically between two numbers; the first if there is no last."""
    return first if last is None else first * (last / first) ** min(1.0, share)


@dataclass
class State:
    """What changes in a run."""

    parameters: np.ndarray
    mean: np.ndarray  # Adam's memories: of the gradient …
    variance: np.ndarray  # … and of its square
    steps: int = 0  # that Adam has made
    average: np.ndarray | None = None  # of the parameters over generations, if it is wanted


class Trainer(NetworkTrainer):
    """Teaches a network by games against itself."""

    kind = "isn"
    model = "players.isn.model"
    Config = Config
    presets = {
        "paper": {},
        "fast": {
            "generations": 6000,
            "games": 16,
            "linear_generations": 40,
            "update": "batch",
            "rate": 0.005,
            "last_rate": 0.0002,
            "decay": 1.0,
            "last_beta": 12.0,
            "spare_eyes": True,
            "turn_aware": True,
            "retest_every": 200,
        },
        "quick": {
            "size": 5,
            "generations": 60,
            "games": 16,
            "linear_generations": 5,
            "update": "batch",
            "rate": 0.01,
            "decay": 1.0,
            "spare_eyes": True,
            "turn_aware": True,
            "retest_every": 20,
        },
    }
    preset_help = {
        "paper": "9x9, 860,000 games one after the other: eight hours on one core",
        "fast": "9x9, 96,000 games in batches: twenty minutes; wins 95% against Naixt, 60% or more against Wally and GOjen",
        "quick": "5x5, 960 games in batches: ten seconds; wins 95% against Naixt, 74% against GOjen, 40% against Wally",
    }
    evaluate = staticmethod(play_item)

    def generations(self):
        return self.config.generations

    def init(self):
        anatomy = self.config.anatomy
        parameters = self._symmetric(random_parameters(self.generator(EVOLVE, 0), self.config.spread, anatomy))
        average = parameters.copy() if self.config.averaging else None
        return State(parameters, np.zeros(anatomy.parameters), np.zeros(anatomy.parameters), 0, average)

    def _symmetric(self, vector):
        """The part of parameters or a gradient that treats both colours alike, if the run wants that."""
        config = self.config
        return (vector + swap_colours(vector, config.anatomy)) / 2 if config.colour_symmetry else vector

    def _mask(self, generation):
        """The parameters that learn now."""
        linear = generation < self.config.linear_generations
        anatomy = self.config.anatomy
        return linear_mask(anatomy) if linear else np.ones(anatomy.parameters, bool)

    def _beta(self, generation):
        config = self.config
        return between(config.beta, config.last_beta, generation / (config.beta_generations or config.generations))

    def _rate(self, generation):
        return between(self.config.rate, self.config.last_rate, generation / self.config.generations)

    def ask(self, state, generation):
        config = self.config
        recipe = Recipe(
            config.size,
            config.c,
            config.s,
            self._beta(generation),
            config.trace,
            config.spare_eyes,
            config.longest,
            config.turn_aware,
            config.anatomy,
        )
        key = self.key(GAMES, generation)
        if config.update == "game":
            rate, mask = self._rate(generation), self._mask(generation)
            return [Sequence(state.parameters, recipe, key, config.games, rate, config.decay, mask)]
        partners = ()
        if config.partners and generation >= config.partners_from:
            partners = None, *(opponent(name) for name in config.partners)
        return [
            Batch(state.parameters, recipe, key, first, min(_ITEM_GAMES, config.games - first), partners)
            for first in range(0, config.games, _ITEM_GAMES)
        ]

    def tell(self, state, generation, results, play):
        config = self.config
        report = np.sum([report for _, report in results], axis=0)
        if config.update == "game":
            state.parameters = self._symmetric(results[0][0])
        else:
            gradient = np.sum([gradient for gradient, _ in results], axis=0) / report[TERMS]
            gradient = self._symmetric(np.where(self._mask(generation), gradient, 0.0))
            self._adam(state, gradient, self._rate(generation))
        if config.averaging:
            memory = min(config.averaging, generation / (generation + 1))  # at first a mean of all there were
            state.average = memory * state.average + (1 - memory) * state.parameters
        return {
            "size": config.size,
            "best": -report[LOSS] / report[TERMS],
            "mean": -report[LOSS] / report[TERMS],
            "wins": 0.5,  # against itself
            "games": config.games,
            "loss": report[LOSS] / report[TERMS],
            "length": report[LENGTH] / config.games,
            "black_score": report[SCORE] / config.games,
            "capped": report[CAPPED] / config.games,
            "beta": self._beta(generation),
            "rate": self._rate(generation),
            "largest_weight": np.abs(state.parameters).max(),
        }

    def _adam(self, state, gradient, rate):
        """One step of Adam (D. P. Kingma, J. Ba, 2015)."""
        config = self.config
        state.steps += 1
        state.mean = config.momentum * state.mean + (1 - config.momentum) * gradient
        state.variance = config.variance_memory * state.variance + (1 - config.variance_memory) * gradient**2
        mean = state.mean / (1 - config.momentum**state.steps)
        deviation = np.sqrt(state.variance / (1 - config.variance_memory**state.steps))
        state.parameters = config.decay * (state.parameters - rate * mean / (deviation + 1e-8))

    def words(self, entry):
        return f"error {entry['loss']:.4f}"

    def dump(self, state):
        return {name: value for name, value in vars(state).items() if value is not None}

    def load(self, tree):
        return State(**tree)

    def check(self, state):
        count = self.config.anatomy.parameters
        vectors = [state.parameters, state.mean, state.variance, *([] if state.average is None else [state.average])]
        for vector in vectors:
            require_sound(vector.shape == (count,), "there are not as many weights as the network has")
            require_sound((np.abs(vector) <= limits.LARGEST_NUMBER).all(), "a weight is no number")
        require_sound((state.variance >= 0).all() and state.steps >= 0, "what Adam remembers cannot be")

    # The champion

    def candidates(self, state, count):
        config = self.config
        parameters = state.average if config.averaging else state.parameters
        return [body_of(parameters, config.c, config.s, config.turn_aware, config.anatomy)]

    def meetings(self):
        return [(name, self.config.size) for name in self.config.opponents]

    def trials(self, state, generation, body, key, games):
        parameters = np.array(body["parameters"], float)
        # As the player plays if nothing is said.
        style = Style(body["c"], body["s"], GREEDY, True, body["turn_aware"], anatomy_in(body))
        return [Trial(parameters, style, fixture) for fixture in self.fixtures(key, games)]
