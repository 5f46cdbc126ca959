"""A model in onnxruntime: looked at before it is run, and held to the memory that a network of its size may need.

A small file can ask for a large tensor, wait for another file, or never end. So our own reader first refuses what no network
that judges a board holds, and onnxruntime then gets its memory from an arena with a limit.
"""

import math

import numpy as np

from engine import limits
from engine.files import map_bytes
from engine.texts import shortened
from players.onnx.encoder import OnnxError, fields, read_graph, text

_ENDLESS = {"Loop", "Scan", "If", "SequenceMap"}  # operators with graphs inside them
_LOUD = 4  # onnxruntime's own messages: only those of a crash
_VALUES_PER_BYTE = 8  # of a tensor's data, at most
_EXACT = 1  # the arena grows by what is asked for
# Why onnxruntime refuses a model, by the name of its exception; all others are told without a reason.
_REASONS = {
    "InvalidProtobuf": "it is damaged",
    "InvalidGraph": "its graph is not valid",
    "NotImplemented": "it uses an operator that onnxruntime does not have",
    "NoSuchFile": "it needs another file",
}


class RuntimeFailure(ValueError):
    """A model that onnxruntime cannot run, or not within the limits; the message is one line in our words."""


def check_model(content):
    """OnnxError unless the bytes are a model that a network may be, as far as can be told without running it."""
    if 25 in fields(content):
        raise OnnxError("it defines functions of its own")
    graph = read_graph(content)
    nodes = graph.get(1, [])
    if len(nodes) > limits.MODEL_NODES:
        raise OnnxError(f"it has more than {limits.MODEL_NODES} operators")
    if 15 in graph:
        raise OnnxError("it holds sparse tensors")
    size = len(content)
    for tensor in graph.get(5, []):
        _check_tensor(fields(tensor), size)
    for node in map(fields, nodes):
        if 4 in node and (operator := text(node[4][0])) in _ENDLESS:
            raise OnnxError(f"it uses the operator {operator}, which may run for ever")
        for attribute in map(fields, node.get(5, [])):
            if attribute.keys() & {6, 11, 22, 23}:
                raise OnnxError("it holds graphs in graphs or sparse tensors")
            for tensor in attribute.get(5, []) + attribute.get(10, []):
                _check_tensor(fields(tensor), size)


def _check_tensor(tensor, size):
    if 13 in tensor or tensor.get(14, [0])[0]:
        raise OnnxError("its weights are in another file")
    if math.prod(_numbers(tensor.get(1, []))) > size * _VALUES_PER_BYTE:
        raise OnnxError("a tensor in it is larger than its data")


def _numbers(values):
    """Whole numbers, one a field or many in one."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        number = shift = 0
        for byte in value[:1000]:
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                yield number
                number = shift = 0


class Model:
    """A model that can be run. RuntimeFailure if it cannot."""

    def __init__(self, path):
        """From the file at ``path``; FileError if it cannot be read, OnnxError if it is not what a network may be."""
        import onnxruntime

        content = map_bytes(path, limits.MODEL_BYTES)
        check_model(content)
        memory = limits.MODEL_MEMORY + limits.MODEL_MEMORY_PER_BYTE * len(content)
        where = onnxruntime.OrtMemoryInfo(
            "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
        )
        # The next session takes the arena that was registered last.
        onnxruntime.create_and_register_allocator(where, onnxruntime.OrtArenaCfg(memory, _EXACT, -1, -1))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # games run side by side
        options.log_severity_level = _LOUD
        options.add_session_config_entry("session.use_env_allocators", "1")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path),
                options,
                providers=["CPUExecutionProvider"],
                disabled_optimizers=["ConstantFolding"],  # it would calculate before anything is asked, without a limit
            )
        except Exception as error:  # onnxruntime has a type of its own for each of many failures
            raise RuntimeFailure(f"onnxruntime cannot load it{_reason(error)}") from None

    @property
    def inputs(self):
        """(name, shape, type) of each input; a number in a shape is a fixed one."""
        return [(value.name, value.shape, value.type) for value in self._session.get_inputs()]

    @property
    def outputs(self):
        """The names of the outputs."""
        return [value.name for value in self._session.get_outputs()]

    def run(self, names, inputs):
        """The outputs of these names as arrays, for inputs by name. RuntimeFailure if they cannot be had."""
        try:
            return [np.asarray(value, float) for value in self._session.run(names, inputs)]
        except Exception as error:  # of onnxruntime, or of an output that is no tensor of numbers
            raise RuntimeFailure(f"onnxruntime cannot run it{_reason(error)}") from None


def _reason(error):
    if "memory" in str(error).lower():
        return ": it needs more memory than a network of its size may"
    known = _REASONS.get(type(error).__name__)
    return f": {known}" if known else f" ({shortened(type(error).__name__)})"
