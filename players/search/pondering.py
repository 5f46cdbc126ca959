"""Thinking on while the other side thinks: the tree grows about the position after the own move until anything is asked.

Whatever the other side plays, what was found about it is kept (``Forest.turn_to``).
"""

import threading

from players.search.timing import Limit

MOST_SECONDS = 600.0  # an engine that is left alone does not think for ever


class Ponderer:
    """One thread at most, which uses the forest alone while it runs."""

    def __init__(self, forest):
        self._forest = forest
        self._stop, self._thread = threading.Event(), None

    def start(self, game, colour):
        """Begin to think about ``game``, which is kept, with ``colour`` to move."""
        self.stop()
        self._stop.clear()
        self._thread = threading.Thread(target=self._think, args=(game, colour), daemon=True)
        self._thread.start()

    def _think(self, game, colour):
        self._forest.turn_to(game, colour)
        enough = Limit(self._forest, None, MOST_SECONDS, self._stop, hurry=False)
        self._forest.grow(game.size, lambda chunk: 0 if self._forest.is_full else enough(chunk))

    def stop(self):
        """Leave the forest to the caller: within the time of a few simulations."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None
