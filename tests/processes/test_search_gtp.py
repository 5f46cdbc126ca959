"""What the network thinks, as a GTP client gets to hear it: dead stones, results, resignation, analysis."""

import re

import pytest

from engine.contest.player import AT_ONCE
from engine.go.game import Game
from engine.records.vertex import parse_vertex
from players.registry import load_player
from tests.processes.gtp_client import EVOGO, Client

SPEC = "search,guide=isn-9x9,simulations=600,threads=1"

# Two walls, and a stone of each side in the other's territory that nobody can save.
WALLS = [*(("b", f"D{row}") for row in range(1, 10)), *(("w", f"E{row}") for row in range(1, 10))]
STRANGERS = [("w", "B5"), ("b", "G5"), ("w", "A1")]


@pytest.fixture(scope="module")
def engine():
    client = Client(*EVOGO, "--player", SPEC, "--resign", "0.1", "--seed", "1")
    yield client
    client.send("quit\n")
    client.process.wait(60)


def set_up(engine, stones, komi=5.5):
    assert engine.ask("clear_board").startswith("=")
    assert engine.ask(f"komi {komi}").startswith("=")
    assert engine.ask("set_position " + " ".join(f"{colour} {vertex}" for colour, vertex in stones)).startswith("=")


def test_dead_stones_and_the_result(engine):
    set_up(engine, WALLS + STRANGERS)
    for colour in "bw":  # before both have passed, a lone stone in so much room may still live
        assert engine.ask(f"play {colour} pass").startswith("=")
    assert sorted(engine.ask("final_status_list dead")[2:].split()) == ["A1", "B5", "G5"]
    alive = engine.ask("final_status_list alive")[2:].split()
    assert sorted(alive) == sorted(vertex for _, vertex in WALLS)
    assert engine.ask("final_score") == "= W+14.5"  # 36 and 45 points, and the komi


def test_what_lives_for_ever_is_never_called_dead(engine):
    eyes = "A1 C1 E1 G1 J1".split()
    ring = [("b", f"{x}{y}") for x in "ABCDEFGHJ" for y in (1, 2) if f"{x}{y}" not in eyes]
    rest = [("w", f"{x}{y}") for x in "ABCDEFGHJ" for y in (3, 4, 5, 6, 7, 8) if (x, y) not in (("B", 8), ("F", 8))]
    set_up(engine, ring + rest)
    assert engine.ask("final_status_list dead") == "= "
    assert engine.ask("final_score") == "= W+50.5"


def test_a_hopeless_game_is_resigned(engine):
    engine.ask("clear_board")
    points = [f"{x}{y}" for y in (2, 4, 6, 8) for x in "BCDEFGH"]
    answers = []
    for point in points:
        if not engine.ask(f"play b {point}").startswith("="):
            continue  # White is there
        if len(answers) or point[1] == "8":
            answers.append(engine.ask("genmove w"))
            if answers[-1] == "= resign":
                break
        else:
            engine.ask("play w pass")
    assert answers[-1] == "= resign" and len(answers) == 3


def test_analysis_is_the_searchs(engine):
    game, player = Game(9, 7.5), load_player(SPEC, 1)
    engine.ask("clear_board")
    engine.ask("komi 7.5")
    for number, vertex in enumerate("E5 C4 G6 D7 F3".split()):
        colour = 1 + number % 2
        engine.ask(f"play {'bw'[number % 2]} {vertex}")
        game.play(colour, parse_vertex(vertex, 9))
    engine.ask("set_random_seed 1")
    player.choose(game, game.to_play)
    found, expected = player.variations(game, game.to_play, AT_ONCE), player.evaluate(game, AT_ONCE)
    best, *_ = found
    answer = engine.ask("kata-genmove_analyze w 100 ownership true rootInfo true")
    root = answer.split("rootInfo")[1]
    # White is to move: numbers are from its side.
    assert float(re.search(r"scoreLead (\S+)", root)[1]) == pytest.approx(-expected.score, abs=1e-3)
    assert float(re.search(r"winrate (\S+)", root)[1]) == pytest.approx(found[best].winrate, abs=1e-4)
    assert int(re.search(r"visits (\S+)", root)[1]) == sum(variation.visits for variation in found.values())
    owners = [float(number) for number in re.search(r"ownership ([-0-9. ]+)", answer)[1].split()]
    assert len(owners) == 81 and max(map(abs, owners)) <= 1
    assert owners[40] == pytest.approx(-expected.ownership[parse_vertex("E5", 9)], abs=1e-3)
    first = re.search(r"info move (\S+) visits (\S+) .*? winrate (\S+) .*? scoreLead (\S+) .*? pv ([A-Z0-9 ]+)", answer)
    assert parse_vertex(first[1], 9) == best and answer.endswith(f"play {first[1]}")
    assert [parse_vertex(vertex, 9) for vertex in first[5].split()] == found[best].line
    assert (int(first[2]), float(first[3])) == (found[best].visits, pytest.approx(found[best].winrate, abs=1e-4))
    assert float(first[4]) == pytest.approx(found[best].score, abs=1e-3)


def test_a_stream_looks_further_at_every_interval(engine):
    engine.ask("clear_board")
    engine.send("lz-analyze b 10\n")
    assert engine.line().strip() == "="
    reports = [engine.line() for _ in range(4)]
    engine.send("name\n")
    assert engine.answer().splitlines()[-1].startswith(("info", "= evogo"))
    seen = [sum(map(int, re.findall(r"visits (\d+)", line))) for line in reports]
    assert seen == sorted(set(seen)) and seen[-1] > 600  # more than for a move
