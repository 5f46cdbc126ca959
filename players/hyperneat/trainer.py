"""The evolution of a HyperNEAT player against scripted opponents (§4, §5).

A run goes through the boards of ``boards`` with one and the same population: when the board grows, every genome paints a
bigger substrate and evolution goes on. With the paper's settings this is the scaled experiment of figure 3a; the preset
``unscaled`` is the one it is compared with.
"""

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.go.board import MAX_SIZE, MIN_SIZE
from engine.go.rng import new_stream
from players.genome import Result
from players.hyperneat import substrate
from players.hyperneat.body import hidden_nodes, make_body, read_body
from players.hyperneat.cppn import ACTIVATIONS, Program, compile_links
from players.hyperneat.neat import Evolution
from players.hyperneat.player import HyperneatPlayer
from players.hyperneat.refinement import Refinement
from players.hyperneat.selector import SELECTORS, Rule
from players.hyperneat.sheets import NAMES
from players.hyperneat.side import Substrate
from players.hyperneat.soundness import check_evolution, check_past
from players.hyperneat.substrate import Geometry
from players.play.loop import Terms, joined
from players.play.schedule import COLOURS, Fixture
from players.scripted.kernels import KINDS, opponent, straying_name
from players.training import ranges, trainer
from players.training.config import AUTHOR, OURS, PAPER, RunConfig, option, require
from players.training.named import named_player
from players.training.trainer import EVOLVE, GAMES, OTHER, Verdict, won_in_a_line

SALT = 0xA24BAED4963EE407  # the candidate's draws come from other streams than its opponents'
_TRIAL_GAMES = 25  # games of a trial that make one work item

# Details of NEAT in which the author's code is known to differ from what the defaults are, in the paper's own runs. The
# defaults are what this program did before, so that older configurations mean what they meant.
AUTHORS_NEAT = {
    "split_weight": 0.25,
    "split_renews": True,
    "mutate_weight_per": "child",
    "best_never_stale": True,
    "keep_records": True,
}

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

# One network for all boards.
_ANY = {
    **_GENERAL,
    **AUTHORS_NEAT,
    "boards": (5, 6, 7, 8, 9),  # the more of them, the less a network can learn that holds on one alone
    "generations": (20,),
    "together": True,
    "games": 48,
    "heats": 3,
    "pooled": True,
    "opponents": ("liberty", "liberty", "wally", "liberty", "liberty", "gojen"),
    "randomness": 0.05,  # enough for games to differ, and the opponents are nearly what they are
    "sheets": "tactics",
    "hidden": 3,  # what this and the next are worth is in models/README.md
    "direct": True,
    "selector": "best",
    "avoid_enemy": True,
    "absolute": False,
    "folded": True,
    "reach": 4,
    "worst": 0.2,  # of few games with chance in them: more of it is too much of that
    "target_species": 3,  # with eight, each of a dozen, selection within them is too weak to get anywhere
    "compatibility_modifier": 1.0,
    "old_link_age": 8,  # the population gets better only once most links are old
    "finest_step": 0.1,
    "retest_every": 10,
    "retest_games": 800,
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
    together: bool = option(False, "games on all boards from the start, for the first number of generations", OURS)
    keep_boards: bool = option(False, "games on all boards so far, instead of on the newest alone", OURS)
    games: int = option(10, "games of a candidate in a generation, on each board", PAPER, may_grow=True, range=ranges.GAMES)
    heats: int = option(
        1,
        "parts in which these are played, the last one half of them: after each, the better half goes on",
        OURS,
        may_grow=True,
        range=(1, 8),
    )
    worst: float = option(
        0.0,
        "how much the worst board and colour counts; the rest is for all games alike (1: it alone counts)",
        OURS,
        may_grow=True,
        range=ranges.SHARE,
    )
    opponents: tuple[str, ...] = option(
        ("liberty",), "opponents, met in turn", PAPER, choices=tuple(KINDS), may_grow=True
    )
    randomness: float = option(0.0, "how often opponents make a random move instead", PAPER, range=ranges.SHARE)
    colour: str = option("black", "the candidate's colour; Black moves first", AUTHOR, choices=tuple(COLOURS))
    komi: float = option(6.5, "points that White gets", AUTHOR, range=ranges.KOMI)
    fresh_games: bool = option(
        False, "new random numbers for the opponents from time to time, instead of the same for each game number", OURS
    )
    fresh_every: int = option(
        1, "with fresh games: the generations that each draw of random numbers lasts", OURS, range=ranges.GENERATIONS
    )
    pooled: bool = option(False, "with fresh games: a network that lives on keeps what it did in earlier ones", OURS)
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
    absolute: bool = option(True, "show the CPPN where the ends of a connection are", PAPER)
    deltas: bool = option(True, "show the CPPN coordinate differences as well", AUTHOR)
    folded: bool = option(
        False, "of these, show only how long the longer and the shorter one are: the same in all eight directions", OURS
    )
    bias: float = option(0.3, "the CPPN's constant input", AUTHOR, range=(-10.0, 10.0))
    sheets: str = option(
        "signed", "input: one sheet for both colours, one for each, more by liberties, or by what a move does", AUTHOR, choices=tuple(NAMES)
    )
    border: bool = option(False, "one more input sheet, for the points around the board", OURS)
    hidden: int = option(1, "hidden sheets, side by side", PAPER, range=substrate.HIDDEN)
    direct: bool = option(False, "connections from the input to the output, past the hidden sheets", OURS)
    reach: int | None = option(
        None, "the longest connections, in steps across and down (none: all there are)", PAPER, range=(1, MAX_SIZE)
    )
    leo: bool = option(False, "a CPPN output that says which connections there are; at first those of neighbours", OURS)
    neighbours: int = option(1, "with leo and folded: how many steps away these are, at most", OURS, range=(1, 4))
    selector: str = option(
        "positive",
        "when no sane output is above 0, play a random sane move (positive) or the best (best)",
        AUTHOR,
        tuple(SELECTORS),
    )
    capture_dead: bool = option(
        True, "own safe territory may be played to capture: the points that touch an enemy's stone", AUTHOR
    )
    avoid_enemy: bool = option(False, "never play in the enemy's safe territory", OURS)
    # NEAT
    start: str = option(
        "", "a network whose children are the second generation; without one the first has networks at random", OURS
    )
    refine: bool = option(
        False, "with start: an evolution strategy refines that network's weights, and NEAT does nothing", OURS
    )
    refine_spread: float = option(0.2, "how far from the present weights those that play are", OURS, range=(0.001, 10.0))
    refine_step: float = option(0.1, "how far weights move in a generation, about", OURS, range=(0.001, 10.0))
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
    best_never_stale: bool = option(False, "the species of the generation's best is never such a species", OURS)
    keep_records: bool = option(
        False, "what species achieved on one board still counts on the next (no: each begins anew)", OURS
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
    split_weight: float = option(
        1.0, "weight of the link out of a new node, for each unit of the split link's", OURS, range=ranges.FACTOR
    )
    split_renews: bool = option(False, "a link that is split for a new node counts as young again", OURS)
    add_link: float = option(0.05, "chance that a child gets a new link", PAPER, range=ranges.SHARE)
    mutate_weight: float = option(0.8, "chance that a weight mutates", PAPER, range=ranges.SHARE)
    mutate_weight_per: str = option(
        "link", "whether that chance is drawn for each link or once for all links of a child", PAPER, ("link", "child")
    )
    old_link_age: int = option(18, "generations after which a link is old", AUTHOR, range=ranges.GENERATIONS_OR_NONE)
    mutate_old_link: float = option(0.1, "chance that an old link may mutate at all", AUTHOR, range=ranges.SHARE)
    weight_step: float = option(2.5, "largest change of a weight", AUTHOR, range=ranges.FACTOR)
    finest_step: float | None = option(
        None, "each child draws its own largest change, between this and that (none: it is always that)", OURS, range=(0.001, 1000.0)
    )
    weight_limit: float = option(5.0, "largest weight", AUTHOR, range=ranges.FACTOR)
    new_weight: float = option(3.0, "largest weight of a new link", AUTHOR, range=ranges.FACTOR)
    activations: tuple[str, ...] = option(ACTIVATIONS, "what new CPPN nodes may compute", PAPER, choices=ACTIVATIONS)

    def __post_init__(self):
        super().__post_init__()
        require(self.boards, "boards must name a board size")
        require(self.generations, "generations must name a number")
        require(self.opponents, "opponents must name an opponent")
        require(self.activations, "activations must name a function")
        require(len(set(self.activations)) == len(self.activations), "activations must name no function twice")
        require(self.deltas and self.bias or not self.leo, "leo needs deltas and a bias to express neighbours with")
        require(self.start or not self.refine, "refine needs start: the network to refine")
        require(self.heats == 1 or not self.refine, "refine needs games in one heat: all play the same")
        require(self.neighbours == 1 or self.leo and self.folded, "more neighbours need leo and folded")
        require(self.absolute or self.deltas, "without absolute places deltas are needed: the CPPN would see nothing")
        require(self.survival > 0, "survival must be above 0")
        turn = 2 ** (self.heats - 1) * len(COLOURS[self.colour]) * len(self.opponents)
        require(
            self.heats == 1 or self.games % turn == 0,
            f"with {self.heats} heats games must be {turn} or a multiple: the first heat meets each opponent with each colour",
        )

    @property
    def rule(self):
        """How outputs become moves."""
        return Rule(self.selector, self.capture_dead, self.avoid_enemy)

    @property
    def geometry(self):
        """How the run's substrates are laid out."""
        largest = self.largest or max(self.boards)
        return Geometry(
            self.extrapolation,
            largest,
            self.deltas,
            self.bias,
            self.sheets,
            self.border,
            self.leo,
            self.absolute,
            self.reach,
            self.folded,
            self.hidden,
            self.direct,
        )

    @property
    def heat_ends(self):
        """How many of its games a candidate has played after each heat."""
        return [self.games >> heat for heat in reversed(range(self.heats))]

    def board_lengths(self):
        """Pairs (board size, generations on it); of boards that are played together, the last."""
        if self.together:
            return [(self.boards[-1], self.generations[0])]
        last = len(self.generations) - 1
        return [(size, self.generations[min(i, last)]) for i, size in enumerate(self.boards)]


class Item(NamedTuple):
    """Some games of a candidate."""

    program: Program  # its CPPN
    geometry: Geometry
    rule: int
    fixture: Fixture


def play_item(item):
    """Build a candidate's substrate and play its games: the board size and the RESULTs."""
    size = item.fixture.terms.size
    network = substrate.build(item.program, size, item.geometry)
    return size, item.fixture.play(Substrate(network, item.rule))


def fitness(scores, size):
    """Equation (1): the sum over games, given the candidate's final scores (komi included) on a board of ``size``."""
    scores = np.asarray(scores)
    return float(np.where(scores > 0, 8 * size**2, np.maximum(0, scores + 2 * size**2)).sum())


def _by_colour(by_board):
    """The pairs (board size, scores) of each board and colour in {size: RESULTs}."""
    return [
        (size, results.score[results.a_is_black == colour])
        for size, results in by_board.items()
        for colour in np.unique(results.a_is_black)
    ]


def _worst_wins(by_board):
    """The share of games won on the worst board with the worst colour there."""
    return min(float((scores > 0).mean()) for _, scores in _by_colour(by_board))


@dataclass(frozen=True)
class WorstVerdict(Verdict):
    """A verdict in which the worst board and colour counts for itself."""

    worst: float = 0.0  # share of games won there
    share: float = 0.0  # how much that counts

    @property
    def rank(self):
        return (1 - self.share) * self.win_rate + self.share * self.worst, self.fitness


@dataclass
class State:
    """What changes in a run."""

    evolution: Evolution
    best: list  # the most promising genomes (LINK arrays) of the generation last told, best first
    # What equal networks did in equal games, so that champions and other copies need not play them again; never saved.
    asked: list = field(default_factory=list)  # by individual and board: what its games of this heat are known by
    known: dict = field(default_factory=dict)  # result of an item by the same, in the generation last told
    past: dict = field(default_factory=dict)  # pooled: of the networks last told, (fitness times games, games) over all time


class Trainer(trainer.Trainer):
    """Evolves CPPNs whose substrates play Go."""

    kind = "hyperneat"
    Config = Config
    presets = {
        "paper": AUTHORS_NEAT,
        "unscaled": {**AUTHORS_NEAT, "boards": (7,)},
        "quick": {**_GENERAL, "generations": (20, 30), "games": 30, "retest_every": 10, "retest_games": 200},
        "champion": {**_GENERAL, "generations": (20, 150), "games": 50},
        "big-boards": {
            **_GENERAL,
            "boards": (5, 7, 9),
            "generations": (10, 40, 150),
            "largest": 19,
            "games": 40,
            "retest_candidates": 8,
        },
        "any": _ANY,
        "refined": {
            **_ANY,
            "refine": True,
            "start": "hyperneat-any",
            "generations": (80,),
            "games": 12,
            "heats": 1,
            "worst": 0.0,
        },
    }
    preset_help = {
        "paper": "5x5, then 7x7, 500 generations each, as Black against Liberty in ten games that are always the same: two "
        "minutes; wins most of these ten, and half of fresh ones",
        "unscaled": "the same on 7x7 alone, which the paper compares with: two minutes",
        "quick": "20 generations on 5x5, 30 on 7x7, fresh games of both colours against a Liberty that strays: half a minute; "
        "wins 85% on 7x7",
        "champion": "the same for longer, 20 generations on 5x5 and 150 on 7x7: five minutes; wins 80% or more on 7x7",
        "big-boards": "5x5, 7x7, then 150 generations on 9x9: a quarter of an hour; wins 80% on 9x9",
        "any": "one network for all boards, evolved on 5x5 to 9x9 at once, which sees distances but no places, against Liberty, "
        "Wally and GOjen: two minutes; wins 80% to 88% of that mix",
        "refined": "the weights of such a network refined (--start FILE; hyperneat-any if nothing is said): five minutes; from 88% "
        "to 92% of the mix, as hyperneat-any",
    }
    evaluate = staticmethod(play_item)

    def __init__(self, config):
        super().__init__(config)
        self.geometry = config.geometry

    @property
    def _evolution(self):
        return Refinement if self.config.refine else Evolution

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
        if self.config.together:
            return tuple(dict.fromkeys(self.config.boards))
        if not self.config.keep_boards:
            return (newest,)
        known = dict.fromkeys(self.board(earlier) for earlier in range(min(generation + 1, self.generations())))
        return *(size for size in known if size != newest), newest

    def cost(self, generation):
        return float(sum(size**3 for size in self.boards(generation)))

    def init(self):
        if not self.config.start:
            return self.blank()
        start = named_player("start", self.config.start, HyperneatPlayer).body
        same = start.geometry == self.geometry
        require(same, f"start: the substrate of {self.config.start[:40]!r} is not laid out as this run's")
        evolution = self._evolution(self.config, self.geometry.inputs, self.geometry.outputs)
        evolution.begin_with(start.links, start.functions)
        return State(evolution, [])

    def blank(self):
        evolution = self._evolution(self.config, self.geometry.inputs, self.geometry.outputs)
        seed = substrate.locality_seed(self.geometry, self.config.neighbours) if self.config.leo else ((), ())
        evolution.begin(new_stream(self.config.seed, EVOLVE), seed)
        return State(evolution, [])

    def _item(self, links, functions, size, key, first, count):
        config = self.config
        program = compile_links(links, functions, self.geometry.inputs, self.geometry.outputs)
        opponents = tuple(opponent(name, config.randomness) for name in config.opponents)
        fixture = Fixture(Terms(size, config.komi), opponents, config.colour, key, first, count, SALT)
        return Item(program, self.geometry, config.rule.number, fixture)

    def _draw(self, generation):
        """Which draw of the opponents' random numbers holds in a generation."""
        return (generation // self.config.fresh_every,) if self.config.fresh_games else ()

    def ask(self, state, generation):
        return self._heat(state, generation, 0, range(self.config.population))

    def _heat(self, state, generation, heat, individuals):
        """The work items of a heat, but those whose results are known."""
        evolution, ends = state.evolution, [0, *self.config.heat_ends]
        key = self.key(GAMES, *self._draw(generation))
        functions = evolution.innovations.functions
        state.asked, items = [], {}
        for i in individuals:
            for size in self.boards(generation):
                item = self._item(evolution.genome(i), functions, size, key, ends[heat], ends[heat + 1] - ends[heat])
                name = size, key, ends[heat], *(part.tobytes() for part in item.program)
                state.asked.append(name)
                if name not in state.known:
                    items[name] = item
        return list(items.values())

    def _race(self, state, generation, results, play):
        """What each individual did, {size: RESULTs}, and its fitness, given the results of the first heat."""
        config = self.config
        boards, going = len(self.boards(generation)), np.arange(config.population)
        played, found, used = [{} for _ in going], np.empty(len(going)), {}
        ended = np.empty(len(going))
        for heat, end in enumerate(config.heat_ends):
            if heat:
                results = play(self._heat(state, generation, heat, going))
            new = iter(results)  # what was not known was asked in this order
            used |= {name: state.known[name] if name in state.known else next(new) for name in dict.fromkeys(state.asked)}
            for place, i in enumerate(going):
                for name in state.asked[place * boards : (place + 1) * boards]:
                    size, games = used[name]
                    played[i][size] = joined([played[i][size], games]) if heat else games
                found[i] = self._fitness(played[i]) * (config.games / end)
            ended[going] = end
            going = going[np.argsort(-found[going], kind="stable")[: (len(going) + 1) // 2]]
        state.known = used
        return played, self._pool(state, found, ended) if config.pooled else found

    def _pool(self, state, found, games):
        """Fitness over all generations that a network has lived for, given this one's and how many games made it.

        Luck in a few games makes the best of a generation; only those that stay the best should go on being copied.
        """
        past, state.past = state.past, {}
        pooled = np.empty(len(found))
        conditions = repr((self.config.opponents, self.config.worst)).encode()  # other ones: what was before says little
        for i in range(len(found)):
            links = state.evolution.genome(i)
            parts = [links[part].tobytes() for part in ("source", "target", "weight")]
            name = hashlib.sha256(b"".join([conditions, *parts])).hexdigest()
            if name not in state.past:
                total, before = past.get(name, (0.0, 0))
                state.past[name] = total + float(found[i] * games[i]), before + int(games[i])
            total, count = state.past[name]
            pooled[i] = total / count
        return pooled

    def _fitness(self, by_board):
        """Equation (1) for the RESULTs on each board {size: results}; every board counts as much as another."""
        if len(by_board) == 1 and not self.config.worst:
            ((size, results),) = by_board.items()
            return fitness(results.score, size)
        total = float(sum(fitness(results.score, size) / size**2 for size, results in by_board.items()))
        if not self.config.worst:
            return total
        means = [fitness(scores, size) / size**2 / len(scores) for size, scores in _by_colour(by_board)]
        count = sum(len(results) for results in by_board.values())
        return (1 - self.config.worst) * total + self.config.worst * count * min(means)

    def tell(self, state, generation, results, play):
        evolution, config = state.evolution, self.config
        size = self.board(generation)
        played, found = self._race(state, generation, results, play)
        wins = np.array([[(games.score > 0).mean() for games in by_board.values()] for by_board in played])
        order = evolution.promising(found)
        state.best = [evolution.genome(i).copy() for i in order[: config.retest_candidates]]
        best = state.best[0]
        metrics = {
            "size": size,
            "best": float(found[order[0]]),
            "mean": float(found.mean()),
            "wins": float(wins[order[0]].mean()),
            "games": sum(len(games) for by_board in played for games in by_board.values()),
            "mean_wins": float(wins.mean()),
            "links": len(best),
            "hidden": len(hidden_nodes(best, self.geometry)),
        }
        if config.worst:
            metrics["worst_wins"] = _worst_wins(played[order[0]])
        if config.check_games:
            metrics["check_wins"] = self._check(best, evolution.innovations.functions, generation, play)
        evolution.advance(found, new_stream(config.seed, EVOLVE, generation))
        metrics["species"] = len(evolution.species)
        metrics["threshold"] = round(evolution.threshold, 3)
        grows = self.board(generation + 1) != size and not config.keep_records
        if grows or self._draw(generation + 1) != self._draw(generation):
            evolution.forget_records()  # the same fitness does not mean the same any more
        return metrics

    def _check(self, links, functions, generation, play):
        """The share of fresh games on the newest board that a genome wins."""
        key, count = self.key(OTHER, generation), self.config.check_games
        ((_, results),) = play([self._item(links, functions, self.board(generation), key, 0, count)])
        return float((results.score > 0).mean())

    def words(self, entry):
        return won_in_a_line(entry["wins"], entry["mean_wins"])

    def dump(self, state):
        tree = {"evolution": state.evolution.dump(), "best": state.best}
        if self.config.pooled:
            tree["past"] = [[name, *sums] for name, sums in state.past.items()]
        return tree

    def load(self, tree):
        evolution = self._evolution.load(tree["evolution"], self.config, self.geometry.inputs, self.geometry.outputs)
        past = {name: (total, count) for name, total, count in tree.get("past", ())}
        return State(evolution, list(tree["best"]), past=past)

    def check(self, state):
        check_evolution(state.evolution, state.best)
        check_past(state.past)

    # The champion

    def candidates(self, state, count):
        functions = state.evolution.innovations.functions
        return [make_body(links, functions, self.geometry, self.config.rule) for links in state.best[:count]]

    def trials(self, state, generation, body, key, games):
        _, _, links, functions = read_body(body)
        return [
            self._item(links, functions, size, key, first, min(_TRIAL_GAMES, games - first))
            for size in self.boards(generation)
            for first in range(0, games, _TRIAL_GAMES)
        ]

    def judge(self, state, generation, results):
        config = self.config
        played = {size: joined([games for other, games in results if other == size]) for size, _ in results}
        met = []
        for size, games in played.items():
            for name in dict.fromkeys(config.opponents):  # who is named several times is met as often
                numbers = [number for number, other in enumerate(config.opponents) if other == name]
                mine = games.score[np.isin(games.opponent, numbers)]
                opponent_name = straying_name(name, config.randomness)
                met.append(Result(opponent_name, size, config.komi, len(mine), int((mine > 0).sum()), config.colour))
        if not config.worst:
            return Verdict(met, self._fitness(played))
        return WorstVerdict(met, self._fitness(played), _worst_wins(played), config.worst)

    def sizes(self, body):
        return list(range(MIN_SIZE, MAX_SIZE + 1))
