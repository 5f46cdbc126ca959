"""``train sane``: neurons and blueprints on the run loop that all trainers share.

Where the values come from: the stored text of the paper has lost its numbers, so that "paper" is said only of what its
words still tell; "reported" are numbers of the paper that others quote; "author's code" is SANE 2.0.

What is tuned was tuned on 7x7 against Wally, roughly: some twenty settings, one to four short runs each, which differ
much from seed to seed. The thought behind it: half of the neurons are replaced in a generation, also those of the best
networks, and half of the pointers to good neurons move, so that good networks may be lost as soon as they are found.
With the rates of the preset ``paper`` runs take about half as long again on 5x5 and 7x7 (``models/README.md``).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine import limits
from engine.go.board import MAX_SIZE, MIN_SIZE, PASS, coordinates
from engine.go.handicap import MOST_STONES
from engine.go.rng import stream_key
from engine.records.vertex import format_vertex
from players.genome import Result
from players.hyperneat.sheets import TACTICS
from players.play.loop import joined, wins_of
from players.play.schedule import COLOURS, Fixture
from players.sane.body import make_body
from players.sane.evolve import Rates, next_generation, ranking
from players.sane.network import INPUTS, STONES, decode, unit_count
from players.sane.population import Population, random_population
from players.sane.side import RULES, SUPERKO, play_network, terms
from players.scripted.kernels import KINDS, opponent, straying_name
from players.training import ranges, trainer
from players.training.checkpoint import require_sound
from players.training.config import AUTHOR, OURS, PAPER, RunConfig, option, require
from players.training.trainer import EVOLVE, GAMES, OTHER, Verdict, won_in_a_line

POINTS, WINS = "points", "wins"
NETWORKS_OF_A_NEURON = 10  # networks that a neuron is in on average, if the size of the population is not said
_BATCH = 25  # trial games in a work item: few enough that workers share an election evenly
_SIEVE_GAMES = 100  # test games that a network must survive before all of the --until test is played


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    """Every parameter of a run."""

    size: int = option(9, "board size", PAPER, choices=tuple(range(3, 14)), range=ranges.BOARDS)
    generations: int = option(
        260, "generations at most", "paper, the mean on 9x9 as reported", may_grow=True, range=ranges.GENERATIONS
    )
    until: float | None = option(
        None, "stop when a network wins this share of its test games, as in 0.75", PAPER, range=ranges.SHARE
    )
    until_games: int = option(1000, "games of that test", OURS, range=ranges.GAMES)
    until_candidates: int = option(
        20, "networks of a generation, the best first, that may try it", OURS, range=ranges.CANDIDATES
    )
    neurons: int | None = option(
        None, "neurons in the population (none: so many that each is in ten networks)", OURS, range=(3, 200_000)
    )
    blueprints: int = option(200, "blueprints in the population", OURS, range=(3, 10_000))
    network_neurons: int | None = option(
        None, "neurons in a network (none: 100, 150, 200 on 5x5, 7x7, 9x9)", OURS, range=(1, limits.SANE_NEURONS)
    )
    inputs: str = option(
        STONES, "what a network sees: stones, or also their liberties, or also what a move would do", PAPER, tuple(INPUTS)
    )
    reach: int | None = option(
        None,
        "let neurons stand on every point, and their connections reach so many lines from there (none: labels are points)",
        f"{OURS}; paper: none",
        range=(0, limits.SANE_REACH),
    )
    connections: int = option(12, "connections of a neuron", AUTHOR, range=(1, limits.SANE_CONNECTIONS))
    weight_spread: float = option(2.0, "standard deviation of the first weights", AUTHOR, range=ranges.FACTOR)
    neuron_elite: float = option(0.25, "share of the neurons that breed", AUTHOR, range=ranges.SHARE)
    blueprint_elite: float = option(
        0.15, "share of the blueprints that breed", f"{OURS} (author's code: 0.25); tuned", range=ranges.SHARE
    )
    label_mutation: float = option(
        0.001, "chance that a label is drawn anew", "paper, older ones (author's code: 0.02)", range=ranges.SHARE
    )
    weight_mutation: float = option(
        0.001, "chance that a weight moves", "paper, older ones (author's code: 0.04)", range=ranges.SHARE
    )
    weight_step: float = option(1.0, "standard deviation of that move", AUTHOR, range=ranges.FACTOR)
    sign_mutation: float = option(0.0, "chance that a weight changes its sign", OURS, range=ranges.SHARE)
    pointer_mutation: float = option(
        0.002, "chance that a pointer goes to any neuron", f"{OURS} (paper: 0.01); tuned", range=ranges.SHARE
    )
    offspring_mutation: float = option(
        0.2, "chance that a pointer goes to its offspring", f"{OURS} (paper: 0.5); tuned", range=ranges.SHARE
    )
    kept_networks: int = option(
        3, "best networks of a generation whose neurons all stay", f"{OURS} (paper: 0); tuned", range=(0, 10_000)
    )
    games: int = option(10, "games of a network against each opponent in a generation", OURS, range=ranges.GAMES)
    opponents: tuple[str, ...] = option(("wally",), "opponents, met in turn", PAPER, tuple(KINDS), formerly="opponent")
    randomness: float = option(
        0.1,
        "how often opponents make a random move instead",
        "paper, as reported",
        formerly="opponent_randomness",
        range=ranges.SHARE,
    )
    fitness: str = option(
        POINTS, "what games are worth: the points that they are won or lost by, or first of all who won", PAPER, (POINTS, WINS)
    )
    colour: str = option("black", "the network's colour, if it gives no stones", PAPER, choices=tuple(COLOURS))
    komi: float = option(0.0, "points that White gets", PAPER, range=ranges.KOMI)
    superko: bool = option(False, "no position may come again, instead of simple ko", f"{OURS}: as matches are played")
    give_stones: int = option(
        0, "handicap for the opponent: 1 means that it moves first, more are stones", PAPER, range=(0, MOST_STONES)
    )
    raise_stones: bool = option(False, "when --until is reached, give one stone more and go on", PAPER)

    def __post_init__(self):
        super().__post_init__()
        require(self.until is None or self.until > 0, "until must be above 0")
        require(self.opponents, "opponents must name an opponent")
        require(self.kept_networks <= self.blueprints, "kept-networks must not be more than blueprints")
        require(not self.raise_stones or self.until is not None, "raise-stones needs --until to know when")
        together = self.neurons_in_network * self.connections
        most = limits.SANE_EVERYWHERE
        require(self.reach is None or together <= most, f"with a reach network-neurons × connections must be {most:,} at most")
        gives = self.give_stones or self.raise_stones
        require(self.colour == "black" or not gives, "a network that gives stones has the colour that goes with them")

    @property
    def units(self):
        return unit_count(self.size, self.inputs, self.reach)

    def terms(self, stones):
        """The Terms of games in which so many stones are given, and the network's colour, both among them."""
        games_terms, colour = terms(self.size, stones, self.komi, SUPERKO if self.superko else RULES)
        return games_terms, colour if stones else self.colour

    def worth(self, scores):
        """The fitness that games with these scores give."""
        return scores.sum() + (self.fitness == WINS) * self.size**2 * np.sign(scores).sum()

    @property
    def neurons_in_network(self):
        return self.network_neurons or 25 * (self.size - 1)

    @property
    def neuron_count(self):
        return self.neurons or max(3, self.blueprints * self.neurons_in_network // NETWORKS_OF_A_NEURON)

    @property
    def rates(self):
        return Rates(
            neuron_elite=self.neuron_elite,
            blueprint_elite=self.blueprint_elite,
            label=self.label_mutation,
            weight=self.weight_mutation,
            weight_step=self.weight_step,
            sign=self.sign_mutation,
            pointer=self.pointer_mutation,
            offspring=self.offspring_mutation,
            kept=self.kept_networks,
        )


class Item(NamedTuple):
    """Some games of a network."""

    labels: np.ndarray
    weights: np.ndarray
    fixture: Fixture
    inputs: str = STONES
    reach: int | None = None


def play_item(item):
    """The RESULTs of a network's games."""
    network = decode(item.labels, item.weights, item.fixture.terms.size, item.inputs, item.reach)
    return play_network(item.fixture, network)


def opponent_name(name, randomness, give_stones):
    """How results call an opponent: as the registry does, with the stones that it is given."""
    called = straying_name(name, randomness)
    if give_stones == 0:
        return called
    return f"{called} ({'first move' if give_stones == 1 else f'{give_stones} stones'})"


@dataclass
class State:
    """What changes in a run."""

    population: Population
    stones: int  # that the next generation gives
    stones_told: int  # that the generation last told about gave
    best: list = field(default_factory=list)  # (labels, weights) of its best networks, best first
    reached: int = 0  # how many generations it took until --until was reached, 0 as long as it is not


class Trainer(trainer.Trainer):
    """Evolves neurons, and blueprints that combine them into networks."""

    kind = "sane"
    Config = Config
    presets = {
        "paper": {"blueprint_elite": 0.25, "pointer_mutation": 0.01, "offspring_mutation": 0.5, "kept_networks": 0},
        "quick": {"size": 5, "generations": 40, "blueprints": 100, "network_neurons": 60, "games": 8, "retest_every": 10},
        "deterministic": {"randomness": 0.0},
        "handicap": {"until": 0.5, "raise_stones": True, "generations": 1000},
        "general": {
            "opponents": ("wally", "gojen", "wally", "liberty", "naixt", "gojen"),
            "colour": "both",
            "komi": 7.5,
            "superko": True,
            "inputs": TACTICS,
            "reach": 2,
            "network_neurons": 20,
            "neurons": 400,
            "blueprints": 100,
            "label_mutation": 0.02,
            "weight_mutation": 0.04,
            "fitness": WINS,
            "games": 4,
            "generations": 250,
            "retest_every": 10,
            "retest_games": 60,
        },
    }
    preset_help = {
        "paper": "9x9, 260 generations with the paper's rates, against Wally with 10% random moves: three minutes",
        "quick": "5x5, 40 generations of half the size: ten seconds; wins 94% as Black against Wally with 10% random moves",
        "deterministic": "9x9 against a Wally without random moves: three minutes; finds tricks that win against it alone",
        "handicap": "9x9, a stone more for Wally whenever half of the games are won: up to ten minutes",
        "general": "9x9, both colours, komi and superko, four opponents; neurons that stand everywhere: half an hour, two cores",
    }
    evaluate = staticmethod(play_item)

    def generations(self):
        return self.config.generations

    def init(self):
        config = self.config
        population = random_population(
            self.generator(EVOLVE, 0),
            config.units,
            config.neuron_count,
            config.connections,
            config.blueprints,
            config.neurons_in_network,
            config.weight_spread,
        )
        return State(population, config.give_stones, config.give_stones)

    def _item(self, labels, weights, stones, key, games):
        """``games`` games in all; opponents take turns."""
        config = self.config
        games_terms, colour = config.terms(stones)
        opponents = tuple(opponent(name, config.randomness) for name in config.opponents)
        fixture = Fixture(games_terms, opponents, colour, stream_key(key, 0), 0, games)
        return Item(labels, weights, fixture, config.inputs, config.reach)

    def ask(self, state, generation):
        population, games = state.population, self.config.games * len(self.config.opponents)
        return [
            self._item(*population.genes(row), state.stones, self.key(GAMES, generation, number), games)
            for number, row in enumerate(population.blueprints)
        ]

    def tell(self, state, generation, results, play):
        config, population = self.config, state.population
        fitness = np.array([config.worth(games.score) for games in results])
        wins = np.array([wins_of(games) for games in results])
        order = ranking(fitness)
        games = len(results[0])
        metrics = {
            "size": config.size,
            "best": int(fitness[order[0]]),
            "mean": fitness.mean(),
            "wins": wins[order[0]] / games,
            "games": games * len(results),
            "mean_wins": wins.mean() / games,
            "capped": sum(int((~games.over).sum()) for games in results) / (games * len(results)),
            "first_line": np.mean([first_line(games.first[0], config.size) for games in results]),
            "first_move": format_vertex(int(results[order[0]].first[0]), config.size),  # of the best
            "stones": state.stones,
        }
        state.stones_told = state.stones
        if config.until is not None:
            promising = [int(i) for i in order if wins[i] >= config.until * games]
            winner, report = self._test(state, generation, promising, play)
            if winner is not None:
                order = np.array([winner])  # nobody else stands for election: it has been tested far better than they
            metrics |= report
        state.best = [population.genes(population.blueprints[i]) for i in order[: config.retest_candidates]]
        generator = self.generator(EVOLVE, generation + 1)
        state.population = next_generation(generator, population, fitness, config.units, config.rates)
        return metrics

    def _test(self, state, generation, numbers, play):
        """The blueprint that passes the test of --until, or None, and what the log says of the test.

        ``numbers`` are those that won such a share of their games so far, best first. One that fails a short test is
        not tried further; those that are left play ``until_games`` fresh games.
        """
        config, population = self.config, state.population
        highest, tested, winner = 0.0, 0, None
        for number in numbers[: config.until_candidates]:
            for part, games in enumerate((min(_SIEVE_GAMES, config.until_games), config.until_games)):
                key = self.key(OTHER, generation + 1, number, part)
                genes = population.genes(population.blueprints[number])
                (results,) = play([self._item(*genes, state.stones, key, games * len(config.opponents))])
                tested += len(results)
                if wins_of(results) < config.until * len(results):
                    break
            else:
                winner = number
            highest = max(highest, wins_of(results) / len(results))
            if winner is not None:
                state.reached = generation + 1
                state.stones += config.raise_stones
                break
        return winner, {"tested": tested, "test_wins": highest}

    def finished(self, state):
        if self.config.raise_stones:
            return state.stones > MOST_STONES
        return state.reached > 0

    def words(self, entry):
        if entry["stones"]:
            return f"best {entry['wins']:.0%}, giving {entry['stones']}"
        return won_in_a_line(entry["wins"], entry["mean_wins"])

    def dump(self, state):
        return {**vars(state), "population": vars(state.population)}

    def load(self, tree):
        best = tree["best"] if "best" in tree else tree["told"]  # the name that it once had
        population = Population(**tree["population"])
        return State(population, tree["stones"], tree["stones_told"], [tuple(genes) for genes in best], tree["reached"])

    def check(self, state):
        config, neurons = self.config, state.population
        shape = config.neuron_count, config.connections
        self._check_genes(neurons.labels, neurons.weights, shape)
        pointers = neurons.blueprints
        require_sound(pointers.shape == (config.blueprints, config.neurons_in_network), "there are not as many blueprints")
        require_sound(0 <= pointers.min() and pointers.max() < config.neuron_count, "a blueprint points to no neuron")
        for genes in state.best:
            require_sound(len(genes) == 2 and all(isinstance(part, np.ndarray) for part in genes), "a network has other parts")
            self._check_genes(*genes, (config.neurons_in_network, config.connections))
        given = (state.stones, state.stones_told)
        require_sound(all(0 <= stones <= config.size**2 for stones in given) and state.reached >= 0, "a count is none")

    def _check_genes(self, labels, weights, shape):
        require_sound(labels.shape == weights.shape == shape, "there are not as many neurons as the configuration says")
        require_sound(labels.dtype == np.int64 and weights.dtype == np.float64, "neurons are not as they are stored")
        require_sound(0 <= labels.min() and labels.max() < self.config.units, "a label is no unit of the board")
        require_sound((np.abs(weights) <= limits.WEIGHT).all(), "a weight is no number, or too large")  # NaN among them

    # The champion

    def candidates(self, state, count):
        config = self.config
        return [make_body(labels, weights, config.size, config.inputs, config.reach) for labels, weights in state.best[:count]]

    def trials(self, state, generation, body, key, games):
        labels, weights = np.array(body["labels"], np.int64), np.array(body["weights"], np.float64)
        opponents = len(self.config.opponents)
        return [
            self._item(labels, weights, state.stones_told, stream_key(key, first), min(_BATCH, games - first) * opponents)
            for first in range(0, games, _BATCH)
        ]

    def judge(self, state, generation, results):
        config, results = self.config, joined(results)
        _, colour = config.terms(state.stones_told)
        found = []
        for name in dict.fromkeys(config.opponents):  # one that is met more often than others has one result
            numbers = [number for number, met in enumerate(config.opponents) if met == name]
            mine = results[np.isin(results.opponent, numbers)]
            called = opponent_name(name, config.randomness, state.stones_told)
            found.append(Result(called, config.size, config.komi, len(mine), wins_of(mine), colour))
        return Verdict(found, float(results.score.mean()))

    def sizes(self, body):
        return list(range(MIN_SIZE, MAX_SIZE + 1)) if "reach" in body else [int(body["size"])]


def first_line(p, size):
    """The line on which a first move stands, 1 at the edge; 0 for a pass."""
    if p == PASS:
        return 0
    col, row = coordinates(size, p)
    return 1 + min(col, row, size - 1 - col, size - 1 - row)
