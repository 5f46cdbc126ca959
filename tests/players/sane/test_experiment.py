"""The experiments on a very small scale: they go on where they stopped, and their tables say what the data say."""

import json
from xml.etree import ElementTree

import gtp_main
from players.sane import bench, experiment

SMALL = {"blueprints": 6, "network_neurons": 10, "games": 2, "generations": 2, "until_games": 10, "retest_games": 10}


def test_an_experiment_is_resumed_and_not_repeated(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL))
    words = ["experiment", "sane", "until", "--out", str(tmp_path / "out"), "--sizes", "5", "--workers", "1", "--config", str(config)]
    assert gtp_main.main([*words, "--seeds", "1"]) == 0
    first = json.loads((tmp_path / "out" / "results.json").read_text())["until"]["until-5x5-1"]
    assert first["generations"] == 2 and first["reached"] is False
    capsys.readouterr()
    assert gtp_main.main([*words, "--seeds", "1-2"]) == 0
    assert "until-5x5-1:" not in capsys.readouterr().out
    data = json.loads((tmp_path / "out" / "results.json").read_text())["until"]
    assert data["until-5x5-1"] == first and len(data) == 2
    assert "| 5x5 | 2 | 0 | at least 2.0 |" in (tmp_path / "out" / "results.md").read_text()


def test_the_papers_rates_are_kept_apart(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL))
    words = ["experiment", "sane", "until", "--out", str(tmp_path), "--sizes", "5", "--workers", "1", "--config", str(config)]
    assert gtp_main.main([*words, "--preset", "paper"]) == gtp_main.main(words) == 0
    data = json.loads((tmp_path / "results.json").read_text())["until"]
    assert {name: entry.get("preset") for name, entry in data.items()} == {"until-5x5-1": None, "paper-until-5x5-1": "paper"}
    for name, kept in (("until-5x5-1", 3), ("paper-until-5x5-1", 0)):
        assert json.loads((tmp_path / f"{name}.run" / "config.json").read_text())["kept_networks"] == kept
    ours, papers = (tmp_path / "results.md").read_text().split("# With the paper's rates")
    assert ours.count("| 5x5 | 1 | 0 |") == papers.count("| 5x5 | 1 | 0 |") == 1


def test_a_run_with_other_parameters_is_not_taken_for_ours(tmp_path, capsys):
    config = tmp_path / "config.json"
    words = ["experiment", "sane", "until", "--out", str(tmp_path / "out"), "--sizes", "5", "--workers", "1", "--config", str(config)]
    config.write_text(json.dumps(SMALL))
    assert gtp_main.main(words) == 0
    (tmp_path / "out" / "results.json").unlink()
    capsys.readouterr()
    config.write_text(json.dumps(SMALL | {"blueprints": 7}))
    assert gtp_main.main(words) == 1
    told = capsys.readouterr().err
    assert "until-5x5-1.run is a run with other parameters" in told and told.count("\n") == 1


def test_determinism_tests_against_all_three(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL))
    words = ["experiment", "sane", "determinism", "--out", str(tmp_path), "--sizes", "5", "--workers", "1", "--config", str(config)]
    assert gtp_main.main(words) == 0
    data = json.loads((tmp_path / "results.json").read_text())["determinism"]
    assert [entry["randomness"] for entry in data.values()] == [0.0, 0.1]
    assert all(set(entry["win_rates"]) == {"wally", "wally,randomness=0.1", "random"} for entry in data.values())


def test_openings_are_stored_and_drawn(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(SMALL))
    words = ["experiment", "sane", "openings", "--out", str(tmp_path), "--sizes", "5", "--workers", "1", "--config", str(config)]
    assert gtp_main.main([*words, "--seeds", "1-2"]) == 0
    data = json.loads((tmp_path / "results.json").read_text())["openings"]
    log = [json.loads(line) for line in (tmp_path / "openings-5x5-1.run" / "metrics.jsonl").read_text().splitlines()]
    assert data["openings-5x5-1"]["moves"] == [entry["first_move"] for entry in log] and len(log) == 2
    assert data["openings-5x5-1"]["lines"] == [round(entry["first_line"], 2) for entry in log]
    drawn = ElementTree.fromstring((tmp_path / "openings.svg").read_text())
    assert "5x5, 2 runs" in "".join(drawn.itertext())


def test_champions_are_tested_by_both_rules(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "TEST_GAMES", 40)
    assert gtp_main.main(["experiment", "sane", "rules", "--out", str(tmp_path), "--sizes", "5", "--workers", "1"]) == 0
    data = json.loads((tmp_path / "results.json").read_text())["rules"]["rules-5x5"]
    assert data["sane"]["wally"] == data["sane-superko"]["wally"] == 1.0  # as models/README.md has it
    assert data["sane"]["gojen"] < 0.2 and set(data["sane"]) == {"wally", "wally,randomness=0.1", "liberty", "gojen", "random"}
    assert "| 5x5 | 100.0% / 100.0% |" in (tmp_path / "results.md").read_text()


def test_tables():
    levels = [{"stones": 0, "generation": 4, "win_rate": 0.6}, {"stones": 2, "generation": 9, "win_rate": 0.512}]
    text = experiment.tables(
        {
            "until": {
                "a": {"size": 7, "seed": 1, "generations": 40, "reached": True},
                "b": {"size": 7, "seed": 2, "generations": 50, "reached": True},
            },
            "handicap": {"a": {"size": 5, "seed": 3, "generations": 20, "levels": levels}},
            "openings": {"a": {"size": 3, "seed": 1, "generations": 4, "lines": [1.0, 1.0, 2.0, 1.5], "moves": []}},
        }
    )
    assert "| 7x7 | 2 | 2 | 45.0 | 7.1 | 40-50 | 50 |" in text
    assert "| 5x5 | 3 | 2 | 51.2% | 9 |" in text
    assert "| 3x3 | 1 | 1.00 | 1.00, 1.00, 2.00, 1.50 | 1.11 |" in text


def test_bench_measures_games():
    assert bench.games_per_second(5) > 100
