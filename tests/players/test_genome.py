"""Genome files: what goes in comes out, and every kind of damage is told in one line."""

import json
import math
import os
import stat

import numpy as np
import pytest

from players import genome
from players.genome import Genome, GenomeError, Result

RESULT = Result("liberty", 7, 6.5, 1000, 912.5)


def example(**changes):
    parts = {
        "kind": "toy",
        "sizes": [7, 5],
        "body": {"weights": np.array([0.1, 1 / 3, -2e-17]), "ints": np.arange(3, dtype=np.uint8), "deep": [{"a": (1, 2)}]},
        "config": {"seed": 3, "rate": 0.8, "boards": [5, 7], "none": None},
        "generation": 125,
        "results": [RESULT],
        "history": [{"generation": 25, "best": 3.5, "win_rate": 0.25}],
    }
    return Genome(**{**parts, **changes})


def test_round_trip(tmp_path):
    path = tmp_path / "a.json"
    genome.save(example(), path)
    found = genome.load(path, "toy")
    assert found.kind == "toy" and found.sizes == [5, 7] and found.seed == 3 and found.generation == 125
    assert found.body == {"weights": [0.1, 1 / 3, -2e-17], "ints": [0, 1, 2], "deep": [{"a": [1, 2]}]}
    assert found.results == [RESULT] and found.history == example().history and found.config == example().config
    genome.save(found, tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() == path.read_bytes()


def test_layout_does_not_matter(tmp_path):
    data = json.loads(genome.encode(example()))
    shuffled = dict(reversed(data.items()))
    assert genome.decode(json.dumps(shuffled, indent=3).encode()).sizes == [5, 7]


def test_header_says_what_it_scored():
    (result,) = json.loads(genome.encode(example()))["results"]
    assert result["opponent"] == "liberty" and result["size"] == 7 and result["komi"] == 6.5 and result["games"] == 1000
    low, high = result["interval"]
    assert low < result["win_rate"] == 0.9125 < high and high - low < 0.04


def _edit(**changes):
    return json.dumps({**json.loads(genome.encode(example())), **changes}).encode()


def _signed(**changes):
    """An edited file whose digest is right."""
    data = {**json.loads(genome.encode(example())), **changes}
    data = {key: value for key, value in data.items() if value is not None}
    del data["digest"]
    return json.dumps({**data, "digest": genome._digest(data)}).encode()


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (genome.encode(example())[:-3], "truncated"),
        (genome.encode(example())[:40], "truncated"),
        (b"(;GM[1]SZ[9])", "not a genome"),
        (b"\xff\xfe\x00", "not a genome"),
        (b"[1, 2]", "not a genome file"),
        (b'{"evogo": "config"}', "not a genome file"),
        (_edit(version=None), "no valid format version"),
        (_edit(version=99), "newer"),
        (_edit(generation=126), "digest"),
        (_edit(digest="sha256:0"), "digest"),
        (_edit(digest=None), "digest"),
        (_edit(history=[float("nan")]), "not finite"),
        (_edit(kind="sane"), "digest"),
        (_signed(kind="sane"), "holds a sane genome, not a toy genome"),
        (_signed(kind="organism"), "holds an organism genome, not a toy genome"),
        (_signed(body=None), "body is missing"),
        (_signed(results=[{"opponent": "x"}]), "results[0].size is missing"),
        (_signed(results=[3]), "results[0] must be an object"),
        (_signed(sizes=["9"]), "sizes[0] must be a whole number"),
        (_signed(generation="1"), "generation must be a whole number"),
    ],
)
def test_damage_is_told_in_one_line(tmp_path, content, words):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(GenomeError) as caught:
        genome.load(path, "toy")
    assert words in str(caught.value) and "bad.json" in str(caught.value) and "\n" not in str(caught.value)


def test_every_flipped_byte_is_noticed():
    content = genome.encode(example())
    for place in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[place] ^= 1
        try:
            found = genome.decode(bytes(damaged))
        except GenomeError:
            continue
        assert genome.encode(found) == content  # only white space had changed


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(GenomeError, match="No such file"):
        genome.load(tmp_path / "none.json")
    with pytest.raises(GenomeError, match="directory"):
        genome.load(tmp_path)


@pytest.mark.parametrize(
    "bad, error", [(math.nan, ValueError), (np.float32("inf"), ValueError), ({1: 2}, TypeError), (object(), TypeError)]
)
def test_what_a_genome_cannot_hold(bad, error):
    with pytest.raises(error):
        genome.encode(example(body={"bad": [bad]}))


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    genome.save(example(), path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        genome.save(example(generation=1), path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["a.json"]


def test_permissions_follow_the_umask(tmp_path):
    path = tmp_path / "a.json"
    old = os.umask(0o027)
    try:
        genome.save(example(), path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
