"""``train expert``: expert iteration on the run loop that all trainers share.

A generation is an iteration: games of the search against itself, guided by the present network (in the first ones by none:
the search knows some Go by itself), and then steps of Adam on the positions of the last iterations. The network that plays
is the mean over the last steps, which is better than any of them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine import limits
from engine.go.board import MAX_SIZE
from players.expert import network, samples
from players.expert.learning import OWNER_ERROR, POLICY_ERROR, POSITIONS, WIN_ERROR, Adam, Teacher
from players.expert.player import ExpertPlayer
from players.expert.samples import Album, Samples
from players.expert.selfplay import Recipe, SelfPlay
from players.expert.side import side_of
from players.play.schedule import Fixture
from players.playout.player import PlayoutPlayer
from players.scripted.kernels import KINDS
from players.search.player import PLAYOUT
from players.search.policy import LARGEST_WEIGHT, NAMES, vector
from players.training import ranges
from players.training.checkpoint import require_sound
from players.training.config import OURS, RunConfig, option, require
from players.training.named import named_player
from players.training.networks import NetworkTrainer
from players.training.trainer import EVOLVE, GAMES

_ITEM_GAMES = 2  # games of self-play that make one work item
_FIRST_KOMI = 7.0  # what Black wins by, before anything is known
_KOMI_MEMORY = 0.7  # of what was known of that, when an iteration has told more
_WU = "our choice, after Wu 2019"


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    """Every parameter of a run."""

    generations: int = option(200, "iterations in all", OURS, may_grow=True, range=ranges.GENERATIONS)
    games: int = option(128, "games of self-play in an iteration", OURS, may_grow=True, range=ranges.GAMES)
    boards: tuple[int, ...] = option(
        (5, 6, 7, 8, 9, 9, 9, 9, 10, 11, 12, 13), "board sizes, one of which is drawn for a game", _WU,
        range=ranges.BOARDS_FROM_3,
    )  # fmt: skip
    komi_spread: float = option(
        0.3, "how far the komi strays from what Black won by lately, in points for each line", _WU, range=ranges.FACTOR
    )
    full: int = option(800, "simulations of a full search, which is learned from", OURS, may_grow=True, range=(2, 10**6))
    quick: int = option(100, "simulations of a quick search, which only plays on", OURS, may_grow=True, range=(2, 10**6))
    full_share: float = option(0.25, "of the searches that are full", _WU, range=ranges.SHARE)
    opening: float = option(
        1.0, "moves that are drawn by their visits, for each line of the board", OURS, range=ranges.FACTOR
    )
    trust: float = option(0.5, "of the target for winning that is what the search thought", OURS, range=ranges.SHARE)
    guided_from: int = option(4, "iterations before the network guides", OURS, range=ranges.GENERATIONS_OR_NONE)
    playout: str = option(PLAYOUT, "the playout policy, as it is when the run begins", OURS)
    start: str = option("", "a network to begin with, as it is when the run begins; without one the run begins with none", OURS)
    window: int = option(20, "iterations whose positions are learned from", OURS, range=ranges.GENERATIONS)
    reuse: float = option(8.0, "how often a position is learned from, on average", OURS, range=ranges.FACTOR)
    batch: int = option(64, "positions of a step", OURS, range=(1, 100_000))
    rate: float = option(2e-3, "learning rate: at first", OURS, range=ranges.FACTOR)
    last_rate: float = option(2e-4, "learning rate at the end, approached geometrically", OURS, range=ranges.FACTOR)
    decay: float = option(1e-2, "what weights lose by themselves, for each unit of the rate", OURS, range=ranges.FACTOR)
    averaged: int = option(300, "steps that the playing network is the mean of, about", OURS, range=(1, 10**6))
    opponents: tuple[str, ...] = option(("gojen", "wally"), "opponents in elections", OURS, choices=tuple(KINDS))
    election_boards: tuple[int, ...] = option((9, 13), "board sizes of elections", OURS, range=ranges.BOARDS_FROM_3)
    komi: float = option(7.5, "White's komi in elections", "our choice: as on CGOS", range=ranges.KOMI)
    retest_every: int = option(5, "iterations between two elections of the champion", OURS, range=ranges.GENERATIONS)
    retest_candidates: int = option(
        1, "a run has one network: it stands against the reigning champion", OURS, range=ranges.CANDIDATES
    )
    retest_games: int = option(40, "fresh games on each board against each opponent", OURS, range=ranges.GAMES)

    def __post_init__(self):
        super().__post_init__()
        require(self.boards and self.election_boards, "boards and election-boards must name a board size")
        require(self.opponents, "opponents must name an opponent")
        require(self.rate > 0 and self.last_rate > 0, "rate and last-rate must be above 0")


class Games(NamedTuple):
    """Games of self-play."""

    parameters: np.ndarray  # none: no guide
    weights: np.ndarray
    recipe: Recipe
    key: int
    first: int
    count: int
    iteration: int

    def play(self):
        """(Samples, Reports)."""
        self_play = SelfPlay(self.parameters, self.weights, self.recipe)
        played = [self_play.play(self.key, number, self.iteration) for number in range(self.first, self.first + self.count)]
        return samples.joined([found for found, _ in played]), [report for _, report in played]


class Trial(NamedTuple):
    """Games of an election."""

    parameters: np.ndarray
    fixture: Fixture

    def play(self):
        """Their RESULTs."""
        return self.fixture.play(side_of(self.parameters))


def play_item(item):
    """What a work item yields."""
    return item.play()


@dataclass
class State:
    """What changes in a run, but for the playout policy, which does not."""

    weights: np.ndarray  # of the playout policy
    parameters: np.ndarray
    average: np.ndarray  # of them over the last steps: the network that plays
    mean: np.ndarray  # Adam's memories: of the gradient …
    variance: np.ndarray  # … and of its square
    steps: int  # that Adam has made
    leads: np.ndarray  # by board size: what Black won by lately
    window: dict  # the fields of Samples


def _begun(weights, parameters):
    """The State of a run that begins with this playout policy and this network."""
    nothing = np.zeros(network.PARAMETERS)
    leads = np.full(MAX_SIZE + 1, _FIRST_KOMI)
    return State(weights, parameters, parameters, nothing, nothing, 0, leads, samples.no_samples()._asdict())


class Trainer(NetworkTrainer):
    """Teaches a network what a search finds that it guides."""

    kind = "expert"
    model = "players.expert.model"
    Config = Config
    presets = {
        "champion": {},
        "quick": {
            "generations": 6,
            "games": 40,
            "boards": (5,),
            "full": 200,
            "quick": 50,
            "guided_from": 2,
            "election_boards": (5,),
            "retest_every": 3,
        },
    }
    preset_help = {
        "champion": "boards from 5x5 to 13x13, 25,600 games: a day of one core, better by the hour",
        "quick": "5x5, 240 games: a minute",
    }
    evaluate = staticmethod(play_item)

    def generations(self):
        return self.config.generations

    def init(self):
        weights = named_player("playout", self.config.playout, PlayoutPlayer).weights
        if self.config.start:
            parameters = named_player("start", self.config.start, ExpertPlayer).parameters
        else:
            parameters = network.random_parameters(self.generator(EVOLVE, 0))
        return _begun(vector(weights), parameters)

    def blank(self):
        return _begun(vector({}), np.zeros(network.PARAMETERS))

    def _rate(self, generation):
        config = self.config
        return config.rate * (config.last_rate / config.rate) ** min(1.0, generation / config.generations)

    def ask(self, state, generation):
        config = self.config
        recipe = Recipe(
            config.boards,
            tuple(float(state.leads[size]) for size in config.boards),
            *(config.komi_spread, config.full, config.quick, config.full_share, config.opening, config.trust),
        )
        parameters = state.average if generation >= config.guided_from else np.zeros(0)
        key = self.key(GAMES, generation)
        return [
            Games(parameters, state.weights, recipe, key, first, min(_ITEM_GAMES, config.games - first), generation)
            for first in range(0, config.games, _ITEM_GAMES)
        ]

    def tell(self, state, generation, results, play):
        config = self.config
        reports = [report for _, found in results for report in found]
        new = samples.joined([found for found, _ in results])
        window = samples.joined([Samples(**state.window).since(generation - config.window + 1), new])
        state.window = window._asdict()
        self._note_leads(state, reports)
        told = self._learn(state, generation, window, new.positions)
        error = told["policy_error"] + told["owner_error"] + told["win_error"]
        return {
            "size": max(config.election_boards),
            "best": -error,
            "mean": -error,
            "wins": 0.5,  # against itself
            "games": len(reports),
            **told,
            "positions": new.positions,
            "window": window.positions,
            "length": float(np.mean([report.length / report.size**2 for report in reports])),
            "black_wins": float(np.mean([report.black_won for report in reports])),
            "rate": self._rate(generation),
            "largest_weight": float(np.abs(state.parameters).max()),
        }

    def _note_leads(self, state, reports):
        """What Black wins by on each board, from the games of an iteration."""
        state.leads = state.leads.copy()
        for size in {report.size for report in reports}:
            mean = np.mean([report.score for report in reports if report.size == size])
            state.leads[size] = _KOMI_MEMORY * state.leads[size] + (1 - _KOMI_MEMORY) * mean

    def _learn(self, state, generation, window, new):
        """Make the steps of an iteration; the errors before each of them, on average."""
        config, generator = self.config, self.generator(EVOLVE, 1, generation)
        steps = int(np.ceil(new * config.reuse / config.batch)) if window.positions else 0
        album, teacher, report = Album(window), Teacher(), np.zeros(4)
        adam = Adam(state.mean, state.variance, state.steps)
        parameters, average, rate = state.parameters, state.average, self._rate(generation)
        for _ in range(steps):
            chosen = generator.integers(window.positions, size=config.batch)
            gradient, said = teacher.gradient(parameters, album, chosen)
            parameters = adam.step(parameters, gradient, rate, config.decay)
            average = average + (parameters - average) / min(config.averaged, adam.steps)
            report += said
        state.parameters, state.average = parameters, average
        state.mean, state.variance, state.steps = adam.mean, adam.variance, adam.steps
        errors = report / max(report[POSITIONS], 1)
        return {
            "policy_error": errors[POLICY_ERROR],
            "owner_error": errors[OWNER_ERROR],
            "win_error": errors[WIN_ERROR],
        }

    def words(self, entry):
        return f"policy {entry['policy_error']:.3f}"

    def dump(self, state):
        return dict(vars(state))

    def load(self, tree):
        return State(*(tree[name] for name in State.__dataclass_fields__))

    def check(self, state):
        for known in (state.parameters, state.average, state.mean, state.variance):
            require_sound(known.shape == (network.PARAMETERS,), "there are not as many weights as the network has")
            require_sound((np.abs(known) <= limits.LARGEST_NUMBER).all(), "a weight is no number")
        require_sound((state.variance >= 0).all() and state.steps >= 0, "what Adam remembers cannot be")
        require_sound(state.weights.shape == (len(NAMES),), "the playout policy has other features")
        require_sound((np.abs(state.weights) <= LARGEST_WEIGHT).all(), "a weight of the playout policy is too large")
        require_sound(state.leads.shape == (MAX_SIZE + 1,), "there are not as many boards as there are")
        require_sound((np.abs(state.leads) <= limits.KOMI).all(), "what Black wins by is no number")
        samples.check(Samples(**state.window))

    # The champion

    def candidates(self, state, count):
        return [{"parameters": state.average.astype(np.float32).astype(float)}]

    def meetings(self):
        return [(name, size) for size in dict.fromkeys(self.config.election_boards) for name in self.config.opponents]

    def trials(self, state, generation, body, key, games):
        parameters = np.array(body["parameters"], float)
        return [Trial(parameters, fixture) for fixture in self.fixtures(key, games)]
