"""What ``show`` shows of a playout policy: its shapes and features by weight, and a search that uses it at work."""

from functools import lru_cache

import numpy as np

from engine.contest.match import Settings, Table, play_game
from engine.go.game import Game
from engine.records.vertex import format_vertex
from players.playout.body import read_body
from players.playout.pictures import (
    MEANT,
    factor_text,
    family_panels,
    feature_bars,
    has_single_shapes,
    single_panels,
    strongest_first,
    thoughts,
)
from players.playout.player import PlayoutPlayer
from players.search import shapes
from players.search.player import Search
from players.search.policy import TACTICS
from players.show.claims import opponent_text
from players.show.views import Chart, GameRecord, Picture

_SIZE, _KOMI = 9, 7.5  # of the games
_SEED = 1
_SIMULATIONS = 200  # of the search for a move of its game …
_THOUGHT = 1000  # … and for a position of the picture
_MEGABYTES = 16  # for its tree: these are small
_POSITIONS = 12  # of the game that are shown
_SHOWN_AT = 0.4
ABOUT = (
    "The playout policy: how the search plays its thousands of random games to the end. Each point is drawn in proportion "
    "to the product of the weights of what a move there would do; most points have no weight of their own and count 1. Games "
    "that it is said to have won are those of a search that plays out by it."
)
CHARTS = {
    "fitness": None,  # the error, turned round
    "wins": None,  # elections tell
    "positions": Chart("Positions", "positions", "Gathered so far, to learn from and to measure."),
    "length": Chart("Length of games", "moves", "How long the games are that they come from."),
    "error": Chart(
        "Error on positions kept back", "mean squared error",
        "How far the mean results of playouts are from what deep searches say of positions that nothing was learned from.",
    ),
    "to_hand": Chart("Error, relative to hand-set", "ratio", "The same, divided by that of the weights set by hand."),
    "to_uniform": Chart("Error, relative to uniform", "ratio", "The same, divided by that of uniform playouts."),
    "rate": Chart("Learning rate", "step", "How far a step of learning goes."),
    "largest_change": Chart("Largest change", "weight", "Of a weight, from where learning started."),
}  # fmt: skip
_FAMILY_CAPTION = (
    "The move in the middle (ringed) is so many times likelier if the points around look like this, turned or mirrored as "
    "they may be, and with the colours exchanged. A grey square is the edge, a small one anything; a crossed stone may "
    "not stand there."
)
_SINGLE_CAPTION = (
    "What Black makes of single shapes beside White's last move, turned or mirrored as they may be: those that make the move in "
    "the middle likeliest, and after them those that make it rarest. The factor is that of the family, if there is one, times that "
    "of the shape itself."
)
_BARS_CAPTION = (
    "What else makes a move likelier (blue) or rarer (red stripes), and by how much: the length of a bar is the weight, "
    "the number beside it the factor."
)
_SEARCH_CAPTION = (
    f"What a search of {_THOUGHT:,} simulations with these playouts thinks of positions of a game against GOjen: the "
    "fuller a point the more often it was looked at."
)


def describe(genome):
    """All features by weight."""
    weights = read_body(genome.body)
    lines = ["playout policy: how many times likelier a move is by what it does"]
    for name, weight in strongest_first(weights, (*TACTICS, *shapes.NAMES)):
        meant = MEANT.get(name, "a family of shapes around the last move")
        lines.append(f"  {name:<16} {factor_text(weight):>9}  (weight {weight:+.2f})  {meant}")
    if has_single_shapes(weights):
        count = sum(bool(weights.get(name)) for name in shapes.DRAWN)
        lines.append(f"  and {count:,} of {len(shapes.DRAWN):,} single shapes have a weight of their own (--html draws them)")
    return "\n".join(lines)


def _search(weights, simulations):
    return Search(weights, simulations=simulations, threads=1, megabytes=_MEGABYTES, seed=_SEED)


def pictures(genome, champions):
    """Shapes, features, and the search at work."""
    weights = read_body(genome.body)
    found = [Picture("Families of shapes, the strongest first", [family_panels(weights)], _FAMILY_CAPTION, wide=True)]
    if has_single_shapes(weights):
        found.append(Picture("Single shapes, strong and weak", [single_panels(weights)], _SINGLE_CAPTION, wide=True))
    return [
        *found,
        _thinking(weights, _game_of_the_search(weights)),
        Picture("Other features, the strongest first", [feature_bars(weights)], _BARS_CAPTION, wide=True),
    ]


def _thinking(weights, record):
    """The search, and the policy by itself, on positions of a game."""
    search, policy = _search(weights, _THOUGHT), PlayoutPlayer(weights, seed=_SEED)
    game = Game(record.size, record.komi)
    wanted = set(np.linspace(0, max(0, len(record.moves) - 2), _POSITIONS).round().astype(int).tolist())
    frames, labels = [], []
    for number, move in enumerate(record.moves):
        if number in wanted:
            search.seed(_SEED)
            found = search.variations(game, game.to_play)
            frames.append(thoughts(game, policy.policy(game, game.to_play), found, search.evaluate(game)))
            last = format_vertex(game.moves[-1].point, game.size) if number else ""
            labels.append(f"after move {number}: {last}" if number else "the empty board")
        game.play(*move)
    search.close()
    return Picture("The search at work", frames, _SEARCH_CAPTION, labels, wide=True, first=int(_SHOWN_AT * len(frames)))


def _game_of_the_search(weights):
    """A GameRecord of a search with these playouts, as Black, against GOjen."""
    return _searched(tuple(sorted(weights.items())), _SIMULATIONS, _SIZE)


@lru_cache(maxsize=1)  # the pictures want it, and the list of games
def _searched(weights, simulations, size):
    return _game(_search(dict(weights), simulations), f"search, {simulations} simulations", "gojen", size)


def _game(player, name, opponent, size):
    from players.registry import load_player  # here: the registry knows all players, this one among them

    table = Table(player, load_player(opponent))
    outcome = play_game(table, Settings(size, _KOMI, seed=_SEED), 0)
    table.close()
    other = opponent_text(opponent)
    return GameRecord(f"{name} - {other} on {size}x{size}", size, outcome.game.moves, outcome.result, _KOMI, name, other)


def games(genome):
    """A game of a search with these playouts, and one of the policy by itself."""
    weights = read_body(genome.body)
    return [_game_of_the_search(weights), _game(PlayoutPlayer(weights), "playout policy", "liberty", _SIZE)]
