"""A round robin that can be interrupted and extended: its results file, what is missing in it, and its Elo table.

The file has one JSON object a line, a line a game, and only ever grows: ``a`` and ``b`` (the players with their options, in
the order of the alphabet), ``a_content`` and ``b_content`` (digests of the files they are made of), ``game`` (its number in
their match), ``black``, ``points`` (of a), ``result``, ``end``, ``moves``, and the terms it was played on, its seed among
them. Games on other terms, or of players of the same name that were made of other files, may stand in the same file; they
are left alone. A line that was cut short by a crash is skipped, and its game is played again.
"""

import json
import os
import zlib
from itertools import combinations

from engine.contest.elo import ratings, wilson
from engine.contest.failure import CannotPlay
from engine.go.rng import stream_key

_CONTENTS = ("a_content", "b_content")


def pairs(players):
    """All pairings, each in the order of the alphabet, so that the order of ``players`` means nothing."""
    return [tuple(sorted(pair)) for pair in combinations(players, 2)]


def pair_seed(seed, pair):
    """The seed of a pairing's match: it does not depend on who else takes part."""
    return stream_key(seed, zlib.crc32("\n".join(pair).encode()))


class Ledger:
    """The results file at ``path`` (None: results are kept in memory only), for games on certain ``terms`` (a dict).

    ``contents`` says, by player, which of those that may have had this name it is: a digest, or None if there is but one.
    """

    def __init__(self, path, terms, contents=None):
        """CannotPlay if the file cannot be read or is something else."""
        self.path = path
        self.terms = terms
        self.contents = contents or {}
        self.points = {}  # by pair: a dict from the number of a game to the points of its first player
        self._torn = False  # whether the last line of the file was never finished
        if path is not None:
            self._read()

    def _read(self):
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise CannotPlay(f"cannot read {self.path}: {error.strerror}") from None
        self._torn = bool(text) and not text.endswith("\n")
        lines = [line for line in text.splitlines() if line.strip()]
        understood = [self._take(line) for line in lines]
        if lines and not any(understood):
            raise CannotPlay(f"{self.path} is not a results file of a ladder; name another with --out")

    def _take(self, line):
        """Note the game in a line of the file; whether it is one."""
        try:
            entry = json.loads(line)
            pair, number, points = (entry["a"], entry["b"]), entry["game"], entry["points"]
            told = {name: entry.get(name) for name in (*self.terms, *_CONTENTS)}  # a file may be older than some of them
            wanted = {**self.terms, **self._contents(pair)}
        except (ValueError, TypeError, KeyError):
            return False
        if told == wanted and points in (0, 0.5, 1) and isinstance(number, int):
            self.points.setdefault(pair, {}).setdefault(number, points)
        return True

    def _contents(self, pair):
        return {name: self.contents.get(player) for name, player in zip(_CONTENTS, pair)}

    def missing(self, pair, games):
        """The numbers below ``games`` that the pair has still to play."""
        played = self.points.get(pair, {})
        return [number for number in range(games) if number not in played]

    def add(self, pair, outcomes):
        """Note games that were played, in the file with a single write; CannotPlay if that fails."""
        lines = []
        for outcome in outcomes:
            self.points.setdefault(pair, {})[outcome.number] = outcome.points_of_a
            entry = {
                "a": pair[0],
                "b": pair[1],
                **self._contents(pair),
                "game": outcome.number,
                "black": pair[0] if outcome.a_is_black else pair[1],
                "points": outcome.points_of_a,
                "result": outcome.result,
                "end": outcome.end,
                "moves": outcome.length,
                **self.terms,
            }
            lines.append(json.dumps(entry) + "\n")
        if self.path is None:
            return
        content = ("\n" if self._torn else "") + "".join(lines)
        self._torn = False
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(handle, content.encode())
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise CannotPlay(f"cannot write {self.path}: {error.strerror}") from None

    def table(self, players, anchor, anchor_elo):
        """The Elo table of ``players`` as a dict, strongest first: what ``ladder --json`` prints."""
        results = [self._counts(pair) for pair in pairs(players)]
        wins = [[0.0] * len(players) for _ in players]
        for result in results:
            a, b = players.index(result["a"]), players.index(result["b"])
            wins[a][b] += result["wins"] + result["draws"] / 2
            wins[b][a] += result["losses"] + result["draws"] / 2
        found, exists = ratings(wins, players.index(anchor), anchor_elo)
        rows = []
        for index, (player, rating) in enumerate(zip(players, found)):
            points = sum(wins[index])
            games = sum(result["games"] for result in results if player in (result["a"], result["b"]))
            rows.append(
                {
                    "player": player,
                    "elo": rating.elo,
                    "elo_ci95": [rating.low, rating.high],
                    "games": games,
                    "score": points / games if games else None,
                    "ci95": list(wilson(points, games)),
                }
            )
        rows.sort(key=lambda row: -row["elo"])
        return {"anchor": anchor, **self.terms, "maximum_likelihood": exists, "players": rows, "pairs": results}

    def _counts(self, pair):
        points = list(self.points.get(pair, {}).values())
        return {
            "a": pair[0],
            "b": pair[1],
            "games": len(points),
            "wins": points.count(1),
            "losses": points.count(0),
            "draws": points.count(0.5),
        }
