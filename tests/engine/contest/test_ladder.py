"""The results file of a ladder: what is missing, what survives a crash, and the table."""

import json

import pytest

from engine.contest.failure import TWO_PASSES, CannotPlay
from engine.contest.ladder import Ledger, pair_seed, pairs
from engine.contest.match import Outcome
from engine.contest.report import ladder_text
from engine.go.board import BLACK

TERMS = {"size": 7, "komi": 7.5, "rules": "chinese"}


def _games(points, first=0):
    """Outcomes in which A, always Black, makes the given points."""
    winners = {1: BLACK, 0: 3 - BLACK, 0.5: 0}
    return [Outcome(first + n, True, winners[p], 2.0, TWO_PASSES, 30, 0.1) for n, p in enumerate(points)]


def test_pairs_do_not_depend_on_the_order_of_players():
    assert set(pairs(["b", "c", "a"])) == {("a", "b"), ("a", "c"), ("b", "c")}
    seeds = {pair_seed(seed, pair) for seed in (1, 2) for pair in pairs(["a", "b", "c"])}
    assert len(seeds) == 6


def test_a_second_ladder_plays_only_what_is_missing(tmp_path):
    path = tmp_path / "ladder.jsonl"
    first = Ledger(path, TERMS)
    assert first.missing(("a", "b"), 4) == [0, 1, 2, 3]
    first.add(("a", "b"), _games([1, 0]))
    first.add(("a", "b"), _games([0.5], first=3))
    second = Ledger(path, TERMS)
    assert second.missing(("a", "b"), 5) == [2, 4]
    assert second.missing(("a", "c"), 2) == [0, 1]
    assert second.points == first.points
    assert [json.loads(line)["result"] for line in path.read_text().splitlines()] == ["B+2"] * 3


def test_games_on_other_terms_are_left_alone(tmp_path):
    path = tmp_path / "ladder.jsonl"
    Ledger(path, TERMS).add(("a", "b"), _games([1, 1]))
    other = Ledger(path, {**TERMS, "size": 9})
    assert other.missing(("a", "b"), 2) == [0, 1]
    other.add(("a", "b"), _games([0, 0]))
    assert Ledger(path, TERMS).points == {("a", "b"): {0: 1, 1: 1}}


def test_games_of_another_player_of_the_same_name_are_left_alone(tmp_path):
    path = tmp_path / "ladder.jsonl"
    Ledger(path, TERMS, {"a": "1234"}).add(("a", "b"), _games([1, 1]))
    for contents in ({"a": "5678"}, {"a": "1234", "b": "1234"}, {}, {"b": "1234"}):
        assert Ledger(path, TERMS, contents).missing(("a", "b"), 2) == [0, 1]
    Ledger(path, TERMS, {"a": "5678"}).add(("a", "b"), _games([0, 0]))
    assert Ledger(path, TERMS, {"a": "1234", "c": "9"}).points == {("a", "b"): {0: 1, 1: 1}}


def test_a_file_from_before_there_were_seeds_in_it_is_no_error(tmp_path):
    path = tmp_path / "ladder.jsonl"
    Ledger(path, TERMS).add(("a", "b"), _games([1, 1]))
    assert Ledger(path, {**TERMS, "seed": 1}).missing(("a", "b"), 2) == [0, 1]


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_was_cut_short_is_played_again(tmp_path, cut):
    path = tmp_path / "ladder.jsonl"
    Ledger(path, TERMS).add(("a", "b"), _games([1, 0, 1]))
    path.write_bytes(path.read_bytes()[:-cut])
    ledger = Ledger(path, TERMS)
    missing = ledger.missing(("a", "b"), 3)
    assert missing in ([2], [])  # when only the line break is lost, the game is there
    ledger.add(("a", "b"), _games([0] * len(missing), first=2))
    ledger.add(("a", "b"), _games([1], first=3))
    assert Ledger(path, TERMS).missing(("a", "b"), 4) == []


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk.\n")
    with pytest.raises(CannotPlay, match="not a results file"):
        Ledger(path, TERMS)
    with pytest.raises(CannotPlay, match="cannot read"):
        Ledger(tmp_path, TERMS)
    with pytest.raises(CannotPlay, match="cannot write"):
        Ledger(tmp_path / "no" / "such.jsonl", TERMS).add(("a", "b"), _games([1]))


def test_the_table():
    ledger = Ledger(None, TERMS)
    ledger.add(("a", "b"), _games([1, 1, 1, 0]))
    ledger.add(("a", "c"), _games([1, 1, 0.5, 0.5]))
    ledger.add(("b", "c"), _games([1, 0, 1, 1]))
    table = ledger.table(["c", "b", "a"], "b", 1000.0)
    assert table["maximum_likelihood"]
    assert [row["player"] for row in table["players"]] == ["a", "b", "c"]
    assert [row["games"] for row in table["players"]] == [8, 8, 8]
    assert [row["score"] for row in table["players"]] == [0.75, 0.5, 0.25]
    assert table["players"][1]["elo"] == 1000
    json.dumps(table, allow_nan=False)
    lines = ladder_text(table).splitlines()
    assert lines[0].split() == ["player", "Elo", "95%", "games", "score"]
    assert lines[2].split() == ["b", "+1000", "anchor", "8", "50.0%"]
    assert lines[6].split() == ["1", "a", "-", "75.0%", "75.0%"]
