"""What pages are made of: charts whose labels stay inside, claims, boards, and the gallery."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import gtp_main
from engine.go.board import BLACK, PASS, WHITE, point
from engine.records import sgf
from players import genome, kinds, registry
from players.genome import Genome, Result
from players.show import gallery
from players.show.boards import Board, panels
from players.show.charts import NARROW, WIDE, Series, line_chart, text_width
from players.show.claims import own_board, strongest_claims
from players.show.curves import curve_cards
from players.show.parts import game_data, picture_card
from players.show.text import Subject
from players.show.views import Chart, GameRecord, Picture

MODELS = Path(__file__).resolve().parents[3] / "models"


# Charts


def boxes(chart):
    """The texts of a chart with where they begin and end: (text, left, right, y)."""
    found = []
    for text in ElementTree.fromstring(chart).iter("text"):
        x, wide = float(text.get("x")), text_width(text.text)
        left = x - {"end": wide, "middle": wide / 2}.get(text.get("text-anchor"), 0)
        found.append((text.text, left, left + wide, float(text.get("y"))))
    return found


@pytest.mark.parametrize("shape", [WIDE, NARROW])
@pytest.mark.parametrize(
    "xs, ys",
    [
        (range(1, 17), range(16)),
        (range(1, 16001, 100), [1e6 + i for i in range(160)]),
        ([1, 1000000], [-1e15, 1e15]),
        ([3], [0.001]),
        (range(5), [0.00001, 0.00002, 0.00003, 0.00002, 0.00001]),
        (range(0, 1000, 7), [-1234.5 + i for i in range(143)]),
    ],
)
def test_no_label_is_clipped_or_meets_another(shape, xs, ys):
    line = Series("x", list(xs), list(ys), "#000")
    found = boxes(line_chart([line], "generation", "points", shape=shape, bands=[(1, 2, "5×5"), (3, max(xs), "7×7")]))
    assert len(found) >= 4
    for text, left, right, y in found:
        assert left >= -0.1 and right <= shape.width + 0.1 and 8 <= y <= shape.height, text
    for i, (_, left, right, y) in enumerate(found):
        for _, other_left, other_right, other_y in found[:i]:
            assert abs(y - other_y) >= 9 or right <= other_left or other_right <= left, found


def subject_of(log, history=()):
    return Subject("a", "martian", Genome("martian", [9], {}, history=list(history)), {}, log)


def test_a_constant_has_no_chart():
    log = [{"generation": i, "best": 2.0, "mean": 2.0, "wins": 0.5, "beta": 4.0, "rules": i % 3} for i in range(1, 9)]
    large, small = curve_cards(subject_of(log, [{"generation": i, "win_rate": 0.5, "games": 9} for i in (4, 8)]))
    assert large == []
    rules, same = small
    assert "<h2>Rules</h2>" in rules and "beta 4" in same and "svg" not in same


def test_curves_say_what_they_are():
    log = [{"generation": i, "best": i, "mean": i / 2, "wins": i / 10} for i in range(1, 9)]
    history = [{"generation": 4, "win_rate": 0.25, "games": 100}, {"generation": 8, "win_rate": 0.75, "games": 100}]
    (fitness, won), small = curve_cards(subject_of(log, history))
    assert small == []
    assert "Best 1 in generation 1, 8 in 8; mean 0.5 in generation 1, 4 in 8." in fitness
    assert ">games won (%)<" in won and "with its 95% interval" in won
    lines = json.loads(re.search(r'data-points="([^"]*)"', won)[1].replace("&quot;", '"'))
    assert lines[0] == {"name": "champion", "x": [4, 8], "y": ["25.0% (17.5% to 34.3%)", "75.0% (65.7% to 82.5%)"]}
    dashes = {re.search(r'stroke-dasharray="([^"]*)"', line)[1] for line in re.findall("<polyline[^>]*dash[^>]*>", won)}
    assert len(dashes) == 1  # one line is drawn through, the other is not


@pytest.mark.parametrize("kind", ["hyperneat", "sane", "organism", "isn"])
def test_the_numbers_of_a_log_are_explained(kind):
    viewer = kinds.part(kind, "viewer")
    assert viewer.ABOUT.endswith(".")
    for chart in viewer.CHARTS.values():
        assert chart is None or isinstance(chart, Chart) and chart.unit and chart.sentence.endswith(".")


# Claims


@pytest.mark.parametrize(
    "name, board, claims",
    [
        (
            "hyperneat-any.json",
            9,
            ["64.0% won against GOjen with 5% random moves on 9×9", "89.0% won against Wally with 5% random moves on 9×9"],
        ),
        ("isn-9x9.onnx", 9, ["69.8% won against GOjen on 9×9", "80.0% won against Wally on 9×9"]),
        ("isn-small.onnx", 5, ["72.2% won against GOjen on 5×5", "94.2% won against Wally on 5×5"]),
        ("organism-9x9.json", 9, ["91.8% won against Naixt on 9×9", "99.6% won against Random on 9×9"]),
        ("sane-7x7.json", 7, ["100.0% won against Wally on 7×7", "91.2% won against Wally with 10% random moves on 7×7"]),
    ],
)
def test_claims_are_those_of_its_own_board(name, board, claims):
    (subject,) = gallery.read_champions(MODELS, [MODELS / name])
    assert own_board(subject.champion) == board
    assert [f"{claim.rate:.1%} {claim.headline}" for claim in strongest_claims(subject.champion)][:2] == claims


@pytest.mark.parametrize(
    "results, claims",
    [
        ([], []),
        ([("gojen", 10, 2), ("random", 10, 4)], [("random", 4)]),  # it wins against nobody: its best result
        ([("random", 10, 10), ("gojen", 10, 6), ("pattern", 10, 9), ("wally", 10, 1)], ["gojen", "random", "pattern"]),
        ([("random", 0, 0)], []),
    ],
)
def test_the_strongest_claims(results, claims):
    one = Genome("martian", [9], {}, results=[Result(name, 9, 7.5, games, wins) for name, games, wins in results])
    found = strongest_claims(one)
    assert [claim.opponent for claim in found] == [claim if isinstance(claim, str) else claim[0] for claim in claims]


def test_colours_are_added_up():
    results = [Result("liberty", 7, 6.5, 100, 90, "black"), Result("liberty", 7, 6.5, 100, 50, "white")]
    (claim,) = strongest_claims(Genome("martian", [7], {}, results=results))
    assert claim.rate == 0.7 and "90.0% as Black, 50.0% as White" in claim.details


# Boards and pictures


def test_a_board_can_be_read_without_colours():
    shares = [1, -1, 0, 0.5, -0.01, float("nan"), 2, -2, 0]
    drawn = ElementTree.fromstring(Board(3).shade(shares).values([*shares[:5], np.nan, 0, 0, 0]).svg())
    marks = [path for path in drawn.iter("path") if path.get("class") == "bar-mark"]
    assert marks[0].get("d") == "M0.78 0h.44M0.78 1h.44M0.78 2h.44"
    assert drawn.get("data-values") == "1.00 -1.00 0 0.50 -0.01 – 0 0 0"
    squares = [path for path in drawn.iter("path") if "square" in path.get("class")]
    assert sum(path.get("d").count("M") for path in squares) == 6


@pytest.mark.parametrize("count, least, columns", [(4, 112, 4), (8, 112, 8), (11, 112, 6), (7, 150, 4), (0, 150, 1)])
def test_panels_fill_their_rows(count, least, columns):
    assert f"--columns:{columns}" in panels([("<svg/>", "a")] * count, least)


@pytest.mark.parametrize("first, shown", [(0, 0), (-1, 2), (1, 1)])
def test_a_slider_starts_where_the_picture_says(first, shown):
    text = picture_card(Picture("P", ["<i>0</i>", "<i>1</i>", "<i>2</i>"], labels=["a", "b", "c"], first=first))
    assert f'value="{shown}"' in text and f"<output>{'abc'[shown]}</output>" in text
    assert f'<div class="frame"><i>{shown}</i>' in text and text.count('class="frame" hidden') == 2


def test_a_game_can_be_saved():
    moves = [(BLACK, point(5, 2, 2)), (WHITE, point(5, 0, 4)), (BLACK, PASS)]
    record = GameRecord("a/b <c>", 5, moves, "B+3.5", 6.5, "me]", "you", stones=[(WHITE, point(5, 1, 1))])
    data = game_data(record)
    assert data["file"] == "a-b-c.sgf"
    read = sgf.parse(data["sgf"])
    assert (read.size, read.komi, read.result, read.black_name, read.white_name) == (5, 6.5, "B+3.5", "me]", "you")
    assert read.moves == moves and read.setup == [(WHITE, point(5, 1, 1))]


# The gallery


def test_the_gallery_in_text_names_all_that_ship(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where there is no folder of that name
    assert gtp_main.main(["show", "models"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == sorted(registry.champions())


def test_a_folder_with_other_files(capsys, tmp_path):
    genome.save(Genome("martian", [9], {"x": 1}, {"seed": 4}), tmp_path / "m.json")
    (tmp_path / "notes.json").write_text("{}")
    (tmp_path / "README.md").write_text("hello")
    assert gtp_main.main(["show", str(tmp_path), "--html", str(tmp_path / "g.html")]) == 0
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "left out" in error and "notes.json" in error
    page = (tmp_path / "g.html").read_text()
    assert 'id="champion-m"' in page and 'href="#champion-m"' in page and "notes" not in page
    (tmp_path / "m.json").unlink()
    assert gtp_main.main(["show", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "not a run folder" in error and "notes.json" in error and error.count("\n") == 1


def test_all_play_the_same_position(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(gallery, "_BOARDS", (5,))
    names = ("organism-5x5.json", "sane-5x5.json", "sane-7x7.json")
    for name in names:
        (tmp_path / name).write_bytes((MODELS / name).read_bytes())
    assert gtp_main.main(["show", str(tmp_path), "--html", str(tmp_path / "g.html")]) == 0
    page = (tmp_path / "g.html").read_text()
    for name in names:
        assert f'id="champion-{name[:-5]}"' in page
    games = json.loads(re.search(r'class="games">(.*?)</script>', page)[1])
    assert [game["title"] for game in games] == ["organism-5x5", "sane-5x5"]  # the third does not play on 5x5
    start = [[BLACK, 12], [WHITE, 13], [BLACK, 18], [WHITE, 17]]
    for game in games:
        assert [move[:2] for move in game["moves"][:4]] == start and len(game["moves"]) > 5 and game["white"] == "Wally"
    assert page.count("What evolution found") == 2 and "A cross-cut on 5×5" in page
