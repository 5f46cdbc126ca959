"""Checkpoints: any tree of plain data comes back exactly, and no damage goes unnoticed."""

import numpy as np
import pytest

from players.training import checkpoint
from players.training.checkpoint import CheckpointError

RECORD = np.array([(1, 2.5)], dtype=[("a", np.int16), ("b", np.float64)])
TREE = {
    "numbers": [0, -1, 2**127, 0.1, 1e-300, float("inf")],
    "text": "Größe",
    "none": None,
    "deep": [{"x": [True, {"y": {}}]}, []],
    "arrays": [np.arange(6, dtype=np.uint8).reshape(2, 3), np.zeros((0, 4)), np.array(3.5, np.float32), RECORD],
}


def same(a, b):
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def test_round_trip():
    assert same(TREE, checkpoint.decode(checkpoint.encode(TREE)))
    assert checkpoint.encode(TREE) == checkpoint.encode(checkpoint.decode(checkpoint.encode(TREE)))


def test_tuples_become_lists_and_numpy_numbers_numbers():
    assert checkpoint.decode(checkpoint.encode({"a": (1, np.int64(2), np.float64(0.5))})) == {"a": [1, 2, 0.5]}


def test_a_generator_goes_on_where_it_was():
    random = np.random.default_rng(4)
    random.random(5)
    state = checkpoint.decode(checkpoint.encode(random.bit_generator.state))
    twin = np.random.Generator(np.random.PCG64())
    twin.bit_generator.state = state
    assert (twin.random(9) == random.random(9)).all()


@pytest.mark.parametrize("bad", [{1: 2}, {"$array": 0}, {1, 2}, np.array([None]), b"bytes", object()])
def test_what_a_checkpoint_cannot_hold(bad):
    with pytest.raises(TypeError):
        checkpoint.encode({"bad": [bad]})


def test_every_kind_of_damage_is_noticed():
    content = checkpoint.encode(TREE)
    damaged = [content[:length] for length in range(0, len(content), 97)] + [content + b"x", b"rubbish\n"]
    for place in range(0, len(content), 31):
        damaged.append(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
    for bad in damaged:
        with pytest.raises(CheckpointError):
            checkpoint.decode(bad)
