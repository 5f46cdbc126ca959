"""Any policy or value network in an ONNX file as a player, if its inputs and outputs are as described here.

Input    float32 [positions, channels, height, width]: the first ``channels`` (2 … 8) planes of ``players.foreign.planes``, from
         the side that moves. Height and width may be fixed: then it plays that board only.
Outputs  at least one of these, found by name:
         ``policy``     [positions, height · width] or that + 1 (the last for a pass), or [positions, 1, height, width]: any
                        numbers, the larger the better
         ``value``      [positions] or [positions, 1]: -1 … 1, how the side that moves will do
         ``ownership``  [positions, 1, height, width] or [positions, height · width]: -1 … 1, +1 where its own
         ``score``      [positions] or [positions, 1]: points, komi not included, for the side that moves

A network without a policy plays the move after which the other side's value is lowest.
"""

import secrets

import numpy as np

from engine.contest.player import Evaluation, Player
from engine.go.board import BLACK, MAX_SIZE, MIN_SIZE, PASS, board_points, cells, is_eye
from players.foreign.planes import PLANES, planes_of

_LEAST_CHANNELS = 2
_POINTS_A_WIN = 10.0  # how many points a certain win is said to be by, if the network has no score; our choice


class OnnxPlayer(Player):
    """The network in the file at ``path``. With a temperature above 0 it draws moves from a softmax of its numbers."""

    name = "onnx"

    def __init__(self, path, temperature=0.0, seed=None):
        import onnxruntime

        if temperature < 0:
            raise ValueError(f"temperature {temperature:g} is negative")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # games run side by side
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has a type of its own for each of many failures
            raise ValueError(f"not an ONNX model: {str(error).splitlines()[0][:120]}") from None
        self.temperature = temperature
        self._read_interface()
        self.seed(secrets.randbits(63) if seed is None else seed)

    def _read_interface(self):
        """Find out what goes in and what comes out; ValueError if it is not as described above."""
        inputs = self._session.get_inputs()
        if len(inputs) != 1 or len(inputs[0].shape) != 4 or inputs[0].type != "tensor(float)":
            raise ValueError("the model must have one input, float32 [positions, channels, height, width]")
        self._input = inputs[0].name
        _, self._channels, height, width = inputs[0].shape
        if not isinstance(self._channels, int) or not _LEAST_CHANNELS <= self._channels <= PLANES:
            raise ValueError(f"the model has {self._channels} input channels, not {_LEAST_CHANNELS} to {PLANES}")
        fixed = {n for n in (height, width) if isinstance(n, int)}
        if len(fixed) > 1 or not fixed <= set(range(MIN_SIZE, MAX_SIZE + 1)):
            raise ValueError(f"the model is for boards of {height} by {width}")
        self.sizes = sorted(fixed) or range(MIN_SIZE, MAX_SIZE + 1)
        self._outputs = [output.name for output in self._session.get_outputs()]
        if not {"policy", "value"} & set(self._outputs):
            raise ValueError("the model has no output called policy or value")

    def seed(self, seed):
        self._random = np.random.default_rng(seed)

    def _run(self, planes):
        """All outputs by name for planes [position, channel, row, column], each [position, …] flat."""
        said = self._session.run(self._outputs, {self._input: np.ascontiguousarray(planes, np.float32)})
        return {name: np.asarray(value, float).reshape(len(planes), -1) for name, value in zip(self._outputs, said)}

    def policy(self, game, colour):
        """The policy, or the value of every move; nan where a move is not legal or fills an own eye."""
        size = game.size
        policy = np.full(cells(size), np.nan)
        legal = [int(p) for p in game.legal_points(colour) if not is_eye(game.position, p, colour)]
        if not legal:
            return policy
        if "policy" in self._outputs:
            said = self._run(planes_of(game, colour, self._channels)[None])["policy"][0]
            if len(said) not in (size * size, size * size + 1):
                raise ValueError(f"the model's policy has {len(said)} numbers on a {size}x{size} board")
            by_cell = np.full(cells(size), np.nan)
            by_cell[board_points(size)] = said[: size * size]
            policy[legal] = by_cell[legal]
        else:
            boards = []
            for p in legal:
                later = game.copy()
                later.play(colour, p)
                boards.append(planes_of(later, 3 - colour, self._channels))
            policy[legal] = -self._run(np.array(boards))["value"][:, 0]
        return policy

    def choose(self, game, colour, budget=None):
        policy = self.policy(game, colour)
        points = np.flatnonzero(~np.isnan(policy))
        if len(points) == 0:
            return PASS
        values = policy[points]
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
        said = self._run(planes_of(game, colour, self._channels)[None])
        value = float(np.clip(said["value"][0, 0], -1, 1))
        score = sign * (float(said["score"][0, 0]) if "score" in said else _POINTS_A_WIN * value)
        if "score" in said:
            score -= game.komi + game.rules.handicap_compensation(game.handicap)
        ownership = None
        if "ownership" in said:
            ownership = np.zeros(cells(game.size))
            ownership[board_points(game.size)] = sign * np.clip(said["ownership"][0], -1, 1)
        return Evaluation(score, (1 + sign * value) / 2, ownership)


def load_player(path, temperature=0.0):
    """The player of an ONNX file; ValueError if its network is not of the documented form."""
    return OnnxPlayer(path, temperature)
