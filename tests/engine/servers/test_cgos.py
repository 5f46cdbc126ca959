"""The play loop against a server that follows a script: what it answers, and what becomes of it."""

import json
import re
import threading
import time
from io import StringIO

import pytest

from engine.contest.player import Evaluation, Player
from engine.gtp.protocol import Failure, Log, Notices
from engine.gtp.startup import Settings
from engine.records import sgf
from engine.servers import cgos
from engine.servers.cgos import Client, Login
from engine.servers.connection import Connection
from engine.servers.screen import Screen
from engine.servers.seat import Seat
from tests.engine.servers.fake_server import FakeServer

PASSWORD = "geheimnis"
SETUP = "setup 7 5 7.5 60000 other(1800) me(1743?)"


class Follower(Player):
    """Plays the first legal point; thinks as long as it may where it is told to."""

    name = "follower"
    sizes = range(5, 10)

    def __init__(self):
        self.thinks, self.budgets, self.thinking = False, [], threading.Event()

    def choose(self, game, colour, budget):
        self.budgets.append((budget.seconds, [move.point for move in game.moves]))
        if self.thinks:
            self.thinking.set()
            budget.stop.wait(60)
        return int(game.legal_points(colour)[0])

    def evaluate(self, game, budget=None):
        return Evaluation(1.5, 0.75)


class Table:
    """A client with everything it needs, and what it said."""

    def __init__(self, seat, player, log, path):
        self.seat, self.player, self._log, self._path = seat, player, log, path
        self._before = len(path.read_text())
        self.remarks, self.results = StringIO(), StringIO()
        self.screen = Screen(self.remarks, self.results)
        self.kept, self.stop = [], False
        self.client = None

    def play(self, *scripts, games=1):
        with FakeServer(*scripts) as server:
            login = Login("127.0.0.1", server.port, "me", PASSWORD, "evogo 0.1")
            keep, asked = self.kept.append, lambda: self.stop
            self.client = Client(login, self.seat, self.screen, self._log, games, keep, asked)
            self.client.run(Connection("127.0.0.1", server.port))

    @property
    def logged(self):
        return self._path.read_text()[self._before :]


@pytest.fixture(scope="module")
def seated(tmp_path_factory):
    """A seat, its player and its log: what costs a second to make."""
    path = tmp_path_factory.mktemp("cgos") / "log"
    player, log = Follower(), Log(path)
    seat = Seat(log)
    seat.sit_down(Settings(lambda seed: player, seed=1), Notices(StringIO(), log))
    return seat, player, log, path


@pytest.fixture
def table(seated, monkeypatch):
    monkeypatch.setattr(cgos, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(cgos, "LONGEST_WAIT", 0.02)
    monkeypatch.setattr(cgos, "RESUME_SECONDS", 0.3)
    vars(seated[1]).clear()
    seated[1].__init__()
    return Table(*seated)


def fails(table, *scripts, **more):
    """The line that the client gives up with."""
    with pytest.raises(Failure) as failure:
        table.play(*scripts, **more)
    text = str(failure.value)
    assert "\n" not in text and PASSWORD not in text and text.isprintable()
    return text


def end(talk, result="B+3.5"):
    return talk.ask(f"gameover 2026-11-17 {result} ")


# As it should be


def test_a_whole_game(table):
    heard = []

    def script(talk):
        heard.extend(talk.log_in())
        talk.send("info Games in progress: 0", SETUP)
        heard.append(talk.ask("genmove b 60000"))
        talk.send("play w C3 58000")
        heard.append(talk.ask("genmove b 55000"))
        talk.send("play w pass 57000")
        heard.append(end(talk))

    table.play(script)
    assert heard[:3] == ["e1 evogo 0.1 genmove_analyze", "me", PASSWORD]
    moves = [re.fullmatch(r"(\w+) (\{.*\})", answer) for answer in heard[3:5]]
    assert [move[1] for move in moves] == ["a5", "b5"]
    assert [json.loads(move[2])["winrate"] for move in moves] == [0.75, 0.75]
    assert heard[5] == "quit"
    (game,) = table.kept
    assert game.result == "B+3.5" and game.moves == [("a5", 55.0), ("c3", 58.0), ("b5", None), ("pass", 57.0)]
    assert table.results.getvalue() == "game 1/1: black v other 1800: B+3.5, won (4 moves, number 7)\n"
    assert len(sgf.parse(sgf.dump(game.record("host"))).moves) == 4
    assert PASSWORD not in table.logged and "********" in table.logged


def test_ready_until_there_are_enough(table):
    heard = []

    def script(talk):
        talk.log_in()
        for number in range(3):
            talk.send(f"setup {number} 5 7.5 60000 me(1743?) other(1800)")
            heard.append(end(talk))

    table.play(script, games=3)
    assert heard == ["ready", "ready", "quit"]
    assert [game.number for game in table.client.played] == ["0", "1", "2"]
    assert [game.colour for game in table.client.played] == ["white"] * 3


def test_analysis_only_where_it_is_taken(table):
    heard = []

    def script(talk):
        heard.append(talk.log_in(offers="")[0])
        talk.send(SETUP)
        heard.append(talk.ask("genmove b 60000"))
        end(talk)

    table.play(script)
    assert heard == ["e1 evogo 0.1", "a5"]
    assert table.kept[0].winrate == 0.75


def test_an_analysis_too_long_to_send_is_left_out(table, monkeypatch):
    monkeypatch.setattr(cgos, "LONGEST_ANSWER", 100)
    heard = []

    def script(talk):
        talk.log_in()
        talk.send(SETUP)
        heard.append(talk.ask("genmove b 60000"))
        end(talk)

    table.play(script)
    assert heard == ["a5"]


def test_a_game_that_is_under_way_at_the_first_login(table):
    heard = []

    def script(talk):
        talk.log_in()
        talk.send(f"{SETUP} A5 59000 PASS 58000 b5 50000 C3 57000")
        heard.append(talk.ask("genmove b 49000"))
        end(talk)

    table.play(script)
    assert heard[0].startswith("c5 ")
    assert len(table.player.budgets[-1][1]) == 4
    assert [move for move, _ in table.kept[0].moves] == ["a5", "pass", "b5", "c3", "c5"]


def test_the_clock_is_the_servers(table):
    def script(talk):
        talk.log_in()
        for number, left in enumerate((60000, 30000, 500, -20)):
            talk.send(f"setup {number} 9 7.5 60000 other(1) me(2)")
            talk.ask(f"genmove b {left}")
            end(talk)

    table.play(script, games=4)
    seconds = [seconds for seconds, _ in table.player.budgets]
    assert seconds[0] > seconds[1] > 0.1 and seconds[2:] == [0.0, 0.0]


def test_the_status_line_tells_what_goes_on(table):
    told = []

    def script(talk):
        talk.log_in()
        talk.send("info Players: 2", SETUP)
        talk.ask("genmove b 60000")
        talk.send("play w pass 41500")
        talk.ask("genmove b 57500")
        told.append(table.client.status())
        end(talk)
        while not table.client.played:
            time.sleep(0.01)
        told.append(table.client.status())

    table.play(script)
    assert re.fullmatch(r"game 1/1: black v other 1800 \(own 1743\?\)  0:57 v 0:[34]\d  win 75%", told[0])
    assert told[1] == "waiting for game 2/1, 1 of 1 won (Players: 2)"


# Broken connections


def test_a_broken_game_goes_on(table):
    heard = []

    def first(talk):
        talk.log_in()
        talk.send(SETUP)
        heard.append(talk.ask("genmove b 60000").split()[0])
        talk.send("play w C3 58000")

    def second(talk):
        heard.extend(talk.log_in()[1:])
        talk.send(f"{SETUP} A5 59000 C3 58000")
        heard.append(talk.ask("genmove b 52000").split()[0])
        heard.append(end(talk))

    table.play(first, second)
    assert heard == ["a5", "me", PASSWORD, "b5", "quit"]
    (game,) = table.kept
    assert game.result == "B+3.5" and [move for move, _ in game.moves] == ["a5", "c3", "b5"]
    assert "winrate 75.0%" in game.record("host").nodes[1].comment  # from before the connection broke
    assert "the server has closed the connection; next try in 0.01 s (try 1 of 20)" in table.remarks.getvalue()
    assert "goes on after 2 moves" in table.remarks.getvalue()


def test_a_search_that_nobody_waits_for_ends(table):
    table.player.thinks = True
    begin = time.monotonic()

    def first(talk):
        talk.log_in()
        talk.send(SETUP, "genmove b 60000000")
        assert table.player.thinking.wait(30)
        table.player.thinks = False

    def second(talk):
        talk.log_in()
        talk.send(SETUP)
        assert talk.ask("genmove b 50000").startswith("a5")
        end(talk)

    table.play(first, second)
    assert time.monotonic() - begin < 50
    assert len(table.kept[0].moves) == 1


def break_off(talk):
    """A connection that ends after the first move."""
    talk.log_in()
    talk.send(SETUP)
    talk.ask("genmove b 60000")


def test_a_game_that_ended_meanwhile(table):
    heard = []

    def second(talk):
        talk.log_in()
        time.sleep(0.6)
        talk.send("setup 8 5 7.5 60000 me(1743?) other(1800)")
        heard.append(end(talk))

    table.play(break_off, second, games=2)
    assert [(game.number, game.outcome) for game in table.kept] == [("7", "unknown"), ("8", "lost")]
    assert heard == ["quit"]
    assert "ended while there was no connection" in table.remarks.getvalue()


def test_another_game_instead_of_the_broken_one(table):
    def second(talk):
        talk.log_in()
        talk.send("setup 8 5 7.5 60000 me(1743?) other(1800)")
        end(talk)

    table.play(break_off, second, games=2)
    assert [(game.number, game.outcome) for game in table.kept] == [("7", "unknown"), ("8", "lost")]


def test_tries_are_counted_and_waits_grow(table, monkeypatch):
    monkeypatch.setattr(cgos, "MOST_TRIES", 4)
    text = fails(table, lambda talk: talk.log_in())
    assert re.fullmatch(r"127.0.0.1:\d+ refuses the connection: no server is there; given up after 4 tries", text)
    assert re.findall(r"next try in ([\d.]+) s \(try (\d) of 4\)", table.remarks.getvalue()) == [
        ("0.01", "1"),
        ("0.02", "2"),
        ("0.02", "3"),
        ("0.02", "4"),
    ]


def test_a_server_that_hangs_up_on_every_login(table, monkeypatch):
    monkeypatch.setattr(cgos, "MOST_TRIES", 3)
    text = fails(table, *[lambda talk: talk.log_in()] * 4)
    assert text == "the server has closed the connection; given up after 3 tries"


def test_waits_begin_anew_after_a_move(table, monkeypatch):
    monkeypatch.setattr(cgos, "MOST_TRIES", 2)

    def broken(talk):
        talk.log_in()
        talk.send(SETUP)
        assert talk.ask("genmove b 60000").startswith("a5")

    def whole(talk):
        broken(talk)
        end(talk)

    table.play(broken, broken, broken, broken, whole)
    assert table.kept[0].result


def test_somebody_else_logs_in_under_the_name(table):
    def script(talk):
        talk.log_in()
        talk.send("info another login is being attempted using this user name")

    assert re.fullmatch(r"somebody else has logged in to 127.0.0.1:\d+ as me", fails(table, script))


# Servers that are none, or say no


def say(*lines):
    def script(talk):
        talk.send(*lines)
        talk.hear()

    return script


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["SSH-2.0-OpenSSH_9.2"], "does not speak as a CGOS server does: 'SSH-2.0-OpenSSH_9.2'"),
        (["\x1b[2J\x07"], r"does not speak as a CGOS server does: '\\x1b\[2J\\x07'"),
        (["Error: this server is closed"], "says: this server is closed"),
    ],
)
def test_not_let_in(table, lines, problem):
    assert re.search(problem, fails(table, say(*lines)))


def test_a_server_that_hangs_up_at_once(table):
    text = fails(table, *[lambda talk: None] * 4)
    assert text == "the server has closed the connection; given up after 3 tries"


def test_a_connection_that_breaks_before_the_first_login(table):
    def whole(talk):
        talk.log_in()
        talk.send(SETUP)
        assert talk.ask("genmove b 60000").startswith("a5")
        end(talk)

    table.play(lambda talk: None, whole)
    assert table.kept[0].result


def test_a_server_that_says_nothing(table, monkeypatch):
    monkeypatch.setattr(cgos, "LOGIN_SECONDS", 0.1)
    assert fails(table, lambda talk: talk.hear()).endswith("says nothing that a CGOS server says")


@pytest.mark.parametrize("answer", ["Error: Sorry, password doesn't match", f"Error: not {PASSWORD}", "password"])
def test_a_wrong_password(table, answer):
    def script(talk):
        talk.log_in()
        talk.send(answer)
        talk.hear()

    assert "password" in fails(table, script).lower() or "not ********" in fails(table, script)
    assert PASSWORD not in table.logged


def test_a_few_odd_lines_are_passed_over(table):
    def script(talk):
        talk.log_in()
        talk.send("motd hello", "", "  ", "ok", SETUP, "novelty 3")
        assert talk.ask("genmove b 60000")
        end(talk)

    table.play(script)
    assert table.kept[0].result


def test_many_odd_lines_are_not(table):
    def script(talk):
        talk.log_in()
        talk.send(*["la la la"] * 100)
        talk.hear()

    assert "does not speak as a CGOS server does: 'la la la'" in fails(table, script)


@pytest.mark.parametrize(
    "line",
    ["genmove b soon", "play w", "play w z9 100", "play w a5 1000", "play w i5 100", "setup 8 5", "setup 8 5 7.5 9 a b"],
)
def test_out_of_step_is_mended_by_logging_in_again(table, line):
    def first(talk):
        talk.log_in()
        talk.send(SETUP)
        talk.ask("genmove b 60000")
        talk.send(line)
        talk.hear()

    def second(talk):
        talk.log_in()
        talk.send(f"{SETUP} a5 59000")
        end(talk)

    table.play(first, second)
    assert table.kept[0].result


@pytest.mark.parametrize("line", ["genmove b 1000", "play b e5 1000"])
def test_no_game_to_move_in(table, line):
    def first(talk):
        talk.log_in()
        talk.send(line)
        talk.hear()

    def second(talk):
        talk.log_in()
        talk.send(SETUP)
        end(talk)

    table.play(first, second)
    assert len(table.kept) == 1


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        ("setup 7 19 7.5 60000 other(1) me(2)", "cannot play game 7 of .* on 19x19: boardsize 19: unacceptable size"),
        (f"{SETUP} a5 100 a5 100", "cannot play game 7 of .*: play w a5: illegal move"),
        (f"{SETUP} z9 100", "cannot play game 7 of .*: play b z9: syntax error"),
    ],
)
def test_games_that_cannot_be_played(table, setup, problem):
    heard = []

    def script(talk):
        talk.log_in()
        heard.append(talk.ask(setup))

    assert re.match(problem, fails(table, script))
    assert heard == ["quit"]


def test_a_player_that_breaks_down(table):
    table.player.choose = None

    def script(talk):
        talk.log_in()
        talk.send(SETUP, "genmove b 60000")
        assert talk.hear() == "quit"

    assert fails(table, script).startswith("the player follower failed: TypeError")
    assert "Traceback" in table.logged and "Traceback" not in table.remarks.getvalue()


def test_a_server_that_is_silent_in_a_game(table, monkeypatch):
    monkeypatch.setattr(cgos, "SILENCE_SECONDS", 0.0)

    def first(talk):
        talk.log_in()
        talk.send("setup 7 5 7.5 50 other(1800) me(1743?)")
        assert talk.hear() is None

    def second(talk):
        talk.log_in()
        talk.send(SETUP)
        end(talk)

    table.play(first, second)
    assert "said nothing for longer" in table.remarks.getvalue()


# Being asked to stop


def test_a_wish_to_stop_waits_for_the_game(table):
    heard = []

    def script(talk):
        talk.log_in()
        talk.send(SETUP)
        talk.ask("genmove b 60000")
        table.stop = True
        talk.send("play w C3 58000")
        heard.append(talk.ask("genmove b 55000").split()[0])
        assert table.client.status().startswith("last game: black v other")
        heard.append(end(talk))

    table.play(script, games=None)
    assert heard == ["b5", "quit"]


def test_a_wish_to_stop_between_games(table):
    heard = []

    def script(talk):
        talk.log_in()
        table.stop = True
        heard.append(talk.hear())

    table.play(script, games=None)
    assert heard == ["quit"] and table.client.played == []


def test_a_wish_to_stop_does_not_leave_a_broken_game(table):
    def first(talk):
        talk.log_in()
        talk.send(SETUP)
        talk.ask("genmove b 60000")
        table.stop = True

    def second(talk):
        talk.log_in()
        talk.send(f"{SETUP} a5 100")
        assert end(talk) == "quit"

    table.play(first, second, games=None)
    assert table.kept[0].result == "B+3.5"


def test_an_order_to_stop_leaves_the_game(table, monkeypatch):
    class Ordered(BaseException):
        pass

    def order(*arguments):
        raise Ordered

    heard = []

    def script(talk):
        talk.log_in()
        talk.send(SETUP)
        talk.ask("genmove b 60000")
        monkeypatch.setattr(table.seat, "choose", order)
        heard.append(talk.ask("genmove b 55000"))

    with pytest.raises(Ordered):
        table.play(script)
    assert heard == ["quit"]
    assert table.kept[0].outcome == "unknown" and len(table.kept[0].moves) == 1
    assert "who logs in as me before its clock has run out goes on with it" in table.remarks.getvalue()
