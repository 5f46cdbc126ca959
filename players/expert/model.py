"""The network as an ONNX model: any ONNX tool can run it, on boards of any size.

Input ``board``, float32 [positions, 31, height, width]: the features of each point, 1 where one is there
(``players.expert.features`` names them in this order; the last one, off the board, the graph adds itself). Input ``komi``,
float32 [positions, 1]: what the side to move has to win by, in points of area. Everything is seen by the side to move.
Output ``policy``, float32 [positions, 1, height, width], and ``pass`` [positions, 1]: logits of the moves; those that may
not be played are left out before the softmax. Output ``owner`` [positions, 1, height, width]: the chance that a point
becomes the mover's. Output ``win`` [positions, 1]: the mover's chance to win.

The metadata of the file hold what the header of a genome holds (``players.onnx.genomes``).
"""

import numpy as np

from players.expert.features import FEATURES
from players.expert.network import (
    LAYERS,
    OWNER,
    PARAMETERS,
    PASSING,
    POLICY,
    POSES,
    RING_OF,
    ROW,
    SHARPNESS,
    TAPS,
    TEMPO,
    WIDTH,
    WINDOWS,
    build,
    unpack,
)
from players.onnx import genomes
from players.onnx.encoder import OnnxError, decode_model, encode_model, node

VERSION = 1
PLANES = FEATURES - 1
_CENTRE, _SIDE, _CORNER = 4, 1, 0  # a tap of each ring


def _kernel(heard):
    """Weights [heard, units] as the kernel [units, from, row, column] of a convolution."""
    rings = heard.reshape(3, WIDTH, -1)
    return rings[RING_OF].transpose(2, 1, 0).reshape(-1, WIDTH, 3, 3)


def _heard(kernel):
    """The other way round."""
    taps = kernel.reshape(len(kernel), WIDTH, TAPS)[:, :, [_CENTRE, _SIDE, _CORNER]]
    return taps.transpose(2, 1, 0).reshape(-1, len(kernel))


def _weights(parameters):
    """The constants that hold parameters, by name."""
    network = build(parameters)
    found = {
        "first": network.table[:, :FEATURES, :ROW].transpose(2, 1, 0).reshape(ROW, FEATURES, 3, 3),
        "first_bias": network.first_bias[0, :ROW],
        "policy_kernel": _kernel(network.heads[[POLICY]].T),
        "owner_kernel": _kernel(network.heads[[OWNER]].T),
        "head_biases": network.head_bias,
        "said": network.said.T[:, :, None, None],
        "said_bias": network.said_bias,
    }
    for layer in range(LAYERS):
        found |= {
            f"layer_{layer}": _kernel(network.layers[layer]),
            f"bias_{layer}": network.bias[layer],
            f"board_{layer}": network.board[layer].T[:, :, None, None],
        }
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def _together():
    """The kernel that averages the poses of each window and hands the plain units on."""
    kernel = np.zeros((WIDTH, ROW, 1, 1), np.float32)
    for pose in range(POSES):
        kernel[np.arange(WINDOWS), pose * WINDOWS + np.arange(WINDOWS)] = 1 / POSES
    kernel[np.arange(WINDOWS, WIDTH), np.arange(POSES * WINDOWS, ROW)] = 1
    return kernel


def encode(parameters, metadata):
    """The bytes of the model of a parameter vector."""
    weights = _weights(parameters)
    constants = {
        **{name: array for name, array in weights.items() if name not in ("head_biases", "said", "said_bias")},
        "together": _together(),
        "rim": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64),
        "points": np.array([1, 2, 3], np.int64),
        "by_position": np.array([-1, 1, 1, 1], np.int64),
        "one": np.ones(1, np.float32),
        "two": np.full(1, 2, np.float32),
    }
    for name, number in (("policy", POLICY), ("owner", OWNER)):
        constants[f"{name}_bias"] = weights["head_biases"][[number]]
    for name, number in (("tempo", TEMPO), ("sharpness", SHARPNESS), ("passing", PASSING)):
        constants[f"{name}_kernel"], constants[f"{name}_bias"] = weights["said"][[number]], weights["said_bias"][[number]]
    around = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    nodes = [
        node("Pad", ["board", "rim"], ["rimmed"]),
        node("ReduceMax", ["rimmed"], ["on_board"], axes=[1], keepdims=1),
        node("Sub", ["one", "on_board"], ["off_board"]),
        node("Concat", ["rimmed", "off_board"], ["features"], axis=1),
        node("Conv", ["features", "first", "first_bias"], ["first_sums"], kernel_shape=[3, 3]),
        node("Relu", ["first_sums"], ["poses"]),
        node("Conv", ["poses", "together"], ["units_0"], kernel_shape=[1, 1]),
    ]
    for layer in range(LAYERS):
        units = f"units_{layer}"
        nodes += [
            node("GlobalAveragePool", [units], [f"mean_{layer}"]),
            node("Conv", [f"mean_{layer}", f"board_{layer}"], [f"common_{layer}"], kernel_shape=[1, 1]),
            node("Conv", [units, f"layer_{layer}", f"bias_{layer}"], [f"around_{layer}"], **around),
            node("Add", [units, f"around_{layer}"], [f"own_{layer}"]),
            node("Add", [f"own_{layer}", f"common_{layer}"], [f"sums_{layer}"]),
            node("Relu", [f"sums_{layer}"], [f"units_{layer + 1}"]),
        ]
    units = f"units_{LAYERS}"
    nodes += [
        node("Conv", [units, "policy_kernel", "policy_bias"], ["policy"], **around),
        node("Conv", [units, "owner_kernel", "owner_bias"], ["owner_sums"], **around),
        node("Sigmoid", ["owner_sums"], ["owner"]),
        node("GlobalAveragePool", [units], ["mean"]),
        *(
            node("Conv", ["mean", f"{name}_kernel", f"{name}_bias"], [name], kernel_shape=[1, 1])
            for name in ("tempo", "sharpness", "passing")
        ),
        node("Flatten", ["passing"], ["pass"]),
        node("Mul", ["owner", "two"], ["twice"]),
        node("Sub", ["twice", "one"], ["owned"]),
        node("ReduceSum", ["owned", "points"], ["area"], keepdims=1),
        node("Reshape", ["komi", "by_position"], ["needed"]),
        node("Sub", ["area", "needed"], ["margin"]),
        node("ReduceSum", ["on_board", "points"], ["count"], keepdims=1),
        node("Sqrt", ["count"], ["lines"]),
        node("Div", ["margin", "lines"], ["lead"]),
        node("Softplus", ["sharpness"], ["per_point"]),
        node("Mul", ["lead", "per_point"], ["from_lead"]),
        node("Add", ["from_lead", "tempo"], ["win_sum"]),
        node("Sigmoid", ["win_sum"], ["win_chance"]),
        node("Flatten", ["win_chance"], ["win"]),
    ]
    place = ["height", "width"]
    return encode_model(
        "expert",
        nodes,
        constants,
        {"board": ["positions", PLANES, *place], "komi": ["positions", 1]},
        {
            "policy": ["positions", 1, *place],
            "pass": ["positions", 1],
            "owner": ["positions", 1, *place],
            "win": ["positions", 1],
        },
        metadata,
        " ".join(__doc__.split()),
    )


def decode(content):
    """The parameters and the metadata in the bytes of such a model; OnnxError if it is none."""
    constants, metadata = decode_model(content)
    parameters = np.zeros(PARAMETERS)
    parts = unpack(parameters)
    try:
        first = constants["first"].reshape(ROW, FEATURES, TAPS)
        parts["windows"][:] = first[:WINDOWS]  # the first pose is the board as it is
        parts["plain"][:] = first[POSES * WINDOWS :, :, [_CENTRE, _SIDE, _CORNER]]
        parts["first_bias"][:WINDOWS] = constants["first_bias"][:WINDOWS]
        parts["first_bias"][WINDOWS:] = constants["first_bias"][POSES * WINDOWS :]
        for layer in range(LAYERS):
            parts["layers"][layer] = _heard(constants[f"layer_{layer}"])
            parts["board"][layer] = constants[f"board_{layer}"][:, :, 0, 0].T
            parts["bias"][layer] = constants[f"bias_{layer}"]
        for name, number in (("policy", POLICY), ("owner", OWNER)):
            parts["heads"][:, number] = _heard(constants[f"{name}_kernel"])[:, 0]
            parts["head_bias"][number] = constants[f"{name}_bias"][0]
        for name, number in (("tempo", TEMPO), ("sharpness", SHARPNESS), ("passing", PASSING)):
            parts["said"][:, number] = constants[f"{name}_kernel"][0, :, 0, 0]
            parts["said_bias"][number] = constants[f"{name}_bias"][0]
    except (KeyError, ValueError, IndexError):
        raise OnnxError("it is not an expert's network") from None
    if not np.isfinite(parameters).all():
        raise OnnxError("its weights are not numbers")
    known = {name: constants[name] for name in constants if name.startswith(("first", "layer"))}
    if not all(np.array_equal(known[name], array) for name, array in _weights(parameters).items() if name in known):
        raise OnnxError("its weights do not have the symmetry of the network")
    return parameters, metadata


def save(genome, path):
    """Write a genome of kind ``expert`` as a model."""
    parameters = np.array(genome.body["parameters"], float)
    genomes.save(genome, path, VERSION, lambda metadata: encode(parameters, metadata))


def load(path):
    """The Genome in a model file; GenomeError if it holds none."""
    return genomes.load(path, "expert", VERSION, decode)


class Session:
    """The model in onnxruntime, over features as ``features.see`` gives them."""

    def __init__(self, content):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def run(self, bits, komi):
        """(policy, pass, owner, win) for features [position, row, column] and komi [position]."""
        planes = bits[:, None] >> np.arange(PLANES, dtype=np.uint32)[:, None, None] & 1
        inputs = {"board": planes.astype(np.float32), "komi": np.asarray(komi, np.float32)[:, None]}
        return self._session.run(["policy", "pass", "owner", "win"], inputs)
