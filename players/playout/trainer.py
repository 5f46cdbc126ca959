"""``train playout``: the weights of the search's playouts, on the run loop that all trainers share.

The first generations gather positions: games of the search against itself, some of whose positions a deeper search judges. The
others learn from these, by simulation balancing or by evolution (see ``learning``), at equal numbers of playouts. Every fourth
game is kept back: its positions are not learned from, and the error on them is the one that is reported. In elections a search
with the learned playouts meets one with those that were set by hand, at equal simulations: to be right about positions is only
what playouts learn, what they are for is that.

By games they learn what they are for: evolution again, but of two candidates on either side of the present weights the better one
is whose search wins. No position is gathered then.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine import limits
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from engine.go.rng import new_stream, stream_key
from players.expert.learning import Adam
from players.genome import Result
from players.playout import positions
from players.playout.learning import Classroom, bounded
from players.playout.player import weights_of
from players.playout.positions import Positions, Recipe
from players.search import shapes
from players.search.policy import HAND, LARGEST_WEIGHT, NAMES, TACTICS, UNIFORM, named_weights, vector
from players.training import ranges, trainer
from players.training.checkpoint import require_sound
from players.training.config import OURS, ConfigError, RunConfig, option, require
from players.training.trainer import EVOLVE, GAMES, OTHER, Verdict

BALANCING, EVOLUTION, BY_GAMES = "balancing", "evolution", "games"
SINGLE_SHAPES = "single_shapes"
_COSTLY = ("press_last", "press_catch", "extend")  # what takes playouts most time
_HELD_OUT = 4  # one of so many games is only for measuring
_ITEM_POSITIONS = 8  # that make one work item
_TRIAL_GAMES = 2  # that make one work item
_EXAM = 1  # the stream of playouts that measure: the same for all that are compared
_DIGITS = 4  # of a weight that are saved: no playout can tell more
_LARGEST = 12.0  # of a learned weight: what is 160,000 times likelier is as good as certain
_HUANG = "our choice, after Huang, Coulom and Lin 2010"


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    """Every parameter of a run."""

    size: int = option(9, "board size", OURS, range=ranges.BOARDS_FROM_3)
    komi: float = option(7.5, "White's komi", "our choice: as on CGOS", range=ranges.KOMI)
    gathering: int = option(20, "generations at first that gather positions", OURS, range=ranges.GENERATIONS)
    games: int = option(10, "games in each of them", OURS, range=ranges.GAMES)
    positions: int = option(16, "positions of a game that are learned from", OURS, range=(1, 1000))
    quick: int = option(200, "simulations for a move of these games", OURS, range=(2, 10**6))
    deep: int = option(5000, "simulations that judge a position", OURS, range=(2, 10**6))
    opening: int = option(6, "moves at first that are drawn by their visits", OURS, range=(0, 1000))
    stray: float = option(0.1, "of the later moves that the playout policy draws", OURS, range=ranges.SHARE)
    teacher: str = option(HAND, "playout policy of these searches, as it is when the run begins", OURS)
    generations: int = option(60, "in all, those that gather among them", OURS, may_grow=True, range=ranges.GENERATIONS)
    start: str = option(HAND, "playout policy that learning starts with, as it is when the run begins", OURS)
    fixed: tuple[str, ...] = option(
        _COSTLY,
        f"features that keep their weights ({SINGLE_SHAPES}: those of shapes by themselves): these cost most time", OURS,
        choices=(*TACTICS, *shapes.NAMES, SINGLE_SHAPES),
    )  # fmt: skip
    method: str = option(BALANCING, "where the direction of a step comes from", OURS, choices=(BALANCING, EVOLUTION, BY_GAMES))
    steps: int = option(50, "steps of a generation", OURS, may_grow=True, range=(1, 100_000))
    batch: int = option(32, "positions of a step", OURS, may_grow=True, range=(1, 100_000))
    playouts: int = option(
        60, "playouts of a position for its error, and as many for the direction", _HUANG, may_grow=True, range=(1, 10**6)
    )
    pairs: int = option(
        8, "evolution: pairs of candidates that share these playouts; games: pairs that meet twice each", OURS, range=(1, 10_000)
    )
    spread: float = option(0.3, "evolution, games: how far they stray from the present weights", OURS, range=ranges.FACTOR)
    rate: float = option(0.05, "how far a step goes: at first", OURS, may_grow=True, range=ranges.FACTOR)
    last_rate: float = option(0.01, "and at the end, approached geometrically", OURS, may_grow=True, range=ranges.FACTOR)
    pull: float = option(0.0, "of weights towards those of the start", OURS, may_grow=True, range=ranges.FACTOR)
    averaged: int = option(100, "steps that the candidate is the mean of, about", OURS, range=(1, 10**6))
    exam: int = option(100, "playouts of a position that measure, twice", OURS, range=(1, 10**6))
    trial: int = option(300, "simulations for a move in elections, and in games that are learned from", OURS, range=(2, 10**6))
    retest_every: int = option(30, "generations between two elections of the champion", OURS, range=ranges.GENERATIONS)
    retest_candidates: int = option(
        1, "a run has one policy: it stands against the reigning champion", OURS, range=ranges.CANDIDATES
    )
    retest_games: int = option(50, "fresh games against playouts that are set by hand", OURS, range=ranges.GAMES)

    def __post_init__(self):
        super().__post_init__()
        require(self.rate > 0 and self.last_rate > 0, "rate and last-rate must be above 0")
        require(self.spread > 0, "spread must be above 0")
        if self.method == EVOLUTION:
            require(self.shared_playouts > 0, "playouts must be at least 2 for each of the pairs")

    @property
    def gathered(self):
        """Generations at first that gather."""
        return 0 if self.method == BY_GAMES else self.gathering

    @property
    def shared_playouts(self):
        """Of a candidate of evolution for each of its two errors, so that a step has as many playouts as one of balancing."""
        return 2 * self.playouts // (4 * self.pairs)


class Gather(NamedTuple):
    """A game, and what is to be learned from it."""

    weights: np.ndarray
    recipe: Recipe
    key: int
    number: int

    def do(self):
        """(Positions, moves of the game)."""
        return positions.gather(self.weights, self.recipe, self.key, self.number)


class Lesson(NamedTuple):
    """Positions to learn from."""

    weights: np.ndarray
    positions: Positions
    komi: float
    playouts: int
    key: int
    first: int  # number of the first of them among those that have this key

    def do(self):
        """The sum of the gradients of their errors."""
        room, gradient = Classroom(self.positions, self.komi), np.zeros(len(NAMES))
        room.use(self.weights)
        for number in range(self.positions.amount):
            rng = new_stream(self.key, self.first + number)
            off = room.mean(number, rng, self.playouts) - float(self.positions.value[number])
            gradient += 2 * off * room.slope(number, rng, self.playouts, off + float(self.positions.value[number]))
        return gradient


class Exam(NamedTuple):
    """Positions to be right about."""

    weights: np.ndarray  # [candidate, feature]
    positions: Positions
    komi: float
    playouts: int
    key: int
    first: int

    def do(self):
        """The sums of the candidates' errors."""
        room, errors = Classroom(self.positions, self.komi), np.zeros(len(self.weights))
        for candidate, weights in enumerate(self.weights):
            room.use(weights)
            for number in range(self.positions.amount):
                rng, value = new_stream(self.key, self.first + number), float(self.positions.value[number])
                one, other = (room.mean(number, rng, self.playouts) - value for _ in range(2))
                errors[candidate] += one * other
        return errors


class Trial(NamedTuple):
    """Games between two searches."""

    weights: np.ndarray
    others: np.ndarray
    recipe: Recipe
    key: int
    first: int
    count: int

    def do(self):
        """(how many of them were won, Black in those of even number, and how many they are)."""
        return sum(map(self._is_won, range(self.first, self.first + self.count))), self.count

    def _is_won(self, number):
        own = BLACK if number % 2 == 0 else WHITE
        forests = {own: positions.forest_of(self.weights), 3 - own: positions.forest_of(self.others)}
        for colour, forest in forests.items():
            forest.seed(stream_key(self.key, number, colour))
        return positions.play_game(forests, self.recipe, stream_key(self.key, number)).black_won == (own == BLACK)


def do_item(item):
    """What a work item yields."""
    return item.do()


@dataclass
class State:
    """What changes in a run, and the two policies that it begins with, which do not."""

    teacher: np.ndarray
    start: np.ndarray
    weights: np.ndarray
    average: np.ndarray  # of them over the last steps: the candidate
    mean: np.ndarray  # Adam's memories: of the gradient …
    variance: np.ndarray  # … and of its square
    steps: int  # that Adam has made
    hand_error: float  # on the positions that are kept back, once all are gathered; 0 before …
    uniform_error: float  # … and that of uniform playouts
    positions: dict  # the fields of Positions


class Trainer(trainer.Trainer):
    """Makes the mean result of playouts right."""

    kind = "playout"
    Config = Config
    presets = {
        "champion": {},
        "quick": {
            "size": 5,
            "komi": 4.5,
            "gathering": 4,
            "games": 15,
            "positions": 8,
            "steps": 20,
            "quick": 50,
            "deep": 1000,
            "opening": 4,
            "generations": 14,
            "averaged": 50,
            "trial": 50,
            "retest_every": 14,
        },
        "games": {
            "method": BY_GAMES,
            "fixed": (*_COSTLY, SINGLE_SHAPES),
            "generations": 50,
            "steps": 4,
            "pairs": 10,
            "rate": 0.03,
            "averaged": 40,
            "retest_every": 25,
            "retest_games": 100,
        },
    }
    preset_help = {
        "champion": "9x9, 3,200 positions of 200 games, 2,000 steps: about 45 minutes of one core",
        "quick": "5x5, 480 positions of 60 games, 200 steps: a minute of one core",
        "games": "9x9, 2,000 pairs of candidates that meet: about an hour of one core",
    }
    evaluate = staticmethod(do_item)

    def generations(self):
        return self.config.generations

    def init(self):
        try:
            return self._begun(*(vector(weights_of(name)) for name in (self.config.teacher, self.config.start)))
        except ValueError as error:
            raise ConfigError(str(error)) from None

    def blank(self):
        return self._begun(vector({}), vector({}))

    def _begun(self, teacher, start):
        nothing, found = np.zeros(len(NAMES)), positions.no_positions(self.config.size)
        return State(teacher, start, start, start, nothing, nothing, 0, 0.0, 0.0, found._asdict())

    def _recipe(self, quick):
        config = self.config
        return Recipe(config.size, config.komi, quick, config.deep, config.opening, config.stray, config.positions)

    def ask(self, state, generation):
        """Games, if positions are still gathered; what is learned is asked for step by step."""
        config = self.config
        if generation >= config.gathered:
            return []
        first = generation * config.games
        numbers = range(first, first + config.games)
        return [Gather(state.teacher, self._recipe(config.quick), self.key(GAMES), number) for number in numbers]

    def tell(self, state, generation, results, play):
        config = self.config
        told = {"size": config.size, "best": 0.0, "mean": 0.0, "wins": 0.5, "games": len(results)}
        if generation < config.gathered:
            found = positions.joined([Positions(**state.positions), *(found for found, _ in results)])
            state.positions = found._asdict()
            if generation == config.gathered - 1:
                self._measure_others(state, play)
            lengths = [length for _, length in results]
            return {**told, "positions": found.amount, "length": float(np.mean(lengths))}
        self._learn(state, generation, play)
        if config.method == BY_GAMES:
            told["games"] = config.steps * config.pairs * 2
        else:
            told |= self._measured(state, play)
        changed = float(np.abs(state.average - state.start).max())
        return {**told, "rate": self._rate(generation), "largest_change": changed}

    # Learning

    def _rate(self, generation):
        config = self.config
        done = (generation - config.gathered) / max(1, config.generations - config.gathered)
        return config.rate * (config.last_rate / config.rate) ** min(1.0, done)

    def _learn(self, state, generation, play):
        """The steps of a generation."""
        config = self.config
        direction = {BALANCING: self._slope, EVOLUTION: self._drift, BY_GAMES: self._trend}[config.method]
        learned = Positions(**state.positions)
        learned = learned.chosen(learned.game % _HELD_OUT != 0)
        if not learned.amount and config.method != BY_GAMES:
            return
        fixed = {*config.fixed, *(shapes.DRAWN if SINGLE_SHAPES in config.fixed else ())}
        free = np.array([name not in fixed for name in NAMES])
        adam, rate = Adam(state.mean, state.variance, state.steps), self._rate(generation)
        for step in range(config.steps):
            generator = self.generator(EVOLVE, generation, step)
            gradient = direction(state, learned, free, generator, self.key(EVOLVE, generation, step, 1), play)
            gradient = np.where(free, gradient + config.pull * (state.weights - state.start), 0.0)
            stepped = bounded(adam.step(state.weights, gradient, rate, 0.0), _LARGEST)
            state.weights = np.where(free, stepped, state.weights)
            state.average = state.average + (state.weights - state.average) / min(config.averaged, adam.steps)
        state.mean, state.variance, state.steps = adam.mean, adam.variance, adam.steps

    def _batch(self, learned, generator):
        return learned.chosen(generator.integers(learned.amount, size=self.config.batch))

    def _slope(self, state, learned, free, generator, key, play):
        """The gradient of the mean error of a batch, by the policy gradient."""
        config, batch = self.config, self._batch(learned, generator)
        items = [
            Lesson(state.weights, part, config.komi, config.playouts, key, first) for first, part in _parts(batch)
        ]
        return sum(play(items)) / batch.amount

    def _strayed(self, state, free, generator):
        """(how far the first candidates of pairs are from the present weights, all first ones and all second ones)."""
        strayed = generator.normal(0, self.config.spread, (self.config.pairs, len(NAMES))) * free
        return strayed, bounded(state.weights + np.concatenate([strayed, -strayed]), _LARGEST)

    def _drift(self, state, learned, free, generator, key, play):
        """The same by evolution: from the errors of pairs of candidates on either side of the present weights."""
        config, batch = self.config, self._batch(learned, generator)
        strayed, candidates = self._strayed(state, free, generator)
        items = [
            Exam(candidates, part, config.komi, config.shared_playouts, key, first) for first, part in _parts(batch)
        ]
        errors = sum(play(items)) / batch.amount
        difference = errors[: config.pairs] - errors[config.pairs :]
        return difference @ strayed / (2 * config.spread**2 * config.pairs)

    def _trend(self, state, learned, free, generator, key, play):
        """Where games are lost, by what searches with these candidates win of each other."""
        config, recipe = self.config, self._recipe(self.config.trial)
        strayed, candidates = self._strayed(state, free, generator)
        pairs = enumerate(zip(candidates[: config.pairs], candidates[config.pairs :]))
        results = play([Trial(first, second, recipe, key, 2 * pair, 2) for pair, (first, second) in pairs])
        lost = np.array([(games - 2 * wins) / games for wins, games in results])
        return lost @ strayed / (2 * config.spread**2 * config.pairs)

    # Measuring

    def _errors(self, state, candidates, stream, play):
        """The mean errors of candidates on the positions that are kept back."""
        kept = Positions(**state.positions)
        kept = kept.chosen(kept.game % _HELD_OUT == 0)
        if not kept.amount:
            return np.zeros(len(candidates))
        weights, key = np.array(candidates), self.key(OTHER, stream)
        items = [Exam(weights, part, self.config.komi, self.config.exam, key, first) for first, part in _parts(kept)]
        return sum(play(items)) / kept.amount

    def _measured(self, state, play):
        """What is told of the candidate's error."""
        (error,) = self._errors(state, [state.average], _EXAM, play)
        told = {"best": -error, "mean": -error, "positions": len(state.positions["game"]), "error": error}
        if state.hand_error > 0 and state.uniform_error > 0:
            told |= {"to_hand": error / state.hand_error, "to_uniform": error / state.uniform_error}
        return told

    def _measure_others(self, state, play):
        others = [vector(named_weights(name)) for name in (HAND, UNIFORM)]
        state.hand_error, state.uniform_error = map(float, self._errors(state, others, _EXAM, play))

    def words(self, entry):
        if "error" in entry:
            return f"error {entry['error']:.4f}"
        return f"{entry['positions']} positions" if "positions" in entry else f"weights by {entry['largest_change']:.2f}"

    # The state

    def dump(self, state):
        return dict(vars(state))

    def load(self, tree):
        return State(*(tree[name] for name in State.__dataclass_fields__))

    def check(self, state):
        for known in (state.teacher, state.start, state.weights, state.average, state.mean, state.variance):
            require_sound(known.shape == (len(NAMES),), "there are not as many weights as the policy has features")
            require_sound((np.abs(known) <= limits.LARGEST_NUMBER).all(), "a weight is no number")
        for known in (state.teacher, state.start, state.weights, state.average):
            require_sound((np.abs(known) <= LARGEST_WEIGHT).all(), "a weight is too large")
        require_sound((state.variance >= 0).all() and state.steps >= 0, "what Adam remembers cannot be")
        errors = np.array([state.hand_error, state.uniform_error])
        require_sound((np.abs(errors) <= 1).all(), "an error is none")
        positions.check(Positions(**state.positions), self.config.size)

    # The champion

    def candidates(self, state, count):
        weights = zip(NAMES, np.round(state.average, _DIGITS).tolist())
        return [{"weights": {name: weight for name, weight in weights if weight or name not in shapes.DRAWN}}]

    def trials(self, state, generation, body, key, games):
        weights, recipe = vector(body["weights"]), self._recipe(self.config.trial)
        hand = vector(named_weights(HAND))
        return [
            Trial(weights, hand, recipe, key, first, min(_TRIAL_GAMES, games - first))
            for first in range(0, games, _TRIAL_GAMES)
        ]

    def judge(self, state, generation, results):
        config = self.config
        opponent = f"search,playout={HAND},simulations={config.trial},threads=1"
        wins, games = np.sum(results, axis=0).tolist()
        return Verdict([Result(opponent, config.size, config.komi, games, wins, "both")])

    def sizes(self, body):
        return list(range(MIN_SIZE, MAX_SIZE + 1))


def _parts(found):
    """Positions in work items: pairs (number of the first, Positions)."""
    return [
        (first, found.chosen(slice(first, first + _ITEM_POSITIONS))) for first in range(0, found.amount, _ITEM_POSITIONS)
    ]
