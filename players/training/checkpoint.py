"""A state as bytes and back, without pickle: a tree of plain data and numpy arrays.

The bytes are one line of text (what this is, SHA-256 and length of the rest) and an ``.npz`` archive with the arrays and,
as JSON, the tree that refers to them by number. A file that was cut short or damaged is noticed and never half used.

The archive is not compressed, and an array takes as many bytes in memory as it has there: nothing unpacks to more than it
is.
"""

import hashlib
import io
import json
import math
import zipfile

import numpy as np

from engine import limits
from players.schema import SchemaError, parse_json

_MAGIC = b"evogo-checkpoint-1"
_ARRAY = "$array"  # {"$array": 3} in the tree stands for array number 3


class CheckpointError(ValueError):
    """Bytes that are not a whole checkpoint; the message is one line that says why."""


def _pack(tree, arrays):
    if isinstance(tree, np.ndarray):
        if tree.dtype.hasobject:
            raise TypeError("a checkpoint cannot hold an array of objects")
        arrays.append(tree)
        return {_ARRAY: len(arrays) - 1}
    if isinstance(tree, np.generic):
        return tree.item()
    if isinstance(tree, dict):
        if not all(isinstance(key, str) and key != _ARRAY for key in tree):
            raise TypeError("a key in a checkpoint must be a string")
        return {key: _pack(value, arrays) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_pack(value, arrays) for value in tree]
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    raise TypeError(f"a checkpoint cannot hold a {type(tree).__name__}")


def _unpack(tree, arrays):
    if isinstance(tree, dict):
        if _ARRAY in tree:
            if type(tree[_ARRAY]) is not int or tree[_ARRAY] not in arrays:
                raise CheckpointError("an array is missing in it")
            return arrays[tree[_ARRAY]]
        return {key: _unpack(value, arrays) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_unpack(value, arrays) for value in tree]
    return tree


def has_form(tree, model):
    """Whether a tree has the form of another one, as far as that can tell: the same names, types and kinds of arrays.

    What is None or an empty list in the model may be anything, and lists and arrays may be of any length.
    """
    if isinstance(model, np.ndarray):
        return isinstance(tree, np.ndarray) and tree.dtype == model.dtype and tree.ndim == model.ndim
    if isinstance(model, dict):
        same = isinstance(tree, dict) and tree.keys() == model.keys()
        return same and all(has_form(tree[name], model[name]) for name in model)
    if isinstance(model, (list, tuple)):
        return isinstance(tree, list) and (not model or all(has_form(value, model[0]) for value in tree))
    if isinstance(model, float):
        return type(tree) in (int, float)
    return model is None or type(tree) is type(model)


def require_sound(condition, problem):
    """ValueError unless ``condition`` holds: for the values of a state, which a file of anybody's may hold."""
    if not condition:
        raise ValueError(problem)


def encode(tree):
    """The bytes of a tree of dicts (str keys), lists, numbers, texts, None and arrays; TypeError for anything else."""
    arrays = []
    text = json.dumps(_pack(tree, arrays)).encode()
    archive = io.BytesIO()
    np.savez(archive, tree=np.frombuffer(text, np.uint8), **{f"a{i}": array for i, array in enumerate(arrays)})
    payload = archive.getvalue()
    head = b"%s %s %d\n" % (_MAGIC, hashlib.sha256(payload).hexdigest().encode(), len(payload))
    return head + payload


def decode(content):
    """The tree again; CheckpointError if the bytes are not exactly what ``encode`` made."""
    head, newline, payload = content.partition(b"\n")
    words = head.split(b" ")
    if words[0] != _MAGIC:
        raise CheckpointError("it is not a checkpoint of this version of evogo")
    if len(words) != 3 or not newline or words[2] != b"%d" % len(payload):
        raise CheckpointError("it is truncated")
    if words[1] != hashlib.sha256(payload).hexdigest().encode():
        raise CheckpointError("it is damaged: its digest does not match")
    try:
        arrays = _arrays(payload)
        tree = parse_json(arrays.pop("tree").tobytes(), digits=limits.STATE_DIGITS, finite=False)
    except (SchemaError, KeyError) as error:
        raise CheckpointError(f"it holds no state: {error}") from None
    return _unpack(tree, {int(name[1:]): array for name, array in arrays.items()})


def _arrays(payload):
    """The arrays of an archive by name; CheckpointError if it is none of those that ``encode`` makes."""
    arrays = {}
    try:
        with zipfile.ZipFile(io.BytesIO(payload)) as archive:
            entries = archive.infolist()
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise CheckpointError("it is compressed")
            if sum(entry.file_size for entry in entries) > len(payload):
                raise CheckpointError("it holds more than its bytes")
            for entry in entries:
                arrays[_array_name(entry.filename)] = _read_array(archive.read(entry))
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, TypeError, OverflowError) as error:
        raise CheckpointError(f"it holds no archive of arrays ({type(error).__name__})") from None
    return arrays


def _array_name(filename):
    name = filename.removesuffix(".npy")
    if name != "tree" and not (name[:1] == "a" and name[1:].isascii() and name[1:].isdigit() and len(name) < 10):
        raise CheckpointError("it holds an array of another name")
    return name


def _read_array(content):
    """The array in the bytes of an ``.npy`` file."""
    file = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise CheckpointError("it holds an array of another version")
        shape, by_columns, kind = np.lib.format.read_array_header_1_0(file)
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError("it holds an array without a header") from None
    values = content[file.tell() :]
    if kind.hasobject or math.prod(shape) * kind.itemsize != len(values) or any(n < 0 for n in shape):
        raise CheckpointError("it holds an array that is not as long as it says")
    return np.frombuffer(values, kind).reshape(shape, order="F" if by_columns else "C").copy(order="K")
