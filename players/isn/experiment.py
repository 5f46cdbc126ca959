"""How play grew with training: ``evogo experiment isn curve --run RUN --out FOLDER`` (§V, figure 1).

Snapshots of a run play each other in a round robin, with the paper's β and komi, and the scripted opponents as the player
plays by default; if asked for, GNU Go at two levels too, without a search and with one. Written to FOLDER:
``results.json`` with every result as it comes in, ``isn-curve.json`` with all numbers, ``isn-curve.svg`` with the picture.
"""

import itertools
import json
import re
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.contest import match
from engine.contest.elo import wilson
from engine.go.rng import stream_key
from players import genome, registry
from players.genome import write_atomically
from players.isn.candidates import GREEDY
from players.isn.player import load_player
from players.isn.side import Style, side_of
from players.play.loop import Terms, wins_of
from players.play.schedule import Fixture
from players.programs.process import GtpProcess
from players.scripted.kernels import KINDS, opponent
from players.search.guide import Guide
from players.search.player import PLAYOUT, Search
from players.show.charts import Series, line_chart
from players.training import ranges
from players.training.config import option, require
from players.training.experiments import ExperimentConfig, Store
from players.training.workers import core_count

ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI = 20.0, 3.5  # paper
_GAMES = "games"  # what the store calls the results, each the wins of the first named
KOMI = 7.5  # our choice: as on CGOS
LEVELS = (1, 10)  # of GNU Go
_GNUGO_OPTIONS = "--mode gtp --chinese-rules --positional-superko --level"
_COLOURS = {"random": "#888888", "liberty": "#1b9e77", "naixt": "#7570b3", "wally": "#e6ab02", "gojen": "#d95f02"}
_GNUGO_COLOURS = {(1, False): "#e7298a", (10, False): "#66a61e", (1, True): "#a6761d", (10, True): "#1f78b4"}
_LEGEND_COLUMNS, _LEGEND_LINE = 3, 15
_STYLE = "<style>.grid{stroke:#ddd}.axis{stroke:#444}text{font:12px sans-serif;fill:#222}</style>"


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


def _side(snapshot, beta):
    body = snapshot.body
    style = Style(body["c"], body["s"], beta, True, body["turn_aware"])
    return side_of(np.array(body["parameters"], float), style)


def _against(job):
    """The wins of a snapshot against an opponent."""
    snapshot, name, size, games, seed = job
    key = stream_key(seed, snapshot.generation, KINDS[name])
    fixture = Fixture(Terms(size, KOMI), (opponent(name),), "both", key, 0, games)
    return wins_of(fixture.play(_side(snapshot, GREEDY)))


def _against_gnugo(job):
    """The wins of a snapshot against GNU Go, which says at the end which stones are dead."""
    snapshot, (level, simulations), size, games, seed, command = job
    player = load_player(snapshot)
    if simulations:
        weights = registry.load_player(PLAYOUT).weights
        player = Search(weights, simulations, threads=1, guide=Guide(player, "the snapshot"))
    table = match.Table(player, GtpProcess(f"{command} {_GNUGO_OPTIONS} {level}"))
    settings = match.Settings(size, KOMI, seed=stream_key(seed, snapshot.generation, level), stop_on_failure=True)
    try:
        return sum(match.play_game(table, settings, number).points_of_a for number in range(games))
    finally:
        table.close()


def _pair(job):
    """The wins of the first of two snapshots over the second, colours in turn."""
    one, two, size, games, seed = job
    key = stream_key(seed, one.generation, two.generation)
    rival = _side(two, ROUND_ROBIN_BETA)
    fixture = Fixture(Terms(size, ROUND_ROBIN_KOMI), (rival,), "both", key, 0, games)
    return wins_of(fixture.play(_side(one, ROUND_ROBIN_BETA)))


def _played(store, jobs, workers):
    """The results of ``jobs``, a dict from a key to (function, its argument), by key; only what is missing is played."""
    names = {key: " ".join(map(str, key)) for key in jobs}
    known = store.entries(_GAMES)
    with ThreadPoolExecutor(workers) as pool:
        pending = {
            pool.submit(play, argument): names[key]
            for key, (play, argument) in jobs.items()
            if names[key] not in known
        }
        try:
            for future in as_completed(pending):
                store.add(_GAMES, pending[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    known = store.entries(_GAMES)
    return {key: known[name] for key, name in names.items()}


def curve(found, config, store):
    """All results of the snapshots ``found`` as a dict that JSON can hold."""
    size, games, pair_games, seed = config.size, config.games, config.pair_games, config.seed
    gnugo_games, simulations = config.gnugo_games, config.simulations
    played = dict.fromkeys(config.opponents, games)
    jobs = {
        (one.generation, name, size, games, seed): (_against, (one, name, size, games, seed))
        for one in found
        for name in config.opponents
    }
    pairs = {
        (one.generation, two.generation, size, pair_games, seed): (_pair, (one, two, size, pair_games, seed))
        for one, two in itertools.combinations(found, 2)
    }
    if gnugo_games:
        met = gnugos(simulations)
        played |= dict.fromkeys(met, gnugo_games)
        jobs |= {
            (one.generation, name, size, gnugo_games, seed): (
                _against_gnugo,
                (one, kind, size, gnugo_games, seed, config.gnugo),
            )
            for one in found
            for name, kind in met.items()
        }
    results = _played(store, {**jobs, **pairs}, config.workers or core_count())
    won = {one.generation: 0.0 for one in found}
    for one, two, *_ in pairs:
        wins = results[one, two, size, pair_games, seed]
        won[one] += wins
        won[two] += pair_games - wins
    of_pairs = pair_games * max(1, len(found) - 1)
    return {
        "size": size,
        "seed": seed,
        "komi": KOMI,
        "simulations": simulations,
        "games": played,
        "round_robin": {"beta": ROUND_ROBIN_BETA, "komi": ROUND_ROBIN_KOMI, "games_of_a_pair": pair_games},
        "snapshots": [
            {
                "generation": one.generation,
                "training_games": one.generation * one.config["games"],
                "round_robin_share": won[one.generation] / of_pairs,
                "wins": {name: results[one.generation, name, size, count, seed] for name, count in played.items()},
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
    # A legend in lines above the chart: the picture begins higher up.
    height = _LEGEND_LINE * -(-len(lines) // _LEGEND_COLUMNS) + 4
    legend = "".join(
        f'<text x="{60 + 190 * (i % _LEGEND_COLUMNS)}" y="{_LEGEND_LINE * (i // _LEGEND_COLUMNS + 1) - height}" '
        f'style="fill:{line.colour}">{line.name}</text>'
        for i, line in enumerate(lines)
    )
    width, below = re.search(r'viewBox="0 0 (\d+) (\d+)"', chart).groups()
    taller = re.sub(r'viewBox="[^"]*"', f'viewBox="0 -{height} {width} {int(below) + height}"', chart, count=1)
    alone = taller.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return alone.replace(">", ">" + _STYLE, 1).replace("</svg>", legend + "</svg>")


EXPERIMENTS = {"curve": "snapshots of a run against each other and against scripted players, as it went on"}


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of the experiment."""

    run: str | None = option(None, "the folder of a run of train isn", "must be said")
    snapshots: int = option(12, "of the run, at most", "", range=(1, 1000))
    opponents: tuple[str, ...] = option(tuple(_COLOURS), "scripted players to meet", "", choices=tuple(KINDS))
    size: int = option(9, "of the board", "", range=ranges.BOARDS_FROM_3)
    games: int = option(100, "against each opponent", "", range=ranges.GAMES)
    gnugo_games: int = option(0, "against GNU Go at each of two levels", "", range=ranges.GAMES_OR_NONE)
    simulations: int = option(0, "of a search, in as many games more against GNU Go", "", range=(0, 10**9))
    gnugo: str = option("gnugo", "how GNU Go is started", "")
    pair_games: int = option(10, "of each pair of snapshots", "paper", range=ranges.GAMES)
    seed: int = option(1, "of all games", "", range=ranges.SEEDS)

    def __post_init__(self):
        super().__post_init__()
        require(self.run, "say which run: --run")


def run(name, config):
    """Play, draw, and print a line for each snapshot."""
    found = snapshots(config.run, config.snapshots)
    require(found, f"{config.run} holds no snapshots yet")
    store = Store(Path(config.out) / "results.json", lambda data: {})
    report = curve(found, config, store)
    write_atomically(Path(config.out) / "isn-curve.json", (json.dumps(report, indent=1) + "\n").encode())
    write_atomically(Path(config.out) / "isn-curve.svg", (picture(report) + "\n").encode())
    for row in report["snapshots"]:
        shares = "  ".join(f"{name} {wins / report['games'][name]:.0%}" for name, wins in row["wins"].items())
        print(f"{row['training_games']:>8} games  round robin {row['round_robin_share']:.0%}  {shares}")
