"""The command line: help, examples, options from files."""

import re

import pytest

import gtp_main
from engine.contest.player import Player
from engine.go.rules import CHINESE, RULES
from players.registry import PlayerError
from players.search import player as search

COMMANDS = ("gtp", "cgos", "match", "ladder", "players", "bench", "warmup", "train", "experiment", "show")


def told(capsys, *words):
    """(exit code, standard output, standard error) of a command that ends at once."""
    with pytest.raises(SystemExit) as stop:
        gtp_main.main(list(words))
    return stop.value.code, *capsys.readouterr()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_that_can_be_parsed(capsys, command):
    code, text, _ = told(capsys, command, "--help")
    assert code == 0
    examples = re.findall(r"^  evogo (.*?)(?:   .*)?$", text.partition("examples:")[2], re.MULTILINE)
    assert examples
    for example in examples:
        words = gtp_main.shlex.split(example)
        if not words or words[0].startswith("-"):
            words.insert(0, "gtp")
        if "--config" in words or "--resume" in words:
            continue  # of files that are not here
        assert gtp_main.build_parser().parse_args(words).command == command


@pytest.mark.parametrize("command", ["gtp", "match", "ladder"])
def test_rules_are_named(capsys, command):
    text = " ".join(told(capsys, command, "--help")[1].split())
    *most, last = RULES
    assert f"{', '.join(most)} or {last} (default: {CHINESE.name})" in text.replace("- ", "-")  # argparse breaks at hyphens


def parsed(*words):
    return gtp_main.build_parser().parse_args(["gtp", *words])


@pytest.mark.parametrize("words", [[], ["--level", "7"], ["--player", "strongest"], ["--player", "search,guide=gojen"]])
def test_time_and_threads_reach_the_search(monkeypatch, words):
    taken = []
    monkeypatch.setattr(search, "Search", lambda *arguments, **_: taken.append(arguments[2:4]) or Player())
    gtp_main._player_settings(parsed(*words, "--raw", "--time", "0.5", "--threads", "3"))["load"](1)
    assert taken == [(0.5, 3)]


def test_time_is_not_for_players_that_do_not_search():
    for words in (["--player", "gojen"], ["--level", "1"]):
        with pytest.raises(PlayerError, match="--time and --threads are for players that search"):
            gtp_main._player_settings(parsed(*words, "--time", "0.5"))["load"](1)


def test_options_from_a_file(tmp_path):
    file = tmp_path / "kgs.conf"
    file.write_text("# on KGS\n--player search,guide=isn-9x9\n\n--resign 0.05  # politely\n--name 'my engine'\n--size=13\n")
    found = parsed("--config", str(file))
    assert (found.player, found.resign, found.name, found.size) == ("search,guide=isn-9x9", 0.05, "my engine", 13)
    found = parsed(f"--config={file}", "--size", "7")
    assert (found.player, found.size) == ("search,guide=isn-9x9", 7)  # what is typed prevails


def test_what_a_server_needs_may_come_from_a_file(tmp_path):
    file = tmp_path / "cgos.conf"
    file.write_text("--user myevogo\n--server host  # on 19x19\n--port 6819\n--level 3\n")
    found = gtp_main.build_parser().parse_args(["cgos", "--config", str(file), "--games", "5"])
    assert (found.user, found.server, found.port, found.level, found.games) == ("myevogo", "host", 6819, 3, 5)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"--player wally\n--colour blue\n", "line 2: there is no option '--colour' here"),
        (b"player wally\n", "line 1: there is no option 'player' here"),
        (b"--config other.conf\n", "there is no option '--config' here"),
        (b"--name 'half\n", "No closing quotation"),
        (b"--size 99\n", "invalid board size"),
        (b"\xff\xfe", "can't decode"),
    ],
)
def test_mistakes_in_such_a_file_end_in_one_line(tmp_path, capsys, content, message):
    file = tmp_path / "a.conf"
    file.write_bytes(content)
    code, out, err = told(capsys, "gtp", "--config", str(file))
    assert (code, out, err.count("\n")) == (2, "", 1) and message in err


def test_a_file_that_is_not_there(capsys):
    code, _, err = told(capsys, "--config", "/no/such/file")
    assert code == 2 and "cannot read /no/such/file" in err and err.count("\n") == 1


def test_show_takes_names(capsys):
    assert gtp_main.main(["show", "sane-5x5"]) == 0
    assert "sane" in capsys.readouterr().out
