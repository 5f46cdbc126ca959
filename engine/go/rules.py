"""Named rule sets: what may be played, and how the result is counted. Rules are data; ``RULES`` lists them all.

Where real rule sets leave room, these choices are made: ``chinese`` forbids repetition by positional superko (as CGOS
and most engines do, rather than by a referee), and ``japanese`` knows simple ko only, so that a long cycle goes on until
somebody tires of it.
"""

from dataclasses import dataclass

from engine.go.board import SUICIDE_ALLOWED, SUICIDE_FORBIDDEN
from engine.go.history import KO_POSITIONAL, KO_SIMPLE, KO_SITUATIONAL

AREA, TERRITORY = "area", "territory"


@dataclass(frozen=True)
class Rules:
    """One rule set."""

    name: str
    scoring: str  # AREA or TERRITORY
    ko: int  # KO_SIMPLE, KO_POSITIONAL or KO_SITUATIONAL
    suicide: int  # SUICIDE_FORBIDDEN, SUICIDE_MULTI or SUICIDE_ALLOWED
    komi: float  # what an even game usually has
    free_stones: int | None = None  # White is paid a point for each handicap stone beyond this many; None: nothing
    all_alive: bool = False  # whether every stone on the board counts in the end, with no agreement about dead ones

    def handicap_compensation(self, stones):
        """The points White gets because Black began with ``stones`` handicap stones."""
        if self.free_stones is None or stones < 2:
            return 0
        return stones - self.free_stones


_ALL = (
    Rules("chinese", AREA, KO_POSITIONAL, SUICIDE_FORBIDDEN, 7.5, free_stones=0),
    Rules("cgos", AREA, KO_POSITIONAL, SUICIDE_FORBIDDEN, 7.5, all_alive=True),
    Rules("tromp-taylor", AREA, KO_POSITIONAL, SUICIDE_ALLOWED, 7.5, all_alive=True),
    Rules("aga", AREA, KO_SITUATIONAL, SUICIDE_FORBIDDEN, 7.5, free_stones=1),
    Rules("new-zealand", AREA, KO_SITUATIONAL, SUICIDE_ALLOWED, 7.0),
    Rules("japanese", TERRITORY, KO_SIMPLE, SUICIDE_FORBIDDEN, 6.5),
)
RULES = {rules.name: rules for rules in _ALL}
CHINESE, CGOS, TROMP_TAYLOR, AGA, NEW_ZEALAND, JAPANESE = _ALL
_ALIASES = {"new_zealand": "new-zealand", "nz": "new-zealand", "tromp_taylor": "tromp-taylor", "tt": "tromp-taylor"}


def rules_by_name(name):
    """The rule set called ``name`` in any case; ValueError naming the known ones otherwise."""
    key = name.strip().lower()
    key = _ALIASES.get(key, key)
    try:
        return RULES[key]
    except KeyError:
        raise ValueError(f"unknown rules {name[:30]!r}: choose from {', '.join(RULES)}") from None
