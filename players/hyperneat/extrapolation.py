"""How well players grow with the board, by what their CPPN sees and where the coordinates lie (§3.2, §3.3), measured.

Runs on 5x5 and 7x7 together, the same but for that, and their champions' games against Liberty on these and on larger
boards, which none of them ever saw.
"""

import numpy as np

from engine.go.rng import stream_key
from players.hyperneat import substrate
from players.hyperneat.body import read_body
from players.hyperneat.cppn import compile_links
from players.hyperneat.side import Substrate
from players.hyperneat.trainer import AUTHORS_NEAT, SALT
from players.play.loop import Terms
from players.play.schedule import COLOURS, Fixture
from players.scripted.kernels import opponent

TRAINED, TESTED = (5, 7), (5, 7, 9, 11, 13)
_KOMI = 6.5  # author's code
_SEED = 11  # of the games of the test; our choice

# What a CPPN sees.
_SEEN = {
    "places": {"absolute": True, "deltas": False},
    "places and differences": {"absolute": True, "deltas": True},
    "differences": {"absolute": False, "deltas": True},
    "differences, reach 4": {"absolute": False, "deltas": True, "reach": 4},
    "folded differences, reach 4": {"absolute": False, "deltas": True, "reach": 4, "folded": True},
}
VARIANTS = {
    f"{name}, {extrapolation}": {**seen, "extrapolation": extrapolation}
    for name, seen in _SEEN.items()
    for extrapolation in (substrate.DISCRETE, substrate.CONTINUOUS)
}


def parameters(name, seed, generations):
    """The parameters of one run, as a dict."""
    return {
        **AUTHORS_NEAT,
        **VARIANTS[name],
        "boards": TRAINED,
        "together": True,
        "generations": (generations,),
        "largest": max(TESTED),
        "sheets": "liberties",
        "border": True,
        "selector": "best",
        "fresh_games": True,
        "randomness": 0.1,
        "colour": "both",
        "seed": seed,
        "retest_every": generations,
    }


def test(body, games):
    """The share of games that a genome wins against Liberty, {size: [as Black, as White]}, ``games`` each."""
    geometry, rule, links, functions = read_body(body)
    program = compile_links(links, functions, geometry.inputs, geometry.outputs)
    found = {}
    for size in TESTED:
        network = substrate.build(program, size, geometry)
        key, count = stream_key(_SEED, size), len(COLOURS["both"]) * games
        fixture = Fixture(Terms(size, _KOMI), (opponent("liberty", 0.0),), "both", key, 0, count, SALT)
        results = fixture.play(Substrate(network, rule.number))
        found[str(size)] = [float((results.score[results.a_is_black == black] > 0).mean()) for black in (True, False)]
    return found


def table(data):
    """A Markdown table of a Store's data {variant: {seed: {"won": what ``test`` gave}}}: means over seeds, Black / White."""
    head = ["the CPPN sees", "runs", *(f"{size}x{size}" for size in TESTED)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name in VARIANTS:
        runs = data.get(name, {}).values()
        if runs:
            means = [np.mean([run["won"][str(size)] for run in runs], axis=0) for size in TESTED]
            cells = [f"{black:.1%} / {white:.1%}" for black, white in means]
            lines.append("| " + " | ".join([name, str(len(runs)), *cells]) + " |")
    return "\n".join(lines) + "\n"
