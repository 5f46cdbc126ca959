"""Drawings of a playout policy: its shapes with their weights, its other features, and the search that uses it at work."""

from html import escape

import numpy as np

from engine.go.board import BLACK, EMPTY, WHITE, board_points
from players.search import shapes
from players.search.policy import TACTICS, shape_weights
from players.show.boards import LARGE, Board, beside, colours_of, number_of, panels
from players.show.charts import number_text

_SHAPE = 96  # pixels of a shape
_STRONGEST, _WEAKEST = 48, 16  # single shapes that are drawn
_MAP = 200  # pixels of a map beside the large one
_FIRST_MOVES = 5  # of the search's line that are numbered
_PALE = 0.6  # of the fullest shade below a number, which must be readable on it
_SHOWN_SHARE = 0.02  # of the visits: moves with fewer have no number

# What the features are, for people; see players.search.policy.
MEANT = {
    "take_last": "takes the stone or chain that was just played",
    "take_far": "takes a chain somewhere else",
    "take_attacker": "takes a chain that has put one of its own beside the last move in atari",
    "take_many": "any of these, if it takes two stones or more",
    "escape": "saves a chain beside the last move that is in atari",
    "escape_far": "saves a chain in atari somewhere else",
    "escape_many": "either of these, if the chain has two stones or more",
    "escape_room": "and if there is room around, or another chain to join",
    "press_last": "takes one of the last two liberties of the chain just played",
    "press_catch": "and the chain cannot get away at the other one",
    "extend": "gives a chain beside the last move that has two liberties more of them",
    "nakade": "the vital point of a small eye space",
    "beside_last": "next to the last move",
    "diagonal_last": "diagonally beside the last move",
    "near_before": "around the move before the last",
    "throw_in": "puts a single stone into atari",
    "self_atari": "puts two stones or more of its own into atari",
    "self_atari_shape": "and they fill an eye with a shape that kills",
}


def strongest_first(weights, names):
    """Pairs (name, weight), the strongest first; equals in the order in which they are listed."""
    return sorted(((name, float(weights.get(name, 0.0))) for name in names), key=lambda pair: -pair[1])


def family_panels(weights):
    """The families of 3×3 shapes, the strongest first: the move is where the ring is."""
    diagrams = dict(shapes.DIAGRAMS)
    drawings = []
    for name, weight in strongest_first(weights, shapes.NAMES):
        words = f"{name.replace('_', ' ')}: ×{factor_text(weight)}"
        drawings.append((_shape(diagrams[name], words), words))
    return panels(drawings, 130)


def single_panels(weights):
    """Single shapes, each with its own weight and that of its family together: the strongest, the strongest first, and the
    weakest, the weakest last; those that can only be met beside a last move."""
    found = [pair for pair in zip(shapes.DRAWN, shape_weights(weights).tolist()) if "O" in pair[0]]
    found.sort(key=lambda pair: -pair[1])
    drawings = []
    for name, weight in (*found[:_STRONGEST], *found[-_WEAKEST:]):
        words = f"×{factor_text(weight)}"
        drawings.append((_shape(name.replace("/", " "), words), words))
    return panels(drawings, 130)


def has_single_shapes(weights):
    """Whether shapes have weights of their own, beside that of their family."""
    return any(weights.get(name) for name in shapes.DRAWN)


def factor_text(weight):
    """How many times likelier a weight makes a move: ``60``, ``0.05``."""
    return number_text(float(np.exp(weight)))


_SIGNS = {"X": BLACK, "O": WHITE}
_TOLD = {".": "empty", "x": "not Black", "o": "not White", "?": "anything", "#": "the edge", "*": "the move"}


def _shape(diagram, words):
    signs = "".join(diagram.split())
    board = Board(3, pixels=_SHAPE // 3)
    board.squares([i for i, sign in enumerate(signs) if sign == "#"], "edge", 1.0)
    board.squares([i for i, sign in enumerate(signs) if sign == "?"], "any", 0.5)
    board.stones([_SIGNS.get(sign, EMPTY) for sign in signs])
    for number, sign in enumerate(signs):
        if sign in "xo":  # a stone of that colour, struck out
            board.stones([_SIGNS[sign.upper()] if i == number else EMPTY for i in range(9)], 0.4).cross(number)
    board.ring(signs.index("*"), "here")
    told = [_TOLD.get(sign) or {"X": "Black", "O": "White"}[sign] for sign in signs]
    return board.tips(told).svg(words)


def feature_bars(weights):
    """All other features as bars, the strongest first; one that makes moves rarer has a bar of stripes."""
    rows = strongest_first(weights, TACTICS)
    longest = max((abs(weight) for _, weight in rows), default=0.0) or 1.0
    parts = []
    for name, weight in rows:
        kind = ' class="minus"' if weight < 0 else ""
        bar = f'<i{kind} style="width:{100 * abs(weight) / longest:.1f}%"></i>'
        told = f"weight {weight:+.2f}: {factor_text(weight)} times as likely"
        parts.append(f'<span>{escape(name.replace("_", " "))}</span><div data-tip="{told}">{bar}</div>')
        parts.append(f"<b>×{factor_text(weight)}</b>")
        parts.append(f"<small>{escape(MEANT[name])}</small>")
    return f'<div class="bars">{"".join(parts)}</div>'


def thoughts(game, shares, variations, evaluation):
    """What the search and its playouts think of a position: visits and shares of the moves, who owns what, the best line."""
    size = game.size
    points, colours = board_points(size), colours_of(game.position)
    visits = np.zeros(size * size)
    for p, variation in variations.items():
        if (number := number_of(size, p)) is not None:
            visits[number] = variation.visits
    visits /= visits.sum() or 1.0
    board = Board(size, pixels=LARGE // size).shade(_PALE * visits / (visits.max() or 1.0)).stones(colours)
    best = next(iter(variations.values()))
    if board.has_room_for_text:
        board.texts({int(i): f"{100 * visits[i]:.0f}" for i in np.flatnonzero(visits >= _SHOWN_SHARE)})
    words = f"share of the search's visits in percent; the first move wins {best.winrate:.0%} of its games"
    shares = np.nan_to_num(np.asarray(shares, float), posinf=1.0)[points]
    policy = Board(size, lines=False, pixels=_MAP // size).shade(shares / (shares.max() or 1.0)).stones(colours, 0.34)
    owned = np.asarray(evaluation.ownership, float)[points]
    ownership = Board(size, lines=False, pixels=_MAP // size).shade(owned).stones(colours, 0.34)
    line = Board(size, pixels=_MAP // size).stones(colours, 0.5)
    sides = [
        (policy.values(100 * shares, 1).svg(), "where a playout would go on, in percent"),
        (ownership.values(owned).svg(), "who owns what at the end: blue Black, red with a bar White"),
        (_line(line, best.line, game.to_play).svg(), "how the search thinks it goes on"),
    ]
    return beside(board.values(100 * visits, 1).svg(words), words, sides, _MAP)


def _line(board, moves, colour):
    """The first moves of a line as stones with a number under the pointer."""
    told, stones = {}, {}
    for number, p in enumerate(moves[:_FIRST_MOVES], 1):
        at = number_of(board.size, p)
        if at is not None and at not in stones:
            stones[at] = colour
            told[at] = f"move {number}"
        colour = 3 - colour
    board.stones([stones.get(i, EMPTY) for i in range(board.size**2)])
    for at in list(stones)[:1]:
        board.ring(at)
    return board.tips([told.get(i, "") for i in range(board.size**2)])
