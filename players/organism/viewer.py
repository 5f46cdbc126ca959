"""How ``show`` prints and draws an organism: its rules and what they are worth, and the organism living through a game."""

from engine.go.board import BLACK, WHITE
from players.organism import worth
from players.organism.analysis import dead_rules, without_dead
from players.organism.body import read_body
from players.organism.program import flat, rule_text
from players.organism.scenes import scenes
from players.organism.side import side_of, terms
from players.organism.trainer import Config
from players.play.schedule import Fixture
from players.scripted.kernels import OPPONENTS, opponent, straying_name
from players.show.examples import example_games
from players.show.parts import json_script, table
from players.show.views import Chart, Picture
from players.training import config as configuration

SHOWN_GAMES = 4
_SIZE = 7  # the board of the games if the genome does not say on which it was evolved
_CAPTION = (
    "{}. Every step is a cycle in which all cells run the program, or a move. A circle is a cell, as large as its size; blue "
    "ones want to move there, those of the strongest colour are the largest, of which one is played. In a stone the inner circle is "
    "the size of its cell. Click a mediator to see it on the board, and a rule to see the cells for which it fired."
)
_KNOWN = (
    "Share of the cycles in which the rule fires, and for how many cells then; games won without it on {size}x{size}, of {games:,} "
    "against each of {met}: {whole:.1%} with all rules. Games differ by chance: one point of a hundred means nothing."
)
_UNKNOWN = (
    "What each rule is worth has not been measured for this genome: evogo experiment organism rules --genome FILE --out DIR does it."
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
    for name in (*OPPONENTS, "rival")
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
    """The organism living through two games, one with each colour, cycle by cycle; and what its rules are worth."""
    program, habits = read_body(genome.body)
    found = []
    for game, own in zip(games(genome), (BLACK, WHITE)):
        life = json_script(scenes(program, habits, game, own), "scenes")
        played = f"{game.black} against {game.white}, {game.result}"
        title = f"Life as {'Black' if own == BLACK else 'White'}"
        found.append(Picture(title, [f'<div class="life">{life}</div>'], _CAPTION.format(played), wide=True))
    return [*found[:1], _worth(program, habits), *found[1:]]


def _worth(program, habits):
    """The rules in a table: how often each fired, and how the organism plays without it."""
    dead, known = dead_rules(program), worth.known(program, habits)
    heads = ["", "rule"] + (["fires in", "cells then", "without it", "difference"] if known else [])
    rows = []
    for number, rule in enumerate(program, 1):
        row = [str(number), rule_text(rule)]
        if known:
            entry = known["rules"].get(str(number))
            row += _measured(known, entry) if entry else ["dead", "", "", ""]
        rows.append((row, dead.get(number - 1)))
    if known is None:
        rows = [[*row, f"dead: {reason}" if reason else ""] for row, reason in rows]
        return Picture("Rules", [table([*heads, ""], rows, "rules-table")], _UNKNOWN, wide=True)
    met = " and ".join(straying_name(name, 0) for name in known["opponents"])
    whole = worth.strength_of(known["wins"], known["games"])
    size = known["size"]
    caption = _KNOWN.format(size=size, games=known["games"], met=met, whole=whole)
    return Picture("What each rule is worth", [table(heads, [row for row, _ in rows], "rules-table")], caption, wide=True)


def _measured(known, entry):
    whole, left = (worth.strength_of(wins, known["games"]) for wins in (known["wins"], entry["wins"]))
    return [f"{entry['cycles']:.1%}", f"{entry['cells']:.1f}", f"{left:.1%}", f"{left - whole:+.1%}"]


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
