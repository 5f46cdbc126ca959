"""Who is let think by which command, and for how long."""

import threading
import time

import numpy as np
import pytest

from engine.contest.player import Evaluation, Player, Variation
from engine.go.board import BLACK, cells
from engine.go.game import Game
from engine.gtp import command_table
from engine.gtp.protocol import Request
from engine.gtp.session import Session
from engine.records import sgf

A_LONG_TIME = 60.0


class Thinker(Player):
    """Thinks as long as it may, and notes what it was allowed: (question, seconds)."""

    def __init__(self, thinks=False):
        self.asked, self.thinks = [], thinks

    def _think(self, about, budget):
        self.asked.append((about, budget.seconds))
        if self.thinks:
            budget.stop.wait(A_LONG_TIME if budget.seconds is None else budget.seconds)

    def choose(self, game, colour, budget):
        self._think("choose", budget)
        return int(game.legal_points(colour)[0])

    def policy(self, game, colour):
        return np.ones(cells(game.size))

    def variations(self, game, colour, budget=None):
        self._think("variations", budget)
        p = int(game.legal_points(colour)[0])
        return {p: Variation([p], 10, 0.5)}

    def evaluate(self, game, budget=None):
        self._think("evaluate", budget)
        return Evaluation(0.0, 0.5, np.zeros(cells(game.size)))


class Silent:
    """An engine and notices that nobody reads."""

    def begin_stream(self, request):
        pass

    def stream(self, line):
        pass


def table(player, warm=True):
    session = Session(player, Game(5, 0.5), 1, Silent(), Silent(), "")
    if warm:
        session.open_to_all()
    return session


def ask(session, line, began=None):
    name, *arguments = line.split()
    request = Request(None, name, arguments)
    request.followed.set()  # an analysis says one thing and ends
    if began is not None:
        request.began = began
    return session.carry_out(command_table.function_of(name), request)


@pytest.mark.parametrize(
    "command", ["genmove b", "cgos-genmove_analyze b", "lz-genmove_analyze b", "kata-genmove_analyze b", "reg_genmove b"]
)
@pytest.mark.parametrize("settings", ["time_settings 0 0 0", "time_settings 60 0 0"])
def test_a_move_is_thought_about_once(command, settings):
    player = Thinker()
    session = table(player)
    ask(session, settings)
    ask(session, command)
    assert [what for what, seconds in player.asked if seconds != 0.0] == ["choose"]
    assert (player.asked[0][1] is None) == (settings == "time_settings 0 0 0")


@pytest.mark.parametrize("command", ["genmove b", "cgos-genmove_analyze b"])
def test_without_time_nobody_is_asked_anything_else(command):
    player = Thinker()
    session = table(player)
    ask(session, "time_settings 60 0 0")
    ask(session, "time_left b 0 0")
    ask(session, command)
    assert player.asked == [("choose", 0.0)]


@pytest.mark.parametrize(
    "command",
    ["lz-analyze b 10", "kata-analyze b 10", "evogo-ownership", "evogo-evaluation",
     "gogui-analyze_commands"],
)  # fmt: skip
def test_every_other_command_has_a_limit(command):
    player = Thinker()
    ask(table(player), command)
    assert player.asked and all(seconds is not None and seconds <= 2.0 for _, seconds in player.asked)


def test_the_first_move_of_a_game_is_out_within_a_second():
    player = Thinker()
    session = table(player)
    ask(session, "time_settings 600 0 0")
    for command in ("genmove b", "genmove w", "clear_board", "genmove b"):
        ask(session, command)
    first, second, again = (seconds for _, seconds in player.asked)
    assert first == again < 1.0 < second


def test_a_move_costs_what_the_client_has_waited():
    """What passed before the player could be asked is off its time, and on the clock."""
    player = Thinker()
    session = table(player)
    ask(session, "time_settings 60 0 0")
    whole = session.clock.seconds(BLACK, 5, 0)
    ask(session, "genmove b", began=time.monotonic() - 20.0)
    assert session.clock.seconds(BLACK, 5, 0) < 0.8 * whole
    assert session.clock.lag.worst == pytest.approx(2.0)  # and something to learn from


def test_a_command_that_fails_costs_nothing():
    session = table(Player())
    ask(session, "time_settings 60 0 0")
    before = session.clock.seconds(BLACK, 5, 0)
    with pytest.raises(NotImplementedError):
        ask(session, "genmove b")
    assert session.clock.seconds(BLACK, 5, 0) == before


class Heard(list):
    """Notices that are kept."""

    warn = list.append


@pytest.mark.parametrize(
    "komis, komi, warns",
    [
        ({}, 7.5, False),
        ({5: {0.0}}, 7.5, True),
        ({5: {0.0}}, -4.0, True),
        ({5: {0.0}}, 2.5, False),
        ({5: {0.0, 6.5}}, 7.5, False),
        ({7: {0.0}}, 7.5, False),
    ],
)
def test_a_komi_that_the_player_does_not_know_is_told_once(komis, komi, warns):
    player = Thinker()
    player.komis, player.name = komis, "sane-5x5"
    session = table(player)
    session.notices = Heard()
    ask(session, f"komi {komi}")
    assert session.notices == []  # clients may change it as long as the game has not begun
    for command in ("genmove b", "genmove w", "reg_genmove b"):
        ask(session, command)
    assert len(session.notices) == warns
    if warns:
        assert session.notices == [f"sane-5x5 knows 5x5 with komi 0: expect less of it with komi {komi:g}"]
        ask(session, "komi 0")
        ask(session, "genmove b")
        ask(session, f"komi {komi}")
        ask(session, "genmove b")
        assert len(session.notices) == 1


# Warming up


def test_the_warm_up_is_bounded():
    player = Thinker()
    table(player, warm=False).warm_up(3, 0.05)
    assert {what for what, _ in player.asked} == {"choose", "variations", "evaluate"}
    assert all(seconds is not None and seconds <= 0.05 for _, seconds in player.asked)


def test_who_wants_the_player_ends_the_warm_up():
    player = Thinker(thinks=True)
    session = table(player, warm=False)

    def start_up():
        session.warm_up(3, A_LONG_TIME)
        session.open_to_all()

    began = time.monotonic()
    thread = threading.Thread(target=start_up)
    thread.start()
    while not player.asked:
        time.sleep(0.001)
    assert session.player is player
    thread.join()
    assert time.monotonic() - began < A_LONG_TIME / 2
    assert len(player.asked) == 1


def test_a_seed_waits_for_the_whole_start_up():
    player = Thinker()
    session = table(player, warm=False)
    threading.Timer(0.05, session.open_to_all).start()
    ask(session, "set_random_seed 5")
    assert session.state.seed == 5 and not session._wanted.is_set()


class Talker(Thinker):
    """Says of each of its moves how many it has been asked for."""

    def explain(self):
        return f"wins 60% after {sum(what == 'choose' for what, _ in self.asked)}"


def test_printed_records_hold_what_the_player_said_of_its_moves():
    session = table(Talker())
    for command in ("genmove b", "play w c3", "genmove b", "undo", "genmove b"):
        ask(session, command)
    comments = [node.comment for node in sgf.parse(ask(session, "printsgf")).nodes]
    assert comments == ["", "wins 60% after 1", "", "wins 60% after 3"]
    ask(session, "undo")
    ask(session, "play b e5")  # another move, of which it said nothing
    assert sgf.parse(ask(session, "printsgf")).nodes[-1].comment == ""
    ask(session, "clear_board")
    ask(session, "play b a1")
    assert [node.comment for node in sgf.parse(ask(session, "printsgf")).nodes] == ["", ""]
