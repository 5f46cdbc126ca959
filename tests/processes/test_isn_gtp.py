"""What the network thinks, as a GTP client gets to hear it: dead stones, results, resignation."""

import pytest

from tests.processes.gtp_client import EVOGO, Client

# Two walls, and a stone of each side in the other's territory that nobody can save.
WALLS = [*(("b", f"D{row}") for row in range(1, 10)), *(("w", f"E{row}") for row in range(1, 10))]
STRANGERS = [("w", "B5"), ("b", "G5"), ("w", "A1")]


@pytest.fixture(scope="module")
def engine():
    client = Client(*EVOGO, "--player", "isn-9x9", "--resign", "0.1", "--seed", "1")
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
