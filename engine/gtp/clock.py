"""The clock: what a game's time settings leave for the next move.

A ``Clock`` keeps the time of both colours itself and is corrected by ``time_left`` whenever a client sends it. The
seconds it gives are meant to last to the end of the game; a player that needs less simply answers sooner. 0 seconds mean
that a move is wanted at once.

What a move costs besides thinking is nothing that the clock sees: the way to the server and back, a client that is slow,
other programs on the same cores. So it compares. What a move took longer than was planned is one part of it, and what
``time_left`` says less than the clock's own account is the other. Both are kept as the ``Lag`` of a move, and so much is
reserved for every move that the game may still last.
"""

import copy
from dataclasses import dataclass, field

from engine.go.board import BLACK, WHITE

RESERVE = 0.7  # seconds never planned with: one move that takes longer than all before it
SHARE_OF_PERIOD = 0.8  # of a byo-yomi period or a Fischer increment: the rest is for what a move costs besides thinking
STEADY_SHARE = 0.7  # of what Canadian overtime gives for a stone, while nobody says what is left of it
AREA_SHARE = 0.35  # of the board's points: how many moves one side plays in a game, roughly …
MOST_SHARE = 0.75  # … and seldom more than this …
LAST_SHARE = 0.3  # … but time for so many more is always left: dead stones may have to be taken one by one
OPENING_PART = 0.15  # of the board's points: so many moves are the opening …
OPENING_SHARE = 0.6  # … whose first is given so much of an equal share, rising to all of it: fights come later, and decide
FEWEST_MOVES = 12  # the game is never expected to end sooner than in so many own moves
LONGEST = 24 * 3600.0  # seconds: nobody waits longer for a move, whatever a client says is left
SHORTEST = 0.03  # seconds: for less no search is begun, and the move is made at once

# What a move costs besides thinking.
FIRST_LAG = 0.1  # seconds, before anything is known: a little more than on any machine that is not overloaded …
FIRST_MOVES = 4.0  # … which counts as much as so many moves
LEAST_LAG = 0.05  # never less than this, however well it goes: things may change
MOST_LAG = 2.0  # no move counts for more: what takes longer, such as a machine that slept, does not happen at every move
LAG_MEMORY = 0.95  # what is known fades by this with every move, so that the last twenty count …
LATELY = 0.7  # … or the last three, if these were later: when a machine gets busy, twenty moves are most of a game
LAG_SPREAD = 1.6  # the reserve is so many times the mean: to come out even on average would lose every other game
WORST_MEMORY = 0.98  # the worst of a move fades more slowly


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
class Lag:
    """What moves cost besides the thinking that was planned, in seconds. It belongs to the machine, not to a game."""

    moves: float = FIRST_MOVES  # the totals are of so many
    late: float = 0.0
    unseen: float = FIRST_MOVES * FIRST_LAG
    lately: float = 0.0  # how late the last moves were, in the mean
    worst: float = FIRST_LAG

    def learn_late(self, seconds):
        """A move took so much longer than was planned, and the next report will say what else it cost."""
        seconds = self._heed(seconds, 1)
        self.moves = LAG_MEMORY * self.moves + 1
        self.late = LAG_MEMORY * self.late + seconds
        self.unseen *= LAG_MEMORY
        self.lately = LATELY * self.lately + (1 - LATELY) * seconds

    def learn_unseen(self, seconds, moves):
        """The last moves cost so much more in all than was seen; less than nothing where a server gives time away.

        Clients round to whole seconds: what one report says too much the next says too little, so that the sum is right.
        """
        self.unseen += self._heed(seconds, moves)

    def _heed(self, seconds, moves):
        seconds = min(max(seconds, -MOST_LAG * moves), MOST_LAG * moves)
        self.worst = max(WORST_MEMORY * self.worst, seconds / moves)
        return seconds

    @property
    def each(self):
        """Seconds to reserve for every move to come."""
        seconds = max(self.late / self.moves, self.lately) + self.unseen / self.moves
        return max(LEAST_LAG, LAG_SPREAD * seconds)


@dataclass
class _Side:
    """The time of one colour: main time until it is used up, then ``extra`` for ``count`` stones or periods."""

    main: float
    extra: float
    count: int
    told: bool = False  # whether the client has ever said what is left
    moves: int = 0  # own moves since it last did


@dataclass
class Clock:
    """The time of both colours under some settings."""

    settings: TimeSettings = NO_LIMIT
    lag: Lag = field(default_factory=Lag)

    def __post_init__(self):
        self.reset()

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

    def copy(self):
        return copy.deepcopy(self)

    def time_left(self, colour, seconds, count):
        """What the client says: ``seconds`` of main time if ``count`` is 0, else of overtime for ``count`` more."""
        side = self._sides[colour]
        if side.moves:
            lost = self._lost(side, seconds, count)
            if lost is not None:
                self.lag.learn_unseen(lost, side.moves)
        side.told, side.moves = side.told or seconds > 0, 0
        if count == 0:
            side.main = seconds
            side.extra, side.count = self.settings.extra, self.settings.count
        else:
            side.main = 0.0
            side.extra, side.count = seconds, count

    def _lost(self, side, seconds, count):
        """By how much less than the clock's own account the client says is left; None if they cannot be compared."""
        if count == 0:
            return side.main - seconds if side.main > 0 or seconds > 0 else None
        if side.main > 0:  # the overtime has begun already
            return side.main + max(0.0, self.settings.extra - seconds)
        return side.extra - seconds if side.count == count else None

    def spend(self, colour, seconds, planned=None):
        """A move of ``colour`` took so long, and was ``planned`` to take so long at most."""
        side, settings = self._sides[colour], self.settings
        if planned is not None and (settings.kind != "byoyomi" or side.main > 0):  # a period tells nothing of what is lost
            self.lag.learn_late(max(0.0, seconds - planned))
        if settings.kind == "none" and not side.told:
            return
        side.moves += 1
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

    def _canadian(self, side, lag):
        """What a stone of Canadian overtime may take, by what is left of its period."""
        settings = self.settings
        untold = min(side.moves, max(0, settings.count - side.count))  # own moves that the client has not told of: in this period
        left = max(0.0, side.extra - RESERVE - self.lag.worst - lag * untold)
        share = left / max(1, side.count) - lag
        if side.moves:
            # The main time may have ended earlier for the client than here, and then so does each period: what was saved in
            # the one that we see is no longer there. A steady pace is safe wherever periods begin.
            unknown = max(lag, LAG_SPREAD * FIRST_LAG)  # nothing is learned of what a client does not tell
            share = min(share, STEADY_SHARE * settings.extra / max(1, settings.count) - unknown)
        return share

    def seconds(self, colour, size, moves):
        """How long ``colour`` should think on a board of ``size`` after so many moves; None: as long as it likes."""
        settings, side = self.settings, self._sides[colour]
        if settings.kind == "none" and not side.told:
            return None
        to_come = max(FEWEST_MOVES, AREA_SHARE * size * size - moves / 2)
        at_most = max(FEWEST_MOVES, LAST_SHARE * size * size, MOST_SHARE * size * size - moves / 2)
        lag = self.lag.each
        safe = RESERVE + self.lag.worst + lag * side.moves  # with what the client has not told yet
        income = settings.extra if settings.kind == "fischer" else 0.0
        opening = min(1.0, moves / (OPENING_PART * size * size))
        share = max(0.0, side.main - safe - at_most * max(0.0, lag - income)) / to_come
        share *= OPENING_SHARE + (1 - OPENING_SHARE) * opening
        if settings.kind == "fischer":
            share = min(max(0.0, side.main - safe), share + SHARE_OF_PERIOD * max(0.0, income - lag))
        elif settings.kind in ("canadian", "byoyomi"):
            if settings.kind == "canadian":
                overtime = self._canadian(side, lag)
            else:
                overtime = SHARE_OF_PERIOD * (side.extra - RESERVE - self.lag.worst)
            share = overtime if side.main <= 0 else max(share, min(side.main, overtime))
        return min(share, LONGEST) if share >= SHORTEST else 0.0
