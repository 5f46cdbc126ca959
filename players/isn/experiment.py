"""How play grew with training: ``python -m players.isn.experiment RUN --out FOLDER`` (§V, figure 1).

Snapshots of a run play each other in a round robin, with the paper's β and komi, and the scripted opponents as the player
plays by default; if asked for, GNU Go at two levels too, without a search and with one. Written to FOLDER:
``isn-curve.json`` with all numbers, ``isn-curve.svg`` with the picture, and ``isn-curve.jsonl`` with every result as it comes
in: what is there already is not played again.
"""

import argparse
import itertools
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.contest import match
from engine.contest.elo import wilson
from engine.contest.failure import CannotPlay, PlayerFailure
from engine.go.rng import stream_key
from players import genome
from players.genome import GenomeError, write_atomically
from players.isn.candidates import GREEDY
from players.isn.player import load_player
from players.isn.side import Style, side_of
from players.play.loop import Terms, wins_of
from players.play.schedule import Fixture
from players.programs.process import GtpProcess
from players.scripted.kernels import KINDS, opponent
from players.show.charts import Series, line_chart
from players.training.workers import core_count

ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI = 20.0, 3.5  # paper
KOMI = 7.5  # our choice: as on CGOS
LEVELS = (1, 10)  # of GNU Go
_GNUGO_OPTIONS = "--mode gtp --chinese-rules --positional-superko --level"
_COLOURS = {"random": "#888888", "liberty": "#1b9e77", "naixt": "#7570b3", "wally": "#e6ab02", "gojen": "#d95f02"}
_GNUGO_COLOURS = {(1, False): "#e7298a", (10, False): "#66a61e", (1, True): "#a6761d", (10, True): "#1f78b4"}
_LEGEND_COLUMNS, _LEGEND_LINE = 3, 15
_STYLE = "<style>.grid{stroke:#ddd}.axis{stroke:#444}text{font:12px sans-serif;fill:#222}</style>"


class GnuGo(NamedTuple):
    """GNU Go at a level, and with how many simulations a snapshot searches against it."""

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
    player = load_player(snapshot, simulations=simulations)
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


class Ledger:
    """Results by what was played, kept in a file of JSON lines."""

    def __init__(self, path):
        self._path = path
        self._known = {}
        text = path.read_text() if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # what follows was being written when the power went
        for key, wins in map(json.loads, whole.splitlines()):
            self._known[json.dumps(key)] = wins
        if whole != text:
            write_atomically(path, whole.encode())

    def play(self, jobs, workers):
        """The results of ``jobs``, a dict from a key that JSON can hold to (function, its argument), by key.

        Only what is not known yet is played, on so many workers.
        """
        missing = {key: job for key, job in jobs.items() if json.dumps(key) not in self._known}
        with ThreadPoolExecutor(workers) as pool:
            pending = {pool.submit(play, argument): key for key, (play, argument) in missing.items()}
            try:
                for future in as_completed(pending):
                    self._add(pending[future], future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return {key: self._known[json.dumps(key)] for key in jobs}

    def _add(self, key, wins):
        self._known[json.dumps(key)] = wins
        with self._path.open("a") as file:
            file.write(json.dumps([key, wins]) + "\n")


def curve(found, size, opponents, games, pair_games, seed, workers, ledger, gnugo=None, gnugo_games=0, simulations=0):
    """All results as a dict that JSON can hold; ``gnugo`` is the command of GNU Go."""
    played = dict.fromkeys(opponents, games)
    jobs = {
        (one.generation, name, size, games, seed): (_against, (one, name, size, games, seed))
        for one in found
        for name in opponents
    }
    pairs = {
        (one.generation, two.generation, size, pair_games, seed): (_pair, (one, two, size, pair_games, seed))
        for one, two in itertools.combinations(found, 2)
    }
    if gnugo_games:
        met = gnugos(simulations)
        played |= dict.fromkeys(met, gnugo_games)
        jobs |= {
            (one.generation, name, size, gnugo_games, seed): (_against_gnugo, (one, kind, size, gnugo_games, seed, gnugo))
            for one in found
            for name, kind in met.items()
        }
    results = ledger.play({**jobs, **pairs}, workers)
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


def main(argv=None):
    """Play and write; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m players.isn.experiment", description=__doc__.splitlines()[0])
    parser.add_argument("run", help="the folder of a run of train isn")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the results go")
    parser.add_argument("--snapshots", type=int, default=12, metavar="N", help="at most so many (default: %(default)s)")
    everyone = ",".join(_COLOURS)
    parser.add_argument("--opponents", default=everyone, metavar="NAMES", help="default: %(default)s")
    parser.add_argument("--size", type=int, default=9, metavar="N", help="of the board (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="against each opponent (default: %(default)s)")
    levels = " and ".join(map(str, LEVELS))
    parser.add_argument(
        "--gnugo-games", type=int, default=0, metavar="N", help=f"against GNU Go, levels {levels} (default: 0)"
    )
    parser.add_argument(
        "--simulations", type=int, default=0, metavar="N", help="of a search, in as many games more (default: no search)"
    )
    parser.add_argument("--gnugo", default="gnugo", metavar="COMMAND", help="how GNU Go is started (default: %(default)s)")
    parser.add_argument("--pair-games", type=int, default=10, metavar="N", help="of each pair (default: %(default)s; paper)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--workers", type=int, default=core_count(), metavar="N", help="never changes the result")
    arguments = parser.parse_args(argv)
    opponents = arguments.opponents.split(",")
    unknown = [name for name in opponents if name not in KINDS]
    try:
        found = snapshots(arguments.run, arguments.snapshots)
    except GenomeError as error:
        print(f"isn experiment: {error}", file=sys.stderr)
        return 1
    if unknown or not found:
        problem = f"there is no opponent {unknown[0]!r}" if unknown else f"{arguments.run} holds no snapshots yet"
        print(f"isn experiment: {problem}", file=sys.stderr)
        return 1
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    numbers = arguments.games, arguments.pair_games, arguments.seed, arguments.workers
    ledger = Ledger(folder / "isn-curve.jsonl")
    try:
        against = arguments.gnugo, arguments.gnugo_games, arguments.simulations
        report = curve(found, arguments.size, opponents, *numbers, ledger, *against)
    except (CannotPlay, PlayerFailure) as error:
        print(f"isn experiment: {error}", file=sys.stderr)
        return 1
    write_atomically(folder / "isn-curve.json", (json.dumps(report, indent=1) + "\n").encode())
    write_atomically(folder / "isn-curve.svg", (picture(report) + "\n").encode())
    for row in report["snapshots"]:
        shares = "  ".join(f"{name} {wins / report['games'][name]:.0%}" for name, wins in row["wins"].items())
        print(f"{row['training_games']:>8} games  round robin {row['round_robin_share']:.0%}  {shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
