"""``bench board``: what it reports, and how it fails."""

import json

import pytest

import gtp_main
from engine import bench

KEYS = {"playouts_per_second", "speedup_2_threads", "compile_cold_s", "compile_warm_s"}


@pytest.fixture
def quick(monkeypatch):
    """Rounds of a few playouts, and no program started."""
    monkeypatch.setattr(bench, "_ROUNDS", 1)
    monkeypatch.setattr(bench, "_ROUND_SECONDS", 0.0)
    monkeypatch.setattr(bench, "start_seconds", lambda cache: 1.5)
    monkeypatch.setattr(bench, "_GNUGO_GAMES", (200, 3000))


def test_json_report(quick, capsys):
    assert gtp_main.main(["bench", "board", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert KEYS <= report.keys() and "ratio_to_gnugo" not in report
    assert list(report["playouts_per_second"]) == ["5", "7", "9", "13", "19"]
    assert all(rate > 0 for rate in report["playouts_per_second"].values())
    assert 100 < report["mean_moves"]["9"] < 120 and 430 < report["mean_moves"]["19"] < 480


def test_table(quick, capsys):
    assert gtp_main.main(["bench", "board"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("size") and lines[5].split()[0] == "19"


@pytest.mark.skipif(bench.find_gnugo() is None, reason="GNU Go is not installed")
def test_ratio_to_gnugo(quick, capsys):
    assert gtp_main.main(["bench", "board", "--against-gnugo", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ratio_to_gnugo"] == pytest.approx(
        report["playouts_per_second"]["9"] / report["gnugo_playouts_per_second"], rel=0.01
    )


def test_gnugo_missing_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(bench, "find_gnugo", lambda: None)
    assert gtp_main.main(["bench", "board", "--against-gnugo"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_program_that_does_not_start_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr(bench, "_MAIN", "/no/such/program.py")
    assert gtp_main.main(["bench", "board"]) == 1
    assert "did not play" in capsys.readouterr().err
