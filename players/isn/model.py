"""The evaluator as an ONNX model: any ONNX tool can run it, on boards of any size.

Input ``board``, float32 [positions, 13, height, width]: for each point the one of 13 planes that is on: White's stones by
the class C1–C6 of their group, Black's likewise, empty. (The graph adds the cells off the board itself.)
Output ``outputs``, float32 [positions, 7, height, width]: Z+, Zo, Z*, A+o, A+*, Ao, A* of Table IV.

If the metadatum ``turn_aware`` is true, the model is for positions after a move of White; after a move of Black the colours
are exchanged, of the stones that go in and of what comes out.

The metadata of the file hold what the header of a genome holds (see ``players.genome``), as JSON texts by name. The last of
them is a digest over all bytes before it, so that a damaged or edited file is noticed; files of version 1 had none.
"""

import json

import numpy as np

from engine import limits
from engine.files import FileError, read_bytes
from players.genome import GenomeError, check_version, from_header, plain, write_atomically
from players.isn.network import (
    BASIS,
    EMPTY_KIND,
    HIDDEN,
    OUTPUTS,
    PARAMETERS,
    STEPS,
    TRIVIAL,
    expand,
    unpack,
)
from players.onnx.encoder import OnnxError, decode_model, encode_model, is_sealed, node, sealed
from players.schema import SchemaError, parse_json

VERSION = 2
_UNSEALED = 1  # the version whose files have no digest
PLANES = EMPTY_KIND + 1
_EXCHANGED = np.array([*range(6, 12), *range(6), EMPTY_KIND], np.uint8)  # inputs with Black and White exchanged
_HEADER = ("sizes", "generation", "config", "results", "history")
_BODY = ("c", "s", "turn_aware")


def _window(weights):
    """Weights [to, from, step] as the kernel [to, from, row, column] of a convolution."""
    kernel = np.zeros((*weights.shape[:2], 3, 3))
    for number, (east, north) in enumerate(STEPS):
        kernel[:, :, 1 - north, 1 + east] = weights[:, :, number]
    return kernel.astype(np.float32)


def _steps(kernel):
    return np.stack([kernel[:, :, 1 - north, 1 + east] for east, north in STEPS], axis=2).astype(float)


def encode(parameters, metadata):
    """The bytes of the model of a parameter vector."""
    seen, direct, read = expand(parameters)
    parts = unpack(np.asarray(parameters, float))
    hidden_bias = np.zeros(HIDDEN, np.float32)
    hidden_bias[:TRIVIAL] = parts["hidden_bias"]
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
    nodes = [
        node("Pad", ["board", "rim"], ["rimmed"]),
        node("ReduceSum", ["rimmed", "over_planes"], ["on_board"], keepdims=1),
        node("Sub", ["one", "on_board"], ["off_board"]),
        node("Concat", ["rimmed", "off_board"], ["inputs"], axis=1),
        node("Conv", ["inputs", "input_to_hidden", "hidden_bias"], ["hidden_sums"], kernel_shape=[3, 3]),
        node("Tanh", ["hidden_sums"], ["hidden"]),
        node("Conv", ["hidden", "hidden_to_output"], ["from_hidden"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Conv", ["inputs", "input_to_output", "output_bias"], ["from_inputs"], kernel_shape=[3, 3]),
        node("Add", ["from_hidden", "from_inputs"], ["sums"]),
        node("Sigmoid", ["sums"], ["outputs"]),
    ]
    shape = ["positions", PLANES, "height", "width"]
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
    """The parameters and the metadata in the bytes of such a model; OnnxError if it is none."""
    constants, metadata = decode_model(content)
    try:
        seen, direct, read = (_steps(constants[name]) for name in ("input_to_hidden", "input_to_output", "hidden_to_output"))
        parameters = np.zeros(PARAMETERS)
        parts = unpack(parameters)
        counts = (BASIS**2).sum(axis=(0, 2))  # how many connections share a feature's weight
        parts["seen"][:] = np.einsum("hfn,hkn->fk", BASIS, seen) / counts[:, None]
        parts["direct"][:] = direct[:, :, [0, 1, 5]].transpose(2, 1, 0)
        parts["read"][:] = np.einsum("hfn,ohn->fo", BASIS, read) / counts[:, None]
        parts["hidden_bias"][:] = constants["hidden_bias"][:TRIVIAL]
        parts["output_bias"][:] = constants["output_bias"]
    except (KeyError, ValueError, IndexError):
        raise OnnxError("it is not an internal symmetry network") from None
    if not np.isfinite(parameters).all():
        raise OnnxError("its weights are not numbers")
    if not all(np.allclose(old, new, atol=1e-6) for old, new in zip(expand(parameters), (seen, direct, read))):
        raise OnnxError("its weights do not have the symmetry of the network")
    return parameters, metadata


def save(genome, path):
    """Write a genome of kind ``isn`` as a model."""
    header = plain(
        {
            "sizes": sorted(genome.sizes),
            "generation": genome.generation,
            "config": genome.config,
            "results": [result.to_json() for result in genome.results],
            "history": genome.history,
        }
    )
    metadata = {"evogo": "genome", "kind": "isn", "version": str(VERSION)}
    metadata |= {name: json.dumps(header[name]) for name in _HEADER}
    metadata |= {name: json.dumps(genome.body[name]) for name in _BODY}
    write_atomically(path, sealed(encode(np.array(genome.body["parameters"], float), metadata)))


def load(path):
    """The Genome in a model file; GenomeError if it holds none."""
    try:
        content = read_bytes(path, limits.GENOME_BYTES)
    except FileError as error:
        raise GenomeError(str(error)) from None
    try:
        parameters, metadata = decode(content)
    except OnnxError as error:
        raise GenomeError(f"{path} cannot be used: {error}") from None
    if metadata.get("kind") != "isn":
        raise GenomeError(f"{path} is not an evaluator of kind isn")
    version = metadata.get("version", "")
    version = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else None
    check_version(version, VERSION, path)
    if version > _UNSEALED and not is_sealed(content):
        raise GenomeError(f"{path} is damaged or was edited: its digest does not match its content")
    header = {"kind": "isn"} | {name: _read(metadata, name, path) for name in (*_HEADER, *_BODY)}
    body = {"parameters": parameters.tolist()} | {name: header.pop(name) for name in _BODY}
    return from_header(header, body, path)


def _read(metadata, name, path):
    """The data in one of the metadata."""
    try:
        return parse_json(metadata.get(name, ""))
    except SchemaError as error:
        raise GenomeError(f"{path} cannot be used: {name}: {error}") from None


class Session:
    """The model in onnxruntime, over boards of inputs as ``network.classify`` gives them."""

    def __init__(self, content):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # games run side by side
        self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def run(self, kinds, exchange=False):
        """The outputs [position, output, row, column] for inputs [position, row, column], each a number below 13.

        With ``exchange`` the model sees the colours exchanged, and what it says is turned back.
        """
        if exchange:
            said = self.run(_EXCHANGED[kinds])
            return np.concatenate([1 - said[:, [0, 2, 1]], said[:, [4, 3, 6, 5]]], axis=1)
        planes = kinds[:, None] == np.arange(PLANES, dtype=np.uint8)[:, None, None]
        return self._session.run(None, {"board": planes.astype(np.float32)})[0]
