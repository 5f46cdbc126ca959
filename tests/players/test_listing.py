"""``players``: who there is, how strong, with which options."""

import json

from players import levels, listing, registry
from players.search.player import SECONDS

LEVELS = [f"level-{number}" for number in range(1, levels.TOP + 1)]


def test_rows_name_everything():
    rows = listing.rows()
    assert [row.name for row in rows] == [*registry.names(), *LEVELS, "FILE", "RUN@120", "gtp:COMMAND"]
    assert all(row.name and row.kind and row.boards for row in rows)


def test_the_text_fits_100_columns_and_has_all_options_with_their_defaults():
    rows = listing.rows()
    text = listing.text(rows)
    assert max(map(len, text.splitlines())) <= 100 and text.isascii()
    words = " ".join(text.split())
    for row in rows:
        assert f"\n{row.name} " in text
        for option in row.options:
            assert f"{option.name} {option.help} [" in words
    assert f"seconds for a move, if no clock runs and simulations do not say how much [{SECONDS:g}]" in words


def test_ratings_of_ladders_that_ship(tmp_path, monkeypatch):
    (tmp_path / "results").mkdir()
    ladder = {"players": [{"player": "gojen", "elo": 1234.4}, {"player": "random", "elo": 0.0}]}
    (tmp_path / "results" / "ladder-9x9.json").write_text(json.dumps(ladder))
    (tmp_path / "results" / "ladder-5x5.json").write_text("{")  # damaged: it rates nobody
    monkeypatch.setattr(listing.importlib.resources, "files", lambda package: tmp_path)
    assert listing.elo_tables() == {9: {"gojen": 1234.4, "random": 0.0}}
    rows = [line.split() for line in listing.text(listing.rows()).splitlines() if line]
    lines = {words[0]: words for words in reversed(rows)}  # options come after the table
    assert lines["name"][-2:] == ["Elo", "9x9"] and lines["gojen"][-1] == "1234" and lines["wally"][-1] == "-"


def test_every_player_that_ships_is_rated_on_its_boards():
    tables = listing.elo_tables()
    assert {5, 7, 9} <= set(tables) and all(table["random"] == 0 for table in tables.values())
    for row in listing.rows():
        if row.genome is not None or row.kind == "scripted":
            assert set(row.elo) == ({int(row.boards)} if row.boards.isdigit() else set(tables)), row.name


def test_json_holds_the_same():
    rows = json.loads(json.dumps([listing.as_json(row) for row in listing.rows()], allow_nan=False))
    found = {row["name"]: row for row in rows}
    assert found["wally"]["options"] == {"randomness": 0.0} and found["sane-5x5"]["boards"] == "5"
    assert found["isn-9x9"]["options"]["beta"] == "inf"
