"""Files that were made to do harm, and how genomes, models and runs are bent and signed again."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np

from players import genome
from players.isn import model
from players.onnx.encoder import encode_model, node, read_metadata, sealed

MODELS = Path(__file__).resolve().parents[2] / "models"


def data_of(name):
    """The data in a champion that ships, without its digest."""
    data = json.loads((MODELS / f"{name}.json").read_bytes())
    del data["digest"]
    return data


def signed(data):
    """The bytes of a genome file with a digest that is right, whatever is in it."""
    return json.dumps({**data, "digest": genome._digest(data)}).encode()


def bent(name, *path, value):
    """The file of a champion with one field changed and the digest right."""
    data = data_of(name)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return signed(data)


def bent_model(name="isn-9x9", **changes):
    """The file of an ONNX champion with other metadata and the digest right."""
    content = (MODELS / f"{name}.onnx").read_bytes()
    parameters, _, anatomy = model.decode(content)
    metadata = read_metadata(content) | changes
    del metadata["digest"]
    return sealed(model.encode(parameters, metadata, anatomy))


def chain(length):
    """A HyperNEAT genome whose hidden nodes stand in a row, each link before the one that it needs."""
    data = data_of("hyperneat-any")
    first = 1000
    data["body"]["nodes"] += [[first + i, "sine"] for i in range(length)]
    links = [[0, first, 1.0], *([first + i, first + i + 1, 1.0] for i in range(length - 1)), [first + length - 1, 7, 1.0]]
    data["body"]["links"] = links[::-1]
    return signed(data)


def network(operators, constants=None, shape=("positions", 2, "height", "width"), outputs=("policy",)):
    """An ONNX model from elsewhere; ``operators`` are (operator, inputs, outputs, attributes)."""
    nodes = [node(name, ins, outs, **attributes) for name, ins, outs, attributes in operators]
    said = {name: ["positions", "numbers"] for name in outputs}
    return encode_model("test", nodes, constants or {}, {"board": list(shape)}, said, {})


def large_tensor(how):
    """A model of some hundred bytes that asks for gigabytes when it runs."""
    largest = ("ReduceMax", ["big"], ["most"], {"keepdims": 0})
    add = ("Add", ["board", "most"], ["policy"], {})
    if how == "constant":
        return network([("ConstantOfShape", ["n"], ["big"], {}), largest, add], {"n": np.array([1 << 30], np.int64)})
    if how == "expand":
        shape = np.array([1 << 23, 2, 9, 9], np.int64)
        return network([("Expand", ["board", "n"], ["big"], {}), largest, add], {"n": shape})
    if how == "double":  # each operator doubles what the one before it gave
        names = ["board", *(f"x{i}" for i in range(28))]
        doubling = [("Concat", [a, a], [b], {"axis": 0}) for a, b in zip(names, names[1:])]
        return network([*doubling, ("Identity", [names[-1]], ["big"], {}), largest, add])
    if how == "pad":
        pads = np.array([0, 0, 1 << 14, 1 << 14, 0, 0, 1 << 14, 1 << 14], np.int64)
        return network([("Pad", ["board", "n"], ["big"], {}), largest, add], {"n": pads})
    raise ValueError(how)


def loop():
    """A model with an operator that has a graph of its own."""
    return network([("Loop", ["board"], ["policy"], {})])


def claimed(dims):
    """A model with a constant that says it is larger than it is."""
    content = network([("Add", ["board", "w"], ["policy"], {})], {"w": np.ones((3, 5), np.float32)})
    old = b"\x08\x03\x08\x05"
    assert content.count(old) == 1
    new = b"".join(b"\x08" + bytes([n & 0x7F | 0x80, n >> 7 & 0x7F | 0x80, n >> 14 & 0x7F | 0x80, n >> 21]) for n in dims)
    # Lengths of all messages around it change: put it together again from its parts.
    return _replaced(content, old, new)


def _replaced(content, old, new):
    """A protocol buffer with some bytes replaced in a message inside it, and all lengths made right."""
    from players.onnx.encoder import _field, _varint, fields

    if old not in bytes(content):
        return bytes(content)
    parts = []
    for number, values in fields(content).items():
        for value in values:
            if isinstance(value, int):
                parts.append(_varint(number << 3) + _varint(value))
            elif number == 5 and bytes(value).startswith(old):
                parts.append(_field(5, new + bytes(value)[len(old) :]))
            else:
                parts.append(_field(number, _replaced(value, old, new) if number in (5, 7) else bytes(value)))
    return b"".join(parts)


def checkpoint_of(entries, compress=False, claim=None):
    """The bytes of a checkpoint whose archive holds the given (name, bytes), digest and length right."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as file:
        for name, content in entries:
            file.writestr(name, content)
    payload = archive.getvalue()
    return b"evogo-checkpoint-1 %s %d\n" % (hashlib.sha256(payload).hexdigest().encode(), len(payload)) + payload


def array_bytes(array, shape=None):
    """The bytes of an ``.npy`` file, whose header may say another shape."""
    file = io.BytesIO()
    header = np.lib.format.header_data_from_array_1_0(array)
    np.lib.format.write_array_header_1_0(file, header | ({"shape": shape} if shape else {}))
    return file.getvalue() + array.tobytes()
