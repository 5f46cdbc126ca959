"""When a search has done enough: so many simulations, so many seconds, told to stop, or nothing left to decide."""

import time

# Of the seconds that a clock gives are used in any case; the rest only while the most visited move is not the best one, because
# what is saved is there for later moves. Of seconds that are for one move and no other nothing can be saved.
USUAL_SHARE = 0.6
MARGIN = 0.006  # seconds kept back for what comes after the search
NO_LIMIT = 1 << 40
WATCH_SECONDS = 0.5  # between two reports to whoever watches


class Limit:
    """Asked again and again during a search by ``Forest.grow``."""

    def __init__(self, forest, simulations=None, seconds=None, stop=None, hurry=True, saves=False):
        """``hurry``: to choose a move it is enough that no other can be chosen; not so to analyse.

        ``saves``: seconds that are not used are there for later moves.
        """
        self._forest, self._stop, self._hurry = forest, stop, hurry
        self._usual = USUAL_SHARE if saves else 1.0
        self._simulations = NO_LIMIT if simulations is None else simulations
        self._seconds = None if seconds is None else max(seconds - MARGIN, 0.0)
        self._began = time.monotonic()
        self._visits_before = int(forest.root.visits)

    def __call__(self, chunk):
        """How many simulations to make next, ``chunk`` at most; 0 when it is enough."""
        visits = int(self._forest.root.visits)
        if self._forest.root.count == 0:  # no move can be told yet, however little time there is
            return max(1, min(chunk, self._simulations))
        if self._stop is not None and self._stop.is_set():
            return 0
        left = self._simulations - visits
        taken = time.monotonic() - self._began
        if self._seconds is not None:
            if taken >= self._seconds:
                return 0
            made = visits - self._visits_before
            if made and taken > 0:
                left = min(left, int(made / taken * (self._seconds - taken)) + 1)
        if left <= 0 or self._hurry and self._is_decided(left, taken):
            return 0
        return min(chunk, left)

    def _is_decided(self, left, taken):
        moves = self._forest.moves_of(self._forest.root)
        if len(moves) < 2:
            return True
        most = int(moves.visits.argmax())
        rest = moves.visits.copy()
        rest[most] = -1
        second = int(rest.argmax())
        if moves.visits[most] - moves.visits[second] > left:
            return True
        if self._seconds is None or taken < self._usual * self._seconds:
            return False
        return moves[most].wins * moves[second].visits >= moves[second].wins * moves[most].visits


class Watched:
    """A Limit whose search is watched: ``report()`` is called now and then."""

    def __init__(self, limit, report):
        self._limit, self._report = limit, report
        self._next = time.monotonic() + WATCH_SECONDS

    def __call__(self, chunk):
        if time.monotonic() >= self._next:
            self._report()
            self._next = time.monotonic() + WATCH_SECONDS
        return self._limit(chunk)
