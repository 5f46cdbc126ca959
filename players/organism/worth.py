"""What each rule of a cell program is worth: how often it fires, and what is lost when it is taken away.

``evogo experiment organism rules --genome FILE --out DIR`` measures it; what was measured of the champions that ship is in
``models/results/organism/rules.json``, where ``show`` looks it up. Nothing in it depends on the machine.
"""

import hashlib
import importlib.resources
import json

import numpy as np

from engine.go.board import BLACK, WHITE
from engine.go.game import Move
from engine.go.rng import stream_key
from players.organism.analysis import dead_rules
from players.organism.player import Life
from players.organism.cells import fired
from players.organism.program import flat, to_text
from players.organism.side import side_of, terms
from players.organism.trainer import SALT
from players.play.schedule import Fixture
from players.scripted.kernels import OPPONENTS, opponent

_SEED = 7_003  # the games are neither those of a run nor those of the tests
_WATCHED = 100  # games against each opponent in which it is counted what fires


def name_of(program, habits):
    """What the measurements of a program are called: the same rules and habits, the same name."""
    return hashlib.sha256(json.dumps([to_text(program), habits]).encode()).hexdigest()[:16]


def measured(program, habits, size, opponents, games):
    """What is known of every rule after so many games against each opponent, as plain data."""
    dead = dead_rules(program)
    live = [number for number in range(len(program)) if number not in dead]
    whole = _wins(program, habits, size, opponents, games, live)
    fires = _fires(program, habits, size, opponents, live)
    rules = {}
    for place, number in enumerate(live):
        left = _wins(program, habits, size, opponents, games, [other for other in live if other != number])
        rules[str(number + 1)] = {"cycles": fires[place][0], "cells": fires[place][1], "wins": left}
    return {"size": size, "opponents": list(opponents), "games": games, "wins": whole, "rules": rules}


def _fixture(size, name, games):
    return Fixture(terms(size), (opponent(name),), "both", stream_key(_SEED, size, OPPONENTS[name]), 0, games, SALT)


def _wins(program, habits, size, opponents, games, live):
    """Games won against each opponent by the rules with these numbers alone; always the same games' random streams."""
    side = side_of(flat([program[number] for number in live]), habits, size)
    return [int((_fixture(size, name, games).play(side).score > 0).sum()) for name in opponents]


def _fires(program, habits, size, opponents, live):
    """By rule: in which share of the cycles it fires at all, and in how many cells on average if it does."""
    rules = flat([program[number] for number in live])
    cells, cycles, total = np.zeros(len(live)), np.zeros(len(live)), 0

    def count(organism):
        nonlocal total
        found = np.array([len(points) for points in fired(organism, len(live))])
        cells[:] += found
        cycles[:] += found > 0
        total += 1

    for name in opponents:
        results, played = _fixture(size, name, _WATCHED).play(side_of(rules, habits, size), keep_moves=True)
        for result, moves in zip(results, played):
            life = Life(rules, habits, BLACK if result.a_is_black else WHITE, count)
            life.begin(size)
            for number, p in enumerate(moves):
                life.play(Move(BLACK + number % 2, int(p)))
    share, mean = cycles / max(total, 1), cells / np.maximum(cycles, 1)
    return [(round(float(a), 4), round(float(b), 2)) for a, b in zip(share, mean)]


def known(program, habits):
    """What was measured of a program that ships, as ``measured`` gave it, or None."""
    file = importlib.resources.files("models") / "results" / "organism" / "rules.json"
    if not file.is_file():
        return None
    entry = json.loads(file.read_bytes()).get("rules", {}).get(name_of(program, habits))
    return entry["measured"] if entry else None


def strength_of(wins, games):
    """The mean share of games won over the opponents."""
    return sum(wins) / len(wins) / games
