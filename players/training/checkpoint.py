"""A state as bytes and back, without pickle: a tree of plain data and numpy arrays.

The bytes are one line of text (what this is, SHA-256 and length of the rest) and an ``.npz`` archive with the arrays and,
as JSON, the tree that refers to them by number. A file that was cut short or damaged is noticed and never half used.
"""

import hashlib
import io
import json

import numpy as np

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
            return arrays[f"a{tree[_ARRAY]}"]
        return {key: _unpack(value, arrays) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_unpack(value, arrays) for value in tree]
    return tree


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
    with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
        return _unpack(json.loads(arrays["tree"].tobytes()), arrays)
