"""The engine as a process, and its time: whatever the player's options are, no command thinks longer than it may.

Measured in processor time, which a busy machine does not change.
"""

import json

import pytest

from tests.processes.gtp_client import EVOGO, Client

ENDLESS = "search,guide=isn-9x9,simulations=100000000,seconds=100000"  # many hours a move
START_SECONDS = 2.0  # from nothing to the first move, by a warm cache: twice what a usual machine needs
AT_ONCE_SECONDS = 0.1  # for a whole command: twenty milliseconds for the move, and what a first use may load


@pytest.fixture(scope="module")
def engine():
    """An engine that has compiled whatever it needs."""
    client = Client(*EVOGO, "--player", ENDLESS, "--resign", "0.01")
    client.ask("set_random_seed 1")  # answered when the start-up is over
    yield client
    client.kill()


def seconds(client):
    return float(client.ask("cputime")[2:])


def cost(client, command):
    """The answer, and the seconds of processor time that it took."""
    before = seconds(client)
    answer = client.ask(command)
    return answer, seconds(client) - before


def begin(engine, settings="time_settings 60 0 0"):
    for command in ("boardsize 9", settings, "clear_board", "play b e5", "play w e3"):
        assert engine.ask(command) == "= "


@pytest.mark.parametrize("command", ["genmove b", "cgos-genmove_analyze b", "kata-genmove_analyze b", "genmove b", "undo"])
def test_without_time_a_move_comes_at_once(engine, command):
    begin(engine)
    engine.ask("time_left b 0 0")
    answer, taken = cost(engine, command)
    assert answer.startswith("=") and taken < AT_ONCE_SECONDS
    if command.startswith("cgos"):
        _, said, move = answer.split("\n")
        assert json.loads(said)["moves"][0]["move"] == move.split()[1]


@pytest.mark.parametrize("command", ["genmove b", "cgos-genmove_analyze b", "lz-genmove_analyze b"])
def test_a_move_costs_what_the_clock_gives(engine, command):
    begin(engine)
    engine.ask("time_left b 20 0")
    answer, taken = cost(engine, command)
    assert answer.startswith("=") and taken < 1.0  # twenty seconds for some thirty moves


@pytest.mark.parametrize("command", ["final_score", "final_status_list dead", "evogo-ownership", "evogo-evaluation"])
def test_opinions_have_a_limit(engine, command):
    begin(engine)
    answer, taken = cost(engine, command)
    assert answer.startswith("=") and taken < 2.0


def test_a_start_in_mid_game(engine):
    """A server's reconnect with little time left: nothing is spent on warming up. (The fixture has compiled everything.)"""
    client = Client(*EVOGO, "--player", ENDLESS)
    client.send("boardsize 9\nkomi 7.5\ntime_settings 60 0 0\ncgos-opponent_name x\nclear_board\n")
    client.send("play b e5\nplay w e3\nplay b g4\ntime_left w 3 0\ncgos-genmove_analyze w\ncputime\n")
    answers = [client.answer() for _ in range(11)]
    client.kill()
    assert "\nplay " in answers[9]
    assert float(answers[10][2:]) < START_SECONDS
