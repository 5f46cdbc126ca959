"""What a champion can claim: its own board, and the results there that say most about it."""

import re
from typing import NamedTuple

from engine.contest.elo import wilson

_SHOWN = 3  # claims of a champion
_LARGEST_DRAWN = 13  # board of games and pictures: what a page can hold, and what is played in a moment
_BY_STRENGTH = ("random", "liberty", "naixt", "wally", "gojen")  # scripted players, the weakest first (models/README.md)
_STRAYING = re.compile(r"(.+),randomness=(\d*\.?\d+)")
_NAMES = {"gojen": "GOjen", "gojen,opening=no": "GOjen without its opening"}


def opponent_text(name):
    """``wally,randomness=0.1`` for people: ``Wally with 10% random moves``."""
    straying = _STRAYING.fullmatch(name)
    if straying:
        return f"{opponent_text(straying[1])} with {float(straying[2]):.0%} random moves"
    return _NAMES.get(name, name.capitalize() if name in _BY_STRENGTH else name)


class Claim(NamedTuple):
    """Results against one opponent on one board with one komi, added up over the colours."""

    results: tuple  # of Result

    @property
    def opponent(self):
        return self.results[0].opponent

    @property
    def size(self):
        return self.results[0].size

    @property
    def komi(self):
        return self.results[0].komi

    @property
    def games(self):
        return sum(result.games for result in self.results)

    @property
    def wins(self):
        return sum(result.wins for result in self.results)

    @property
    def rate(self):
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self):
        return wilson(self.wins, self.games)

    @property
    def headline(self):
        """``won against GOjen on 9×9``."""
        return f"won against {opponent_text(self.opponent)} on {self.size}×{self.size}"

    @property
    def details(self):
        """Of how many games, as which colour, and how sure it is."""
        low, high = self.interval
        if len(self.results) > 1:
            colours = ", ".join(f"{result.win_rate:.1%} as {result.colour.capitalize()}" for result in self.results)
        else:
            colour = self.results[0].colour
            colours = "both colours" if colour == "both" else f"as {colour.capitalize()}"
        return f"{self.games:,} games, {colours}, komi {self.komi:g}; 95% interval {low:.1%} … {high:.1%}"


def own_board(champion):
    """The board that the champion was evolved on last, if it has results there; else that of its first result, or None."""
    known = {result.size for result in champion.results}
    trained = next((entry["size"] for entry in reversed(champion.history) if "size" in entry), None)
    if trained in known or not champion.results:
        return trained
    return champion.results[0].size


def drawn_board(champion, otherwise):
    """Its own board, if that is known and not too large for games and pictures."""
    size = own_board(champion)
    return size if size is not None and size <= _LARGEST_DRAWN else otherwise


def strongest_claims(champion, most=_SHOWN):
    """Claims on its own board, the most telling first: what it wins more often than not, by how strong the other is.

    A champion that wins against nobody has one claim, its best result.
    """
    size = own_board(champion)
    found = {}
    for result in champion.results:
        if result.size == size and result.games:
            found.setdefault((result.opponent, result.komi), []).append(result)
    claims = sorted((Claim(tuple(results)) for results in found.values()), key=_telling, reverse=True)
    won = [claim for claim in claims if claim.rate > 0.5]
    return won[:most] if won else claims[:1]


def _telling(claim):
    name = claim.opponent.partition(",")[0]
    known = _BY_STRENGTH.index(name) if name in _BY_STRENGTH else -1
    return claim.rate > 0.5, known if claim.rate > 0.5 else 0, claim.rate
