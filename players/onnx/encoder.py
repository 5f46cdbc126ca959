"""Just enough of ONNX to write a model and to read back what we wrote.

A model is a protocol buffer: a message is a row of fields, each a key (number and wire type) and a value, and a value may
be a message itself. Field numbers are those of the public schema ``onnx.proto``.
"""

import hashlib

import numpy as np

from engine import limits

IR_VERSION, OPSET = 8, 13  # old enough for any runtime of recent years, new enough for all we use
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TYPES = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}
_INT, _INTS = 2, 7  # attribute types


class OnnxError(ValueError):
    """Not a model that can be read; the message says why."""


# Protocol buffers


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(number, value):
    """One field: whole numbers as such, text and bytes (also of a message) with their length."""
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _message(*fields):
    """A message of (number, value) pairs; a list as value repeats the field."""
    parts = []
    for number, value in fields:
        parts += [_field(number, one) for one in (value if isinstance(value, list) else [value])]
    return b"".join(parts)


def _read_varint(content, at):
    value = shift = 0
    while True:
        if at >= len(content) or shift > 63:
            raise OnnxError("it ends in the middle of a number")
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(content):
    """The fields of a message by number, each a list of values: whole numbers or memoryviews.

    OnnxError if it is not a message, or has more fields than any honest one.
    """
    if not isinstance(content, (bytes, memoryview)):
        raise OnnxError("it is not a protocol buffer")
    content = memoryview(content)
    found, at = {}, 0
    for _ in range(limits.MODEL_FIELDS + 1):
        if at >= len(content):
            return found
        key, at = _read_varint(content, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _read_varint(content, at)
        else:
            if wire == _BYTES:
                length, at = _read_varint(content, at)
            elif wire in (_FIXED32, _FIXED64):
                length = 4 if wire == _FIXED32 else 8
            else:
                raise OnnxError("it is not a protocol buffer")
            value, at = content[at : at + length], at + length
            if at > len(content):
                raise OnnxError("it is truncated")
        found.setdefault(number, []).append(value)
    raise OnnxError(f"a list in it has more than {limits.MODEL_FIELDS} entries")


def text(value):
    """A field as text; OnnxError if it is none."""
    try:
        return bytes(value).decode() if isinstance(value, memoryview) else _refuse_text()
    except ValueError:
        return _refuse_text()


def _refuse_text():
    raise OnnxError("a name or a text in it is none")


# Models


def node(operator, inputs, outputs, **attributes):
    """A node of the graph; attributes are whole numbers or lists of them."""
    encoded = []
    for name, value in attributes.items():
        if isinstance(value, int):
            encoded.append(_message((1, name), (3, value), (20, _INT)))
        else:
            encoded.append(_message((1, name), (8, list(value)), (20, _INTS)))
    return _message((1, list(inputs)), (2, list(outputs)), (3, outputs[0]), (4, operator), (5, encoded))


def _tensor(name, array):
    array = np.ascontiguousarray(array)
    little = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return _message((1, [int(n) for n in array.shape]), (2, _TYPES[array.dtype]), (8, name), (9, little))


def _value(name, shape):
    """A float input or output; a text in the shape is the name of a dynamic dimension."""
    dimensions = [_message((1, n) if isinstance(n, int) else (2, n)) for n in shape]
    tensor = _message((1, _TYPES[np.dtype(np.float32)]), (2, _message((1, dimensions))))
    return _message((1, name), (2, _message((1, tensor))))


def encode_model(name, nodes, constants, inputs, outputs, metadata, description=""):
    """The bytes of a model. ``constants`` are arrays by name, ``inputs`` and ``outputs`` shapes by name."""
    graph = _message(
        (1, list(nodes)),
        (2, name),
        (5, [_tensor(key, array) for key, array in constants.items()]),
        (11, [_value(key, shape) for key, shape in inputs.items()]),
        (12, [_value(key, shape) for key, shape in outputs.items()]),
    )
    return _message(
        (1, IR_VERSION),
        (2, "evogo"),
        (6, description),
        (7, graph),
        (8, _message((1, ""), (2, OPSET))),
        (14, [_message((1, key), (2, value)) for key, value in metadata.items()]),
    )


# A digest: the last entry of the metadata, over all bytes before it


def _seal(content):
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    return _field(14, _message((1, "digest"), (2, digest)))


_SEAL_BYTES = len(_seal(b""))


def sealed(content):
    """The bytes of a model with the digest of them among its metadata."""
    return content + _seal(content)


def is_sealed(content):
    """Whether the bytes are those of a model that ``sealed`` gave, unchanged."""
    return content[-_SEAL_BYTES:] == _seal(content[:-_SEAL_BYTES])


# Reading


def read_graph(content):
    """The fields of the graph of a model; OnnxError if it has none."""
    graphs = fields(content).get(7, [])
    if len(graphs) != 1 or not isinstance(graphs[0], memoryview):
        raise OnnxError("it holds no graph")
    return fields(graphs[0])


def read_metadata(content):
    """The metadata of a model by name; OnnxError if it is none."""
    found = {}
    for entry in map(fields, fields(content).get(14, [])):
        if 1 not in entry:
            raise OnnxError("a name or a text in it is none")
        found[text(entry[1][0])] = text(entry[2][0]) if 2 in entry else ""
    return found


def decode_model(content):
    """The float constants by name and the metadata of a model; OnnxError if it is not one."""
    constants = {}
    try:
        for tensor in map(fields, read_graph(content).get(5, [])):
            if tensor[2][0] == _TYPES[np.dtype(np.float32)]:
                values = np.frombuffer(tensor[9][0], "<f4")
                constants[text(tensor[8][0])] = values.reshape([int(n) for n in tensor.get(1, [])])
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, OnnxError):
            raise
        raise OnnxError("its constants are not as ours") from None
    return constants, read_metadata(content)
