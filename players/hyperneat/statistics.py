"""The little statistics that the experiments need."""

import itertools
import math

import numpy as np


def standard_error(samples):
    """The standard error of the mean of each column; 0 if there is only one row."""
    samples = np.asarray(samples, np.float64)
    if len(samples) < 2:
        return np.zeros(samples.shape[1])
    return samples.std(axis=0, ddof=1) / math.sqrt(len(samples))


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    values = np.asarray(values, np.float64)
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[group]


def mann_whitney(a, b):
    """The two-sided probability of samples so different if both came from one distribution.

    H. B. Mann and D. R. Whitney (1947), by the normal distribution, corrected for ties and for continuity: good from
    about eight values on either side.
    """
    n, m = len(a), len(b)
    pooled = np.concatenate((a, b))
    u = ranks(pooled)[:n].sum() - n * (n + 1) / 2
    _, counts = np.unique(pooled, return_counts=True)
    total = n + m
    ties = (counts.astype(np.float64) ** 3 - counts).sum() / (total * (total - 1))
    variance = n * m / 12 * (total + 1 - ties)
    if variance <= 0:
        return 1.0
    distance = max(0.0, abs(u - n * m / 2) - 0.5)
    return math.erfc(distance / math.sqrt(2 * variance))


_MOST_SPLITS = 20000  # more ways than this to split the samples are not all tried: as many are drawn


def permutation(a, b):
    """The two-sided probability of means so far apart if all values came from one distribution.

    Every way to split the values into two samples of these sizes, or so many drawn at random (always the same) that the
    third digit is right.
    """
    pooled, n = np.concatenate((a, b)).astype(np.float64), len(a)
    mean, total = pooled.mean(), len(pooled)
    apart = abs(np.mean(a) - mean) - 1e-12  # the other sample's mean lies on the other side, and as far for its size
    if math.comb(total, n) <= _MOST_SPLITS:
        splits = np.array(list(itertools.combinations(range(total), n)))
        return float(np.mean(np.abs(pooled[splits].mean(axis=1) - mean) >= apart))
    order = np.argsort(np.random.default_rng(1).random((_MOST_SPLITS, total)), axis=1)[:, :n]
    as_far = np.abs(pooled[order].mean(axis=1) - mean) >= apart
    return float((as_far.sum() + 1) / (_MOST_SPLITS + 1))  # the split that was found is one of them
