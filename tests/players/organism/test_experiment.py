"""The experiment on a very small scale: it goes on where it stopped, and its tables say what the data say."""

import json

import pytest

import gtp_main
from players import genome as genomes
from players.organism import bench, experiment
from players.organism.analysis import without_dead
from tests.players.organism.programs import FIGHTER, genome

SMALL = {"islands": 2, "island_size": 4, "games": 2, "generations": 2, "retest_games": 6, "retest_candidates": 1}


def test_an_experiment_is_resumed_and_not_repeated(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL))
    words = ["experiment", "organism", "1N", "--out", str(tmp_path / "out"), "--workers", "1", "--config", str(config), "--test-games", "4"]
    assert gtp_main.main([*words, "--seeds", "1"]) == 0
    first = json.loads((tmp_path / "out" / "results.json").read_text())["1N"]["1N-1"]
    assert first["generations"] == 2 and first["individuals"] == 8 and len(first["win_rates"]) == 12
    assert len(first["best"]) == len(first["mean"]) == 2
    capsys.readouterr()
    assert gtp_main.main([*words, "--seeds", "1-2"]) == 0
    assert "1N-1:" not in capsys.readouterr().out
    data = json.loads((tmp_path / "out" / "results.json").read_text())["1N"]
    assert data["1N-1"] == first and len(data) == 2
    table = (tmp_path / "out" / "results.md").read_text()
    assert "1N: 2 runs (8 individuals, 2 generations, 4 test games)" in table and "0.601 |" in table
    assert (tmp_path / "out" / "figure5-1N.svg").read_text().count("<polyline") == 2


def test_options_stand_side_by_side(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL | {"opponents": ["random"]}))
    words = ["--out", str(tmp_path / "out"), "--workers", "1", "--config", str(config), "--test-games", "2", "--seeds", "1-2"]
    assert gtp_main.main(["experiment", "organism", "options", *words, "--options", "preset,clones-one"]) == 0
    data = json.loads((tmp_path / "out" / "results.json").read_text())["options"]
    assert sorted(data) == ["clones-one-1", "clones-one-2", "preset-1", "preset-2"]
    assert genomes.load(tmp_path / "out" / "clones-one-2.json").body["clones"] == "one"
    rows = (tmp_path / "out" / "results.md").read_text().splitlines()[4:]
    assert sorted(row.split()[1] for row in rows) == ["clones-one", "preset"]
    assert not list((tmp_path / "out").glob("figure5*"))


def test_coevolution_meets_the_champion_before(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL | {"opponents": ["random"]}))
    words = ["--out", str(tmp_path / "out"), "--workers", "1", "--config", str(config), "--test-games", "2", "--seeds", "1"]
    assert gtp_main.main(["experiment", "organism", "coevolution", *words]) == 1
    assert "experiment organism outlook" in capsys.readouterr().err
    assert gtp_main.main(["experiment", "organism", "outlook", *words]) == 0
    assert gtp_main.main(["experiment", "organism", "coevolution", *words]) == 0
    before = genomes.load(tmp_path / "out" / "outlook-1-tested.json")
    assert genomes.load(tmp_path / "out" / "coevolution-1.json").config["rival"] == before.body["rules"]


def test_any_genome_can_be_tested(tmp_path, capsys):
    genomes.save(genome(FIGHTER, seed=1), tmp_path / "fighter.json")
    words = ["--out", str(tmp_path / "out"), "--genome", str(tmp_path / "fighter.json"), "--test-games", "4"]
    assert gtp_main.main(["experiment", "organism", "test", *words]) == 0
    said = capsys.readouterr().out
    found = genomes.load(tmp_path / "out" / "fighter.json")
    assert len(found.results) == 12 and found.body == genome(FIGHTER).body
    assert f"strength {experiment.strength(found.results):.3f}" in said and "gojen,opening=no" in said


def test_rules_are_measured_by_a_command(tmp_path, capsys):
    file = tmp_path / "fighter.json"
    genomes.save(genome(FIGHTER, boards=[5], opponents=["random"]), file)
    words = ["experiment", "organism", "rules", "--out", str(tmp_path / "out"), "--workers", "1", "--test-games", "20"]
    assert gtp_main.main(words) == 1 and "--genome" in capsys.readouterr().err
    assert gtp_main.main([*words, "--genome", str(file)]) == 0
    table = (tmp_path / "out" / "rules.md").read_text().splitlines()
    assert table[0].startswith("## fighter.json:") and len(table) == 4 + len(FIGHTER) and "| dead |" in table[-1]


def test_strength_is_the_mean_over_opponents():
    results = experiment.test(genome(FIGHTER, seed=1), sizes=(5, 6), games=40)
    assert [(result.opponent, result.size) for result in results] == [
        (name, size) for size in (5, 6) for name in ("random", "naixt", "gojen,opening=no", "gojen")
    ]
    assert experiment.strength(results) == pytest.approx(sum(result.wins for result in results[:3]) / 120)
    assert results[2].opponent == "gojen,opening=no" and results[3].opponent == "gojen"
    assert results[0].win_rate > 0.5 > results[2].win_rate  # better than Random, worse than GOjen


def test_the_bench_s_full_program_is_full_of_live_rules():
    program = bench.full_program()
    assert len(program) == len(without_dead(program)) == 40


def test_the_bench_s_table():
    report = {"games_per_second": {"5": 6000.5}, "full_program_games_per_second": 2000.0, "breeding_ms": 250}
    report |= {"paper_run_hours": 0.9, "paper_run_hours_at_most": 2.5, "workers": 2}
    lines = bench.table(report).splitlines()
    assert lines[1].split() == ["5", "6,000.5"] and "on 2 cores: 0.9 hours, 2.5 at the most" in lines[-1]
