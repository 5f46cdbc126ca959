"""Random streams: uniform, reproducible, independent of each other."""

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from engine.go.board import ZOBRIST
from engine.go.rng import below, game_seeds, new_stream, next_bits, restart, stream_key, uniform

DRAWS = 40_000


@njit
def draw_below(rng, n, counts, draws):
    for _ in range(draws):
        counts[below(rng, n)] += 1


@njit
def draw_uniform(rng, values):
    for i in range(values.size):
        values[i] = uniform(rng)


def chi_square(counts):
    expected = counts.sum() / counts.size
    return ((counts - expected) ** 2).sum() / expected


def bits(rng, count):
    return [int(next_bits(rng)) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 81, 361, 625])
def test_below_is_uniform(n):
    counts = np.zeros(n, np.int64)
    draw_below(new_stream(1, n), n, counts, DRAWS)
    assert counts.sum() == DRAWS  # nothing fell outside
    # Chi-square has mean n - 1 and variance 2 (n - 1): five deviations are exceeded once in a million seeds or so.
    assert chi_square(counts) <= (n - 1) + 5 * np.sqrt(2 * (n - 1)) + 5


def test_pairs_of_draws_are_uniform():
    n = 16
    stream = new_stream(2)
    draws = np.array([below(stream, n) for _ in range(2 * 10_000)])
    counts = np.bincount(draws[::2] * n + draws[1::2], minlength=n * n)
    assert chi_square(counts) < 255 + 5 * np.sqrt(2 * 255)


def test_uniform_lies_in_the_unit_interval_and_fills_it():
    values = np.empty(DRAWS)
    draw_uniform(new_stream(3), values)
    assert 0.0 <= values.min() < 0.001 and 0.999 < values.max() < 1.0
    assert abs(values.mean() - 0.5) < 5 / np.sqrt(12 * DRAWS)
    assert abs(values.var() - 1 / 12) < 5 / np.sqrt(180 * DRAWS)
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 5 / np.sqrt(DRAWS)


def test_every_bit_is_fair():
    words = np.array(bits(new_stream(4), 4000), dtype=np.uint64)
    shares = [(words >> np.uint64(bit) & np.uint64(1)).mean() for bit in range(64)]
    assert max(abs(share - 0.5) for share in shares) < 5 * 0.5 / np.sqrt(4000)


def test_the_same_key_gives_the_same_stream():
    assert bits(new_stream(5, 1, 2, 3), 20) == bits(new_stream(5, 1, 2, 3), 20)


def test_different_keys_give_different_streams():
    keys = list(itertools.product(range(-2, 6), range(8), range(8), range(2)))
    keys += [(0,), (1,), (0, 0), (0, 1), (1, 0), (0, 0, 0), (2**64 - 3,), (2**63, 1)]
    firsts = {key: tuple(bits(new_stream(*key), 3)) for key in keys}
    assert len(set(firsts.values())) == len(keys)
    numbers = list(itertools.chain(*firsts.values()))
    assert len(set(numbers)) == len(numbers)  # and no stream runs into another within a few draws


def test_keys_count_in_order():
    assert stream_key(1, 2, 3) != stream_key(1, 3, 2) != stream_key(2, 1, 3)
    assert stream_key(1, 2) != stream_key(1, 2, 0)
    assert all(0 <= stream_key(seed) < 2**64 for seed in (-1, 0, 2**200))


def test_neighbouring_streams_are_not_alike():
    """The numbers of one stream say nothing about those of the next seed."""
    streams = np.array([bits(new_stream(7, game), 200) for game in range(50)], dtype=np.uint64)
    differing = [bin(int(a) ^ int(b)).count("1") for a, b in zip(streams[:-1].ravel(), streams[1:].ravel())]
    assert abs(np.mean(differing) - 32) < 5 * 4 / np.sqrt(len(differing))


def test_streams_of_numbered_games():
    key = np.uint64(stream_key(8))
    rng = new_stream(0)
    firsts = {}
    for game, seed in enumerate(game_seeds(key, range(1000))):
        restart(rng, seed)
        firsts[game] = tuple(bits(rng, 2))
    assert len(set(firsts.values())) == 1000
    next_bits(rng)
    restart(rng, game_seeds(key, [17])[0])  # whatever was drawn before
    assert tuple(bits(rng, 2)) == firsts[17] == tuple(bits(new_stream(int(game_seeds(key, [17])[0])), 2))
    restart(rng, game_seeds(stream_key(9), [17])[0])
    assert tuple(bits(rng, 2)) != firsts[17]


def test_streams_are_the_same_in_every_process():
    code = "from engine.go.rng import *; from engine.go.board import ZOBRIST; r = new_stream(11, 5); "
    code += "print(int(next_bits(r)), int(below(r, 1000)), float(uniform(r)), int(ZOBRIST.sum()))"
    rng = new_stream(11, 5)
    here = f"{int(next_bits(rng))} {int(below(rng, 1000))} {float(uniform(rng))} {int(ZOBRIST.sum())}"
    root = Path(__file__).resolve().parents[3]
    there = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here


def test_known_numbers():
    """SplitMix64 from the state 0 begins with these numbers, in any implementation of it."""
    rng = np.zeros(2, np.uint64)
    next_bits(rng)  # the first draw only fills the stream
    assert bits(rng, 3) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
