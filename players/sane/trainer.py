"""``train sane``: neurons and blueprints on the run loop that all trainers share.

Where the values come from: the stored text of the paper has lost its numbers, so that "paper" is said only of what its
words still tell; "reported" are numbers of the paper that others quote; "author's code" is SANE 2.0.

What is tuned was tuned on 7x7 against Wally, roughly: some twenty settings, one to four short runs each, which differ
much from seed to seed. The thought behind it: half of the neurons are replaced in a generation, also those of the best
networks, and half of the pointers to good neurons move, so that good networks may be lost as soon as they are found.
The preset ``paper`` has not been run to the end for comparison.
"""

from dataclasses import dataclass

import numpy as np

from engine import limits
from engine.go.board import BLACK, PASS, coordinates
from engine.go.rng import stream_key
from players.genome import Result
from players.sane.evolve import Rates, next_generation, ranking
from players.sane.games import MOST_STONES, Outcome, opponent_code, play_games, starting_position
from players.sane.network import decode
from players.sane.population import Population, random_population
from players.scripted.kernels import KINDS, straying_name
from players.training import ranges, trainer
from players.training.config import AUTHOR, OURS, PAPER, RunConfig, option, require
from players.training.trainer import EVOLVE, GAMES, OTHER, Verdict

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
    opponent: tuple[str, ...] = option(("wally",), "scripted opponents, all of them played", PAPER, choices=tuple(KINDS))
    opponent_randomness: float = option(
        0.1, "how often an opponent plays at random", "paper, as reported", range=ranges.SHARE
    )
    give_stones: int = option(
        0, "handicap for the opponent: 1 means that it moves first, more are stones", PAPER, range=(0, MOST_STONES)
    )
    raise_stones: bool = option(False, "when --until is reached, give one stone more and go on", PAPER)

    def __post_init__(self):
        super().__post_init__()
        for name in ("generations", "until_games", "until_candidates", "network_neurons", "connections", "games"):
            value = getattr(self, name)
            require(value is None or value >= 1, f"{name.replace('_', '-')} must be at least 1")
        for name in ("neurons", "blueprints"):
            value = getattr(self, name)
            require(value is None or value >= 3, f"{name} must be at least 3: one that breeds and its two offspring")
        for name in (
            *("neuron_elite", "blueprint_elite", "label_mutation", "weight_mutation", "sign_mutation"),
            *("pointer_mutation", "offspring_mutation", "opponent_randomness"),
        ):
            require(0 <= getattr(self, name) <= 1, f"{name.replace('_', '-')} must be between 0 and 1")
        require(self.until is None or 0 < self.until <= 1, "until must be above 0 and at most 1")
        require(self.weight_spread >= 0 and self.weight_step >= 0, "a standard deviation cannot be negative")
        require(self.opponent, "say at least one opponent")
        require(0 <= self.kept_networks <= self.blueprints, "kept-networks must be between 0 and blueprints")
        require(0 <= self.give_stones <= MOST_STONES, f"give-stones must be between 0 and {MOST_STONES}")
        require(not self.raise_stones or self.until is not None, "raise-stones needs --until to know when")

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

    @property
    def opponent_codes(self):
        return [opponent_code(name, self.opponent_randomness) for name in self.opponent]


def play_item(item):
    """The Outcomes of a network's games, by opponent: what a work item of ``ask`` or ``trials`` yields."""
    labels, weights, size, opponents, games, key, give_stones = item
    network = decode(labels, weights, size)
    return [
        tuple(play_games(network, tuple(opponent), games, stream_key(key, number), give_stones))
        for number, opponent in enumerate(opponents)
    ]


def opponent_name(name, randomness, give_stones):
    """How results call an opponent: as the registry does, with the stones that it is given."""
    called = straying_name(name, randomness)
    if give_stones == 0:
        return called
    return f"{called} ({'first move' if give_stones == 1 else f'{give_stones} stones'})"


class Trainer(trainer.Trainer):
    """State: the population, how many generations it has seen, the networks last told about, and the handicap."""

    kind = "sane"
    Config = Config
    presets = {
        "paper": {"blueprint_elite": 0.25, "pointer_mutation": 0.01, "offspring_mutation": 0.5, "kept_networks": 0},
        "quick": {"size": 5, "generations": 10, "blueprints": 60, "network_neurons": 60, "games": 4, "retest_every": 5},
        "deterministic": {"opponent_randomness": 0.0},
        "handicap": {"until": 0.5, "raise_stones": True, "generations": 1000},
    }
    evaluate = staticmethod(play_item)

    def generations(self):
        return self.config.generations

    def init(self):
        config = self.config
        population = random_population(
            self.generator(EVOLVE, 0),
            config.size,
            config.neuron_count,
            config.connections,
            config.blueprints,
            config.neurons_in_network,
            config.weight_spread,
        )
        return {
            "population": population,
            "generation": 0,
            "stones": config.give_stones,
            "stones_told": config.give_stones,  # what the generation last told about gave
            "told": [],  # (labels, weights) of its best networks, best first
            "reached": 0,  # the generation in which --until was reached
        }

    def _item(self, labels, weights, stones, games, key):
        return labels, weights, self.config.size, self.config.opponent_codes, games, key, stones

    def ask(self, state):
        population, generation = state["population"], state["generation"]
        return [
            self._item(*population.genes(row), state["stones"], self.config.games, self.key(GAMES, generation, number))
            for number, row in enumerate(population.blueprints)
        ]

    def tell(self, state, results):
        config, population = self.config, state["population"]
        outcomes = [_total(result) for result in results]
        fitness = np.array([outcome.score for outcome in outcomes], float)
        order = ranking(fitness)
        games = outcomes[0].games
        best = outcomes[order[0]]
        metrics = {
            "size": config.size,
            "best": best.score,
            "mean": fitness.mean(),
            "wins": best.wins / games,
            "games": games * len(outcomes),
            "mean_wins": np.mean([outcome.wins for outcome in outcomes]) / games,
            "capped": sum(outcome.capped for outcome in outcomes) / (games * len(outcomes)),
            "first_line": np.mean([first_line(outcome.first_move, config.size) for outcome in outcomes]),
            "stones": state["stones"],
        }
        state["stones_told"] = state["stones"]
        state["generation"] += 1
        if config.until is not None:
            winner, report = self._test(state, [int(i) for i in order if outcomes[i].wins >= config.until * games])
            if winner is not None:
                order = np.array([winner])  # nobody else stands for election: it has been tested far better than they
            metrics |= report
        state["told"] = [population.genes(population.blueprints[i]) for i in order[: config.retest_candidates]]
        generator = self.generator(EVOLVE, state["generation"])
        state["population"] = next_generation(generator, population, fitness, config.size, config.rates)
        return metrics

    def _test(self, state, numbers):
        """The blueprint that passes the test of --until, or None, and what the log says of the test.

        ``numbers`` are those that won such a share of their games so far, best first. One that fails a short test is
        not tried further; those that are left play ``until_games`` fresh games.
        """
        config, population = self.config, state["population"]
        highest, tested, winner = 0.0, 0, None
        for number in numbers[: config.until_candidates]:
            for part, games in enumerate((min(_SIEVE_GAMES, config.until_games), config.until_games)):
                key = self.key(OTHER, state["generation"], number, part)
                genes = population.genes(population.blueprints[number])
                test = _total(play_item(self._item(*genes, state["stones"], games, key)))
                tested += test.games
                if test.wins < config.until * test.games:
                    break
            else:
                winner = number
            highest = max(highest, test.wins / test.games)
            if winner is not None:
                state["reached"] = state["generation"]
                state["stones"] += config.raise_stones
                break
        return winner, {"tested": tested, "test_wins": highest}

    def finished(self, state):
        if self.config.raise_stones:
            return state["stones"] > MOST_STONES
        return state["reached"] > 0

    def dump(self, state):
        population = state["population"]
        return {
            **state,
            "population": {
                "labels": population.labels,
                "weights": population.weights,
                "blueprints": population.blueprints,
            },
        }

    def load(self, tree):
        return {**tree, "population": Population(**tree["population"])}

    # The champion

    def candidates(self, state, count):
        size = self.config.size
        return [{"size": size, "labels": labels, "weights": weights} for labels, weights in state["told"][:count]]

    def trials(self, state, body, key, games):
        labels, weights = np.array(body["labels"], np.int64), np.array(body["weights"], np.float64)
        return [
            self._item(labels, weights, state["stones_told"], min(_BATCH, games - first), stream_key(key, first))
            for first in range(0, games, _BATCH)
        ]

    def judge(self, state, results):
        config, stones = self.config, state["stones_told"]
        colour = "black" if starting_position(config.size, stones)[1] == BLACK else "white"
        found, score = [], 0
        for number, name in enumerate(config.opponent):
            outcome = _total([result[number] for result in results])
            opponent = opponent_name(name, config.opponent_randomness, stones)
            found.append(Result(opponent, config.size, 0.0, outcome.games, float(outcome.wins), colour))
            score += outcome.score
        return Verdict(found, score / sum(result.games for result in found))

    def sizes(self, body):
        return [int(body["size"])]


def _total(outcomes):
    """Outcomes added up; the first move is that of the first of them."""
    outcomes = [Outcome(*outcome) for outcome in outcomes]
    sums = [sum(column) for column in list(zip(*outcomes))[:4]]
    return Outcome(*sums, outcomes[0].first_move)


def first_line(p, size):
    """The line on which a first move stands, 1 at the edge; 0 for a pass."""
    if p == PASS:
        return 0
    col, row = coordinates(size, p)
    return 1 + min(col, row, size - 1 - col, size - 1 - row)
