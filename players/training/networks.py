"""What trainers of networks share: elections against players that are written by hand, and ONNX files of champions."""

import importlib
from pathlib import Path

import numpy as np

from engine.go.board import MAX_SIZE, MIN_SIZE
from engine.go.rng import stream_key
from players.genome import Result
from players.play.loop import Terms, joined, wins_of
from players.play.schedule import Fixture
from players.scripted.kernels import opponent
from players.training import trainer
from players.training.trainer import Verdict

_TRIAL_GAMES = 10  # games of a trial that make one work item


class NetworkTrainer(trainer.Trainer):
    """The base of trainers whose networks play on every board. ``config`` says the komi of elections."""

    model = "package.model"  # the module that saves ONNX files; needed only then

    def meetings(self):
        """(opponent, board) of each trial."""
        raise NotImplementedError

    def fixtures(self, key, games):
        """The games of an election, so many in each meeting, as a list of Fixtures, each of them a work item."""
        return [
            Fixture(
                Terms(size, self.config.komi), (opponent(name),), "both", stream_key(key, number), first,
                min(_TRIAL_GAMES, games - first),
            )
            for number, (name, size) in enumerate(self.meetings())
            for first in range(0, games, _TRIAL_GAMES)
        ]  # fmt: skip

    def judge(self, state, generation, results):
        each, found = len(results) // len(self.meetings()), []
        for number, (name, size) in enumerate(self.meetings()):
            games = joined(results[number * each : (number + 1) * each])
            found.append(Result(name, size, self.config.komi, len(games), wins_of(games), "both"))
        return Verdict(found, float(np.mean(joined(results).score)))

    def sizes(self, body):
        return list(range(MIN_SIZE, MAX_SIZE + 1))

    def write(self, champion, path):
        """An ONNX model, or a genome in JSON if the name of the file says so."""
        if Path(path).suffix == ".onnx":
            importlib.import_module(self.model).save(champion, path)
        else:
            super().write(champion, path)
