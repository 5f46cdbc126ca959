"""Seeded matches and short seeded training runs of every kind give what they always gave.

A champion that ships is worth its command only as long as that command makes it again. Whoever changes a stream of random
numbers on purpose runs ``python -m tests.players.test_unchanged``, which writes ``unchanged.json`` anew, and says so.

The numbers of the self-taught network are compared to five digits: its kernels may add up in any order.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import gtp_main
from engine.contest import match
from engine.go.rules import CHINESE
from players import genome
from players.registry import load_player

_KEPT = Path(__file__).with_name("unchanged.json")

# (A, B, board, komi, games), one move at a time.
MATCHES = (
    ("gojen", "wally,randomness=0.1", 7, 4.5, 6),
    ("hyperneat-any", "liberty", 7, 6.5, 6),
    ("sane-5x5", "wally,randomness=0.1", 5, 0.0, 8),
    ("organism-5x5", "naixt", 5, 4.5, 6),
    ("organism-9x9", "hyperneat-any", 9, 7.5, 2),
    ("isn-9x9", "gojen", 9, 7.5, 4),
)

_TINY = ["--quiet", "--retest-every", "2", "--retest-games", "4", "--retest-candidates", "2", "--seed", "3"]
RUNS = {
    "hyperneat": "--boards 3,5 --generations 2 --population 8 --games 4 --opponents liberty,naixt",
    "hyperneat all switches": "--preset champion --boards 3,5 --generations 2 --population 8 --games 4 --keep-boards",
    "sane": "--size 5 --generations 4 --blueprints 10 --network-neurons 10 --neurons 60 --games 2",
    "sane handicap": "--size 5 --generations 2 --blueprints 10 --network-neurons 10 --neurons 60 --give-stones 2"
    " --until 0.1 --until-games 4",
    "organism": "--boards 5 --generations 3 --islands 2 --island-size 8 --games 4 --opponents random,naixt",
    "organism with ancestor": "--preset quick --generations 2 --islands 2 --island-size 8",
}
NETWORKS = {
    "isn": "--size 5 --generations 2 --games 3 --linear-generations 1",
    "isn fast": "--preset quick --size 5 --generations 3 --linear-generations 1 --games 6 --partners naixt",
}


def outcomes(a, b, size, komi, games):
    """[Black's score, moves] of each game."""
    settings = match.Settings(size, komi, CHINESE, seed=5)
    table = match.Table(load_player(a), load_player(b))
    played = [match.play_game(table, settings, number) for number in range(games)]
    return [[outcome.score, outcome.length] for outcome in played]


def train(kind, options):
    """The bytes of the champion's file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "champion.json"
        assert gtp_main.main(["train", kind.split()[0], *_TINY, *options.split(), "--out", str(out)]) == 0
        return out.read_bytes()


def sums(content):
    """A few numbers that change with any parameter of the network in a genome file."""
    body = genome.decode(content).body
    parameters = np.array(body["parameters"])
    return [float(np.cos(k * np.arange(parameters.size)) @ parameters) for k in (0.0, 0.7, 1.9)]


def _digest(content):
    """Of what was found, not of the words in which the configuration says how."""
    found = {name: part for name, part in json.loads(content).items() if name not in ("config", "digest")}
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def _kept(part, name):
    return json.loads(_KEPT.read_text())[part][name]


def _name(game):
    return " against ".join(game[:2])


@pytest.mark.parametrize("game", MATCHES, ids=_name)
def test_matches(game):
    assert outcomes(*game) == _kept("matches", _name(game))


@pytest.mark.parametrize("kind", RUNS)
def test_runs(kind):
    assert _digest(train(kind, RUNS[kind])) == _kept("runs", kind)


@pytest.mark.parametrize("kind", NETWORKS)
def test_networks(kind):
    np.testing.assert_allclose(sums(train(kind, NETWORKS[kind])), _kept("networks", kind), rtol=1e-5)


def main():
    """Write the file anew."""
    kept = {
        "matches": {_name(game): outcomes(*game) for game in MATCHES},
        "runs": {kind: _digest(train(kind, options)) for kind, options in RUNS.items()},
        "networks": {kind: sums(train(kind, options)) for kind, options in NETWORKS.items()},
    }
    _KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
