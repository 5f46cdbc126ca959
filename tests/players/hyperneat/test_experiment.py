import json
import xml.etree.ElementTree as tree

import numpy as np
import pytest

from players.hyperneat import experiment
from players.hyperneat.statistics import mann_whitney, ranks, standard_error


def test_ranks_share():
    assert list(ranks([10, 20, 10, 30])) == [1.5, 3, 1.5, 4]


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 0.01219),  # U = 0
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11135),  # U = 17
        ([1, 1, 2, 3], [1, 1, 2, 3], 1.0),
        ([5, 5], [5, 5], 1.0),
    ],
)
def test_mann_whitney(a, b, expected):
    assert mann_whitney(a, b) == pytest.approx(expected, abs=1e-4)
    assert mann_whitney(b, a) == pytest.approx(expected, abs=1e-4)


def test_standard_error():
    assert standard_error([[1.0, 2.0], [3.0, 2.0]]) == pytest.approx([1.0, 0.0])


def _folder(tmp_path, runs=9, generations=(8, 6)):
    rng = np.random.default_rng(1)
    for variant, boards in (("scaled", (5, 7)), ("unscaled", (7,))):
        for seed in range(runs + 1):
            folder = tmp_path / f"{variant}-{seed:03d}"
            folder.mkdir()
            config = {"boards": boards, "generations": generations[-len(boards) :], "seed": seed, "fresh_games": False}
            (folder / "config.json").write_text(json.dumps(config))
            total = sum(generations[-len(boards) :])
            lines = []
            for g in range(total):
                won = rng.integers(6, 11) if variant == "scaled" else rng.integers(0, 5)
                lines.append(json.dumps({"wins": won / 10, "check_wins": 0.1 * rng.integers(0, 11)}))
            unfinished = 1 if seed == runs else 0  # the last run still goes on
            (folder / "metrics.jsonl").write_text("\n".join(lines[: total - unfinished]) + "\n")
    return tmp_path


def test_from_runs_to_figure(tmp_path):
    folder = _folder(tmp_path)
    out = tmp_path / "figure"
    assert experiment.main(["--draw", "--folder", str(folder), "--out", str(out)]) == 0
    data = json.loads((tmp_path / "figure.json").read_text())
    assert data["runs"]["scaled"]["seeds"] == list(range(9))
    test = data["tests"]["won"]
    assert test["scaled_significantly_better_in"] == 6 and test["always_better_from"] == 1
    assert data["tests"]["won_fresh"]["always_better_from"] is None
    first = (tmp_path / "figure.svg").read_text()
    assert tree.fromstring(first).tag.endswith("svg")
    assert experiment.main(["--draw", "--out", str(out)]) == 0  # from the data alone
    assert (tmp_path / "figure.svg").read_text() == first


def test_runs_in_the_data_are_not_made_again(tmp_path, monkeypatch):
    folder, out = _folder(tmp_path), tmp_path / "figure"
    assert experiment.main(["--draw", "--folder", str(folder), "--out", str(out)]) == 0
    made = []
    monkeypatch.setattr(experiment, "_run", lambda variant, seed, *rest: made.append((variant, seed)) or True)
    elsewhere = ["--folder", str(tmp_path / "elsewhere"), "--out", str(out), "--workers", "1"]
    assert experiment.main(["--first", "7", "--runs", "3", *elsewhere]) == 0
    assert made == [("scaled", 9), ("unscaled", 9)]
    assert json.loads((tmp_path / "figure.json").read_text())["runs"]["scaled"]["seeds"] == list(range(9))


def test_real_runs_in_small(tmp_path, monkeypatch):
    from players.hyperneat.trainer import Trainer

    small = {"population": 6, "generations": (2,), "boards": (3, 4)}
    monkeypatch.setattr(Trainer, "presets", {"paper": small, "unscaled": {**small, "boards": (4,)}})
    out = str(tmp_path / "figure")
    arguments = ["--runs", "2", "--folder", str(tmp_path / "runs"), "--out", out, "--workers", "1"]
    assert experiment.main(arguments) == 0
    data = json.loads((tmp_path / "figure.json").read_text())
    assert [len(run) for run in data["runs"]["scaled"]["won"]] == [4, 4]
    assert [len(run) for run in data["runs"]["unscaled"]["won"]] == [2, 2]
    assert experiment.main(arguments) == 0  # nothing left to do
