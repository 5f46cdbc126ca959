"""How ``show`` prints and draws an organism: its rules, and the organism growing and living through a game."""

import numpy as np

from engine.go.board import BLACK, EMPTY, PASS, WHITE, board_points
from engine.records.vertex import format_vertex
from players.organism import organism as kernels
from players.organism.analysis import dead_rules, without_dead
from players.organism.body import read_body
from players.organism.player import Life
from players.organism.program import EMPTY_CELL, MEDIATORS, MOVE_CELL, NO_CELL, OPPONENT_STONE, OWN_STONE, flat, rule_text
from players.organism.side import side_of, terms
from players.organism.trainer import Config
from players.play.schedule import Fixture
from players.scripted.kernels import OPPONENTS, opponent
from players.show.boards import LARGE, Board, beside
from players.show.examples import example_games
from players.show.views import Chart, Picture
from players.training import config as configuration

SHOWN_GAMES = 4
_SIZE = 7  # the board of the pictures if the genome does not say on which it was evolved
_SMALL = 150  # pixels of a mediator's board
_INSIDE = 0.76  # of a frame around a Move cell
_MOST_FRAMES = 150  # of a picture: a long game on 9x9 has some 200 moves
_SHOWN_AT = 0.6  # of the game: the organism has grown, and there is still something to play for
_STATE_NAMES = {
    NO_CELL: "no cell",
    EMPTY_CELL: "cell of size",
    MOVE_CELL: "move of size",
    OWN_STONE: "own stone, size",
    OPPONENT_STONE: "enemy stone, size",
}
_FRAME_CAPTION = (
    "Sand squares are cells; blue ones in a frame are cells that want to move there, and the number is their size: the "
    "largest is played. The small boards show where each mediator lies, in proportion to the largest amount."
)
ABOUT = (
    "A digital organism: one cell, the zygote, divides and spreads over the board by the rules of an evolved program. Cells "
    "release mediators, smell those of others, change state, and the largest cell in state Move is the move."
)
CHARTS = {
    "fitness": Chart(
        "Fitness", "games won", "The share of its games that the best individual, and all on average, won.", True
    ),
    "wins": None,  # the same as the best fitness
    "rules": Chart("Rules", "rules of a program", "How long programs are on average; most of it does nothing."),
    "best_live_rules": Chart(
        "Rules that live", "rules of the best", "Rules of the best program that can change what it plays."
    ),
} | {
    f"mean_{name}": Chart(f"Against {name}", "games won", f"What all individuals won against {name}.", True)
    for name in OPPONENTS
}


# In words


def describe(genome):
    """The rules, dead ones marked, as text."""
    program, habits = read_body(genome.body)
    dead = dead_rules(program)
    lines = [
        f"cell program of {len(program)} rules, {len(dead)} of them dead (they can never change what is played)",
        f"cycles: {habits.initial} for each line of the board before the game, {habits.regular} after each move",
    ]
    width = max(len(rule_text(rule)) for rule in program)
    for i, rule in enumerate(program):
        mark = f"  dead: {dead[i]}" if i in dead else ""
        lines.append(f"{i + 1:3}. {rule_text(rule):{width if mark else 0}}{mark}")
    return "\n".join(lines)


# In pictures


def pictures(genome, champions):
    """The organism growing cycle by cycle, and living through a game."""
    program, habits = read_body(genome.body)
    rules = flat(without_dead(program))
    return [_growth(rules, habits, _board_of(genome)), _life(rules, habits, games(genome)[0])]


def _growth(rules, habits, size):
    organism = kernels.new_organism(size, habits.nature)
    frames, labels = [frame(organism)], ["zygote"]
    total = habits.initial * size
    for cycle in range(1, total + 1):
        kernels.live(organism, rules, 1)
        if not _is_drawn(cycle, total):
            continue
        frames.append(frame(organism))
        labels.append(f"cycle {cycle}: {int(organism.count)} {'cell' if organism.count == 1 else 'cells'}")
    return Picture(
        "Growth before the game",
        frames,
        _FRAME_CAPTION,
        labels,
        wide=True,
        first=-1,
    )


def _is_drawn(number, total):
    """Whether frame ``number`` of ``total`` is drawn: all, or every second, third, … and the last, if there are many."""
    return number == total or number % -(-total // _MOST_FRAMES) == 0


def _life(rules, habits, game):
    """Through a GameRecord in which it is Black."""
    life = Life(rules, habits, BLACK)
    life.begin(game.size)
    frames, labels = [frame(life.organism)], ["before the first move"]
    for number, move in enumerate(game.moves, 1):
        life.play(move)
        if not _is_drawn(number, len(game.moves)):
            continue
        marked = move.point if move.point != PASS else None
        frames.append(frame(life.organism, marked))
        vertex = format_vertex(move.point, game.size)
        labels.append(f"move {number}: {'black' if move.colour == BLACK else 'white'} {vertex}")
    return Picture(
        "Life through a game",
        frames,
        f"A game as Black against {game.white}, after the cycles that follow each move. The ring is the last move.",
        labels,
        wide=True,
        first=int(_SHOWN_AT * len(frames)),
    )


def frame(organism, last=None):
    """An organism that plays Black: its cells, and the five mediators beside them; ``last`` is ringed."""
    size = int(organism.board_size)
    points = board_points(size)
    states, sizes = kernels.states(organism)[points], np.array(organism.cell_size[points])
    moves = np.flatnonzero(states == MOVE_CELL)
    drawn = Board(size, pixels=LARGE // size)
    drawn.squares(np.flatnonzero(states == EMPTY_CELL), "sand").squares(moves, "plus").squares(moves, "move", _INSIDE)
    drawn.stones(np.select([states == OWN_STONE, states == OPPONENT_STONE], [BLACK, WHITE], EMPTY))
    if drawn.has_room_for_text:
        drawn.texts({int(i): f"{sizes[i]:.2f}" for i in moves})
    marked = np.flatnonzero(points == last) if last is not None else ()
    for number in marked:
        drawn.ring(int(number))
    drawn.tips(_STATE_NAMES[int(state)] + (f" {cell:.2f}" if state != NO_CELL else "") for state, cell in zip(states, sizes))
    found = []
    for mediator in range(MEDIATORS):
        amounts = kernels.amounts(organism, mediator)[points]
        largest = float(amounts.max())
        heat = Board(size, lines=False, pixels=_SMALL // size).shade(amounts / (largest or 1.0)).values(amounts)
        found.append((heat.svg(), f"mediator {mediator + 1}: at most {largest:.2g}"))
    return beside(drawn.svg(), "cells", found, _SMALL)


# Games


def games(genome):
    """Some games against the opponents of its training, the strongest first, colours alternating."""
    program, habits = read_body(genome.body)
    size, config = _board_of(genome), configuration.saved(Config, genome.config)
    names = sorted(config.opponents, key=OPPONENTS.get, reverse=True)
    opponents = tuple(opponent(name, config.randomness) for name in names)
    fixture = Fixture(terms(size), opponents, "both", key=1, first=0, count=SHOWN_GAMES)
    return example_games(fixture, side_of(flat(without_dead(program)), habits, size), "diGO", names)


def _board_of(genome):
    """The last board it was evolved on."""
    return (genome.config.get("boards") or [_SIZE])[-1]
