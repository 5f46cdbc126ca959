"""The results file of a match, so that the same match goes on where it stopped.

A line holds all of an Outcome but the game itself, and the terms it was played on. Games on other terms may stand in the
same file; they are left alone.
"""

import math

from engine.contest.failure import ENDS
from engine.contest.match import Outcome
from engine.contest.results_file import ResultsFile

_FIELDS = ("number", "a_is_black", "winner", "score", "end", "length", "seconds", "seconds_of_a", "message")


class Journal:
    """The file at ``path`` (None: nothing is kept) for games on certain ``terms`` (a dict of plain data)."""

    def __init__(self, path, terms):
        """CannotPlay if the file cannot be read or is something else."""
        self._file, self._terms, found = ResultsFile(path), terms, {}
        for played_on, outcome in self._file.entries(_understood, "match"):
            if played_on == terms:
                found.setdefault(outcome.number, outcome)
        self.outcomes = list(found.values())  # that were there already, one for each number

    def add(self, outcomes):
        """Note games that were played; CannotPlay if that fails."""
        self._file.append({**{name: getattr(o, name) for name in _FIELDS}, "terms": self._terms} for o in outcomes)


def _understood(entry):
    """The terms and the Outcome that a line of the file holds, or None."""
    outcome = Outcome(*(entry[name] for name in _FIELDS))
    return (entry["terms"], outcome) if _sound(outcome) else None


def _sound(outcome):
    """Whether each value is one that a game may have."""
    numbers = [outcome.seconds] + [value for value in (outcome.score, outcome.seconds_of_a) if value is not None]
    return (
        all(type(value) is int and value >= 0 for value in (outcome.number, outcome.length))
        and type(outcome.a_is_black) is bool
        and outcome.winner in (0, 1, 2)
        and outcome.end in ENDS
        and all(type(value) in (int, float) and math.isfinite(value) for value in numbers)
        and type(outcome.message) is str
    )
