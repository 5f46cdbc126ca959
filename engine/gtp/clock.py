"""The clock: what a game's time settings leave for the next move.

A ``Clock`` keeps the time of both colours itself and is corrected by ``time_left`` whenever a client sends it. The
seconds it gives are meant to last to the end of the game; a player that needs less simply answers sooner.
"""

import copy
from dataclasses import dataclass

from engine.go.board import BLACK, WHITE

RESERVE = 0.5  # seconds never planned with: the way to the server, a slow pipe, a tired machine …
RESERVE_A_MOVE = 0.03  # … and for each move that the game may still last at most
SHARE_OF_PERIOD = 0.8  # of a byo-yomi period or a Fischer increment: the rest is for what a move costs besides thinking
AREA_SHARE = 0.35  # of the board's points: how many moves one side plays in a game, roughly
FEWEST_MOVES = 12  # the game is never expected to end sooner than in so many own moves
SHORTEST = 0.01  # even with no time left a move is looked for


@dataclass(frozen=True)
class TimeSettings:
    """What was agreed before the game; all times in seconds.

    kind        main    extra                    count
    none
    absolute    M
    canadian    M       for ``count`` stones     stones
    byoyomi     M       a period                 periods
    fischer     M       added after each move
    """

    kind: str = "none"
    main: float = 0.0
    extra: float = 0.0
    count: int = 0


NO_LIMIT = TimeSettings()


@dataclass
class _Side:
    """The time of one colour: main time until it is used up, then ``extra`` for ``count`` stones or periods."""

    main: float
    extra: float
    count: int


class Clock:
    """The time of both colours under some settings."""

    def __init__(self, settings=NO_LIMIT):
        self.set(settings)

    def set(self, settings):
        """Other settings; both clocks start afresh."""
        self.settings = settings
        self.reset()

    def reset(self):
        """A new game under the same settings."""
        settings = self.settings
        self._sides = {
            colour: _Side(settings.main, settings.extra, settings.count) for colour in (BLACK, WHITE)
        }
        self._told = {BLACK: False, WHITE: False}

    def copy(self):
        return copy.deepcopy(self)

    def time_left(self, colour, seconds, count):
        """What the client says: ``seconds`` of main time if ``count`` is 0, else of overtime for ``count`` more."""
        side = self._sides[colour]
        self._told[colour] = True
        if count == 0:
            side.main = seconds
            side.extra, side.count = self.settings.extra, self.settings.count
        else:
            side.main = 0.0
            side.extra, side.count = seconds, count

    def spend(self, colour, seconds):
        """A move of ``colour`` took so long."""
        side, settings = self._sides[colour], self.settings
        if settings.kind == "none" and not self._told[colour]:
            return
        if settings.kind == "fischer":
            side.main = max(0.0, side.main - seconds) + settings.extra
            return
        over = seconds - side.main
        side.main = max(0.0, -over)
        if over < 0 or settings.kind not in ("canadian", "byoyomi"):
            return
        if settings.kind == "canadian":
            side.extra, side.count = side.extra - over, side.count - 1
            if side.count <= 0:
                side.extra, side.count = settings.extra, settings.count
        else:
            if settings.extra > 0:
                side.count = max(1, side.count - int(min(over // settings.extra, side.count)))
            side.extra = settings.extra

    def seconds(self, colour, size, moves):
        """How long ``colour`` should think on a board of ``size`` after so many moves; None: as long as it likes."""
        settings, side = self.settings, self._sides[colour]
        if settings.kind == "none" and not (self._told[colour] and side.main > 0):
            return None
        to_come = max(FEWEST_MOVES, AREA_SHARE * size * size - moves / 2)
        at_most = max(FEWEST_MOVES, size * size - moves / 2)
        main = max(0.0, side.main - RESERVE)
        share = max(0.0, main - RESERVE_A_MOVE * at_most) / to_come
        if settings.kind == "fischer":
            share = min(main, share + SHARE_OF_PERIOD * settings.extra)
        elif settings.kind in ("canadian", "byoyomi"):
            if settings.kind == "canadian":
                overtime = max(0.0, side.extra - RESERVE) / max(1, side.count)
            else:
                overtime = SHARE_OF_PERIOD * max(0.0, side.extra - RESERVE)
            share = overtime if side.main <= 0 else max(share, min(main, overtime))
        return max(SHORTEST, share)
