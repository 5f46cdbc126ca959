"""``show``: text and page of genomes and runs, in every state a run can be in."""

import json
import re
from html.parser import HTMLParser

import pytest

import gtp_main
from engine.go.board import BLACK, PASS, WHITE, point
from players import genome, kinds
from players.genome import Genome
from players.show.charts import Series, _ticks, line_chart
from players.show.parts import game_data
from players.show.text import sizes_text
from players.show.views import GameRecord
from players.training.run import Run
from tests.players.training.toy.trainer import Trainer

TOY = "tests.players.training.toy.trainer:Trainer"


@pytest.fixture(autouse=True)
def toy_is_a_kind(monkeypatch):
    monkeypatch.setitem(kinds.PACKAGES, "toy", "tests.players.training.toy")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("show")
    assert gtp_main.main(["train", TOY, "--quiet", "--out", str(path / "a.json"), "--flip", "0.06"]) == 0
    return path / "a.run"


def show(capsys, *words):
    assert gtp_main.main(["show", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_genome_as_text(run, capsys):
    text = show(capsys, run.with_suffix(".json"))
    for part in ("a toy genome", "plays      5, 7", "pattern", "7x7", "95% interval", "score history", "structure"):
        assert part in text
    assert re.search(r"population +10 +paper, §2", text)
    assert re.search(r"flip +0\.06 +changed from 0\.05", text)
    assert re.search(r"boards +5,7 ", text) and re.search(r"\n  [01]{24}\n?", text)


def test_run_as_text(run, capsys):
    text = show(capsys, run)
    assert text.startswith("a.run: a run of toy, 12 generations so far\nchampion: a toy genome")


def test_run_without_champion(tmp_path, capsys):
    Run.start(Trainer(Trainer.Config()), tmp_path / "b.run", tmp_path / "b.json").folder.close()
    assert "no champion yet" in show(capsys, tmp_path / "b.run")
    show(capsys, tmp_path / "b.run", "--html", tmp_path / "b.html")
    assert "no data yet" in (tmp_path / "b.html").read_text()


class Balanced(HTMLParser):
    """Checks that tags close, and gathers what the page would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.tags = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.fetched += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag


@pytest.mark.parametrize("what", ["run", "genome"])
def test_page_is_whole_and_self_contained(run, tmp_path, capsys, what):
    show(capsys, run if what == "run" else run.with_suffix(".json"), "--html", tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    parser = Balanced()
    parser.feed(text)
    assert parser.open == [] and parser.fetched == [] and "http" not in text and "url(" not in text.replace("url(#", "")
    assert parser.tags.count("script") == 2 and "link" not in parser.tags
    assert ("Ones" in text) == (what == "run")  # the curve that only this kind has
    assert "Blue is one &lt;and&gt; not zero." in text
    games = json.loads(re.search(r'class="games">(.*?)</script>', text).group(1))
    assert [game["size"] for game in games] == [5, 7, 9] and "</script>" in games[0]["title"]


def test_captures_are_in_the_game_data():
    def at(text):
        return point(3, "abc".index(text[0]), int(text[1]))

    moves = [(BLACK, at("a1")), (WHITE, at("a0")), (BLACK, at("b0")), (WHITE, PASS)]
    data = game_data(GameRecord("t", 3, moves, stones=[(WHITE, at("c2"))]))
    assert data["moves"] == [[1, 3, []], [2, 0, []], [1, 1, [0]], [2, -1, []]]
    assert data["stones"] == [[2, 8]]


def test_a_genome_of_a_foreign_kind(tmp_path, capsys):
    genome.save(Genome("martian", [9], {"x": 1}, {"seed": 4, "wings": True}), tmp_path / "m.json")
    text = show(capsys, tmp_path / "m.json")
    assert "a martian genome" in text and "wings" in text
    show(capsys, tmp_path / "m.json", "--html", tmp_path / "m.html")


@pytest.mark.parametrize(
    "prepare, words",
    [
        (lambda path: None, "No such file"),
        (lambda path: path.write_text("hello"), "not a genome"),
        (lambda path: path.mkdir(), "not a run folder"),
        (lambda path: (path.mkdir(), (path / "config.json").write_text("{")), "cannot be read"),
    ],
)
def test_what_cannot_be_shown(tmp_path, capsys, prepare, words):
    prepare(tmp_path / "x")
    assert gtp_main.main(["show", str(tmp_path / "x")]) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_unwritable_page(run, tmp_path, capsys):
    assert gtp_main.main(["show", str(run), "--html", str(tmp_path / "no" / "x.html")]) == 1
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("sizes, expected", [([5], "5"), ([7, 5], "5, 7"), ([5, 6, 7], "5–7"), ([5, 7, 9], "5, 7, 9")])
def test_sizes_text(sizes, expected):
    assert sizes_text(sizes) == expected


@pytest.mark.parametrize("low, high", [(0, 1), (-3, 12), (0.001, 0.0011), (1, 1000), (-5e6, 1e7)])
def test_ticks_are_few_and_inside(low, high):
    ticks = _ticks(low, high)
    assert 2 <= len(ticks) <= 7 and all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)


def test_long_lines_keep_their_extremes():
    ys = [0.5] * 5000
    ys[1234], ys[4321], ys[3000] = 1.0, 0.0, None
    chart = line_chart([Series("x", list(range(5000)), ys, "#000")], y_range=(0.0, 1.0))
    heights = {float(y) for line in re.findall(r'polyline points="([^"]*)"', chart) for y in re.findall(r",([\d.]+)", line)}
    assert min(heights) == 27 and max(heights) == 258 and len(chart) < 20000
