"""Figure 1 as the paper made it: ``evogo experiment isn figure1 --out FOLDER`` (§V).

A run by the preset ``paper``, of which the network itself, not a champion, is kept every 20,000 games. All of them, and the
one before the first game, then play each other: 10 games a pair with β 20, else as in training, under Chinese rules with
komi 3.5. The run and the networks are in the folder of runs and go on where they stopped; ``--no-train`` plays with those
that are there. Written to FOLDER: ``results.json`` with every result as it comes in, ``isn-figure1.json`` and its picture.
"""

from pathlib import Path

from players import genome
from players.genome import Genome
from players.isn.tournament import ROUND_ROBIN_BETA, ROUND_ROBIN_KOMI, pairs_of, played, shares_of
from players.isn.trainer import Trainer
from players.show.charts import Series, line_chart
from players.training import config as configuration
from players.training.config import require
from players.training.experiments import evolve
from players.training.workers import Workers, core_count

PRESET = "paper"
_RUN, _NETWORKS = "figure1", "figure1-networks"


def _keeping(folder, every):
    """The class of a Trainer that writes its network to ``folder`` after every so many generations."""

    class Keeper(Trainer):
        def init(self):
            state = super().init()
            self._keep(state, 0)
            return state

        def tell(self, state, generation, results, play):
            entry = super().tell(state, generation, results, play)
            if (generation + 1) % every == 0:
                self._keep(state, generation + 1)
            return entry

        def _keep(self, state, generation):
            path = Path(folder) / f"{generation:06d}.json"
            if not path.exists():  # a run that goes on makes the same ones again
                (body,) = self.candidates(state, 1)
                config = configuration.to_json(self.config)
                genome.save(Genome(self.kind, self.sizes(body), genome.plain(body), config, generation, [], []), path)

    return Keeper


def _train(config, folder):
    """Go on with the run until it is done."""
    values = {"size": config.size, "seed": config.seed}
    if config.generations is not None:
        values["generations"] = config.generations
    workers = Workers(config.workers)
    try:
        evolve(_keeping(folder / _NETWORKS, config.every), folder, _RUN, (Trainer.presets[PRESET], values), workers)
    finally:
        workers.close()


def figure1(config, store):
    """Train, play, and tell all results as a dict that JSON can hold."""
    folder = Path(config.folder or config.out)
    (folder / _NETWORKS).mkdir(parents=True, exist_ok=True)
    if config.train:
        _train(config, folder)
    found = [genome.load(path) for path in sorted((folder / _NETWORKS).glob("[0-9]*.json"))]
    require(len(found) > 1, f"{folder / _NETWORKS} does not hold two networks yet")
    size, games, seed = config.size, config.pair_games, config.seed
    spare_eyes = bool(found[0].config.get("spare_eyes", False))  # they choose as in training
    pairs = {(_RUN, *key): pair for key, pair in pairs_of(found, size, games, seed, spare_eyes).items()}
    shares = shares_of(found, pairs, played(store, pairs, config.workers or core_count()))
    return {
        "size": size,
        "seed": seed,
        "beta": ROUND_ROBIN_BETA,
        "komi": ROUND_ROBIN_KOMI,
        "games_of_a_pair": games,
        "networks": [
            {
                "generation": one.generation,
                "training_games": one.generation * one.config["games"],
                "share": shares[one.generation],
            }
            for one in found
        ],
    }


def chart(report):
    """The curve."""
    rows = report["networks"]
    line = Series("round robin", [row["training_games"] for row in rows], [row["share"] for row in rows], "#333333")
    return line_chart([line], "games of training", "games won", (0, 1), percent=True)
