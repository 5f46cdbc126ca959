"""How play grew with training: ``python -m players.isn.experiment RUN --out FOLDER`` (§V, figure 1).

Snapshots of a run play each other in a round robin, with the paper's β and komi, and the scripted opponents as the player
plays by default. Written to FOLDER: ``isn-curve.json`` with all numbers, ``isn-curve.svg`` with the picture.
"""

import argparse
import itertools
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from engine.elo import wilson
from engine.rng import new_stream, stream_key
from players import genome
from players.genome import GenomeError, write_atomically
from players.isn.candidates import GREEDY
from players.isn.games import Style, Table, play_games, play_pair, wins_of
from players.scripted.kernels import KINDS
from players.training.charts import Series, line_chart
from players.training.workers import core_count

ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI = 20.0, 3.5  # paper
KOMI = 7.5  # our choice: as on CGOS
_COLOURS = {"random": "#888888", "liberty": "#1b9e77", "naixt": "#7570b3", "wally": "#e6ab02", "gojen": "#d95f02"}
_STYLE = "<style>.grid{stroke:#ddd}.axis{stroke:#444}text{font:12px sans-serif;fill:#222}</style>"


def snapshots(run, most):
    """The genomes of a run's elections by generation, each once, at most ``most`` of them, evenly spread."""
    files = sorted((Path(run) / "champions").glob("[0-9]*.json"))
    found = {saved.generation: saved for saved in map(genome.load, files)}
    numbers = sorted(found)
    if len(numbers) > most:
        numbers = [numbers[i] for i in np.unique(np.linspace(0, len(numbers) - 1, most).round().astype(int))]
    return [found[number] for number in numbers]


def _style(snapshot, beta):
    body = snapshot.body
    return Style(body["c"], body["s"], beta, True, False, body["turn_aware"])


def _against(job):
    """The wins of a snapshot against an opponent."""
    snapshot, name, size, games, seed = job
    style = _style(snapshot, GREEDY)
    key = stream_key(seed, snapshot.generation, KINDS[name])
    parameters = np.array(snapshot.body["parameters"], float)
    return wins_of(play_games(parameters, style, (KINDS[name], 0.0), size, key, 0, games), 0, KOMI)


def _pair(job):
    """The wins of the first of two snapshots over the second, colours in turn."""
    one, two, size, games, seed = job
    tables = [
        Table(
            np.array(snapshot.body["parameters"], float),
            _style(snapshot, ROUND_ROBIN_BETA),
            size,
        )
        for snapshot in (one, two)
    ]
    wins = 0.0
    for game in range(games):
        rng = new_stream(seed, one.generation, two.generation, game)
        black, white = tables if game % 2 == 0 else tables[::-1]
        margin = play_pair(black, white, rng) - ROUND_ROBIN_KOMI
        wins += (margin > 0) == (game % 2 == 0)
    return wins


def curve(found, size, opponents, games, pair_games, seed, workers):
    """All results as a dict that JSON can hold."""
    jobs = [(snapshot, name, size, games, seed) for snapshot in found for name in opponents]
    pairs = list(itertools.combinations(range(len(found)), 2))
    with ThreadPoolExecutor(workers) as pool:
        wins = dict(zip([(job[0].generation, job[1]) for job in jobs], pool.map(_against, jobs)))
        pair_wins = list(pool.map(_pair, [(found[i], found[j], size, pair_games, seed) for i, j in pairs]))
    won = np.zeros(len(found))
    for (i, j), first in zip(pairs, pair_wins):
        won[i] += first
        won[j] += pair_games - first
    played = pair_games * max(1, len(found) - 1)
    return {
        "size": size,
        "seed": seed,
        "komi": KOMI,
        "games": games,
        "round_robin": {"beta": ROUND_ROBIN_BETA, "komi": ROUND_ROBIN_KOMI, "games_of_a_pair": pair_games},
        "snapshots": [
            {
                "generation": snapshot.generation,
                "training_games": snapshot.generation * snapshot.config["games"],
                "round_robin_share": float(won[i]) / played,
                "wins": {name: wins[snapshot.generation, name] for name in opponents},
            }
            for i, snapshot in enumerate(found)
        ],
    }


def picture(report):
    """The curves as one SVG text that stands alone."""
    rows, games = report["snapshots"], report["games"]
    xs = [row["training_games"] for row in rows]
    lines = [Series("round robin", xs, [row["round_robin_share"] for row in rows], "#333333")]
    for name in rows[0]["wins"]:
        bounds = [wilson(row["wins"][name], games) for row in rows]
        shares = [row["wins"][name] / games for row in rows]
        low, high = ([pair[side] for pair in bounds] for side in (0, 1))
        lines.append(Series(f"against {name}", xs, shares, _COLOURS[name], low, high))
    chart = line_chart(lines, "games of training", "games won", (0, 1), percent=True)
    legend = "".join(
        f'<text x="60" y="{36 + 15 * i}" style="fill:{line.colour}">{line.name}</text>' for i, line in enumerate(lines)
    )
    alone = chart.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
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
    numbers = arguments.games, arguments.pair_games, arguments.seed, arguments.workers
    report = curve(found, arguments.size, opponents, *numbers)
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "isn-curve.json", (json.dumps(report, indent=1) + "\n").encode())
    write_atomically(folder / "isn-curve.svg", (picture(report) + "\n").encode())
    for row in report["snapshots"]:
        shares = "  ".join(f"{name} {wins / arguments.games:.0%}" for name, wins in row["wins"].items())
        print(f"{row['training_games']:>8} games  round robin {row['round_robin_share']:.0%}  {shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
