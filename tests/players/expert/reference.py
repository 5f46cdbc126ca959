"""Positions, networks and samples for tests, and the network written down a second time, with numpy alone."""

import numpy as np

from engine.go.board import PASS, board_points
from engine.go.game import Game
from players.expert.features import FEATURES, OFF_BOARD, is_candidate, last_moves, see
from players.expert.network import (
    LAYERS,
    OWNER,
    PASSING,
    POLICY,
    POSE,
    RING_OF,
    SHARPNESS,
    TEMPO,
    WIDTH,
    new_sight,
    random_parameters,
    unpack,
)
from players.scripted.reading import new_work


def random_network(seed):
    """Parameters of which every part says something."""
    generator = np.random.default_rng(seed)
    parameters = random_parameters(generator)
    parts = unpack(parameters)
    for name in ("first_bias", "bias", "heads", "head_bias", "said", "said_bias"):
        parts[name] += generator.normal(0.0, 0.03, parts[name].shape)
    return parameters


def random_game(seed, size, moves, komi=7.5):
    generator, game = np.random.default_rng(seed), Game(size, komi)
    for _ in range(moves):
        legal = game.legal_points(game.to_play)
        game.play(game.to_play, int(generator.choice(legal)) if len(legal) else PASS)
    return game


def features_of(game):
    """The features of a game's position for the side to move, by cell."""
    sight = new_sight()
    see(game.position, game.history, game.to_play, *last_moves(game), new_work(), sight.found, sight.bits)
    return sight.bits.copy()


def grid(by_cell, size):
    return np.asarray(by_cell)[board_points(size)].reshape(size, size)


def planes_of(bits):
    """Features [plane, row, column] of a board with a rim off the board around it, from bits [row, column]."""
    rimmed = np.pad(bits, 1, constant_values=OFF_BOARD)
    return (rimmed[None] >> np.arange(FEATURES, dtype=np.uint32)[:, None, None] & 1).astype(float)


def _shifted(planes, tap):
    """What a 3×3 window sees at ``tap``, for all points inside the rim."""
    dy, dx = divmod(tap, 3)
    height, width = planes.shape[-2] - 2, planes.shape[-1] - 2
    return planes[..., dy : dy + height, dx : dx + width]


def say(parameters, bits, komi):
    """(policy [row, column], chance of a pass, owner [row, column], win) for bits [row, column]."""
    parts, planes = unpack(np.asarray(parameters, float)), planes_of(bits)
    size = len(bits)
    units = np.zeros((WIDTH, size, size))
    half = len(parts["windows"])
    for pose in POSE:
        sums = parts["first_bias"][:half, None, None].copy()
        for tap in range(9):
            sums = sums + np.einsum("kf,fyx->kyx", parts["windows"][:, :, pose[tap]], _shifted(planes, tap))
        units[:half] += np.maximum(sums, 0) / len(POSE)
    sums = parts["first_bias"][half:, None, None].copy()
    for tap in range(9):
        sums = sums + np.einsum("kf,fyx->kyx", parts["plain"][:, :, RING_OF[tap]], _shifted(planes, tap))
    units[half:] = np.maximum(sums, 0)

    def heard(units):
        rimmed = np.pad(units, ((0, 0), (1, 1), (1, 1)))
        rings = np.zeros((3, *units.shape))
        for tap in range(9):
            rings[RING_OF[tap]] += _shifted(rimmed, tap)
        return rings.reshape(-1, size, size)

    for layer in range(LAYERS):
        common = parts["bias"][layer] + units.mean(axis=(1, 2)) @ parts["board"][layer]
        sums = np.einsum("io,iyx->oyx", parts["layers"][layer], heard(units)) + common[:, None, None]
        units = np.maximum(units + sums, 0)
    out = np.einsum("io,iyx->oyx", parts["heads"], heard(units)) + parts["head_bias"][:, None, None]
    said = units.mean(axis=(1, 2)) @ parts["said"] + parts["said_bias"]
    owner = 1 / (1 + np.exp(-out[OWNER]))
    allowed = np.array([[is_candidate(one) for one in row] for row in bits])
    weights = np.where(allowed, np.exp(out[POLICY]), 0)
    total = weights.sum() + np.exp(said[PASSING])
    lead = ((2 * owner - 1).sum() - komi) / size
    win = 1 / (1 + np.exp(-(lead * np.log1p(np.exp(said[SHARPNESS])) + said[TEMPO])))
    return weights / total, np.exp(said[PASSING]) / total, owner, win
