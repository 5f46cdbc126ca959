"""An organism's life through a game, cycle by cycle, as data that ``players/show/cells.js`` plays.

Texts have a character for each point of the board, row by row: states are those of ``program.py``; a size is its place among
the ``sizes``, and an amount its share of the ``most`` there ever is of that mediator, as a character of LEVELS. What fired is
a number in hexadecimal for each rule, whose bit i stands for point i.
"""

import string

import numpy as np

from engine.go.board import PASS, board_points
from engine.records.vertex import format_vertex
from players.organism import cells
from players.organism.analysis import dead_rules
from players.organism.player import Life
from players.organism.program import MEDIATORS, flat, rule_text
from players.show.boards import number_of

LEVELS = string.digits + string.ascii_letters
MOST_STEPS = 300  # of a life: a page stays below half a megabyte on 9x9
_COLOURS = ("", "Black", "White")


def scenes(program, habits, game, own):
    """The life of the organism that plays ``own`` in a GameRecord, as plain data."""
    dead = dead_rules(program)
    live = [number for number in range(len(program)) if number not in dead]
    rules = flat([program[number] for number in live])
    seen = _Watcher(game.size)
    life = Life(rules, habits, own, seen.cycle)
    seen.note(cells.new_organism(game.size, habits.nature), "the zygote")
    seen.say(f"before the game, cycle {{}} of {habits.initial * game.size}", len(rules))
    life.begin(game.size)
    for number, move in enumerate(game.moves, 1):
        if len(seen.steps) + 1 + habits.regular > MOST_STEPS:
            break
        vertex = "passes" if move.point == PASS else format_vertex(move.point, game.size)
        played = f"move {number}: {_COLOURS[move.colour]} {vertex}"
        seen.say(f"{played}, cycle {{}} of {habits.regular}", len(rules))
        life.play(move, lambda: seen.note(life.organism, played, [int(move.colour), number_of(game.size, move.point)]))
    return seen.data() | {
        "size": game.size,
        "own": int(own),
        "black": game.black,
        "white": game.white,
        "result": game.result,
        "rules": [{"number": number + 1, "text": rule_text(program[number])} for number in live],
        "dead": len(dead),
    }


class _Watcher:
    """Writes down what an organism is like after every step of its life."""

    def __init__(self, size):
        self._points = board_points(size)
        self._bits = {int(p): 1 << i for i, p in enumerate(self._points)}
        self._label, self._rules, self._cycles = "", 0, 0
        self.steps = []

    def say(self, label, rules):
        """What the cycles from now on are called; ``{}`` stands for their number."""
        self._label, self._rules, self._cycles = label, rules, 0

    def cycle(self, organism):
        """Note a cycle that was just lived."""
        self._cycles += 1
        fired = [sum(self._bits[p] for p in points.tolist()) for points in cells.fired(organism, self._rules)]
        self.note(organism, self._label.format(self._cycles), fired=fired)

    def note(self, organism, label, move=None, fired=()):
        step = {"label": label, "move": move, "fired": {i: f"{bits:x}" for i, bits in enumerate(fired) if bits}}
        step["states"] = cells.states(organism)[self._points]
        step["sizes"] = np.array(organism.cell_size[self._points])
        step["amounts"] = np.array([cells.amounts(organism, m)[self._points] for m in range(MEDIATORS)])
        self.steps.append(step)

    def data(self):
        """Everything noted, as texts."""
        sizes = np.unique(np.concatenate([step["sizes"] for step in self.steps]))
        sizes = sizes[np.unique(np.linspace(0, len(sizes) - 1, len(LEVELS)).astype(int))]  # a program has fewer as a rule
        most = np.max([step["amounts"].max(axis=1) for step in self.steps], axis=0)
        for step in self.steps:
            step["states"] = "".join(map(str, step["states"]))
            step["sizes"] = "".join(LEVELS[np.abs(sizes - size).argmin()] for size in step["sizes"])
            shares = step["amounts"] / np.where(most > 0, most, 1.0)[:, None]
            levels = np.ceil(shares * (len(LEVELS) - 1) - 1e-9).astype(int)
            step["amounts"] = ["".join(LEVELS[level] for level in row) if row.any() else "" for row in levels]
        return {"levels": LEVELS, "sizes": [round(float(size), 4) for size in sizes], "most": most.tolist(), "steps": self.steps}
