"""Random streams for kernels: explicit, tiny, and independent of any global state.

A stream is a ``uint64`` array of two, so that a kernel can advance it in place: SplitMix64's counter, and the next draw,
made one call ahead so that nobody waits for the mixing. Any 64-bit key makes a stream of its own.
``new_stream(seed, generation, individual, game)`` is how a run stays the same whatever the number of workers.
"""

import secrets

import numpy as np

from engine.kernels import kernel

STREAM_WORDS = 2  # a kernel that needs a stream of its own makes np.empty(STREAM_WORDS, np.uint64) and seeds it
_MASK = (1 << 64) - 1
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(shift) for shift in (27, 30, 31, 32, 11))
_TO_UNIT = 1.0 / (1 << 53)


def mix(value):
    """The SplitMix64 mixing function on a Python int."""
    value = (value ^ (value >> 30)) * int(_MIX_1) & _MASK
    value = (value ^ (value >> 27)) * int(_MIX_2) & _MASK
    return value ^ (value >> 31)


def stream_key(seed, *keys):
    """A 64-bit key that depends on every one of the given integers and on their order."""
    value = mix(seed & _MASK)
    for key in keys:
        value = mix((value + int(_GAMMA)) ^ (key & _MASK))
    return value


def new_stream(seed, *keys):
    """A fresh stream for (seed, *keys)."""
    rng = np.zeros(STREAM_WORDS, np.uint64)
    rng[0] = stream_key(seed, *keys)
    next_bits(rng)
    return rng


@kernel
def next_bits(rng):
    """The next 64 random bits."""
    ready = rng[1]
    state = rng[0] + _GAMMA
    rng[0] = state
    state = (state ^ (state >> _S30)) * _MIX_1
    state = (state ^ (state >> _S27)) * _MIX_2
    rng[1] = state ^ (state >> _S31)
    return ready


@kernel
def below(rng, n):
    """A random integer in 0 … n-1 (n < 2**32; the bias of the multiplication is below n / 2**32)."""
    return np.int64(((next_bits(rng) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def uniform(rng):
    """A random float in [0, 1)."""
    return np.int64(next_bits(rng) >> _S11) * _TO_UNIT


def any_seed():
    """A seed that nobody can repeat, for players that were given none."""
    return secrets.randbits(63)


def game_seeds(key, numbers):
    """Seeds, as a uint64 array, of the streams that games with the given numbers have under ``key``."""
    return (np.uint64(key) ^ (np.asarray(numbers).astype(np.uint64) + np.uint64(1)) * _MIX_1) + _GAMMA


@kernel
def restart(rng, seed):
    """Make ``rng`` what ``new_stream(seed)`` gives, inside compiled code."""
    rng[0] = np.uint64(seed) - _GAMMA
    next_bits(rng)  # its mixing is that of ``stream_key``
    rng[0] = rng[1]
    next_bits(rng)
