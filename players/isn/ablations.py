"""What each part of the network is worth: ``evogo experiment isn ablations --out FOLDER``.

For every variant and seed the first games of a run by the preset ``fast``; the network that it has then, averaged because a
few steps change much, is tested, and no other that would be chosen by its games. The table is ``isn-ablations.md``, its data
are in ``results.json``.
"""

from pathlib import Path

from players.isn.anatomy import HIDDEN_CHOICES, INPUTS, LIBERTIES, MOST_PASSES, anatomy_of
from players.isn.tournament import Test
from players.isn.trainer import Trainer, between
from players.training.experiments import evolve
from players.training.workers import Workers

NAME = "ablations"
TABLE = "isn-ablations.md"
OPPONENTS = ("naixt", "wally", "gojen")
PRESET = "fast"
AVERAGING = 0.98  # our choice: over some fifty generations
_TEST_SEED = 7_001  # test games are never those of a run

# What differs from the preset. All but the first have liberties, each with one thing more, and then with all inputs.
VARIANTS = {
    "paper": {},
    LIBERTIES: {"inputs": [LIBERTIES]},
    **{f"{LIBERTIES}+{name}": {"inputs": [LIBERTIES, name]} for name in INPUTS if name != LIBERTIES},
    "all": {"inputs": list(INPUTS)},
    **{f"{LIBERTIES}+{count}-hidden": {"inputs": [LIBERTIES], "hidden": count} for count in HIDDEN_CHOICES[1:]},
    **{f"{LIBERTIES}+{count}-passes": {"inputs": [LIBERTIES], "passes": count} for count in range(2, MOST_PASSES + 1)},
}


def _weights(variant):
    values = {"inputs": (), "hidden": 12, "passes": 1} | VARIANTS[variant]
    return anatomy_of(**values).weights


def _made(variant, seed, config, workers):
    """The entry of one variant and seed."""
    preset = Trainer.presets[PRESET]
    generations = max(1, config.training_games // preset["games"])
    share = generations / preset["generations"]
    values = {"size": config.size, "generations": generations, "seed": seed, "averaging": AVERAGING}
    values |= {"last_beta": between(Trainer.Config.beta, preset["last_beta"], share)}
    values |= {"last_rate": between(preset["rate"], preset["last_rate"], share)}
    values |= {"retest_every": generations, "retest_games": 1}
    folder = config.folder or config.out
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = f"{NAME}-{variant}-{config.size}x{config.size}-{config.training_games}-{seed}"
    _, network = evolve(Trainer, folder, name, (preset, values, VARIANTS[variant]), workers)
    return {
        "variant": variant,
        "seed": seed,
        "size": config.size,
        "training_games": generations * preset["games"],
        "games": config.games,
        "wins": {name: Test(network, name, config.size, config.games, _TEST_SEED).play() for name in OPPONENTS},
    }


def ablations(config, store):
    """Make all entries that are missing."""
    workers = Workers(config.workers)
    try:
        store.fill(
            NAME,
            [
                (
                    f"{variant} {config.size} {config.training_games} {config.games} {seed}",
                    lambda variant=variant, seed=seed: _made(variant, seed, config, workers),
                )
                for seed in config.seeds
                for variant in config.variants
            ],
        )
    finally:
        workers.close()


def table(entries):
    """The entries as a table in Markdown: a row for each variant, size and number of games, the seeds together."""
    rows = {}
    for entry in entries:
        rows.setdefault((entry["size"], entry["training_games"], entry["variant"]), []).append(entry)
    order = {variant: number for number, variant in enumerate(VARIANTS)}
    lines = [
        "| board | games of training | variant | weights | runs | " + " | ".join(OPPONENTS) + " | mean |",
        "|---" * (len(OPPONENTS) + 6) + "|",
    ]
    for (size, games, variant), found in sorted(rows.items(), key=lambda row: (*row[0][:2], order.get(row[0][2], 99))):
        shares = [_share(found, [name]) for name in OPPONENTS]
        cells = [f"{size}x{size}", f"{games:,}", variant, f"{_weights(variant):,}", str(len(found))]
        lines.append("| " + " | ".join([*cells, *shares, _share(found, OPPONENTS)]) + " |")
    return "\n".join(lines) + "\n"


def _share(entries, names):
    """The share of the games against these opponents that were won, and its range over the runs if there are several."""
    shares = [sum(entry["wins"][name] for name in names) / (len(names) * entry["games"]) for entry in entries]
    mean = sum(shares) / len(shares)
    return f"{mean:.1%}" + (f" ({min(shares):.1%} to {max(shares):.1%})" if len(shares) > 1 else "")
