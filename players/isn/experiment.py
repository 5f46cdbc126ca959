"""What is learned and by what: ``evogo experiment isn NAME --out FOLDER``; EXPERIMENTS says what each is.

``figure1`` and ``ablations`` are described in the modules of these names. In ``curve --run RUN`` the champions of a run's
elections play each other in a round robin, with the paper's β and komi, and the scripted opponents as the player plays by
default; if asked for, GNU Go at two levels too, without a search and with one. Written to FOLDER: ``results.json`` with
every result as it comes in, ``isn-curve.json`` with all numbers, ``isn-curve.svg`` with the picture.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.contest import match
from engine.contest.elo import wilson
from engine.go.rng import stream_key
from players import genome, registry
from players.genome import write_atomically
from players.isn.ablations import TABLE, VARIANTS, ablations, table
from players.isn.figure1 import chart, figure1
from players.isn.player import load_player
from players.isn.tournament import KOMI, ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI, Test, pairs_of, played, shares_of
from players.programs.process import GtpProcess
from players.scripted.kernels import KINDS
from players.search.guide import Guide
from players.search.player import PLAYOUT, Search
from players.show.charts import Series, alone, line_chart, with_legend
from players.training import ranges
from players.training.config import option, require
from players.training.experiments import ExperimentConfig, Store
from players.training.workers import core_count

LEVELS = (1, 10)  # of GNU Go
_GNUGO_OPTIONS = "--mode gtp --chinese-rules --positional-superko --level"
_COLOURS = {"random": "#888888", "liberty": "#1b9e77", "naixt": "#7570b3", "wally": "#e6ab02", "gojen": "#d95f02"}
_GNUGO_COLOURS = {(1, False): "#e7298a", (10, False): "#66a61e", (1, True): "#a6761d", (10, True): "#1f78b4"}


class GnuGo(NamedTuple):
    """GNU Go at a level, and with how many simulations a search that a snapshot guides plays it."""

    level: int
    simulations: int

    @property
    def name(self):
        return f"gnugo-{self.level}" + (f", {self.simulations} simulations" if self.simulations else "")

    @property
    def label(self):
        """Its name in a legend."""
        return f"gnugo-{self.level}" + (", searching" if self.simulations else "")

    @property
    def colour(self):
        return _GNUGO_COLOURS[self.level, self.simulations > 0]


def gnugos(simulations):
    """Who is met besides the scripted players: by name, a GnuGo."""
    kinds = [GnuGo(level, some) for some in dict.fromkeys((0, simulations)) for level in LEVELS]
    return {kind.name: kind for kind in kinds}


def snapshots(run, most):
    """The genomes of a run's elections by generation, each once, at most ``most`` of them, evenly spread."""
    files = sorted((Path(run) / "champions").glob("[0-9]*.json"))
    found = {saved.generation: saved for saved in map(genome.load, files)}
    numbers = sorted(found)
    if len(numbers) > most:
        numbers = [numbers[i] for i in np.unique(np.linspace(0, len(numbers) - 1, most).round().astype(int))]
    return [found[number] for number in numbers]


class GnuGoTest(NamedTuple):
    """Games of a snapshot against GNU Go, which says at the end which stones are dead."""

    snapshot: object
    kind: GnuGo
    size: int
    games: int
    seed: int
    command: str

    def play(self):
        """The snapshot's wins."""
        player, (level, simulations) = load_player(self.snapshot), self.kind
        if simulations:
            weights = registry.load_player(PLAYOUT).weights
            player = Search(weights, simulations, threads=1, guide=Guide(player, "the snapshot"))
        table = match.Table(player, GtpProcess(f"{self.command} {_GNUGO_OPTIONS} {level}"))
        key = stream_key(self.seed, self.snapshot.generation, level)
        settings = match.Settings(self.size, KOMI, seed=key, stop_on_failure=True)
        try:
            return sum(match.play_game(table, settings, number).points_of_a for number in range(self.games))
        finally:
            table.close()


def curve(found, config, store):
    """All results of the snapshots ``found`` as a dict that JSON can hold."""
    size, games, pair_games, seed = config.size, config.games, config.pair_games, config.seed
    gnugo_games, simulations = config.gnugo_games, config.simulations
    played_games = dict.fromkeys(config.opponents, games)
    jobs = {
        (one.generation, name, size, games, seed): Test(one, name, size, games, seed)
        for one in found
        for name in config.opponents
    }
    pairs = pairs_of(found, size, pair_games, seed)
    if gnugo_games:
        met = gnugos(simulations)
        played_games |= dict.fromkeys(met, gnugo_games)
        jobs |= {
            (one.generation, name, size, gnugo_games, seed): GnuGoTest(one, kind, size, gnugo_games, seed, config.gnugo)
            for one in found
            for name, kind in met.items()
        }
    results = played(store, {**jobs, **pairs}, config.workers or core_count())
    shares = shares_of(found, pairs, results)
    return {
        "size": size,
        "seed": seed,
        "komi": KOMI,
        "simulations": simulations,
        "games": played_games,
        "round_robin": {"beta": ROUND_ROBIN_BETA, "komi": ROUND_ROBIN_KOMI, "games_of_a_pair": pair_games},
        "snapshots": [
            {
                "generation": one.generation,
                "training_games": one.generation * one.config["games"],
                "round_robin_share": shares[one.generation],
                "wins": {name: results[one.generation, name, size, count, seed] for name, count in played_games.items()},
            }
            for one in found
        ],
    }


def picture(report):
    """The curves as one SVG text that stands alone."""
    rows = report["snapshots"]
    xs = [row["training_games"] for row in rows]
    engines = gnugos(report["simulations"])
    colours = _COLOURS | {name: kind.colour for name, kind in engines.items()}
    lines = [Series("round robin", xs, [row["round_robin_share"] for row in rows], "#333333")]
    for name, games in report["games"].items():
        bounds = [wilson(row["wins"][name], games) for row in rows]
        shares = [row["wins"][name] / games for row in rows]
        low, high = ([pair[side] for pair in bounds] for side in (0, 1))
        label = engines[name].label if name in engines else name
        lines.append(Series(f"against {label}", xs, shares, colours[name], low, high))
    chart = line_chart(lines, "games of training", "games won", (0, 1), percent=True)
    return alone(with_legend(chart, lines))


EXPERIMENTS = {
    "curve": "snapshots of a run against each other and against scripted players, as it went on",
    "figure1": "the paper's figure: networks of a run by the paper's recipe, every 20,000 games, against each other",
    "ablations": "what each input, more hidden units and more passes are worth, after equally many games of training",
}


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of the experiments."""

    run: str | None = option(None, "curve: the folder of a run of train isn", "must be said")
    snapshots: int = option(12, "curve: of the run, at most", "", range=(1, 1000))
    opponents: tuple[str, ...] = option(tuple(_COLOURS), "curve: scripted players to meet", "", choices=tuple(KINDS))
    size: int = option(9, "of the board", "", range=ranges.BOARDS_FROM_3)
    games: int = option(100, "against each opponent", "", range=ranges.GAMES)
    folder: str | None = option(None, "figure1, ablations: where runs are kept (none: with the results)", "")
    train: bool = option(True, "figure1: go on with the run first; no: play with the networks that there are", "")
    generations: int | None = option(None, "figure1: of the run (none: the paper's)", "", range=ranges.GENERATIONS)
    every: int = option(200, "figure1: generations between two networks", "paper: 20,000 games", range=ranges.GENERATIONS)
    variants: tuple[str, ...] = option(tuple(VARIANTS), "ablations: which", "", choices=tuple(VARIANTS))
    training_games: int = option(3200, "ablations: of each run", "", range=ranges.GAMES)
    seeds: tuple[int, ...] = option((1,), "ablations: a run of each variant for each, as in 1-3", "", range=ranges.SEEDS)
    gnugo_games: int = option(0, "curve: against GNU Go at each of two levels", "", range=ranges.GAMES_OR_NONE)
    simulations: int = option(0, "curve: of a search, in as many games more against GNU Go", "", range=(0, 10**9))
    gnugo: str = option("gnugo", "curve: how GNU Go is started", "")
    pair_games: int = option(10, "curve, figure1: of each pair", "paper", range=ranges.GAMES)
    seed: int = option(1, "of all games", "", range=ranges.SEEDS)


def run(name, config):
    """Do it; what is there already is not done again."""
    store = Store(Path(config.out) / "results.json", _tables)
    if name == "ablations":
        ablations(config, store)
        print(table(store.entries(name).values()), end="")
    elif name == "figure1":
        report = figure1(config, store)
        _write(config, "isn-figure1", report, lambda report: alone(chart(report)))
        for row in report["networks"]:
            print(f"{row['training_games']:>8} games  {row['share']:.0%}")
    else:
        _curve(config, store)


def _tables(data):
    """The further files that are made from all results."""
    return {TABLE: table(data["ablations"].values())} if "ablations" in data else {}


def _write(config, name, report, draw):
    """A report and its picture to their files."""
    write_atomically(Path(config.out) / f"{name}.json", (json.dumps(report, indent=1) + "\n").encode())
    write_atomically(Path(config.out) / f"{name}.svg", (draw(report) + "\n").encode())


def _curve(config, store):
    """Play, draw, and print a line for each snapshot."""
    require(config.run, "say which run: --run")
    found = snapshots(config.run, config.snapshots)
    require(found, f"{config.run} holds no snapshots yet")
    report = curve(found, config, store)
    _write(config, "isn-curve", report, picture)
    for row in report["snapshots"]:
        shares = "  ".join(f"{name} {wins / report['games'][name]:.0%}" for name, wins in row["wins"].items())
        print(f"{row['training_games']:>8} games  round robin {row['round_robin_share']:.0%}  {shares}")
