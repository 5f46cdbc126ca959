"""A complete small trainer that needs no Go: bits that learn to be a hidden pattern, judged by noisy "games".

It draws random numbers in every place where a real trainer does, so that a run that is not repeatable shows.
"""

import time
from dataclasses import dataclass

import numpy as np

from players.genome import Result
from players.training import ranges, trainer
from players.training.config import AUTHOR, OURS, PAPER, RunConfig, option
from players.training.trainer import EVOLVE, GAMES, Verdict


@dataclass(frozen=True, kw_only=True)
class Config(RunConfig):
    generations: int = option(12, "how long", PAPER, may_grow=True, range=ranges.GENERATIONS)
    population: int = option(10, "how many", "paper, §2", range=ranges.POPULATION)
    bits: int = option(24, "how long an individual is", AUTHOR, range=(1, 1000))
    games: int = option(6, "a generation and individual", OURS, range=ranges.GAMES)
    flip: float = option(0.05, "chance that a bit changes, as in 5%", OURS, range=ranges.SHARE)
    boards: tuple[int, ...] = option((5, 7), "one after the other", PAPER, range=ranges.BOARDS)
    elitism: bool = option(True, "keep the best as it is", PAPER)
    style: str = option("calm", "of play", OURS, choices=("calm", "wild"))
    limit: int | None = option(None, "nothing", OURS, range=(0, 10))
    nap: float = option(0.0, "seconds that a generation takes", OURS, range=(0.0, 100.0))
    retest_every: int = option(3, "generations between two elections", OURS, range=ranges.GENERATIONS)
    retest_games: int = option(20, "games of an election", OURS, range=ranges.GAMES)


def play_games(item):
    """Games won by ``bits`` out of ``games``: each game asks for one random bit of the pattern of all ones."""
    bits, key, games, nap = item
    time.sleep(nap)
    asked = np.random.Generator(np.random.PCG64(key)).integers(0, len(bits), games)
    return int(bits[asked].sum())


class Trainer(trainer.Trainer):
    kind = "toy"
    Config = Config
    presets = {"paper": {}, "quick": {"generations": 2, "population": 4}}
    preset_help = {"quick": "two generations, for a look"}
    evaluate = staticmethod(play_games)

    def generations(self):
        return self.config.generations

    def _size(self, generation):
        boards = self.config.boards
        return boards[min(generation * len(boards) // self.config.generations, len(boards) - 1)]

    def init(self):
        bits = self.generator(EVOLVE, 0).integers(0, 2, (self.config.population, self.config.bits))
        # A generator that lives on, as some trainers will have one: its state must survive a checkpoint.
        return {"bits": bits.astype(np.uint8), "random": self.generator(EVOLVE, -1), "best": []}

    def ask(self, state, generation):
        nap = self.config.nap / self.config.population
        return [
            (bits, self.key(GAMES, generation, i), self.config.games, nap) for i, bits in enumerate(state["bits"])
        ]

    def tell(self, state, generation, results, play):
        order = np.argsort(-np.array(results), kind="stable")
        state["best"] = [state["bits"][i] for i in order]
        best = state["bits"][order[0]]
        random = state["random"]
        parents = order[: len(order) // 2]
        children = state["bits"][random.choice(parents, len(order))] ^ (
            random.random((len(order), self.config.bits)) < self.config.flip
        ).astype(np.uint8)
        if self.config.elitism:
            children[0] = best
        metrics = {
            "size": self._size(generation),
            "best": float(max(results)),
            "mean": float(np.mean(results)),
            "wins": max(results) / self.config.games,
            "games": len(results) * self.config.games,
            "ones": np.float64(children.mean()),
        }
        state["bits"] = children
        return metrics

    def dump(self, state):
        return {**state, "random": state["random"].bit_generator.state}

    def load(self, tree):
        random = np.random.Generator(np.random.PCG64())
        random.bit_generator.state = tree["random"]
        return {**tree, "random": random}

    def candidates(self, state, count):
        return [{"bits": bits} for bits in state["best"][:count]]

    def trials(self, state, generation, body, key, games):
        half = games // 2
        return [(np.array(body["bits"]), key + part, count, 0.0) for part, count in enumerate((half, games - half))]

    def judge(self, state, generation, results):
        wins = sum(results)
        size = self._size(generation)
        return Verdict([Result("pattern", size, 0.5, self.config.retest_games, wins)], float(wins))

    def sizes(self, body):
        return [5, 7]
