"""Games that GNU Go 3.8 played against itself at levels 1 to 10, with its verdict on them at level 10.

``engine/go/gnugo_verdicts.json`` holds them (``final_status_list`` and ``final_score``). Most were chosen because playouts
alone misjudge them; those that are "large" have a fight in them that reading does not see through, those that are "asked"
one in which it does, and the search is asked all the same.
"""

import json
from pathlib import Path

from engine.go.board import PASS
from engine.go.game import Game, result_text
from engine.go.rules import rules_by_name
from engine.records.vertex import format_vertex, parse_vertex

RECORDS = json.loads((Path(__file__).parent / "engine" / "go" / "gnugo_verdicts.json").read_text())


def finished_game(record):
    game = Game(record["size"], record["komi"], rules_by_name(record["rules"]))
    for vertex in record["moves"].split():
        game.play(game.to_play, PASS if vertex == "PASS" else parse_vertex(vertex, game.size))
    assert game.is_over
    return game


def check(record, game, verdict):
    """Compare a verdict on a game, and the score by it, with GNU Go's."""
    dead, seki = (" ".join(sorted(format_vertex(p, game.size) for p in points)) for points in verdict)
    assert (dead, seki, result_text(game.score(*verdict))) == (record["dead"], record["seki"], record["score"])
