"""The evaluator as an ONNX model: any ONNX tool can run it, on boards of any size.

Input ``board``, float32 [positions, planes, height, width]. In the paper's network there are 13 planes, one of which is on
for each point: White's stones by the class C1–C6 of their group, Black's likewise, empty. (The graph adds the cells off the
board itself.) If the network has other inputs, the metadatum ``inputs`` names them. With ``liberties`` each class has a
plane for groups of one, two and more liberties. After the plane of empty points follow, with ``ladders``, White's and
Black's stones that a ladder catches; with ``neighbours``, White's stones whose group touches an enemy with one liberty,
those that touch one with two but none with one, and Black's likewise; with ``ko``, the point that ko forbids; with
``lines``, the first, the second and the third line.
Output ``outputs``, float32 [positions, 7, height, width]: Z+, Zo, Z*, A+o, A+*, Ao, A* of Table IV.

If the metadatum ``turn_aware`` is true, the model is for positions after a move of White; after a move of Black the colours
are exchanged, of the stones that go in and of what comes out.

The metadata of the file hold what the header of a genome holds (see ``players.genome``), as JSON texts by name. The last of
them is a digest over all bytes before it, so that a damaged or edited file is noticed; files of version 1 had none.
"""

import numpy as np

from players.isn.anatomy import (
    CROSS,
    LINE_KINDS,
    LINES,
    OUTPUTS,
    PAPER,
    STEPS,
    basis,
    exchanged_kinds,
    expand,
    expand_again,
    links,
    plane_names,
    unpack,
    wiring,
)
from players.isn.body import ANATOMY, anatomy_in
from players.onnx import genomes
from players.onnx.encoder import OnnxError, decode_model, encode_model, node
from players.schema import SchemaError, parse_json

VERSION = 2
_UNSEALED = 1  # the version whose files have no digest
_BODY = ("c", "s", "turn_aware")


def _window(weights):
    """Weights [to, from, step] as the kernel [to, from, row, column] of a convolution."""
    kernel = np.zeros((*weights.shape[:2], 3, 3))
    for number, (east, north) in enumerate(STEPS):
        kernel[:, :, 1 - north, 1 + east] = weights[:, :, number]
    return kernel.astype(np.float32)


def _steps(kernel):
    """The weights again."""
    return np.stack([kernel[:, :, 1 - north, 1 + east] for east, north in STEPS], axis=2).astype(float)


def encode(parameters, metadata, anatomy=PAPER):
    """The bytes of the model of a parameter vector."""
    seen, direct, read = expand(parameters, anatomy)
    parts = unpack(np.asarray(parameters, float), anatomy)
    hidden_bias = np.zeros(anatomy.hidden, np.float32)
    hidden_bias[: anatomy.trivial] = parts["hidden_bias"]
    constants = {
        "input_to_hidden": _window(seen),
        "input_to_output": _window(direct),
        "hidden_to_output": _window(read),
        "hidden_bias": hidden_bias,
        "output_bias": parts["output_bias"].astype(np.float32),
        "rim": np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64),
        "over_planes": np.array([1], np.int64),
        "one": np.ones(1, np.float32),
    }
    # On the board one of the first planes is on; where there are others, these are taken apart first.
    first = []
    if anatomy.planes > anatomy.one_of + 1:
        constants |= {"begin": np.array([0], np.int64), "end": np.array([anatomy.one_of], np.int64)}
        first = [node("Slice", ["rimmed", "begin", "end", "over_planes"], ["one_of"])]
    hidden, again = "hidden", []
    if anatomy.passes > 1:
        weights = np.zeros((anatomy.hidden, anatomy.hidden, len(STEPS)))
        weights[:, :, :CROSS] = expand_again(parameters, anatomy).transpose(2, 1, 0)
        constants["hidden_to_hidden"] = _window(weights)
    for number in range(1, anatomy.passes):
        before, hidden = hidden, f"hidden_{number}"
        heard, summed = f"heard_{number}", f"summed_{number}"
        again += [
            node("Conv", [before, "hidden_to_hidden"], [heard], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("Add", [heard, "hidden_sums"], [summed]),
            node("Tanh", [summed], [hidden]),
        ]
    nodes = [
        node("Pad", ["board", "rim"], ["rimmed"]),
        *first,
        node("ReduceSum", ["one_of" if first else "rimmed", "over_planes"], ["on_board"], keepdims=1),
        node("Sub", ["one", "on_board"], ["off_board"]),
        node("Concat", ["rimmed", "off_board"], ["inputs"], axis=1),
        node("Conv", ["inputs", "input_to_hidden", "hidden_bias"], ["hidden_sums"], kernel_shape=[3, 3]),
        node("Tanh", ["hidden_sums"], ["hidden"]),
        *again,
        node("Conv", [hidden, "hidden_to_output"], ["from_hidden"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Conv", ["inputs", "input_to_output", "output_bias"], ["from_inputs"], kernel_shape=[3, 3]),
        node("Add", ["from_hidden", "from_inputs"], ["sums"]),
        node("Sigmoid", ["sums"], ["outputs"]),
    ]
    shape = ["positions", anatomy.planes - 1, "height", "width"]
    return encode_model(
        "internal symmetry network",
        nodes,
        constants,
        {"board": shape},
        {"outputs": ["positions", OUTPUTS, *shape[2:]]},
        metadata,
        " ".join(__doc__.split()),
    )


def decode(content):
    """The parameters, the metadata and the anatomy in the bytes of such a model; OnnxError if it is none."""
    constants, metadata = decode_model(content)
    try:
        anatomy = anatomy_in({name: parse_json(metadata[name]) for name in ANATOMY if name in metadata})
    except SchemaError as error:
        raise OnnxError(str(error)) from None
    signs = basis(anatomy.hidden)
    try:
        kernels = [_steps(constants[name]) for name in ("input_to_hidden", "input_to_output", "hidden_to_output")]
        seen, direct, read = kernels
        parameters = np.zeros(anatomy.parameters)
        parts = unpack(parameters, anatomy)
        counts = (signs**2).sum(axis=(0, 2))  # how many connections share a feature's weight
        parts["seen"][:] = np.einsum("hfn,hkn->fk", signs, seen) / counts[:, None]
        parts["direct"][:] = direct[:, :, [0, 1, 5]].transpose(2, 1, 0)
        parts["read"][:] = np.einsum("hfn,ohn->fo", signs, read) / counts[:, None]
        parts["hidden_bias"][:] = constants["hidden_bias"][: anatomy.trivial]
        parts["output_bias"][:] = constants["output_bias"]
        if anatomy.passes > 1:
            again, found = _steps(constants["hidden_to_hidden"])[:, :, :CROSS].transpose(2, 1, 0), links(anatomy.hidden)
            total = np.bincount(found.which.ravel(), (found.sign * again).ravel(), minlength=found.count)
            parts["again"][:] = total / np.bincount(found.which.ravel(), np.abs(found.sign).ravel(), minlength=found.count)
            kernels.append(again)
    except (KeyError, ValueError, IndexError):
        raise OnnxError("it is not an internal symmetry network") from None
    if not np.isfinite(parameters).all():
        raise OnnxError("its weights are not numbers")
    expected = [*expand(parameters, anatomy), *([expand_again(parameters, anatomy)] if anatomy.passes > 1 else [])]
    if not all(np.allclose(old, new, atol=1e-6) for old, new in zip(expected, kernels)):
        raise OnnxError("its weights do not have the symmetry of the network")
    return parameters, metadata, anatomy


def save(genome, path):
    """Write a genome of kind ``isn`` as a model."""
    parameters, anatomy = np.array(genome.body["parameters"], float), anatomy_in(genome.body)
    told = [name for name in (*_BODY, *ANATOMY) if name in genome.body]
    genomes.save(genome, path, VERSION, lambda metadata: encode(parameters, metadata, anatomy), told)


def load(path):
    """The Genome in a model file; GenomeError if it holds none."""
    return genomes.load(path, "isn", VERSION, lambda content: decode(content)[:2], _BODY, ANATOMY, _UNSEALED)


def planes_of(kinds, anatomy):
    """The inputs [position, plane, row, column] for kinds [position, row, column]."""
    planes = wiring(anatomy)[:, :-1].astype(np.float32)[kinds].transpose(0, 3, 1, 2)
    if LINES in anatomy.inputs:
        first = plane_names(anatomy).index("line 1")
        rows, columns = (np.minimum(np.arange(n), n - 1 - np.arange(n)) for n in kinds.shape[1:])
        line = np.minimum(rows[:, None], columns)
        planes = np.ascontiguousarray(planes)
        planes[:, first : first + LINE_KINDS] = line == np.arange(LINE_KINDS)[:, None, None]
    return planes


class Session:
    """The model in onnxruntime, over boards of kinds as ``network.classify`` gives them."""

    def __init__(self, content, anatomy=PAPER):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # games run side by side
        self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self._anatomy, self._exchanged = anatomy, exchanged_kinds()

    def run(self, kinds, exchange=False):
        """The outputs [position, output, row, column] for kinds [position, row, column], all of points on the board.

        With ``exchange`` the model sees the colours exchanged, and what it says is turned back.
        """
        if exchange:
            said = self.run(self._exchanged[kinds])
            return np.concatenate([1 - said[:, [0, 2, 1]], said[:, [4, 3, 6, 5]]], axis=1)
        return self._session.run(None, {"board": planes_of(kinds, self._anatomy)})[0]
