"""The evolution of a HyperNEAT player against scripted opponents (§4, §5).

A run goes through the boards of ``boards`` with one and the same population: when the board grows, every genome paints a
bigger substrate and evolution goes on. With the paper's settings this is the scaled experiment of figure 3a; the preset
``unscaled`` is the one it is compared with.
"""

from dataclasses import dataclass

import numpy as np

from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from engine.go.rng import new_stream
from players.genome import Result
from players.hyperneat import games, genes, substrate
from players.hyperneat.cppn import ACTIVATIONS, compile_links
from players.hyperneat.neat import Evolution
from players.hyperneat.selector import RULES
from players.hyperneat.sheets import NAMES
from players.hyperneat.substrate import Geometry
from players.scripted.kernels import KINDS, straying_name
from players.training import ranges, trainer
from players.training.config import AUTHOR, OURS, PAPER, RunConfig, option, require
from players.training.trainer import EVOLVE, GAMES, OTHER, Verdict

_COLOURS = {"black": (BLACK,), "white": (WHITE,), "both": (BLACK, WHITE)}
_TRIAL_GAMES = 25  # games of a trial that make one work item

# What champions are evolved with. With the same ten games in every generation evolution learns these games; against a
# Liberty that hardly ever has to draw, it learns a line that beats it every time. So: fresh games, both colours, an
# opponent that strays. What the first three are worth is in models/README.md: together most, but the border does most of it.
_GENERAL = {
    "sheets": "liberties",
    "border": True,
    "leo": True,
    "fresh_games": True,
    "randomness": 0.1,
    "colour": "both",
}


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    """Every parameter of a run."""

    # The experiment
    boards: tuple[int, ...] = option((5, 7), "board sizes, one after the other", PAPER, range=ranges.BOARDS_FROM_3)
    generations: tuple[int, ...] = option(
        (500,),
        "generations on each board; the last number is for all that follow",
        PAPER,
        may_grow=True,
        range=ranges.GENERATIONS,
    )
    keep_boards: bool = option(False, "games on all boards so far, instead of on the newest alone", OURS)
    games: int = option(10, "games of a candidate in a generation, on each board", PAPER, range=ranges.GAMES)
    opponents: tuple[str, ...] = option(("liberty",), "opponents, met in turn", PAPER, choices=tuple(KINDS))
    randomness: float = option(0.0, "how often opponents make a random move instead", PAPER, range=ranges.SHARE)
    colour: str = option("black", "the candidate's colour; Black moves first", AUTHOR, choices=tuple(_COLOURS))
    komi: float = option(6.5, "points that White gets", AUTHOR, range=ranges.KOMI)
    fresh_games: bool = option(
        False, "new random numbers for the opponents from time to time, instead of the same for each game number", OURS
    )
    fresh_every: int = option(
        1, "with fresh games: the generations that each draw of random numbers lasts", OURS, range=ranges.GENERATIONS
    )
    check_games: int = option(
        0, "fresh games of each generation's best, for the log alone", OURS, range=ranges.GAMES_OR_NONE
    )
    # The network
    extrapolation: str = option(
        "discrete", "how a substrate grows with the board", "paper, §3.3", choices=(substrate.DISCRETE, substrate.CONTINUOUS)
    )
    largest: int | None = option(
        None, "the board that fills the CPPN's coordinates (none: the largest of boards)", "paper, §5", range=ranges.BOARDS
    )
    deltas: bool = option(True, "show the CPPN coordinate differences as well", AUTHOR)
    bias: float = option(0.3, "the CPPN's constant input", AUTHOR, range=(-10.0, 10.0))
    sheets: str = option(
        "signed", "input: one sheet for both colours, one for each, or more by liberties", AUTHOR, choices=tuple(NAMES)
    )
    border: bool = option(False, "one more input sheet, for the points around the board", OURS)
    leo: bool = option(False, "a CPPN output that says which connections there are; at first those of neighbours", OURS)
    selector: str = option(
        "positive", "when no sane output is above 0, play a random sane move (positive) or the best (best)", AUTHOR, tuple(RULES)
    )
    # NEAT
    population: int = option(100, "individuals in a generation", PAPER, range=ranges.POPULATION)
    disjoint: float = option(2.0, "compatibility: for each disjoint gene", PAPER, range=ranges.FACTOR)
    excess: float = option(2.0, "compatibility: for each excess gene", PAPER, range=ranges.FACTOR)
    weight_difference: float = option(
        1.0, "compatibility: for the mean difference of matching weights", PAPER, range=ranges.FACTOR
    )
    compatibility_threshold: float = option(
        6.0, "genomes nearer than this are of one species, at first", PAPER, range=ranges.FACTOR
    )
    compatibility_modifier: float = option(0.3, "how far the threshold moves in a generation", PAPER, range=ranges.FACTOR)
    target_species: int = option(8, "the number of species that the threshold moves towards", PAPER, range=ranges.CANDIDATES)
    drop_off_age: int = option(
        15, "generations that a species may go without getting better", PAPER, range=ranges.GENERATIONS_OR_NONE
    )
    stagnation_factor: float = option(
        0.001, "what the fitness of such a species is multiplied with", AUTHOR, range=ranges.FACTOR
    )
    survival: float = option(0.2, "share of a species that become parents", PAPER, range=ranges.SHARE)
    elite_size: int = option(
        5, "species with as many members keep their best one unchanged", AUTHOR, range=ranges.UP_TO_POPULATION
    )
    mutate_only: float = option(0.25, "share of children with one parent", AUTHOR, range=ranges.SHARE)
    unmatched_genes: str = option(
        "both", "parents that a child has its disjoint and excess genes from", AUTHOR, choices=("both", "fitter")
    )
    add_node: float = option(0.03, "chance that a child gets a new node", PAPER, range=ranges.SHARE)
    add_link: float = option(0.05, "chance that a child gets a new link", PAPER, range=ranges.SHARE)
    mutate_weight: float = option(0.8, "chance that a weight mutates", PAPER, range=ranges.SHARE)
    mutate_weight_per: str = option(
        "link", "whether that chance is drawn for each link or once for all links of a child", PAPER, ("link", "child")
    )
    old_link_age: int = option(18, "generations after which a link is old", AUTHOR, range=ranges.GENERATIONS_OR_NONE)
    mutate_old_link: float = option(0.1, "chance that an old link may mutate at all", AUTHOR, range=ranges.SHARE)
    weight_step: float = option(2.5, "largest change of a weight", AUTHOR, range=ranges.FACTOR)
    weight_limit: float = option(5.0, "largest weight", AUTHOR, range=ranges.FACTOR)
    new_weight: float = option(3.0, "largest weight of a new link", AUTHOR, range=ranges.FACTOR)
    activations: tuple[str, ...] = option(ACTIVATIONS, "what new CPPN nodes may compute", PAPER, choices=ACTIVATIONS)

    def __post_init__(self):
        super().__post_init__()
        require(self.boards, "boards must name a board size")
        require(all(MIN_SIZE < size <= MAX_SIZE for size in self.boards), f"boards must be {MIN_SIZE + 1} … {MAX_SIZE}")
        require(self.generations and min(self.generations) >= 1, "generations must be at least 1")
        require(self.games >= 1, "games must be at least 1")
        require(self.fresh_every >= 1, "fresh-every must be at least 1")
        require(self.check_games >= 0, "check-games must not be negative")
        require(self.opponents, "opponents must name an opponent")
        require(self.activations, "activations must name a function")
        require(self.largest is None or self.largest >= 2, "largest must be at least 2")
        require(self.deltas and self.bias or not self.leo, "leo needs deltas and a bias to express neighbours with")
        require(self.population >= 2, "population must be at least 2")
        require(self.target_species >= 1, "target-species must be at least 1")
        require(0 < self.survival <= 1, "survival must be above 0 and at most 1")
        for name in ("randomness", "mutate_only", "add_node", "add_link", "mutate_weight", "mutate_old_link"):
            require(0 <= getattr(self, name) <= 1, f"{name.replace('_', '-')} must be between 0 and 1")

    @property
    def geometry(self):
        """How the run's substrates are laid out."""
        largest = self.largest or max(self.boards)
        return Geometry(self.extrapolation, largest, self.deltas, self.bias, self.sheets, self.border, self.leo)

    def board_lengths(self):
        """Pairs (board size, generations on it)."""
        last = len(self.generations) - 1
        return [(size, self.generations[min(i, last)]) for i, size in enumerate(self.boards)]


def play_item(item):
    """Build a candidate's substrate and play some of its games: board size, number of the first, and the area scores."""
    program, size, geometry, rule, opponents, options, colours, key, first, count = item
    weights = substrate.build(program, size, Geometry(*geometry))
    scores, _ = games.play_games(weights, rule, opponents, options, colours, key, first, count)
    return size, first, scores


@dataclass
class State:
    """What changes in a run."""

    evolution: Evolution
    best: list  # the most promising genomes (LINK arrays) of the generation last told, best first


class Trainer(trainer.Trainer):
    """Evolves CPPNs whose substrates play Go."""

    kind = "hyperneat"
    Config = Config
    presets = {
        "paper": {},
        "unscaled": {"boards": (7,)},
        "quick": {"boards": (5, 7), "generations": (30, 20), "population": 50, "retest_every": 10},
        "champion": {**_GENERAL, "generations": (20, 150), "games": 50},
        "big-boards": {
            **_GENERAL,
            "boards": (5, 7, 9),
            "generations": (10, 40, 150),
            "largest": 19,
            "games": 40,
            "retest_candidates": 8,
        },
    }
    evaluate = staticmethod(play_item)

    def __init__(self, config):
        super().__init__(config)
        self.geometry = config.geometry

    # The run

    def generations(self):
        return sum(count for _, count in self.config.board_lengths())

    def board(self, generation):
        """The board size of generation number ``generation``, from 0; that of the last one for any after it."""
        for size, count in self.config.board_lengths():
            if generation < count:
                return size
            generation -= count
        return self.config.boards[-1]

    def boards(self, generation):
        """All board sizes that games of a generation are played on, the newest last."""
        newest = self.board(generation)
        if not self.config.keep_boards:
            return (newest,)
        known = dict.fromkeys(self.board(earlier) for earlier in range(min(generation + 1, self.generations())))
        return *(size for size in known if size != newest), newest

    def cost(self, generation):
        return float(sum(size**3 for size in self.boards(generation)))

    def init(self):
        evolution = Evolution(self.config, self.geometry.inputs, self.geometry.outputs)
        seed = substrate.locality_seed(self.geometry) if self.config.leo else ((), ())
        evolution.begin(new_stream(self.config.seed, EVOLVE), seed)
        return State(evolution, [])

    def _item(self, links, functions, size, key, first, count):
        config = self.config
        program = compile_links(links, functions, self.geometry.inputs, self.geometry.outputs)
        opponents = tuple(KINDS[name] for name in config.opponents)
        options = (config.randomness,) * len(opponents)
        rule, colours = RULES[config.selector], _COLOURS[config.colour]
        return program, size, tuple(self.geometry), rule, opponents, options, colours, key, first, count

    def _draw(self, generation):
        """Which draw of the opponents' random numbers holds in a generation."""
        return (generation // self.config.fresh_every,) if self.config.fresh_games else ()

    def ask(self, state):
        evolution = state.evolution
        generation = evolution.generation
        key = self.key(GAMES, *self._draw(generation))
        functions = evolution.innovations.functions
        return [
            self._item(evolution.genome(i), functions, size, key, 0, self.config.games)
            for i in range(self.config.population)
            for size in self.boards(generation)
        ]

    def _fitness(self, by_board):
        """Equation (1) for the scores, komi included, on each board {size: scores}; every board counts as much as another."""
        if len(by_board) == 1:
            ((size, scores),) = by_board.items()
            return games.fitness(scores, size)
        return float(sum(games.fitness(scores, size) / size**2 for size, scores in by_board.items()))

    def _by_board(self, results):
        """What ``play_item`` gave for one candidate as {size: (game numbers, scores with komi)}."""
        found = {}
        for size, first, scores in results:
            numbers = first + np.arange(len(scores))
            found.setdefault(size, []).append((numbers, scores + self._komi(numbers)))
        return {size: tuple(map(np.concatenate, zip(*parts))) for size, parts in found.items()}

    def tell(self, state, results):
        evolution, config = state.evolution, self.config
        size, boards = self.board(evolution.generation), len(self.boards(evolution.generation))
        played = [self._by_board(results[i : i + boards]) for i in range(0, len(results), boards)]
        scores = [{size: scores for size, (_, scores) in one.items()} for one in played]
        fitness = np.array([self._fitness(one) for one in scores])
        wins = np.array([[(row > 0).mean() for row in one.values()] for one in scores])
        order = np.argsort(-fitness, kind="stable")
        state.best = [evolution.genome(i).copy() for i in order[: config.retest_candidates]]
        best = state.best[0]
        metrics = {
            "size": size,
            "best": float(fitness[order[0]]),
            "mean": float(fitness.mean()),
            "wins": float(wins[order[0]].mean()),
            "games": wins.size * config.games,
            "mean_wins": float(wins.mean()),
            "links": len(best),
            "hidden": len(genes.hidden_nodes(best, self.geometry)),
        }
        if config.check_games:
            metrics["check_wins"] = self._check(best, evolution)
        evolution.advance(fitness, new_stream(config.seed, EVOLVE, evolution.generation))
        metrics["species"] = len(evolution.species)
        metrics["threshold"] = round(evolution.threshold, 3)
        told, coming = evolution.generation - 1, evolution.generation
        if self.board(coming) != size or self._draw(coming) != self._draw(told):
            evolution.forget_records()  # the same fitness does not mean the same any more
        return metrics

    def _check(self, links, evolution):
        """The share of fresh games on the newest board that a genome wins."""
        key, count = self.key(OTHER, evolution.generation), self.config.check_games
        item = self._item(links, evolution.innovations.functions, self.board(evolution.generation), key, 0, count)
        ((_, scores),) = self._by_board([play_item(item)]).values()
        return float((scores > 0).mean())

    def _komi(self, numbers):
        """What komi adds to the candidate's score in the games of the given numbers."""
        colours = np.array(_COLOURS[self.config.colour])
        return np.where(colours[numbers % len(colours)] == BLACK, -self.config.komi, self.config.komi)

    def dump(self, state):
        return {"evolution": state.evolution.dump(), "best": state.best}

    def load(self, tree):
        evolution = Evolution.load(tree["evolution"], self.config, self.geometry.inputs, self.geometry.outputs)
        return State(evolution, list(tree["best"]))

    # The champion

    def candidates(self, state, count):
        functions = state.evolution.innovations.functions
        return [genes.to_body(links, functions, self.geometry, self.config.selector) for links in state.best[:count]]

    def trials(self, state, body, key, games):
        _, _, links, functions = genes.from_body(body)
        return [
            self._item(links, functions, size, key, first, min(_TRIAL_GAMES, games - first))
            for size in self.boards(state.evolution.generation - 1)
            for first in range(0, games, _TRIAL_GAMES)
        ]

    def judge(self, state, results):
        config = self.config
        played = self._by_board(results)
        met = []
        for size, (numbers, scores) in played.items():
            for i, opponent in enumerate(config.opponents):
                mine = scores[numbers % len(config.opponents) == i]
                name = straying_name(opponent, config.randomness)
                met.append(Result(name, size, config.komi, len(mine), int((mine > 0).sum()), config.colour))
        return Verdict(met, self._fitness({size: scores for size, (_, scores) in played.items()}))

    def sizes(self, body):
        return list(range(MIN_SIZE, MAX_SIZE + 1))
