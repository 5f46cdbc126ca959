"""``match``, ``ladder`` and ``players`` as a user meets them."""

import datetime
import io
import json
import re
import sys
from dataclasses import replace

import pytest

import gtp_main
from engine.contest.elo import wilson
from engine.contest.match import Settings, run
from engine.go.rules import CHINESE, JAPANESE
from engine.records import sgf
from players import genome, registry
from players.play.contest import compiled_games
from players.registry import load_player
from tests.processes.gtp_engines import DIE, fake_engine

KEYS = (
    "games wins losses draws win_rate ci95 elo elo_ci95 by_colour mean_moves seconds_per_move ends".split()
)


def evogo(capsys, *arguments):
    """Run a command; (exit code, standard output, standard error)."""
    try:
        code = gtp_main.main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out, err


def timeless(text):
    """The JSON object in ``text`` without what depends on the clock."""
    result = json.loads(text)
    del result["seconds_per_move"]
    return result


# match


def test_json_has_the_promised_keys(capsys):
    code, out, err = evogo(capsys, "match", "liberty", "random", "--games", 60, "--size", 5, "--json")
    result = json.loads(out)
    assert (code, err, list(result)) == (0, "", KEYS)
    assert result["games"] == 60 == result["wins"] + result["losses"] + result["draws"]
    assert result["ci95"] == list(wilson(result["wins"] + result["draws"] / 2, 60))
    assert result["by_colour"]["black"]["games"] == 30
    assert sum(result["ends"].values()) == 60
    assert result["win_rate"] > 0.8


def test_compiled_games_do_not_depend_on_the_workers(capsys):
    command = ("match", "liberty,randomness=0.5", "random", "--games", 121, "--size", 5, "--json", "--seed", 5)
    results = [timeless(evogo(capsys, *command, "--workers", workers)[1]) for workers in (1, 2, 3)]
    assert results[0] == results[1] == results[2]
    assert timeless(evogo(capsys, *command, "--seed", 6)[1]) != results[0]


@pytest.mark.parametrize("black", ["alternate", "A", "B"])
def test_a_compiled_game_depends_on_its_number_alone(black):
    a, b = load_player("liberty,randomness=0.5"), load_player("random")
    settings = Settings(size=5, black=black)
    games = compiled_games(a, b, 5, settings.rules)

    def play(numbers, **options):
        found = sorted(outcome for some in run(numbers, settings, None, games, **options) for outcome in some)
        return [outcome._replace(seconds=0, game=None) for outcome in found]

    whole = play(range(130), workers=2)
    assert [outcome.number for outcome in whole] == list(range(130))
    some = [3, 4, 5, 70, 71, 99, 128]
    assert play(some) == [whole[number] for number in some]
    assert play(some, keep_games=True) == [whole[number] for number in some]


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE])
def test_the_record_of_a_compiled_game_is_the_game(rules):
    a, b = load_player("liberty"), load_player("random")
    settings = Settings(size=5, rules=rules)
    for outcome in next(run(range(8), settings, None, compiled_games(a, b, 5, rules), keep_games=True)):
        assert outcome.game.is_over and outcome.length == len(outcome.game.moves)
        if rules is CHINESE:
            assert outcome.score == outcome.game.score()


def test_records_that_cannot_be_written_are_told_in_a_line(capsys, tmp_path):
    (tmp_path / "game-0001.sgf").mkdir()
    code, out, err = evogo(capsys, "match", "random", "random", "--games", 1, "--size", 5, "--sgf", tmp_path)
    assert code == 2 and out == "" and err.count("\n") == 1 and "cannot write" in err


def test_text_and_records(capsys, tmp_path):
    folder = tmp_path / "games"
    command = ("match", "liberty", "random", "--games", 4, "--size", 5, "--komi", 3.5, "--sgf", folder)
    code, out, err = evogo(capsys, *command)
    assert (code, err) == (0, "")
    assert out.startswith("A: liberty\nB: random\n4 games on 5x5, komi 3.5, chinese rules, colours alternate, seed 1\n\nA won ")
    for part in ("as Black", "as White", "Elo of A less Elo of B", "moves in a game", "time for a move", "games ended by"):
        assert part in out
    records = [sgf.load(folder / f"game-000{number}.sgf") for number in (1, 2, 3, 4)]
    assert [record.black_name for record in records] == ["liberty", "random"] * 2
    assert [record.white_name for record in records] == ["random", "liberty"] * 2
    for record in records:
        assert (record.size, record.komi, record.date) == (5, 3.5, datetime.date.today().isoformat())
        assert record.result[:2] in ("B+", "W+") and len(record.moves) > 10


def test_options_are_told_in_report_and_records(capsys, tmp_path):
    engine = f"gtp:{fake_engine(tmp_path, genmove=DIE)}"
    options = ("--games", 1, "--size", 5, "--sgf", tmp_path)
    _, out, _ = evogo(capsys, "match", "liberty,randomness=0.5", engine, *options)
    record = sgf.load(tmp_path / "game-0001.sgf")
    assert out.startswith(f"A: liberty,randomness=0.5\nB: {record.white_name}\n")
    assert record.black_name == "liberty,randomness=0.5"
    assert record.white_name.endswith(f" ({engine})") and not record.white_name.startswith(engine)


def test_the_same_player_always_black(capsys):
    command = ("match", "liberty", "random", "--games", 5, "--size", 5, "--json", "--black")
    for who, colour in (("A", "black"), ("b", "white")):
        result = json.loads(evogo(capsys, *command, who)[1])
        assert result["by_colour"][colour]["games"] == 5


def test_a_failing_engine_loses_with_a_message(capsys, tmp_path):
    command = ("match", "random", f"gtp:{fake_engine(tmp_path, genmove=DIE)}", "--games", 2, "--size", 5, "--json")
    code, out, err = evogo(capsys, *command)
    result = json.loads(out)
    assert (code, result["wins"], result["ends"]["crash"]) == (0, 2, 2)
    assert err.count("\n") == 2 and "ended with code 3" in err
    code, out, err = evogo(capsys, *command, "--on-error", "stop")
    assert (code, out) == (1, "")
    assert err.startswith("evogo match: stopped: game 1: ") and err.count("\n") == 1


def test_a_referee_and_manners_and_time(capsys, tmp_path):
    referee = fake_engine(tmp_path, final_status_list="print('?\\n', flush=True); answered = True",
                          final_score="print('= W+1\\n', flush=True); answered = True")
    options = ("--games", 2, "--size", 5, "--json", "--time", 5, "--manners", "--referee", referee)
    code, out, _ = evogo(capsys, "match", "liberty", "random", *options)
    result = json.loads(out)
    assert code == 0
    assert (result["by_colour"]["black"]["losses"], result["by_colour"]["white"]["wins"]) == (1, 1)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["match", "liberty"], "required: B"),
        (["match", "liberty", "nobody"], "there is no player 'nobody'"),
        (["match", "liberty", "random", "--games", "0"], "invalid positive whole number value: '0'"),
        (["match", "liberty", "random", "--size", "26"], "invalid board size"),
        (["match", "liberty", "random", "--time", "-1"], "invalid positive number"),
        (["match", "liberty", "random", "--komi", "inf"], "invalid number"),
        (["match", "liberty", "random", "--rules", "golf"], "unknown rules 'golf'"),
        (["match", "liberty", "random", "--black", "C"], "invalid choice"),
        (["match", "liberty", "random", "--alternate", "--black", "A"], "not allowed with"),
        (["match", "liberty", "random", "--referee", "no-such-program"], "no program 'no-such-program'"),
        (["match", "liberty", "random", "--sgf", "/dev/null/games"], "cannot make the folder"),
        (["ladder", "liberty"], "at least two players"),
        (["ladder", "liberty", "liberty"], "each named once"),
        (["ladder", "liberty", "random", "--anchor", "gojen=1"], "one of the players"),
        (["ladder", "liberty", "random", "--anchor", "random=strong"], "is a number, not 'strong'"),
        (["ladder", "liberty", "random", "--out", "/dev/null/x"], "cannot"),
    ],
)
def test_mistakes_end_in_one_line(capsys, arguments, message):
    code, out, err = evogo(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err and err.count("\n") == 1


def test_a_match_goes_on_where_it_stopped(capsys, tmp_path):
    path = tmp_path / "match.jsonl"
    command = ("match", "liberty", "random", "--games", 30, "--size", 5, "--json")
    whole = timeless(evogo(capsys, *command)[1])
    code, out, err = evogo(capsys, *command, "--out", path)
    assert (code, timeless(out), err) == (0, whole, "")
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 30
    path.write_text("".join(lines[:12]) + lines[12][:40])  # as if it had been killed
    code, out, err = evogo(capsys, *command, "--out", path)
    assert (code, timeless(out), err) == (0, whole, f"12 games from {path}, 18 new games\n")
    code, out, err = evogo(capsys, *command, "--out", path)
    assert (code, timeless(out), err) == (0, whole, f"30 games from {path}, 0 new games\n")
    assert len(path.read_text().splitlines()) == 31
    assert evogo(capsys, *command, "--out", path, "--seed", 2)[2] == ""  # other games, in the same file


@pytest.mark.parametrize("content", ["no results", '{"a": 1}', '{"terms": {}, "number": "x"}'])
def test_a_file_that_holds_no_match_is_left_alone(capsys, tmp_path, content):
    path = tmp_path / "mine.txt"
    path.write_text(content)
    code, out, err = evogo(capsys, "match", "liberty", "random", "--games", 2, "--size", 5, "--out", path)
    assert (code, out) == (2, "") and "is not a results file of a match" in err and err.count("\n") == 1
    assert path.read_text() == content


# ladder


def test_a_ladder_goes_on_where_it_stopped(capsys, tmp_path):
    path = tmp_path / "ladder.jsonl"
    players = ("liberty", "random", "liberty,randomness=0.5")
    command = ("--size", 5, "--out", path, "--anchor", "liberty,randomness=0.5=100")
    code, out, err = evogo(capsys, "ladder", *players, "--games", 20, *command)
    assert (code, err) == (0, "")
    assert len(path.read_text().splitlines()) == 60
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:33]) + lines[33][:25])  # as if it had been killed
    _, again, err = evogo(capsys, "ladder", *players, "--games", 20, *command)
    assert again == out and err == f"33 games from {path}, 27 new games\n"
    assert len(path.read_text().splitlines()) == 61
    assert evogo(capsys, "ladder", *players, "--games", 20, *command)[2] == f"60 games from {path}, 0 new games\n"
    code, again, _ = evogo(capsys, "ladder", *reversed(players), "--games", 20, *command, "--json")
    table = json.loads(again)
    assert len(path.read_text().splitlines()) == 61
    assert [row["player"] for row in table["players"]] == ["liberty", "liberty,randomness=0.5", "random"]
    assert table["players"][1]["elo"] == 100
    assert [row["games"] for row in table["players"]] == [40, 40, 40]


def test_a_ladder_plays_again_with_another_genome_or_seed(capsys, tmp_path):
    """Nine games are in the file after each of: seed 1, seed 2, another genome of the same name, the first one again."""
    path, mine = tmp_path / "ladder.jsonl", tmp_path / "mine.json"
    first = genome.load(registry.champions()["sane-5x5"])
    other = replace(first, generation=first.generation + 1)
    command = ("ladder", "random", mine, "--games", 3, "--size", 5, "--out", path)
    told = []
    for champion, seed in ((first, 1), (first, 2), (other, 1), (first, 1)):
        genome.save(champion, mine)
        told.append(evogo(capsys, *command, "--seed", seed)[1])
        assert len(path.read_text().splitlines()) == min(3 * len(told), 9)
    assert told[0] == told[3]


def test_a_komi_that_a_player_does_not_know_is_told(capsys, tmp_path):
    options = ("--games", 1, "--size", 5, "--out", tmp_path / "ladder.jsonl")
    assert evogo(capsys, "ladder", "random", "liberty", "sane-5x5", *options)[2] == (
        "evogo ladder: warning: sane-5x5 knows 5x5 with komi 0: expect less of it with komi 7.5\n"
    )
    assert evogo(capsys, "match", "random", "sane-5x5", "--games", 1, "--size", 5, "--komi", 0)[2] == ""

def test_records_of_a_ladder(capsys, tmp_path):
    folder = tmp_path / "games"
    players = ("liberty", "random", "liberty,randomness=0.5")
    command = ("ladder", *players, "--games", 2, "--size", 5, "--out", tmp_path / "ladder.jsonl", "--sgf", folder)
    assert evogo(capsys, *command)[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "liberty,randomness=0.5-random",
        "liberty-liberty,randomness=0.5",
        "liberty-random",
    ]
    for pair in folder.iterdir():
        assert [path.name for path in sorted(pair.iterdir())] == ["game-0001.sgf", "game-0002.sgf"]
        assert len(sgf.load(pair / "game-0001.sgf").moves) > 10


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("command", [("match", "liberty", "random"), ("ladder", "liberty", "random")])
def test_the_time_that_is_left_stands_first(monkeypatch, tmp_path, command):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    out = ("--out", str(tmp_path / "l.jsonl")) if command[0] == "ladder" else ()
    assert gtp_main.main([*command, "--games", "30", "--size", "5", *out]) == 0
    lines = [line for line in terminal.getvalue().split("\r\x1b[K") if line]
    assert lines and all(re.match(r"\d+s left  \d+ of 30 games", line) for line in lines)


# players


def test_players_lists_them(capsys):
    code, out, _ = evogo(capsys, "players")
    assert code == 0
    assert out.split("\n")[0].split()[:3] == ["name", "kind", "boards"]
    assert "\nliberty" in out and "\ngtp:COMMAND" in out
    rows = json.loads(evogo(capsys, "players", "--json")[1])
    assert [row["name"] for row in rows][:3] == ["strongest", "search", "random"]
