"""A game as the server tells it, its record, and what is told of it."""

import pytest

from engine.records import sgf
from engine.servers import report
from engine.servers.games import DRAWN, LOST, UNKNOWN, WON, ServerGame
from engine.servers.lines import Gameover, parse

LONG = "x" * 60


def game(setup="setup 12 9 7.5 300000 other(1800) evogo(1743?)", **told):
    found = ServerGame(parse(setup), "evogo")
    if told:
        found.ended(Gameover(told.get("date", "2026-11-17"), told["result"], told.get("text", "")))
    return found


@pytest.mark.parametrize(
    ("white", "result", "outcome", "record"),
    [
        ("other", "B+3.5", WON, "B+3.5"),
        ("other", "W+Resign", LOST, "W+R"),
        ("other", "W+Time", LOST, "W+T"),
        ("evogo", "W+Time", WON, "W+T"),
        ("evogo", "B+Illegal", LOST, "B+F"),
        ("evogo", "Draw", DRAWN, "0"),
        ("evogo", "Abort", UNKNOWN, "Void"),
        ("evogo", "", UNKNOWN, "?"),
    ],
)
def test_results(white, result, outcome, record):
    black = "other" if white == "evogo" else "evogo"
    found = game(f"setup 12 9 7.5 300000 {white}(1800) {black}(1743?)", result=result)
    assert found.outcome == outcome
    assert found.record("host:1").result == record
    for end in ("Time", "Illegal"):
        assert found.lost_by(end) == (outcome == LOST and end in result)


def test_a_game_of_others_is_none():
    with pytest.raises(ValueError):
        ServerGame(parse("setup 12 9 7.5 300000 a(1) b(2)"), "evogo")


def test_the_record_holds_moves_clocks_and_opinions():
    found = game()
    found.asked(300.0)
    found.answered("e5", {"winrate": 0.5123, "score": 1.25, "visits": 1000, "moves": []})
    found.played("c3", 290.5)
    found.asked(280.25)
    found.answered("pass", {})
    found.played("pass", 289.0)
    found.ended(Gameover("2026-11-16", "B+3.5", "well played"))
    read = sgf.parse(sgf.dump(found.record("host:6809"), "0.1"))
    assert (read.black_name, read.black_rank, read.white_name, read.white_rank) == ("evogo", "1743?", "other", "1800")
    assert (read.size, read.komi, read.result, read.date, read.time_limit) == (9, 7.5, "B+3.5", "2026-11-16", 300.0)
    assert (read.place, read.event, read.comment) == ("host:6809", "CGOS game 12", "well played")
    assert len(read.moves) == 4
    assert [(node.black_time, node.white_time) for node in read.nodes[1:]] == [
        (280.25, None),
        (None, 290.5),
        (None, None),
        (None, 289.0),
    ]
    assert read.nodes[1].comment == "winrate 51.2%, score +1.2, 1000 visits"
    assert found.file_name == "2026-11-16-12-evogo-other.sgf"


def test_catching_up_keeps_what_was_thought():
    found = game()
    found.asked(300.0)
    found.answered("e5", {"winrate": 0.25})
    found.catch_up(parse("setup 12 9 7.5 300000 other(1800) evogo(1743?) e5 299000 c3 280000"))
    assert found.moves == [("e5", 299.0), ("c3", 280.0)]
    assert found.to_move == "black" and found.clocks == {"black": 299.0, "white": 280.0}
    assert found.record("host").nodes[1].comment == "winrate 25.0%"


def test_names_cannot_leave_the_folder():
    found = game("setup ../../12 9 7.5 300000 ../../../etc/x(1) evogo(2)", result="B+1", date="../..")
    assert "/" not in found.file_name


@pytest.mark.parametrize("name", ["GNU", "a-name_of.18_chars", LONG, "\x1b[2J" + LONG])
@pytest.mark.parametrize("title", ["game 1", "game 1000/1000", "last game"])
def test_the_status_line_fits(name, title):
    found = game(f"setup 12 19 7.5 5400000 {name}(12345?) evogo(1743?)")
    found.winrate = 1.0
    line = report.playing(title, found, 12.0)
    assert len(line) <= report.WIDTH and line.isprintable()
    for part in (title, "black v ", name[:1].strip("\x1b"), "12345?", "(own 1743?)", "1:29:48 v 1:30:00", "win 100%"):
        assert part in line


def test_the_status_line_before_anything_is_thought():
    assert report.playing("game 3", game(), 0.0) == "game 3: black v other 1800 (own 1743?)  5:00 v 5:00"


def test_waiting():
    played = [game(result="B+1"), game(result="W+1")]
    assert report.waiting(3, 100, played, "Players: 8") == "waiting for game 3/100, 1 of 2 won (Players: 8)"
    assert report.waiting(1, None, [], "") == "waiting for game 1"


@pytest.mark.parametrize(("seconds", "text"), [(-3, "0:00"), (0, "0:00"), (61.9, "1:01"), (3723, "1:02:03")])
def test_clocks(seconds, text):
    assert report.clock(seconds) == text


def test_the_table():
    white = "setup 13 9 7.5 300000 evogo(1750) other(1801)"
    games = [game(result="B+3.5"), game(white, result="B+Time"), game(white, result="Draw"), game(result=""),
             game("setup 9 9 7.5 1000 evogo(1760) third(900)", result="B+Illegal")]  # fmt: skip
    assert report.table(games).split("\n") == [
        "opponent  rating  games  won  lost  drawn  unknown  as black  as white",
        "other       1800      4    1     1      1        1    1 of 2    0 of 2",
        "third        900      1    0     1      0        0    0 of 0    0 of 1",
        "all                   5    1     2      1        1    1 of 2    0 of 3",
        "own rating: 1743? at first, 1760 in the last game",
        "lost on time: 1",
        "lost by an illegal move: 1",
    ]
    assert report.table([]) == "no games were played"


def test_a_line_for_each_game():
    won = game(result="B+3.5")
    assert report.result("game 2/10", won) == "game 2/10: black v other 1800: B+3.5, won (0 moves, number 12)"
    assert "its end was not seen" in report.result("game 1", game(result=""))
