import json
import xml.etree.ElementTree as tree
from dataclasses import replace

import numpy as np
import pytest

import gtp_main
from players.hyperneat import comparison, experiment, extrapolation
from players.hyperneat.comparison import SCALED, UNSCALED
from players.hyperneat.statistics import mann_whitney, permutation, ranks, standard_error
from players.hyperneat.trainer import Config, Trainer
from players.training import config as configuration


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


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ([1, 2, 3], [4, 5, 6], 2 / 20),  # the most extreme of all splits, on either side
        ([4, 5, 6], [1, 2, 3], 2 / 20),
        ([1, 2], [1, 2], 1.0),
        ([0], [1, 1, 1], 1 / 4),
    ],
)
def test_permutation(a, b, expected):
    assert permutation(a, b) == pytest.approx(expected)


def test_permutation_of_many_values_is_drawn():
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 1, 25), rng.normal(0, 1, 25)
    assert permutation(a, b) == permutation(a, b) == pytest.approx(mann_whitney(a, b), abs=0.15)
    assert permutation(a, b + 3) < 0.0002


def _entries(runs=9, generations=(8, 6)):
    """Made-up results in which the scaled runs win more of the games of the fitness."""
    rng, made = np.random.default_rng(1), {}
    for variant, low, high in ((SCALED, 6, 11), (UNSCALED, 0, 5)):
        for seed in range(runs + (variant == SCALED)):  # the last pair is not complete
            total = sum(generations) if variant == SCALED else generations[-1]
            log = [{"wins": rng.integers(low, high) / 10, "check_wins": 0.1 * rng.integers(0, 11)} for _ in range(total)]
            entry = {"seed": seed, "generations": list(generations), "fresh_games": False, **comparison.digits(log)}
            made[f"{variant}-{seed:03d}"] = entry
    return made


def _experiment(name, out, *words):
    return gtp_main.main(["experiment", "hyperneat", name, "--out", str(out), *map(str, words)])


@pytest.fixture
def figure(tmp_path):
    """The name of a figure's files, with data in them."""
    out = tmp_path / "figure"
    (tmp_path / "figure.json").write_text(json.dumps({"all": _entries()}))
    return out


def test_from_runs_to_figure(figure, tmp_path):
    assert _experiment("figure3a", figure, "--draw") == 0  # from the data alone
    tests = json.loads((tmp_path / "figure-tests.json").read_text())["all"]
    test = tests["won"]
    assert test["scaled_runs"] == test["unscaled_runs"] == 9
    assert test["scaled_significantly_better_in"] == test["scaled_ahead_in"] == 6 and test["always_better_from"] == 1
    assert len(test["p"]) == 6 and max(test["p"]) < 0.05 and test["all"]["p"] < 0.001
    assert tests["won_fresh"]["always_better_from"] is None
    first = (tmp_path / "figure.svg").read_text()
    assert tree.fromstring(first).tag.endswith("svg") and "mean of 9 runs" in first


def test_runs_in_the_data_are_not_made_again(figure, tmp_path, monkeypatch):
    made = []
    log = [{"wins": 0.5, "check_wins": 0.5}] * 14

    def evolve(trainer, folder, name, values, workers):
        made.append(name)
        return log[-6:] if "unscaled" in name else log, None

    monkeypatch.setattr(experiment, "evolve", evolve)
    words = ["--generations", "8,6", "--folder", tmp_path / "elsewhere", "--seeds", "7-10"]
    assert _experiment("figure3a", figure, *words) == 0
    assert made == ["all-unscaled-8-6-009", "all-scaled-8-6-010", "all-unscaled-8-6-010"]
    assert json.loads((tmp_path / "figure-tests.json").read_text())["all"]["won"]["scaled_runs"] == 11


def test_runs_of_another_length_are_kept_apart(figure, tmp_path, capsys):
    before = (tmp_path / "figure.json").read_bytes()
    assert _experiment("figure3a", figure, "--folder", tmp_path / "runs") == 1
    assert "another --out" in capsys.readouterr().err
    assert (tmp_path / "figure.json").read_bytes() == before


@pytest.mark.parametrize(
    "details, expected",
    [
        ("none", (False, 1.0, False, "link", False, False)),
        ("check", (True, 1.0, False, "link", False, False)),
        ("check+split_weight", (True, 0.25, False, "link", False, False)),
        ("keep_records", (False, 1.0, False, "link", False, True)),
        ("all", (True, 0.25, True, "child", True, True)),
    ],
)
def test_details(details, expected):
    config = configuration.make(Config, experiment.parameters(details, SCALED, 3, (100, 200), False))
    names = ("capture_dead", "split_weight", "split_renews", "mutate_weight_per", "best_never_stale", "keep_records")
    assert tuple(getattr(config, name) for name in names) == expected
    assert config.board_lengths() == [(5, 100), (7, 200)] and config.seed == 3


def test_all_details_are_the_papers_presets():
    for variant, preset in ((SCALED, "paper"), (UNSCALED, "unscaled")):
        ours = {"seed": 1, "check_games": 10, "retest_every": 500, "largest": 7}
        config = configuration.make(Config, experiment.parameters("all", variant, 1, (500, 500), False))
        paper = configuration.make(Config, Trainer.presets[preset], ours)
        assert config.board_lengths() == paper.board_lengths()
        assert replace(config, generations=paper.generations) == paper


def test_real_runs_in_small(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "_BOARDS", {SCALED: (3, 5), UNSCALED: (5,)})
    whole = experiment.parameters
    monkeypatch.setattr(experiment, "parameters", lambda *given: {**whole(*given), "population": 6})
    words = ["--seeds", "1,2", "--generations", "2,3", "--folder", tmp_path / "runs", "--workers", "1"]
    for _ in range(2):  # the second time nothing is left to do
        assert _experiment("ablations", tmp_path / "ablations", "--details", "none,all", *words) == 0
    data = json.loads((tmp_path / "ablations.json").read_text())
    for name in ("none", "all"):
        assert [len(data[name][run]["won"]) for run in ("scaled-001", "scaled-002")] == [5, 5]
        assert [len(data[name][run]["won_fresh"]) for run in ("unscaled-001", "unscaled-002")] == [3, 3]
    assert (tmp_path / "ablations.md").read_text().count("\n") == 4
    assert _experiment("figure3b", tmp_path / "fields", *words) == 0
    fields = (tmp_path / "fields.svg").read_text()
    assert tree.fromstring(fields).tag.endswith("svg")
    assert fields.count("<rect") == 1 + 2 * (9 + 25)
    # Runs of another length may be in the same folder.
    words[1], words[3] = "1", "1,2"
    assert _experiment("figure3a", tmp_path / "figure3a", *words) == 0
    shorter = json.loads((tmp_path / "figure3a.json").read_text())["all"]
    assert [len(shorter[run]["won"]) for run in ("scaled-001", "unscaled-001")] == [3, 2]


@pytest.mark.parametrize(
    "words, problem",
    [
        (["figure3a"], "--folder"),
        (["ablations", "--details", "luck", "--folder", "x"], "details"),
        (["figure3a", "--generations", "5", "--folder", "x"], "generations"),
        (["figure3b", "--folder", "nowhere"], "nowhere"),
    ],
)
def test_bad_arguments_are_told_in_a_line(words, problem, tmp_path, capsys):
    assert _experiment(words[0], tmp_path / "out", *words[1:]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and problem in told


def test_extrapolation_in_small(tmp_path, monkeypatch):
    monkeypatch.setattr(extrapolation, "TESTED", (3, 5))
    monkeypatch.setattr(extrapolation, "TRAINED", (3,))
    monkeypatch.setattr(experiment, "_TEST_GAMES", 3)
    whole = extrapolation.parameters
    small = {"population": 4, "games": 2, "retest_games": 2}
    monkeypatch.setattr(extrapolation, "parameters", lambda *given: {**whole(*given), **small})
    words = ["--seeds", "1", "--generations", "2,2", "--workers", "1", "--folder", tmp_path / "runs"]
    assert _experiment("extrapolation", tmp_path / "out", *words) == 0
    data = json.loads((tmp_path / "out.json").read_text())
    assert set(data) == set(extrapolation.VARIANTS) and len(data) == 10
    for entries in data.values():
        assert all(len(won) == 2 and 0 <= min(won) <= max(won) <= 1 for won in entries["001"]["won"].values())
    made = (tmp_path / "out.md").read_text()
    assert made.count("\n") == 12
    (tmp_path / "out.md").unlink()
    assert _experiment("extrapolation", tmp_path / "out", "--draw") == 0
    assert (tmp_path / "out.md").read_text() == made


def test_variants_of_extrapolation_are_sound():
    for name in extrapolation.VARIANTS:
        config = configuration.make(Config, extrapolation.parameters(name, 1, 40))
        assert config.geometry.largest == 13 and Trainer(config).generations() == 40
