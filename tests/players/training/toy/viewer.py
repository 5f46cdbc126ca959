"""How ``show`` draws the toy: its bits as a row of boxes, and games of random moves."""

import numpy as np

from engine.go.board import BLACK, PASS
from engine.go.game import Game, result_text
from players.show.views import GameRecord, Picture


def describe(genome):
    return "bits\n" + "".join(map(str, genome.body["bits"]))


def _row(bits):
    colours = ("#ddd", "#2f6f9f")
    boxes = (f'<rect x="{i}" y="0" width=".9" height=".9" fill="{colours[bit]}"/>' for i, bit in enumerate(bits))
    return f'<svg viewBox="0 0 {len(bits)} 1">{"".join(boxes)}</svg>'


def pictures(genome, champions):
    labels = [f"generation {champion.generation}" for champion in champions]
    return [
        Picture("Bits", [_row(genome.body["bits"])], "Blue is one <and> not zero."),
        Picture("Bits over time", [_row(champion.body["bits"]) for champion in champions], labels=labels, first=-1),
    ]


def games(genome):
    return [_random_game(seed, size) for seed, size in ((1, 5), (2, 7), (3, 9))]


def _random_game(seed, size):
    random = np.random.default_rng(seed)
    game, colour = Game(size, 6.5), BLACK
    for _ in range(size * size):
        points = game.legal_points(colour)
        game.play(colour, random.choice(points) if len(points) else PASS)
        colour = 3 - colour
    title = f"{size}×{size}, random </script> moves"
    return GameRecord(title, size, game.moves, result_text(game.score()), 6.5, "toy", "chance")
