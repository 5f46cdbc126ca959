"""``bench``: what it reports, and how it fails."""

import json
import shlex
import sys

import pytest

import gtp_main
from engine import bench
from players.search import bench as search_bench
from players.search import peers

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


# An engine that takes a fiftieth of a second of processor time for a game.
SLOW = """
import sys, time
for line in sys.stdin:
    if line.startswith("genmove"):
        while time.process_time() < int(sys.argv[1]) / 50:
            pass
    print("= \\n")
"""


@pytest.fixture
def quick_search(monkeypatch):
    monkeypatch.setattr(search_bench, "SIZES", (9,))
    monkeypatch.setattr(search_bench, "_POINTS", 81 * 20)
    monkeypatch.setattr(search_bench, "_ROUNDS", 1)
    monkeypatch.setattr(search_bench, "_SPEEDUP_SIMULATIONS", 50)
    monkeypatch.setattr(peers, "POINTS", (81 * 20, 81 * 40))


def test_the_search_beside_another_engine(quick_search, capsys):
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(SLOW)} {{games}}"
    assert gtp_main.main(["bench", "search", "--json", "--against", command]) == 0
    report = json.loads(capsys.readouterr().out)
    found = report["per_second"]["9"]
    assert found["peer"] == pytest.approx(50, rel=0.3)
    assert found["ratio_to_peer"] == pytest.approx(found["simulations"] / found["peer"], abs=0.01)
    assert report["speedup_all_cores"] > 0


@pytest.mark.parametrize(
    "command, complaint",
    [
        ("gnugo", "{games}"),
        ("/no/such/engine {games}", "does not run"),
        ("true {games}", "did not choose a move"),
        ("'{games}", "does not run"),
    ],
)
def test_another_engine_that_cannot_be_measured_is_one_line(quick_search, capsys, command, complaint):
    assert gtp_main.main(["bench", "search", "--against", command]) == 1
    error = capsys.readouterr().err
    assert complaint in error.splitlines()[-1]


def test_another_engine_goes_with_the_search(capsys):
    assert gtp_main.main(["bench", "sane", "--against", "pachi {games}"]) == 2
    assert "bench search" in capsys.readouterr().err
