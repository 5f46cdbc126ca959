"""What a CGOS server says, read as it is meant, and nonsense found out."""

import pytest

from engine.servers.lines import (
    Gameover,
    Genmove,
    Info,
    OddLine,
    Play,
    Program,
    Prompt,
    Refusal,
    Setup,
    UnknownLine,
    parse,
)

GNU, OUR = Program("GNU-3.8", "1800"), Program("evogo", "1743?")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("protocol genmove_analyze", Prompt("protocol", ("genmove_analyze",))),
        ("protocol", Prompt("protocol", ())),
        ("username", Prompt("username", ())),
        ("password", Prompt("password", ())),
        ("setup 12 9 7.5 300000 GNU-3.8(1800) evogo(1743?)", Setup("12", 9, 7.5, 300.0, GNU, OUR, ())),
        (
            "setup 12 19 7 300000 evogo(1743?) GNU-3.8(1800)  E5 299000 PASS 298500",
            Setup("12", 19, 7.0, 300.0, OUR, GNU, (("e5", 299.0), ("pass", 298.5))),
        ),
        ("setup 1 9 7.5 60000 a b", Setup("1", 9, 7.5, 60.0, Program("a", ""), Program("b", ""), ())),
        ("play b E5 298000", Play("black", "e5", 298.0)),
        ("play WHITE pass 0", Play("white", "pass", 0.0)),
        ("genmove w 1500", Genmove("white", 1.5)),
        ("genmove b -300", Genmove("black", -0.3)),
        ("gameover 2026-11-17 B+3.5 ", Gameover("2026-11-17", "B+3.5", "")),
        ("gameover 2026-11-17 W+Illegal Illegal move e5", Gameover("2026-11-17", "W+Illegal", "Illegal move e5")),
        ("info Games in progress: 3 Players:8", Info("Games in progress: 3 Players:8")),
        ("Error: Sorry, password doesn't match", Refusal("Sorry, password doesn't match")),
        ("Error:", Refusal("no reason was given")),
        ("", None),
        (" \t", None),
    ],
)  # fmt: skip
def test_lines_are_read(line, meant):
    assert parse(line) == meant


@pytest.mark.parametrize(
    "line",
    [
        "setup",
        "setup 1 9 7.5 300000 white(1)",
        "setup 1 nine 7.5 300000 a b",
        "setup 1 9 nan 300000 a b",
        "setup 1 9 7.5 soon a b",
        "setup 1 9 7.5 300000 a b e5",
        "setup 1 9 7.5 300000 a b e5 x",
        "setup 1 999 7.5 300000 a b",
        "play b e5",
        "play x e5 1000",
        "play b e5 1e3",
        "genmove",
        "genmove b",
        "genmove b 99999999999999999999",
        "gameover 2026-11-17",
    ],
)
def test_nonsense_is_found_out(line):
    with pytest.raises(OddLine):
        parse(line)


@pytest.mark.parametrize("line", ["SSH-2.0-OpenSSH_9.2", "HTTP/1.1 400 Bad Request", "\x1b[2J", "Setup 1"])
def test_other_languages_are_told_apart(line):
    with pytest.raises(UnknownLine) as error:
        parse(line)
    assert "\x1b" not in str(error.value)
