"""Finished games of GNU Go against itself: both of us say which stones are dead, and what it comes to.

    python -m tests.peers.counting_games --sizes 9,13,19 --games 100 --out counting

Game by game both levels are drawn from 1 to 10 and the rules are Chinese and Japanese in turn; the verdict is GNU Go's at
level 10. Games go to OUT.jsonl when they are over, and those that are there are not played again (``--sizes ''`` plays none);
what we say of them, as plain ``evogo`` does, is compared anew each time. The exit code is 1 if more than one in fifty differ.
"""

import argparse
import json
import random
import sys
from pathlib import Path

from engine.go import death
from engine.go.board import EMPTY, board_points
from engine.go.game import Game, longest_game, result_text
from engine.go.rules import CHINESE, JAPANESE
from engine.records.vertex import COLOUR_NAMES, format_vertex, parse_vertex
from players.programs.connection import Connection
from players.registry import load_player
from tests.gnugo_games import finished_game

KOMI = {"chinese": 7.5, "japanese": 6.5}
LEVELS = range(1, 11)
JUDGE_LEVEL = 10
SECONDS = 600.0  # for one answer of GNU Go
TOLERATED = 0.02


def play(size, number):
    """Game ``number`` on a board as a record, as tests/engine/go/gnugo_verdicts.json has them; None if it does not end."""
    rules = (CHINESE, JAPANESE)[number % 2]
    levels = random.Random(size * 1000 + number).choices(LEVELS, k=2)
    gnugo = Connection(f"gnugo --mode gtp --{rules.name}-rules --never-resign --seed {size * 1000 + number}")

    def ask(command):
        return gnugo.ask(command, SECONDS)

    try:
        game = Game(size, KOMI[rules.name], rules)
        ask(f"boardsize {size}")
        ask(f"komi {game.komi}")
        moves = []
        while not game.is_over:
            ask(f"level {levels[len(moves) % 2]}")
            moves.append(ask(f"genmove {COLOUR_NAMES[game.to_play]}"))
            game.play(game.to_play, parse_vertex(moves[-1], size))
            if len(moves) > longest_game(size):
                return None
        ask(f"level {JUDGE_LEVEL}")
        dead, seki = (" ".join(sorted(ask(f"final_status_list {status}").split())) for status in ("dead", "seki"))
        return {
            "name": f"{size}x{size}-{number} {rules.name}",
            "size": size,
            "rules": rules.name,
            "komi": game.komi,
            "levels": levels,
            "moves": " ".join(moves),
            "dead": dead,
            "seki": seki,
            "score": ask("final_score"),
        }
    finally:
        gnugo.close()


def read_games(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def drawn(game, dead):
    """The position as text, dead stones in small letters."""
    rows = [[] for _ in range(game.size)]
    for i, p in enumerate(board_points(game.size)):
        colour = game.position.colour[p]
        mark = "." if colour == EMPTY else ".XO"[colour]
        rows[i // game.size].append(mark.lower() if int(p) in dead else mark)
    return "\n".join(" ".join(row) for row in rows)


def compare(record, player):
    """What is said otherwise than by GNU Go, in words, or an empty text."""
    game = finished_game(record)
    verdict = death.verdict(game.position, foresee=player.foresee)
    dead = sorted(format_vertex(p, game.size) for p in verdict.dead)
    score = result_text(game.score(*verdict))
    if (" ".join(dead), score) == (record["dead"], record["score"]):
        return ""
    theirs = set(record["dead"].split())
    ours = set(dead)
    return (
        f"{record['name']}: {score}, GNU Go {record['score']}; only ours dead: {' '.join(sorted(ours - theirs)) or 'none'}; "
        f"only GNU Go's: {' '.join(sorted(theirs - ours)) or 'none'}\n{drawn(game, set(verdict.dead))}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="9,13,19")
    parser.add_argument("--games", type=int, default=100, help="on each board")
    parser.add_argument("--out", type=Path, default=Path("counting"), help="OUT.jsonl keeps the games")
    parser.add_argument("--play-only", action="store_true", help="compare nothing yet")
    options = parser.parse_args()
    path = options.out.with_suffix(".jsonl")
    known = {record["name"].split()[0] for record in read_games(path)}
    for size in map(int, filter(None, options.sizes.split(","))):
        for number in range(options.games):
            if f"{size}x{size}-{number}" not in known and (record := play(size, number)):
                with path.open("a") as file:
                    file.write(json.dumps(record) + "\n")
    if options.play_only:
        return 0
    records, player = read_games(path), load_player("search", 1)
    differing = [text for record in records if (text := compare(record, player))]
    for text in differing:
        print(text, end="\n\n")
    print(f"{len(records) - len(differing)} of {len(records)} games are counted as GNU Go counts them")
    return int(len(differing) > TOLERATED * len(records))


if __name__ == "__main__":
    sys.exit(main())
