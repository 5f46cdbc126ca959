"""GTP engines as players: in step with the game, and found out when they fail."""

import os
import time

import pytest

from engine.contest import match
from engine.contest.failure import CRASH, ILLEGAL_MOVE, TIME, TWO_PASSES, CannotPlay, PlayerFailure
from engine.contest.match import Settings, Table, play_game
from engine.contest.player import Budget
from engine.go.board import BLACK, PASS, RESIGN, WHITE
from engine.go.game import Game
from engine.go.rules import CHINESE, JAPANESE
from engine.records.vertex import format_vertex, parse_vertex
from players.programs.process import GtpProcess
from players.scripted.table import SCRIPTED
from tests.diagrams import game_of
from tests.processes.gtp_engines import (
    BABBLE,
    DIE,
    ECHOLESS,
    HANG,
    NONSENSE,
    REFUSE,
    SPOUT,
    STAY,
    fake_engine,
    gnugo,
    say,
    sent,
)

needs_gnugo = pytest.mark.skipif(gnugo() is None, reason="GNU Go is not installed")


@pytest.fixture
def engine(tmp_path):
    """Makes players from fake engines, and closes them."""
    opened = []

    def make(moves=(), start=10.0, move=10.0, end=10.0, **answers):
        opened.append(GtpProcess(fake_engine(tmp_path, moves, **answers), start, move, end))
        return opened[-1]

    yield make
    for player in opened:
        player.close()


def _play(game, *vertices):
    for vertex in vertices:
        game.play(game.to_play, parse_vertex(vertex, game.size))


# In step


def test_moves_follow_the_game(engine, tmp_path):
    player = engine(["c3", "PASS", "resign"])
    assert player.name == "fake"
    game = Game(5, 5.5)
    _play(game, "B2")
    assert format_vertex(player.choose(game, WHITE, Budget()), 5) == "C3"
    _play(game, "C3", "D4")
    assert player.choose(game, WHITE, Budget()) == PASS
    _play(game, "pass")
    assert player.choose(game, BLACK, None) == RESIGN
    assert sent(tmp_path)[3:] == [
        "boardsize 5",
        "clear_board",
        "komi 5.5",
        "play black B2",
        "genmove white",
        "play black D4",
        "genmove white",
        "genmove black",
    ]


def test_undo_and_other_games_are_played_again_from_the_start(engine, tmp_path):
    player = engine()
    game = Game(5)
    _play(game, "B2", "C3", "D4")
    player.choose(game, WHITE, Budget())
    game.undo(2)
    before = len(sent(tmp_path))
    player.choose(game, WHITE, Budget())
    assert sent(tmp_path)[before:] == ["boardsize 5", "clear_board", "komi 7.5", "play black B2", "genmove white"]


def test_handicap_and_set_up_stones(engine, tmp_path):
    player = engine()
    game = Game(5, 0.5)
    game.place_handicap([parse_vertex(vertex, 5) for vertex in ("B2", "D4")])
    player.choose(game, WHITE, Budget())
    assert sent(tmp_path)[-2:] == ["set_free_handicap B2 D4", "genmove white"]
    player.choose(game_of("XO.\n...\n..."), BLACK, Budget())
    assert sent(tmp_path)[-6:] == [
        "boardsize 3",
        "clear_board",
        "komi 0",
        "play black A3",
        "play white B3",
        "genmove black",
    ]


def test_time_and_seed_are_told(engine, tmp_path):
    player = engine()
    player.seed(42)
    player.choose(Game(5), BLACK, Budget(2.0))
    assert sent(tmp_path)[-4:] == ["set_random_seed 42", "time_settings 0 2 1", "time_left black 2 1", "genmove black"]


def test_commands_that_an_engine_lacks_are_not_sent(engine, tmp_path):
    player = engine(commands="name list_commands boardsize clear_board play genmove quit")
    player.seed(42)
    player.choose(Game(5), BLACK, Budget(2.0))
    assert player.dead_stones(Game(5)) is None
    assert sent(tmp_path)[2:5] == ["boardsize 5", "clear_board", "genmove black"]


# Failures


@pytest.mark.parametrize(
    "answers, end, message",
    [
        ({"genmove": DIE}, CRASH, "ended with code 3 before it answered 'genmove black' .*out of coffee"),
        ({"genmove": HANG}, TIME, "did not answer 'genmove black' within 0.3 seconds"),
        ({"genmove": NONSENSE}, CRASH, "with nonsense: 'Hello, I am an engine'"),
        ({"genmove": BABBLE}, CRASH, "without end"),
        ({"genmove": ECHOLESS}, CRASH, "answered 'genmove black' without end"),
        ({"genmove": SPOUT}, CRASH, "with nonsense: 'xxx"),
        ({"genmove": "print('= ', end=''); " + SPOUT}, CRASH, "without end"),
        ({"genmove": REFUSE}, CRASH, "refused to move: 'cannot do that'"),
        ({"genmove": say("Z99")}, ILLEGAL_MOVE, "no move.*'Z99'"),
        ({"genmove": say("")}, ILLEGAL_MOVE, "no move"),
        ({"play": REFUSE}, CRASH, "refused a legal move"),
        ({"komi": DIE}, CRASH, "ended"),
        ({"clear_board": "os.kill(os.getpid(), 9)"}, CRASH, "was ended by signal 9"),
        ({"genmove": "os.close(1); time.sleep(60)"}, CRASH, "closed its output"),
    ],
)
def test_failures_are_named(engine, answers, end, message, monkeypatch):
    monkeypatch.setattr("players.programs.connection._QUIT_SECONDS", 0.3)
    player = engine(move=0.3 if HANG in answers.values() else 10.0, **answers)
    game = Game(5)
    _play(game, "B2", "C3")
    begin = time.monotonic()
    with pytest.raises(PlayerFailure, match=message) as failure:
        player.choose(game, BLACK, Budget())
    assert failure.value.end == end
    assert "\n" not in str(failure.value)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("command", ["boardsize", "play", "time_left", "genmove"])
def test_a_move_has_one_limit_for_all_that_it_takes(engine, command, monkeypatch):
    monkeypatch.setattr("players.programs.process.CLOCK_SLACK", 0.2)
    player = engine(**{command: HANG})
    game = Game(5)
    _play(game, "B2", "C3")
    begin = time.monotonic()
    with pytest.raises(PlayerFailure, match=f"did not answer '{command}.* within 0") as failure:
        player.choose(game, BLACK, Budget(0.3))
    assert failure.value.end == TIME
    assert time.monotonic() - begin < 5  # not the ten seconds of a move without a budget


def test_setting_up_is_not_on_the_clock(engine, monkeypatch):
    monkeypatch.setattr(match, "CLOCK_SLACK", 0.5)
    settings = Settings(size=5, black="A", seconds=0.3)
    slow = engine(clear_board="time.sleep(1.5)")
    assert play_game(Table(slow, engine()), settings, 0).end == TWO_PASSES
    lame = engine(list_commands="time.sleep(1.5)", play=DIE)
    other = engine(["C3"])
    assert [play_game(Table(other, lame), settings, n).end for n in (0, 2)] == [CRASH, CRASH]  # started again, and off the clock


def test_the_limit_of_a_move_holds_before_the_first_game(engine, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(match, "CLOCK_SLACK", 0.2)
    monkeypatch.setattr("players.programs.process.CLOCK_SLACK", 0.2)
    table = Table(engine(genmove=HANG), SCRIPTED["random"](seed=1))
    begin = time.monotonic()
    outcomes = next(match.run([0], Settings(size=5, black="A", seconds=0.3), lambda: table))
    assert outcomes[0].end == TIME and time.monotonic() - begin < 8
    assert "before the first game" in caplog.text and "did not answer 'genmove black' within" in caplog.text


def test_an_engine_that_does_not_end_is_ended_and_told_of(engine, monkeypatch, caplog):
    monkeypatch.setattr("players.programs.connection._QUIT_SECONDS", 0.3)
    player = engine(quit=STAY)
    begin = time.monotonic()
    player.close()
    assert time.monotonic() - begin < 5
    assert "did not end when it was told to, and was killed" in caplog.text


@pytest.mark.parametrize(
    "answers, message",
    [
        ({"list_commands": DIE}, "ended with code 3"),
        ({"list_commands": HANG}, "did not answer 'list_commands' within 0.3 seconds"),
        ({"list_commands": NONSENSE}, "nonsense"),
        ({"list_commands": REFUSE}, "no GTP engine"),
    ],
)
def test_an_engine_that_cannot_start_is_refused(engine, answers, message):
    with pytest.raises(CannotPlay, match=message):
        engine(start=0.3 if HANG in answers.values() else 10.0, **answers)


@pytest.mark.parametrize(
    "command, message",
    [("", "needs the command"), ("no-such-program", "no program 'no-such-program'"), ("'x", "cannot read the command")],
)
def test_a_command_that_cannot_be_run_is_refused(command, message):
    with pytest.raises(CannotPlay, match=message):
        GtpProcess(command)


def test_a_board_size_that_the_engine_lacks_stops_everything(engine):
    with pytest.raises(CannotPlay, match="does not play on a 5x5 board"):
        engine(boardsize=REFUSE).choose(Game(5), BLACK, Budget())


@pytest.mark.parametrize("moves", [["C3", "C3"], ["C3", "D3"]])
def test_an_illegal_move_loses(engine, moves):
    outcome = play_game(Table(engine(moves), engine(["D3"])), Settings(size=5, black="A"), 0)
    assert (outcome.winner, outcome.end, outcome.length) == (WHITE, ILLEGAL_MOVE, 2)
    assert outcome.message.startswith("fake played an illegal move")


def test_a_dead_engine_is_started_again_for_the_next_game(engine, tmp_path):
    player = engine(["C3"], play=DIE)
    other = SCRIPTED["random"](seed=1)
    settings = Settings(size=5, black="A")
    outcomes = [play_game(Table(player, other), settings, number) for number in range(2)]
    assert [outcome.end for outcome in outcomes] == [CRASH, CRASH]
    assert [outcome.length for outcome in outcomes] == [2, 2]
    assert sent(tmp_path).count("list_commands") == 2


@pytest.mark.parametrize(
    "answers, end",
    [
        ({"final_status_list": say("C3")}, TWO_PASSES),
        ({"final_status_list": say("A1")}, CRASH),  # nothing stands there
        ({"final_status_list": say("pass")}, CRASH),
        ({"final_status_list": say("all of them")}, CRASH),
        ({"final_status_list": HANG}, TIME),
        ({"final_status_list": REFUSE}, TWO_PASSES),
    ],
)
def test_judging_the_end_of_a_game(engine, answers, end):
    player = engine(["C3"], end=0.3 if HANG in answers.values() else 10.0, **answers)
    passer = engine(commands="name list_commands boardsize clear_board play genmove quit", end=10.0)
    outcome = play_game(Table(player, passer), Settings(size=5, black="A"), 0)
    assert outcome.end == end
    if end != TWO_PASSES:
        assert outcome.winner == WHITE


@pytest.mark.parametrize(
    "answers, score",
    [
        ({"final_status_list": say("")}, 24.5),
        ({"final_status_list": say("C3")}, -0.5),
        ({"final_status_list": REFUSE, "final_score": say("W+3.5")}, -3.5),
        ({"final_status_list": REFUSE, "final_score": say("b+12 (sure)")}, 12.0),
        ({"final_status_list": REFUSE, "final_score": say("0")}, 0.0),
        ({"final_status_list": REFUSE, "final_score": say("no idea")}, None),
        ({"final_status_list": REFUSE, "final_score": REFUSE}, None),
        ({"final_status_list": DIE}, None),
    ],
)
def test_an_engine_as_referee(engine, answers, score):
    referee = engine(**answers)
    game = Game(5, 0.5)
    _play(game, "C3", "pass", "pass")
    if score is None:
        with pytest.raises(CannotPlay, match="the referee"):
            referee.final_score(game)
    else:
        assert referee.final_score(game) == score


# Ending


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:  # a zombie that nobody has collected yet is as good as gone
        return file.read().rpartition(")")[2].split()[0] != "Z"


def test_an_engine_is_asked_to_quit(engine, tmp_path):
    player = engine()
    begin = time.monotonic()
    player.close()
    assert sent(tmp_path)[-1] == "quit"
    assert time.monotonic() - begin < 1.5
    player.close()  # twice does no harm
    with pytest.raises(PlayerFailure, match="was closed"):
        player.choose(Game(5), BLACK, Budget())


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes in /proc")
def test_what_an_engine_started_ends_with_it(engine, tmp_path):
    child = tmp_path / "child"
    start = f"p = subprocess.Popen(['sleep', '60']); open({str(child)!r}, 'w').write(str(p.pid))"
    player = engine(komi=start)
    player.choose(Game(5), BLACK, Budget())
    pid = int(child.read_text())
    assert _is_alive(pid)
    player.close()
    deadline = time.monotonic() + 3
    while _is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _is_alive(pid)


def test_a_stopped_match_does_not_wait_for_an_engine_that_thinks(engine, tmp_path):
    command = fake_engine(tmp_path, genmove=HANG)

    def sit_down():
        return Table(GtpProcess(command), GtpProcess(command, move=0.3))

    games = match.run(range(3), Settings(size=5, black="B"), sit_down, workers=2)
    begin = time.monotonic()
    assert next(games)[0].end == TIME
    games.close()
    assert time.monotonic() - begin < 6


# GNU Go


@needs_gnugo
def test_gnugo_plays_on_every_kind_of_start():
    player = GtpProcess(gnugo())
    try:
        assert player.name.startswith("GNU Go")
        game = Game(9, 0.5)
        game.place_handicap([parse_vertex(vertex, 9) for vertex in ("C3", "G7")])
        assert game.is_legal(WHITE, player.choose(game, WHITE, Budget(1.0)))
        game = game_of("XO.\n...\n...")
        assert game.is_legal(BLACK, player.choose(game, BLACK, Budget()))
    finally:
        player.close()


@needs_gnugo
@pytest.mark.parametrize("rules, score", [(CHINESE, 21 - 25), (JAPANESE, 12 - 15)])
def test_gnugo_names_the_dead_stones(rules, score):
    game = game_of(
        """
        . . X . O . .
        . . X . O . .
        . . X . O . X
        X X X O O O O
        . . X O . . .
        . . X O . . .
        . . X O . O .
        """,
        rules=rules,
    )
    player = GtpProcess(gnugo())
    try:
        assert [format_vertex(p, 7) for p in player.dead_stones(game)] == ["G5"]
        _play(game, "pass", "pass")
        assert player.final_score(game) == score
    finally:
        player.close()


@needs_gnugo
def test_gnugo_beats_random_although_it_passes_early():
    outcomes = []
    settings = Settings(size=7, komi=7.5)
    for some in match.run(range(2), settings, lambda: Table(GtpProcess(gnugo()), SCRIPTED["random"](seed=1))):
        outcomes += some
    assert [outcome.points_of_a for outcome in outcomes] == [1.0, 1.0]
    again = next(match.run([1], settings, lambda: Table(GtpProcess(gnugo()), SCRIPTED["random"](seed=2)), keep_games=True))
    assert again[0].result == sorted(outcomes)[1].result  # both players are seeded anew for each game
