"""Tables II to IV of the paper, repeated: ``python -m players.organism.experiment NAME --out DIR`` (see ``--help``).

``1N``, ``2RG``, ``3RNG``  runs of a configuration, one for each seed, and 1,000 test games of each champion against each
                           of Random, Naixt and GOjen on 5x5, 7x7 and 9x9
``growing``                the same for runs whose board grows from 5x5 to 9x9
``table``                  the tables from all data there is so far

Every run has a folder of its own in DIR and goes on where it stopped, finished ones are not repeated, and the data are
written to DIR/results.json, the tables to DIR/results.md, after each of them. Nothing in them depends on the machine.
"""

import argparse
import statistics
import sys
from pathlib import Path

from engine.go.rng import stream_key
from players import genome
from players.genome import Result
from players.organism.analysis import without_dead
from players.organism.body import read_body
from players.organism.program import flat
from players.organism.side import KOMI, side_of, terms
from players.organism.trainer import SALT, Trainer
from players.play.schedule import Fixture
from players.scripted.kernels import KINDS, opponent
from players.training import experiments
from players.training.experiments import evolve

CONFIGURATIONS = ("1N", "2RG", "3RNG", "growing")
OPPONENTS, SIZES = ("random", "naixt", "gojen"), (5, 7, 9)
TEST_GAMES = 1000
_TEST_SEED = 7_002  # test games are never those of a run

# (opponent, size) → min, average, max as printed.
PAPER = {
    "1N": {
        ("random", 5): (0.748, 0.909, 0.991),
        ("naixt", 5): (0.359, 0.471, 0.691),
        ("naixt", 7): (0.03, 0.17, 0.44),
        ("naixt", 9): (0.00, 0.08, 0.37),
        ("gojen", 5): (0.000, 0.130, 0.271),
        "strength": (0.410, 0.504, 0.601),
    },
    "2RG": {
        ("random", 5): (0.858, 0.968, 0.997),
        ("naixt", 5): (0.062, 0.234, 0.428),
        ("gojen", 5): (0.063, 0.510, 0.823),
        ("gojen", 7): (0.001, 0.018, 0.103),
        ("gojen", 9): (0.000, 0.006, 0.104),
        "strength": (0.327, 0.571, 0.705),
    },
    "3RNG": {
        ("random", 5): (0.899, 0.966, 0.994),
        ("naixt", 5): (0.267, 0.393, 0.531),
        ("naixt", 7): (0.117, 0.208, 0.422),
        ("naixt", 9): (0.011, 0.085, 0.249),
        ("gojen", 5): (0.098, 0.330, 0.822),
        "strength": (0.451, 0.563, 0.689),
    },
}


# Testing


def test(champion, opponents=OPPONENTS, sizes=SIZES, games=TEST_GAMES):
    """The Results of a Genome in fresh games, colours alternating, komi as in training."""
    program, cycles = read_body(champion.body)
    rules = flat(without_dead(program))
    found = []
    for size in sizes:
        for name in opponents:
            key = stream_key(_TEST_SEED, champion.seed or 0, size, KINDS[name])
            played = Fixture(terms(size), (opponent(name),), "both", key, 0, games, SALT).play(side_of(rules, cycles, size))
            found.append(Result(name, size, KOMI, games, float((played.score > 0).sum()), "both"))
    return found


def strength(results, size=5):
    """The share of games won on a board when as many are played against each opponent (Section V.B)."""
    return statistics.mean(result.win_rate for result in results if result.size == size)


# Runs


def entry(folder, name, values, workers, games):
    """One run and the tests of its champion, as plain data; the tested champion is written beside the run."""
    log, champion = evolve(Trainer, folder, name, values, workers)
    champion.results = test(champion, games=games)
    genome.save(champion, Path(folder) / f"{name}-tested.json")
    return {
        "seed": champion.seed,
        "generations": len(log),
        "individuals": champion.config["islands"] * champion.config["island_size"],
        "games": games,
        "strength": strength(champion.results),
        "win_rates": {f"{result.opponent} {result.size}": result.win_rate for result in champion.results},
    }


# The tables


def tables(data):
    """All results as Markdown, the paper's numbers beside ours."""
    return "\n".join(line for name in CONFIGURATIONS if name in data for line in _table(name, list(data[name].values())))


def _table(name, entries):
    kinds = sorted({(e["individuals"], e["generations"], e["games"]) for e in entries})
    scale = "; ".join(f"{people:,} individuals, {count} generations, {games:,} test games" for people, count, games in kinds)
    columns = [(opponent, size) for opponent in OPPONENTS for size in SIZES]
    heads = [f"{opponent} {size}x{size}" for opponent, size in columns] + ["strength 5x5"]
    values = [[e["win_rates"][f"{opponent} {size}"] for e in entries] for opponent, size in columns]
    values.append([e["strength"] for e in entries])
    printed = [PAPER.get(name, {}).get(column) for column in [*columns, "strength"]]
    runs = "1 run" if len(entries) == 1 else f"{len(entries)} runs"
    lines = [f"## {name}: {runs} ({scale})", "", f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for i, (row, pick) in enumerate((("min", min), ("average", statistics.mean), ("max", max))):
        lines.append(f"| {row} | {' | '.join(f'{pick(column):.3f}' for column in values)} |")
        if name in PAPER:
            lines.append(f"| {row}, paper | {' | '.join('-' if p is None else f'{p[i]:.3f}' for p in printed)} |")
    return [*lines, ""]


# The command


def main(argv=None):
    """Do one experiment; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m players.organism.experiment", description=__doc__.splitlines()[0])
    experiments.add_options(parser, CONFIGURATIONS, seeds=[1, 2, 3])
    parser.add_argument("--test-games", type=int, default=TEST_GAMES, metavar="N", help="for each entry [%(default)s]")
    arguments = parser.parse_args(argv)

    def entries(given):
        for seed in arguments.seeds:
            values = Trainer.presets[arguments.name], given, {"seed": seed}

            def make(folder, name, workers, values=values):
                return entry(folder, name, values, workers, arguments.test_games)

            yield f"{arguments.name}-{seed}", make

    return experiments.carry_out(arguments, tables, entries)


if __name__ == "__main__":
    sys.exit(main())
