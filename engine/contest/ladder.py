"""A round robin that can be interrupted and extended: its results file, what is missing in it, and its Elo table.

The file has one JSON object a line, a line a game, and only ever grows: ``a`` and ``b`` (the players with their options, in
the order of the alphabet), ``a_content`` and ``b_content`` (digests of the files they are made of), ``game`` (its number in
their match), ``black``, ``points`` (of a), ``result``, ``end``, ``moves``, and the terms it was played on, its seed among
them. Games on other terms, or of players of the same name that were made of other files, may stand in the same file; they
are left alone. A line that was cut short by a crash is skipped, and its game is played again.
"""

import zlib
from itertools import combinations

from engine.contest.elo import ratings, wilson
from engine.contest.results_file import ResultsFile
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
        self._file = ResultsFile(path)
        self.terms = terms
        self.contents = contents or {}
        self.points = {}  # by pair: a dict from the number of a game to the points of its first player
        for pair, number, points, is_ours in self._file.entries(self._understood, "ladder"):
            if is_ours:
                self.points.setdefault(pair, {}).setdefault(number, points)

    def _understood(self, entry):
        """(pair, number of the game, points, whether it was played on these terms) of a line of the file."""
        pair, number, points = (entry["a"], entry["b"]), entry["game"], entry["points"]
        told = {name: entry.get(name) for name in (*self.terms, *_CONTENTS)}  # a file may be older than some of them
        is_sound = points in (0, 0.5, 1) and isinstance(number, int)
        return pair, number, points, is_sound and told == {**self.terms, **self._contents(pair)}

    def _contents(self, pair):
        return {name: self.contents.get(player) for name, player in zip(_CONTENTS, pair)}

    def missing(self, pair, games):
        """The numbers below ``games`` that the pair has still to play."""
        played = self.points.get(pair, {})
        return [number for number in range(games) if number not in played]

    def add(self, pair, outcomes):
        """Note games that were played, in the file with a single write; CannotPlay if that fails."""
        self.points.setdefault(pair, {}).update((outcome.number, outcome.points_of_a) for outcome in outcomes)
        self._file.append(
            {
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
            for outcome in outcomes
        )

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
