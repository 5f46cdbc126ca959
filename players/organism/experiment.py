"""Tables II to IV of the paper, repeated: ``evogo experiment organism NAME --out DIR``.

``1N``, ``2RG``, ``3RNG``  runs of a configuration, one for each seed, and 1,000 test games of each champion against each
                           of Random, Naixt and GOjen, with and without its opening, on 5x5, 7x7 and 9x9
``growing``                the same for runs whose board grows from 5x5 to 9x9
``outlook``                1,000 individuals for 200 generations, for comparison with what the paper's last section thinks of:
``stages``, ``regions``    a program each for opening, middle and end, or for corners, sides and centre
``boards``                 5x5, 7x7 and 9x9 one after the other
``coevolution``            one more opponent, the champion of ``outlook`` with the same seed, which must be there
``options``                small runs of 3RNG, each with one parameter that is otherwise, where the paper can be read in more
                           than one way or says nothing
``test``                   the same tests of any genome: a copy of it in DIR holds the results
``rules``                  what each rule of a genome is worth (see ``worth.py``)

Every run has a folder of its own in DIR and goes on where it stopped, finished ones are not repeated, and the data are
written to DIR/results.json, the tables to DIR/results.md and the best and mean fitness over the generations, as in the paper's
figure 5, to DIR/figure5-NAME.svg, after each of them. Nothing in them depends on the machine.

The paper's GOjen stands for the one without an opening, which is the one that runs meet: strength is with it. GOjen as it is
elsewhere, which opens on a good line, is in the tables as well.
"""

import statistics
from dataclasses import dataclass
from pathlib import Path

from engine.go.rng import stream_key
from players import genome
from players.genome import Result
from players.organism.analysis import without_dead
from players.organism.body import read_body
from players.organism.program import flat, to_text
from players.organism.side import KOMI, side_of, terms
from players.organism.trainer import SALT, Trainer
from players.organism.worth import measured, name_of, strength_of
from players.play.schedule import Fixture
from players.scripted.kernels import OPPONENTS as SCRIPTED
from players.scripted.kernels import opponent, straying_name
from players.show.charts import Series, alone, line_chart, with_legend
from players.show.text import RESULT_HEADS, aligned, result_rows
from players.training import config as configuration
from players.training import ranges
from players.training.config import option, require
from players.training.experiments import ExperimentConfig, Store, evolve
from players.training.workers import Workers

CONFIGURATIONS = ("1N", "2RG", "3RNG", "growing", "outlook", "stages", "regions", "boards", "coevolution")
OPPONENTS, SIZES = ("random", "naixt", "gojen-no-opening", "gojen"), (5, 7, 9)
_CALLED = {name: straying_name(name, 0.0) for name in OPPONENTS}  # in results
_MEASURE = [_CALLED[name] for name in OPPONENTS[:3]]  # of strength: those of the paper
TEST_GAMES = 1000
_DIGITS = 4  # of the curves: more than 1,000 individuals with 36 games each can tell apart
_TEST_SEED = 7_002  # test games are never those of a run

# What ``options`` tries, and the size of its runs: a fortieth of the games of the paper's.
OPTIONS = {
    "preset": {},
    "mutation-per-node": {"mutation_per": "node"},
    "zygote-two-two": {"zygote": "two-two"},
    "zygote-corner": {"zygote": "corner"},
    "clones-one": {"clones": "one"},
    "absorbers-cells": {"absorbers": "cells"},
    "regular-cycles-1": {"regular_cycles": 1},
    "regular-cycles-4": {"regular_cycles": 4},
    "initial-cycles-4": {"initial_cycles": 4},
    "most-rules-80": {"most_rules": 80},
}
_TRIAL = {"islands": 6, "generations": 50, "retest_every": 50}

# (opponent, size) → min, average, max as printed.
PAPER = {
    "1N": {
        ("random", 5): (0.748, 0.909, 0.991),
        ("naixt", 5): (0.359, 0.471, 0.691),
        ("naixt", 7): (0.03, 0.17, 0.44),
        ("naixt", 9): (0.00, 0.08, 0.37),
        ("gojen-no-opening", 5): (0.000, 0.130, 0.271),
        "strength": (0.410, 0.504, 0.601),
    },
    "2RG": {
        ("random", 5): (0.858, 0.968, 0.997),
        ("naixt", 5): (0.062, 0.234, 0.428),
        ("gojen-no-opening", 5): (0.063, 0.510, 0.823),
        ("gojen-no-opening", 7): (0.001, 0.018, 0.103),
        ("gojen-no-opening", 9): (0.000, 0.006, 0.104),
        "strength": (0.327, 0.571, 0.705),
    },
    "3RNG": {
        ("random", 5): (0.899, 0.966, 0.994),
        ("naixt", 5): (0.267, 0.393, 0.531),
        ("naixt", 7): (0.117, 0.208, 0.422),
        ("naixt", 9): (0.011, 0.085, 0.249),
        ("gojen-no-opening", 5): (0.098, 0.330, 0.822),
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
            found.append(Result(_CALLED[name], size, KOMI, games, float((played.score > 0).sum()), "both"))
    return found


def strength(results, size=5):
    """The share of games won on a board when as many are played against each opponent (Section V.B)."""
    return statistics.mean(result.win_rate for result in results if result.size == size and result.opponent in _MEASURE)


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
        "best": [round(entry["best"], _DIGITS) for entry in log],
        "mean": [round(entry["mean"], _DIGITS) for entry in log],
    }


# The tables


def tables(data):
    """All results as Markdown, the paper's numbers beside ours."""
    lines = [line for name in CONFIGURATIONS if name in data for line in _table(name, list(data[name].values()))]
    return "\n".join(lines + (_options_table(data["options"]) if "options" in data else []))


def _table(name, entries):
    kinds = sorted({(e["individuals"], e["generations"], e["games"]) for e in entries})
    scale = "; ".join(f"{people:,} individuals, {count} generations, {games:,} test games" for people, count, games in kinds)
    columns = [(opponent, size) for opponent in OPPONENTS for size in SIZES]
    heads = [f"{opponent} {size}x{size}" for opponent, size in columns] + ["strength 5x5"]
    values = [[e["win_rates"][f"{_CALLED[opponent]} {size}"] for e in entries] for opponent, size in columns]
    values.append([e["strength"] for e in entries])
    printed = [PAPER.get(name, {}).get(column) for column in [*columns, "strength"]]
    runs = "1 run" if len(entries) == 1 else f"{len(entries)} runs"
    lines = [f"## {name}: {runs} ({scale})", "", f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for i, (row, pick) in enumerate((("min", min), ("average", statistics.mean), ("max", max))):
        lines.append(f"| {row} | {' | '.join(f'{pick(column):.3f}' for column in values)} |")
        if name in PAPER:
            lines.append(f"| {row}, paper | {' | '.join('-' if p is None else f'{p[i]:.3f}' for p in printed)} |")
    return [*lines, ""]


def _options_table(entries):
    """What small runs with one other parameter came to, the best on average first."""
    runs = {name: [e for key, e in entries.items() if key.rpartition("-")[0] == name] for name in OPTIONS}
    rows = []
    for name, found in runs.items():
        if found:
            won = [statistics.mean(e["win_rates"][f"{_CALLED[opponent]} 5"] for e in found) for opponent in OPPONENTS]
            mean, strengths = statistics.mean(e["mean"][-1] for e in found), [e["strength"] for e in found]
            rows.append((statistics.mean(strengths), name, strengths, mean, won))
    heads = ["strength", "of each run", "mean fitness at the end", *OPPONENTS]
    lines = ["## options: 3RNG with one parameter otherwise, on 5x5", "", f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for average, name, strengths, mean, won in sorted(rows, reverse=True):
        each = ", ".join(f"{value:.3f}" for value in strengths)
        lines.append(f"| {name} | {average:.3f} | {each} | {mean:.3f} | {' | '.join(f'{value:.3f}' for value in won)} |")
    return [*lines, ""]


def figure(entries):
    """Figure 5: best and mean fitness over the generations, averaged over the runs that got so far, as SVG."""
    most = max(len(entry["best"]) for entry in entries)
    lines = []
    for name, colour, dash in (("best", "#1b6ca8", ""), ("mean", "#b3261e", "5 3")):
        known = [[entry[name][i] for entry in entries if i < len(entry[name])] for i in range(most)]
        lines.append(Series(name, list(range(1, most + 1)), [statistics.mean(values) for values in known], colour, dash=dash))
    return alone(with_legend(line_chart(lines, "generation", "games won"), lines))


def files(data):
    """The files that are made from the data, by name."""
    found = {"results.md": tables(data)}
    for name, entries in data.items():
        if name in CONFIGURATIONS and all("best" in entry for entry in entries.values()):
            found[f"figure5-{name}.svg"] = figure(list(entries.values())) + "\n"
    return found


def rules_table(data):
    """What the rules of genomes are worth, as Markdown."""
    lines = []
    for entry in data.get("rules", {}).values():
        known, texts = entry["measured"], entry["rules"]
        whole = strength_of(known["wins"], known["games"])
        met = ", ".join(known["opponents"])
        lines += [f"## {entry['genome']}: {whole:.1%} of {known['games']:,} games each against {met} on {known['size']}x{known['size']}", ""]
        lines += ["| | rule | fires in | cells then | without it | difference |", "|---|---|---|---|---|---|"]
        for number, text in enumerate(texts, 1):
            rule = known["rules"].get(str(number))
            if rule is None:
                lines.append(f"| {number} | {text} | dead | | | |")
                continue
            left = strength_of(rule["wins"], known["games"])
            lines.append(
                f"| {number} | {text} | {rule['cycles']:.1%} | {rule['cells']:.1f} | {left:.1%} | {100 * (left - whole):+.1f} |"
            )
        lines.append("")
    return "\n".join(lines)


# The command


EXPERIMENTS = {name: f"runs of the configuration {name}, and tests of their champions" for name in CONFIGURATIONS}
EXPERIMENTS["options"] = "small runs of 3RNG, each with one parameter otherwise, and tests of their champions"
EXPERIMENTS["test"] = "test games of a genome; a copy in the folder holds the results"
EXPERIMENTS["rules"] = "what each rule of a genome is worth: how often it fires, and games won without it"


@dataclass(frozen=True, kw_only=True)
class Config(ExperimentConfig):
    """The parameters of these experiments."""

    seeds: tuple[int, ...] = option((1, 2, 3), "one run each, as in 1-20", "", range=ranges.SEEDS)
    config: str | None = option(None, "parameters of the runs from a JSON file", "")
    test_games: int = option(TEST_GAMES, "of each champion against each opponent on each board", "", range=ranges.GAMES)
    options: tuple[str, ...] = option(tuple(OPTIONS), "options: which of them", "", tuple(OPTIONS))
    genome: str | None = option(None, "test, rules: the file of the organism", "must be said")


def run(name, config):
    """Do one experiment."""
    if name in ("test", "rules"):
        require(config.genome, "say which organism: --genome")
        subject = genome.load(config.genome, Trainer.kind)
        (_test_again if name == "test" else _measure_rules)(subject, config)
        return
    given = configuration.read(config.config) if config.config else {}
    workers = Workers(config.workers)

    def jobs():
        for seed in config.seeds:
            for which in config.options if name == "options" else (name,):
                entry, values = f"{which}-{seed}", (*_values(which, config.out, seed), given, {"seed": seed})
                yield entry, lambda entry=entry, values=values: tested(config.out, entry, values, workers, config.test_games)

    Store(Path(config.out) / "results.json", files).fill(name, jobs())
    workers.close()


def _values(name, folder, seed):
    """The parameters of an experiment's run, as dicts."""
    if name in OPTIONS:
        return Trainer.presets["3RNG"], _TRIAL, OPTIONS[name]
    if name != "coevolution":
        return (Trainer.presets[name],)
    before = Path(folder) / f"outlook-{seed}-tested.json"
    require(before.exists(), f"there is no {before}: experiment organism outlook --seeds {seed} makes it")
    return Trainer.presets["outlook"], {"rival": tuple(genome.load(before, Trainer.kind).body["rules"])}


def _test_again(subject, config):
    subject.results = test(subject, games=config.test_games)
    Path(config.out).mkdir(parents=True, exist_ok=True)
    genome.save(subject, Path(config.out) / Path(config.genome).name)
    print("\n".join(aligned(RESULT_HEADS, result_rows(subject))))
    print(f"strength {strength(subject.results):.3f} on 5x5")


def _measure_rules(subject, config):
    program, habits = read_body(subject.body)
    known = configuration.saved(Trainer.Config, subject.config)

    def make():
        found = measured(program, habits, known.boards[-1], known.opponents, config.test_games)
        return {"genome": Path(config.genome).name, "rules": to_text(program), "measured": found}

    store = Store(Path(config.out) / "rules.json", lambda data: {"rules.md": rules_table(data)})
    store.fill("rules", [(name_of(program, habits), make)])
