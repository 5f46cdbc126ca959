"""What standard error says while a run goes on: one live line on a terminal, a plain line now and then otherwise.

The time that is left stands first, and the line fits a terminal of 80 columns. In between are words that each kind of
trainer has for what it does (``Trainer.words``).
"""

import shutil
import time
from itertools import accumulate

_PLAIN_SECONDS = 10.0  # between two plain lines
_LIVE_SECONDS = 0.1  # between two changes of the live line
_MEMORY = 0.9  # how much of the old speed estimate survives a generation


def duration(seconds):
    """``42s``, ``3m08s`` or ``2h05m``."""
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02d}s"
    return f"{seconds // 3600}h{seconds // 60 % 60:02d}m"


class Progress:
    """Tells a stream about a run whose generations have the given relative ``costs``.

    ``words(entry)`` are the trainer's own for a generation; ``seconds`` what the run may still take (None: no limit).
    """

    def __init__(self, stream, costs, quiet=False, words=None, seconds=None):
        self._stream = stream
        self._quiet = quiet
        self._words = words or (lambda entry: "")
        self._end = None if seconds is None else time.monotonic() + seconds
        self._live = stream.isatty()
        self._spent = [0.0, *accumulate(costs)]
        self._unit_seconds = None  # of a generation of cost 1
        self._speed = None  # games a second
        self._seen = 0  # generations so far; the first one tells little, because kernels are compiled in it
        self._last = -1e9
        self._open = False  # whether the live line stands there unfinished

    def say(self, text):
        """A line of its own, whatever is going on."""
        self._end_line()
        print(text, file=self._stream, flush=True)

    def update(self, entry, champion, seconds, games, last=False):
        """A generation is done: its entry in the log, the champion's win rate (or None), how long and how many games."""
        generation = entry["generation"]
        cost = self._spent[generation] - self._spent[generation - 1]
        self._seen += 1
        self._unit_seconds = self._smooth(self._unit_seconds, seconds / max(cost, 1e-9))
        self._speed = self._smooth(self._speed, games / max(seconds, 1e-9))
        now = time.monotonic()
        if self._quiet or (not last and now - self._last < (_LIVE_SECONDS if self._live else _PLAIN_SECONDS)):
            return
        self._last = now
        line = self._line(entry, champion, last)
        if self._live:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r\x1b[K{line[:width]}")
            self._stream.flush()
            self._open = True
            if last:
                self._end_line()
        else:
            print(line, file=self._stream, flush=True)

    def _smooth(self, old, new):
        return new if self._seen <= 2 else _MEMORY * old + (1 - _MEMORY) * new

    def _left(self, generation):
        """Seconds until the end, by what is still to be done or by what the run may take; None if nobody knows yet."""
        limit = None if self._end is None else max(0.0, self._end - time.monotonic())
        if self._seen <= 1:
            return limit
        work = self._unit_seconds * (self._spent[-1] - self._spent[generation])
        return work if limit is None else min(work, limit)

    def _line(self, entry, champion, last):
        generation = entry["generation"]
        left = None if last else self._left(generation)
        parts = [] if left is None else [f"{duration(left)} left"]
        parts.append(f"{generation}/{len(self._spent) - 1}")
        if "size" in entry:
            parts.append(f"{entry['size']}x{entry['size']}")
        parts.append(self._words(entry))
        if champion is not None:
            parts.append(f"champion {champion:.0%}")
        speed = f"{self._speed / 1000:.0f}k" if self._speed >= 10_000 else f"{self._speed:.0f}"
        parts.append(f"{speed} games/s")
        return "  ".join(filter(None, parts))

    def _end_line(self):
        if self._open:
            self._stream.write("\n")
            self._open = False

    def close(self):
        self._end_line()
