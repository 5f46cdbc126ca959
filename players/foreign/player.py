"""Any policy or value network in an ONNX file as a player, if its inputs and outputs are as described here.

Input    float32 [positions, channels, height, width]: the first ``channels`` (2 … 8) planes of ``players.foreign.planes``,
         from the side that moves. Height and width may be fixed: then it plays that board only. The number of positions
         may be fixed as well: then so many are given to it at a time.
Outputs  at least one of these, found by name:
         ``policy``     [positions, height · width] or that + 1 (the last for a pass), or [positions, 1, height, width]: any
                        numbers, the larger the better
         ``value``      [positions] or [positions, 1]: -1 … 1, how the side that moves will do
         ``ownership``  [positions, 1, height, width] or [positions, height · width]: -1 … 1, +1 where its own
         ``score``      [positions] or [positions, 1]: points, komi not included, for the side that moves

A network without a policy plays the move after which the other side's value is lowest. One whose policy has a number for a
pass passes when that is the largest.
"""

from pathlib import Path

import numpy as np

from engine import limits
from engine.contest.failure import CRASH, PlayerFailure
from engine.contest.player import Evaluation, Option, Player
from engine.files import FileError
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, PASS, board_points, cells, is_eye
from engine.go.game import Game
from engine.go.rng import any_seed
from engine.texts import with_article
from players.foreign.planes import PLANES, planes_of
from players.onnx.runtime import Model

_LEAST_CHANNELS = 2
_WORST = -1e30  # what counts for a number that is none, or is not finite
_USUAL_SIZE = 9  # the board on which a network is tried
_OUTPUTS = {  # how many numbers each has for a position, by the points of the board
    "policy": lambda area: (area, area + 1),
    "value": lambda area: (1,),
    "ownership": lambda area: (area,),
    "score": lambda area: (1,),
}
_POINTS_A_WIN = 10.0  # how many points a certain win is said to be by, if the network has no score; our choice


class ForeignPlayer(Player):
    """The network in the file at ``path``. With a temperature above 0 it draws moves from a softmax of its numbers."""

    name = "onnx"

    def __init__(self, path, temperature=0.0, seed=None):
        if temperature < 0:
            raise ValueError(f"temperature {temperature:g} is negative")
        self.temperature = temperature
        try:
            self._model = Model(path)
        except FileError:
            raise
        except ValueError as error:
            raise ValueError(f"not a network that can be played: {error}") from None
        self._read_interface()
        self._try()
        self.seed(any_seed() if seed is None else seed)

    def _read_interface(self):
        """Find out what goes in and what comes out; ValueError if it is not as described above."""
        inputs = self._model.inputs
        if len(inputs) != 1 or len(inputs[0][1]) != 4 or inputs[0][2] != "tensor(float)":
            raise ValueError("the model must have one input, float32 [positions, channels, height, width]")
        self._input, (positions, self._channels, height, width), _ = inputs[0]
        if not isinstance(self._channels, int) or not _LEAST_CHANNELS <= self._channels <= PLANES:
            raise ValueError(f"the model has {self._channels} input channels, not {_LEAST_CHANNELS} to {PLANES}")
        fixed = {n for n in (height, width) if isinstance(n, int)}
        if len(fixed) > 1 or not fixed <= set(range(MIN_SIZE, MAX_SIZE + 1)):
            raise ValueError(f"the model is for boards of {height} by {width}")
        self.sizes = sorted(fixed) or range(MIN_SIZE, MAX_SIZE + 1)
        self._batch = positions if isinstance(positions, int) else None
        if self._batch is not None and not 1 <= self._batch <= limits.MODEL_POSITIONS:
            raise ValueError(f"the model is for {self._batch} positions at a time, not 1 to {limits.MODEL_POSITIONS}")
        self._outputs = [name for name in self._model.outputs if name in _OUTPUTS]
        if not {"policy", "value"} & set(self._outputs):
            raise ValueError("the model has no output called policy or value")

    def _try(self):
        """Ask it about an empty board; ValueError if what it says is not as described above, and then not in a game."""
        size = min(self.sizes, key=lambda n: abs(n - _USUAL_SIZE))
        self._run(planes_of(Game(size), BLACK, self._channels)[None])

    def seed(self, seed):
        self._random = np.random.default_rng(seed)

    def _run(self, planes):
        """All outputs by name for planes [position, channel, row, column], each [position, …] flat.

        ValueError if it fails, or an output is not as described above.
        """
        area = planes.shape[2] * planes.shape[3]
        step = self._batch or limits.MODEL_POSITIONS
        parts = {name: [] for name in self._outputs}
        for start in range(0, len(planes), step):
            asked = planes[start : start + step]
            missing = self._batch - len(asked) if self._batch else 0
            batch = np.concatenate([asked, np.repeat(asked[-1:], missing, axis=0)]) if missing else asked
            said = self._model.run(self._outputs, {self._input: np.ascontiguousarray(batch, np.float32)})
            for name, value in zip(self._outputs, said):
                numbers = value.size / len(batch)
                if numbers not in _OUTPUTS[name](area):
                    raise ValueError(f"the model's {name} has {numbers:g} numbers for a board of {area} points")
                value = np.nan_to_num(value, nan=_WORST, neginf=_WORST, posinf=-_WORST)
                parts[name].append(value.reshape(len(batch), -1)[: len(asked)])
        return {name: np.concatenate(values) for name, values in parts.items()}

    def _ask(self, planes):
        """The same in a game. PlayerFailure if it fails: it was tried on one board, and may have no answer on another."""
        try:
            return self._run(planes)
        except ValueError as error:
            board = with_article(f"{planes.shape[3]}x{planes.shape[2]} board")
            raise PlayerFailure(CRASH, f"the network {self.name} fails on {board}: {error}") from None

    def policy(self, game, colour):
        """The policy, or the value of every move; nan where a move is not legal or fills an own eye."""
        return self._judged(game, colour)[0]

    def _judged(self, game, colour):
        """The policy by cell, and what the network says of a pass (-inf if it says nothing)."""
        size, passing = game.size, -np.inf
        policy = np.full(cells(size), np.nan)
        legal = [int(p) for p in game.legal_points(colour) if not is_eye(game.position, p, colour)]
        if not legal:
            return policy, passing
        if "policy" in self._outputs:
            said = self._ask(planes_of(game, colour, self._channels)[None])["policy"][0]
            by_cell = np.full(cells(size), np.nan)
            by_cell[board_points(size)] = said[: size * size]
            policy[legal] = by_cell[legal]
            if len(said) > size * size:
                passing = said[-1]
        else:
            boards = []
            for p in legal:
                later = game.copy()
                later.play(colour, p)
                boards.append(planes_of(later, 3 - colour, self._channels))
            policy[legal] = -self._ask(np.array(boards))["value"][:, 0]
        return policy, passing

    def choose(self, game, colour, budget=None):
        policy, passing = self._judged(game, colour)
        points = np.flatnonzero(~np.isnan(policy))
        if len(points) == 0:
            return PASS
        points, values = np.append(points, PASS), np.append(policy[points], passing)
        if self.temperature == 0:
            return int(self._random.choice(points[values == values.max()]))
        shares = np.exp((values - values.max()) / self.temperature)
        return int(self._random.choice(points, p=shares / shares.sum()))

    def evaluate(self, game, budget=None):
        """From the value (and score, and ownership) if the network has one."""
        if "value" not in self._outputs:
            return None
        colour = game.to_play
        sign = 1.0 if colour == BLACK else -1.0
        said = self._ask(planes_of(game, colour, self._channels)[None])
        value = float(np.clip(said["value"][0, 0], -1, 1))
        score = sign * (float(said["score"][0, 0]) if "score" in said else _POINTS_A_WIN * value)
        if "score" in said:
            score -= game.komi + game.rules.handicap_compensation(game.handicap)
        ownership = None
        if "ownership" in said:
            ownership = np.zeros(cells(game.size))
            ownership[board_points(game.size)] = sign * np.clip(said["ownership"][0], -1, 1)
        return Evaluation(score, (1 + sign * value) / 2, ownership)


OPTIONS = (Option("temperature", 0.0, "draw moves from a softmax of its numbers; 0: the best"),)


def load_player(path, temperature=0.0):
    """The player of an ONNX file; ValueError if its network is not of the documented form."""
    if not isinstance(path, (str, Path)):
        raise ValueError("a network from elsewhere is an ONNX file, not a genome")
    return ForeignPlayer(path, temperature)
