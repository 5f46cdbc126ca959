"""What the search finds, as a GTP client gets to hear it."""


import re

import pytest

from engine.contest.player import AT_ONCE
from engine.go.game import Game
from engine.records.vertex import parse_vertex
from players.registry import load_player
from tests.processes.gtp_client import EVOGO, Client

SPEC = "search,guide=isn-9x9,simulations=600,threads=1"


@pytest.fixture(scope="module")
def engine():
    client = Client(*EVOGO, "--player", SPEC, "--resign", "0.1", "--seed", "1")
    yield client
    client.send("quit\n")
    client.process.wait(60)


def test_analysis_is_what_the_search_finds(engine):
    game, player = Game(9, 7.5), load_player(SPEC, 1)
    engine.ask("clear_board")
    engine.ask("komi 7.5")
    for number, vertex in enumerate("E5 C4 G6 D7 F3".split()):
        colour = 1 + number % 2
        engine.ask(f"play {'bw'[number % 2]} {vertex}")
        game.play(colour, parse_vertex(vertex, 9))
    engine.ask("set_random_seed 1")
    player.choose(game, game.to_play)
    expected, found = player.evaluate(game, AT_ONCE), player.variations(game, game.to_play, AT_ONCE)
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


# White stones on all of these rows but for two eyes.
LOST = [f"{letter}{row}" for row in (1, 2, 4, 5, 7, 8, 9) for letter in "abcdefghj" if f"{letter}{row}" not in ("a1", "b2")]


@pytest.fixture(scope="module")
def plain():
    client = Client(*EVOGO, "--seed", "1")
    yield client
    client.send("quit\n")
    client.process.wait(60)


def test_level_changes_who_plays(plain):
    shapes = set()
    for level in (1, 4, 10):
        assert plain.ask("clear_board") == plain.ask(f"level {level}") == "= "
        assert re.fullmatch(r"= [A-HJ][1-9]", plain.ask("genmove b"))
        shapes.add(plain.ask("gogui-analyze_commands"))
    assert len(shapes) > 1  # another player has other pictures
    assert plain.ask("level 11") == plain.ask("level 0") == "? a level is 1 to 10"
    assert plain.ask("level high").startswith("?") and plain.ask("level").startswith("?")


def test_gives_up_a_lost_game_by_itself(plain):
    plain.ask("clear_board")
    plain.ask("level 10")
    plain.ask("set_position b d6 " + " ".join(f"w {vertex}" for vertex in LOST))
    for _ in range(14):  # no resignation in the first third of a game
        plain.ask("play b pass")
        plain.ask("play w pass")
    answers = []
    for _ in range(3):
        answers.append(plain.ask("genmove b"))
        plain.ask("play w pass")
    assert answers[-1] == "= resign" and "= resign" not in answers[:-1]


def test_live_graphics_while_it_thinks():
    client = Client(*EVOGO, "--player", "search,seconds=1.3,threads=1", "--live-gfx")
    client.ask("genmove b")
    client.end()
    text = "\n".join(client.errors)
    pictures = re.findall(r"^gogui-gfx:\n((?:.+\n)+)$", text, re.MULTILINE)
    assert pictures
    for picture in pictures:
        *drawn, last = picture.splitlines()
        assert all(re.fullmatch(r"COLOR #[0-9a-f]{6} [A-J]\d|LABEL [A-J]\d \d+", line) for line in drawn) and len(drawn) > 4
        assert re.fullmatch(r"TEXT \d+ visits, winrate \d+%: [A-J]\d.*", last)
