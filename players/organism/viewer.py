"""How ``show`` prints and draws an organism: its rules, and the organism growing and living through a game."""

import numpy as np

from engine.go.board import BLACK, PASS, board_points
from engine.records.vertex import format_vertex
from players.organism import organism as kernels
from players.organism.analysis import dead_rules, without_dead
from players.organism.body import read_body
from players.organism.player import Life
from players.organism.program import MEDIATORS, MOVE_CELL, NO_CELL, OWN_STONE, flat, rule_text
from players.organism.side import side_of, terms
from players.organism.trainer import Config
from players.play.schedule import Fixture
from players.scripted.kernels import KINDS, opponent
from players.show.examples import example_games
from players.show.views import Picture
from players.training import config as configuration

SHOWN_GAMES = 4
_SIZE = 7  # the board of the pictures if the genome does not say on which it was evolved
_CELL, _SMALL, _GAP = 30, 12, 14  # of the organism, of a mediator's board, between them
_MOST_FRAMES = 300  # of a picture: a long game on 9x9 has some 200 moves
_BOARD, _MOVE, _EMPTY = "#f3ead3", "#5cb85c", "#e8c98b"
_MEDIATOR_COLOURS = ("#c0392b", "#2471a3", "#8e44ad", "#d68910", "#148f77")


# In words


def describe(genome):
    """The rules, dead ones marked, as text."""
    program, (initial, regular) = read_body(genome.body)
    dead = dead_rules(program)
    lines = [
        f"cell program of {len(program)} rules, {len(dead)} of them dead (they can never change what is played)",
        f"cycles: {initial} for each line of the board before the game, {regular} after each move",
    ]
    width = max(len(rule_text(rule)) for rule in program)
    for i, rule in enumerate(program):
        mark = f"  dead: {dead[i]}" if i in dead else ""
        lines.append(f"{i + 1:3}. {rule_text(rule):{width if mark else 0}}{mark}")
    return "\n".join(lines)


# In pictures


def pictures(genome, champions):
    """The organism growing cycle by cycle, and living through a game."""
    program, cycles = read_body(genome.body)
    rules = flat(without_dead(program))
    return [_growth(rules, cycles, _board_of(genome)), _life(rules, cycles, games(genome)[0])]


def _growth(rules, cycles, size):
    organism = kernels.new_organism(size)
    frames, labels = [frame(organism)], ["zygote"]
    total = cycles[0] * size
    for cycle in range(1, total + 1):
        kernels.live(organism, rules, 1)
        if not _is_drawn(cycle, total):
            continue
        frames.append(frame(organism))
        labels.append(f"cycle {cycle}: {int(organism.count)} {'cell' if organism.count == 1 else 'cells'}")
    return Picture(
        "Growth before the game",
        frames,
        "Squares are cells, green ones in state Move; a number is the size of a Move cell, its quality as a move. The small "
        "boards show what lies on the intersections of each mediator, in proportion to the largest amount there.",
        labels,
        wide=True,
    )


def _is_drawn(number, total):
    """Whether frame ``number`` of ``total`` is drawn: all, or every second, third, … and the last, if there are many."""
    return number == total or number % -(-total // _MOST_FRAMES) == 0


def _life(rules, cycles, game):
    """Through a GameRecord in which it is Black."""
    life = Life(rules, *cycles, BLACK)
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
    )


def frame(organism, last=None):
    """An organism that plays Black as SVG: its cells, and the five mediators beside them; ``last`` is ringed."""
    size = int(organism.board_size)
    points = board_points(size)
    states, sizes = np.array(organism.state[points]), np.array(organism.cell_size[points])
    width, across = size * _CELL, size * _SMALL
    parts = [f'<rect width="{width}" height="{width}" fill="{_BOARD}"/>', _lines(size)]
    parts.append(_squares(np.flatnonzero((states != NO_CELL) & (states != MOVE_CELL)), size, _CELL, _EMPTY))
    parts.append(_squares(np.flatnonzero(states == MOVE_CELL), size, _CELL, _MOVE))
    for i in np.flatnonzero(states >= MOVE_CELL):
        x, y = _CELL * (i % size + 0.5), _CELL * (i // size + 0.5)
        if states[i] == MOVE_CELL:
            parts.append(f'<text x="{x:g}" y="{y + 3:g}" font-size="9" text-anchor="middle">{sizes[i]:.2f}</text>')
        else:
            stone = "#111" if states[i] == OWN_STONE else "#fafafa"
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{_CELL * 0.38:g}" fill="{stone}" stroke="#555"/>')
        if points[i] == last:
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{_CELL * 0.2:g}" fill="none" stroke="{_MOVE}" stroke-width="2"/>')
    column = max(across, 80) + _GAP
    for mediator in range(MEDIATORS):  # three above, two below
        amounts = kernels.amounts(organism, mediator)[points]
        left, top = width + _GAP + mediator % 3 * column, mediator // 3 * (across + 24)
        parts.append(f'<g transform="translate({left} {top})">{_heat(amounts, size, mediator)}</g>')
    height = max(width, 2 * across + 40)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + _GAP + 3 * column} {height}">{"".join(parts)}</svg>'


def _lines(size):
    low, high = _CELL / 2, _CELL * (size - 0.5)
    path = "".join(f"M{low:g} {at:g}H{high:g}M{at:g} {low:g}V{high:g}" for at in (_CELL * (i + 0.5) for i in range(size)))
    return f'<path d="{path}" stroke="#0003" fill="none"/>'


def _squares(numbers, size, width, fill, opacity=1.0):
    """Squares of one colour on the points of the given numbers, as one path: a page has thousands of them."""
    gap = 2 if width == _CELL else 0
    side = width - 2 * gap
    path = "".join(f"M{i % size * width + gap} {i // size * width + gap}h{side}v{side}h-{side}z" for i in map(int, numbers))
    return f'<path d="{path}" fill="{fill}" fill-opacity="{opacity:g}"/>' if path else ""


def _heat(amounts, size, mediator):
    """A small board of the amounts of a mediator, in ten shades up to the largest of them."""
    largest = float(amounts.max())
    shades = np.ceil(10 * amounts / (largest or 1.0)).astype(int)
    across = size * _SMALL
    parts = [f'<rect width="{across}" height="{across}" fill="#fff" stroke="#999"/>']
    for shade in range(1, 11):
        parts.append(_squares(np.flatnonzero(shades == shade), size, _SMALL, _MEDIATOR_COLOURS[mediator], shade / 10))
    label = f"mediator {mediator + 1}: {largest:.2g}"
    return "".join(parts) + f'<text y="{across + 12}" font-size="10" fill="currentColor">{label}</text>'


# Games


def games(genome):
    """Some games against the opponents of its training, the strongest first, colours alternating."""
    program, cycles = read_body(genome.body)
    size, config = _board_of(genome), configuration.saved(Config, genome.config)
    names = sorted(config.opponents, key=KINDS.get, reverse=True)
    opponents = tuple(opponent(name, config.randomness) for name in names)
    fixture = Fixture(terms(size), opponents, "both", key=1, first=0, count=SHOWN_GAMES)
    return example_games(fixture, side_of(flat(without_dead(program)), cycles, size), "diGO", names)


def _board_of(genome):
    """The last board it was evolved on."""
    return (genome.config.get("boards") or [_SIZE])[-1]
