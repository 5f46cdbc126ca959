"""GNU Go over GTP: in random games stones, captures, liberties and legal moves must be the same; its own are counted alike.

A game is played on our board first, with the questions to GNU Go written down on the way; then GNU Go gets the whole
list at once. Superko is compared with suicide forbidden and colours in turn: GNU Go 3.8 lets a suicide repeat a
position, and whose turn it is can be argued about when one colour moves twice.
"""

import os
import random
import shutil
import subprocess
from dataclasses import replace

import pytest

from engine.go import board, death
from engine.go.board import BLACK, EMPTY, PASS, SUICIDE_ALLOWED, SUICIDE_FORBIDDEN, SUICIDE_MULTI, WHITE
from engine.go.game import Game, result_text
from engine.go.handicap import fixed_handicap_limit, fixed_handicap_points
from engine.go.history import KO_POSITIONAL, KO_SIMPLE, KO_SITUATIONAL
from engine.go.rules import CHINESE, JAPANESE
from engine.records.vertex import COLOUR_NAMES, format_vertex, parse_vertex

GNUGO = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")

KO_OPTIONS = {
    KO_SIMPLE: "--simple-ko",
    KO_POSITIONAL: "--positional-superko",
    KO_SITUATIONAL: "--situational-superko",
}
SUICIDE_OPTIONS = {
    SUICIDE_FORBIDDEN: "--forbid-suicide",
    SUICIDE_MULTI: "--allow-suicide",
    SUICIDE_ALLOWED: "--allow-all-suicide",
}


def ask_gnugo(questions, *options):
    """Send all commands and compare the answers: pairs of a command and its answer's words, or None if any will do."""
    script = "".join(f"{command}\n" for command, _ in questions) + "quit\n"
    run = subprocess.run(
        [GNUGO, "--mode", "gtp", *options], input=script, capture_output=True, text=True, timeout=120, check=True
    )
    answers = run.stdout.split("\n\n")
    assert len(answers) >= len(questions)
    for number, ((command, expected), answer) in enumerate(zip(questions, answers)):
        assert answer.startswith("="), f"{command}: {answer}"
        words = set(answer[1:].split())
        if expected is not None and words != expected:
            log = [command for command, _ in questions[:number] if command.startswith(("play", "clear", "boardsize"))]
            pytest.fail(f"{command}: {sorted(words)}, not {sorted(expected)}, after {', '.join(log[-400:])}")


def answer_of(*words):
    """The words of an answer, whose order does not matter."""
    return {str(word) for word in words}


def vertices(game, points):
    return [format_vertex(p, game.size) for p in points]


def questions_about(game, generator):
    """Commands and expected answers about the present position."""
    position = game.position
    points = board.board_points(game.size).tolist()
    for colour, name in COLOUR_NAMES.items():
        yield f"list_stones {name}", answer_of(*vertices(game, [p for p in points if position.colour[p] == colour]))
        yield f"all_legal {name}", answer_of(*vertices(game, game.legal_points(colour)))
        for p in generator.sample(points, 3):
            yield f"is_legal {name} {format_vertex(p, game.size)}", answer_of(int(game.is_legal(colour, p)))
    yield "captures black", answer_of(position.black_captures)
    yield "captures white", answer_of(position.white_captures)
    for p in generator.sample(points, 4):
        if position.colour[p] != EMPTY:
            yield f"countlib {format_vertex(p, game.size)}", answer_of(board.count_liberties(position, p))


def random_game(size, rules, moves, interval, mixed, generator):
    """A random game and the questions about it, all legal moves being equally likely."""
    game = Game(size, rules=rules)
    yield f"boardsize {size}", None
    yield "clear_board", None
    colour = BLACK
    for number in range(moves):
        legal = game.legal_points(colour)
        p = PASS if legal.size == 0 or generator.random() < 0.02 else int(generator.choice(legal))
        game.play(colour, p)
        yield f"play {COLOUR_NAMES[colour]} {format_vertex(p, size)}", None
        if number % interval == 0:
            yield from questions_about(game, generator)
        colour = generator.choice((BLACK, WHITE)) if mixed else 3 - colour


# Board size, games, moves, moves between two looks.
PLAN = [(2, 20, 20, 1), (3, 20, 40, 1), (5, 8, 120, 2), (9, 4, 250, 7), (13, 2, 400, 25), (19, 2, 480, 60)]


def random_games(rules, mixed, generator):
    questions = []
    for size, games, moves, interval in PLAN:
        for _ in range(games):
            questions += random_game(size, rules, moves, interval, mixed, generator)
    return questions


@pytest.mark.parametrize("mixed", [False, True], ids=["in turn", "any order"])
@pytest.mark.parametrize("suicide", SUICIDE_OPTIONS, ids=SUICIDE_OPTIONS.values())
def test_random_games(suicide, mixed):
    rules = replace(CHINESE, ko=KO_SIMPLE, suicide=suicide)
    questions = random_games(rules, mixed, random.Random(suicide * 2 + mixed))
    ask_gnugo(questions, KO_OPTIONS[KO_SIMPLE], SUICIDE_OPTIONS[suicide])


@pytest.mark.parametrize("ko", [KO_POSITIONAL, KO_SITUATIONAL], ids=["positional", "situational"])
def test_random_games_under_superko(ko):
    rules = replace(CHINESE, ko=ko, suicide=SUICIDE_FORBIDDEN)
    ask_gnugo(random_games(rules, False, random.Random(ko)), KO_OPTIONS[ko], SUICIDE_OPTIONS[SUICIDE_FORBIDDEN])


def test_fixed_handicap():
    questions = []
    for size in set(range(2, 20)) - {12}:  # GNU Go has the fourth line on 12x12, the protocol only from 13x13
        game = Game(size)
        for stones in range(2, fixed_handicap_limit(size) + 1):
            questions += [(f"boardsize {size}", None), ("clear_board", None)]
            points = vertices(game, fixed_handicap_points(size, stones))
            questions.append((f"fixed_handicap {stones}", answer_of(*points)))
    assert len(questions) > 100
    ask_gnugo(questions)


@pytest.mark.parametrize("rules", [CHINESE, JAPANESE], ids=["chinese", "japanese"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_finished_games_are_counted_alike(rules, seed):
    """GNU Go plays with itself on a small board; both of us say which stones are dead, and what it comes to."""
    options = [f"--{rules.name}-rules", "--level", "1", "--seed", str(seed), "--never-resign"]
    process = subprocess.Popen(
        [GNUGO, "--mode", "gtp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def ask(command):
        process.stdin.write(f"{command}\n")
        lines = iter(process.stdout.readline, "\n")
        return " ".join(lines).removeprefix("=").strip()

    game = Game(7, 4.5, rules)
    with process:
        ask("boardsize 7")
        ask("komi 4.5")
        while not game.is_over and len(game.moves) < 200:
            vertex = ask(f"genmove {COLOUR_NAMES[game.to_play]}")
            game.play(game.to_play, parse_vertex(vertex, 7))
        dead, score = ask("final_status_list dead"), ask("final_score")
        process.stdin.close()
    verdict = death.verdict(game.position)
    assert sorted(vertices(game, verdict.dead)) == sorted(dead.split())
    assert result_text(game.score(*verdict)) == score
