"""The results file of a match: one JSON object a line, a line a game, so that the same match goes on where it stopped.

A line holds all of an Outcome but the game itself, and the terms it was played on. Games on other terms may stand in the
same file; they are left alone. A line that was cut short by a crash is skipped, and its game is played again.
"""

import json
import math
import os

from engine.contest.failure import ENDS, CannotPlay
from engine.contest.match import Outcome

_FIELDS = ("number", "a_is_black", "winner", "score", "end", "length", "seconds", "seconds_of_a", "message")


class Journal:
    """The file at ``path`` (None: nothing is kept) for games on certain ``terms`` (a dict of plain data)."""

    def __init__(self, path, terms):
        """CannotPlay if the file cannot be read or is something else."""
        self._path, self._terms, self._torn = path, terms, False
        self.outcomes = []  # that were there already, one for each number
        if path is not None:
            self._read()

    def _read(self):
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise CannotPlay(f"cannot read {self._path}: {error.strerror}") from None
        self._torn = bool(text) and not text.endswith("\n")
        found, understood = {}, 0
        lines = [line for line in text.splitlines() if line.strip()]
        for line in lines:
            terms, outcome = _understood(line)
            understood += terms is not None
            if terms == self._terms:
                found.setdefault(outcome.number, outcome)
        if lines and not understood:
            raise CannotPlay(f"{self._path} is not a results file of a match; name another with --out")
        self.outcomes = list(found.values())

    def add(self, outcomes):
        """Note games that were played, with a single write; CannotPlay if that fails."""
        if self._path is None:
            return
        lines = [json.dumps({**{name: getattr(o, name) for name in _FIELDS}, "terms": self._terms}) for o in outcomes]
        content = ("\n" if self._torn else "") + "".join(f"{line}\n" for line in lines)
        self._torn = False
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(handle, content.encode())
            finally:
                os.close(handle)
        except OSError as error:
            raise CannotPlay(f"cannot write {self._path}: {error.strerror}") from None


def _understood(line):
    """The terms and the Outcome in a line of the file; (None, None) if it holds none."""
    try:
        entry = json.loads(line)
        terms, outcome = entry["terms"], Outcome(*(entry[name] for name in _FIELDS))
    except (ValueError, TypeError, KeyError):
        return None, None
    return (terms, outcome) if _sound(outcome) else (None, None)


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
