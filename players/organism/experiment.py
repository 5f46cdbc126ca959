"""Tables II to IV of the paper, repeated: ``evogo experiment organism NAME --out DIR``.

``1N``, ``2RG``, ``3RNG``  runs of a configuration, one for each seed, and 1,000 test games of each champion against each
                           of Random, Naixt and GOjen on 5x5, 7x7 and 9x9
``growing``                the same for runs whose board grows from 5x5 to 9x9

Every run has a folder of its own in DIR and goes on where it stopped, finished ones are not repeated, and the data are
written to DIR/results.json, the tables to DIR/results.md, after each of them. Nothing in them depends on the machine.
"""

import statistics
from dataclasses import dataclass
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
from players.scripted.kernels import OPPONENTS as SCRIPTED
from players.scripted.kernels import opponent
from players.training import config as configuration
from players.training import ranges
from players.training.config import option
from players.training.experiments import ExperimentConfig, Store, evolve
from players.training.workers import Workers

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
    program, habits = read_body(champion.body)
    rules = flat(without_dead(program))
    found = []
    for size in sizes:
        for name in opponents:
            key = stream_key(_TEST_SEED, champion.seed or 0, size, SCRIPTED[name])
            played = Fixture(terms(size), (opponent(name),), "both", key, 0, games, SALT).play(side_of(rules, habits, size))
            found.append(Result(name, size, KOMI, games, float((played.score > 0).sum()), "both"))
    return found


def strength(results, size=5):
    """The share of games won on a board when as many are played against each opponent (Section V.B)."""
    return statistics.mean(result.win_rate for result in results if result.size == size)


# Runs


def tested(folder, name, values, workers, games):
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


EXPERIMENTS = {name: f"runs of the paper's configuration {name}, and tests of their champions" for name in CONFIGURATIONS}


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of these experiments."""

    seeds: tuple[int, ...] = option((1, 2, 3), "one run each, as in 1-20", "", range=ranges.SEEDS)
    config: str | None = option(None, "parameters of the runs from a JSON file", "")
    test_games: int = option(TEST_GAMES, "of each champion against each opponent on each board", "", range=ranges.GAMES)


def run(name, config):
    """Do one experiment."""
    given = configuration.read(config.config) if config.config else {}
    workers = Workers(config.workers)

    def jobs():
        for seed in config.seeds:
            entry, values = f"{name}-{seed}", (Trainer.presets[name], given, {"seed": seed})
            yield entry, lambda entry=entry, values=values: tested(config.out, entry, values, workers, config.test_games)

    Store(Path(config.out) / "results.json", lambda data: {"results.md": tables(data)}).fill(name, jobs())
    workers.close()
