"""Says that kernels are being compiled, for as long as they really are: one mechanism for every command.

Nothing is said when all comes from the cache, nor for a moment's work. Otherwise a line says so and about how long it takes;
on a terminal it counts the seconds, elsewhere further lines come now and then, and a last one when it is over.
``EVOGO_COMPILING=quiet`` in the environment keeps all of them back, for programs that read standard error.
"""

import os
import sys
import threading
import time

from engine import kernel_cache

# Seconds that the kernels of each package take, games with the scripted players among them; on one core of 2023, those of the
# search on two.
SECONDS = {"go": 8, "scripted": 18, "search": 9, "hyperneat": 18, "sane": 3, "organism": 8, "isn": 25, "expert": 25}
BASE = ("go", "scripted")  # what matches and training need in any case
WORTH_SECONDS = 0.5  # of compiling before it is worth a word
PLAIN_SECONDS = 10.0  # between two lines where there is no terminal
LIVE_SECONDS = 0.5  # between two changes of the line on a terminal
REST_SECONDS = 5.0  # without compiling, and it is over: another process may be at it (``players.search.cold``)
_VARIABLE = "EVOGO_COMPILING"
QUIET = {_VARIABLE: "quiet"}  # in the environment: not a word


def announce(parts=BASE, say=None):
    """From now on, tell when kernels are compiled: by ``say(text)``, or else on standard error.

    ``parts`` are the packages whose kernels will be needed, as far as that is known.
    """
    kernel_cache.guard()
    if os.environ.get(_VARIABLE) == QUIET[_VARIABLE]:
        return
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event):
            teller.begin(event.data["dispatcher"].py_func.__module__.split(".")[-2])

        def on_end(self, event):
            teller.end()

    teller = Teller(parts, say)
    event.register("numba:compile", Listener())


def parts_named(specs, base=BASE):
    """The packages that some specs of players speak of, besides those that all need."""
    text = " ".join(specs).lower().replace("strongest", "search expert")
    return *base, *(part for part in SECONDS if part not in base and part in text)


class Teller:
    """Tells of spells of compiling, each of which ends when nothing is compiled for REST_SECONDS."""

    def __init__(self, parts, say=None):
        self._empty = {part for part in SECONDS if not kernel_cache.holds_any(part)}
        self._needed = {part for part in parts if part in self._empty}
        self._say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        self._live = say is None and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._depth = 0  # kernels that are being compiled, each for the one before it
        self._since = 0.0  # when that began, or ended
        self._spent = 0.0  # seconds of this spell before that
        self._drawn = False  # whether the live line stands there
        self._told_at = None  # when the last line came; None: nothing was said of this spell
        self._thread = None

    def begin(self, part):
        """A kernel of that package is being compiled from now on."""
        with self._lock:
            if part in self._empty and part not in BASE:  # of these, all packages use a kernel or two
                self._needed.add(part)  # perhaps nobody knew
            self._depth += 1
            if self._depth > 1:
                return
            self._since = time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="compiling", daemon=True)
                self._thread.start()

    def end(self):
        """It is there."""
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                now = time.monotonic()
                self._spent, self._since = self._spent + now - self._since, now
                self._clear()  # whoever writes now finds an empty line

    def _watch(self):
        """Look now and then, until it is over."""
        while True:
            time.sleep(LIVE_SECONDS)
            with self._lock:
                now = time.monotonic()
                if self._depth == 0:
                    if now - self._since < REST_SECONDS:
                        continue
                    self._finish()
                    return
                spent = self._spent + now - self._since
                if spent >= WORTH_SECONDS:
                    self._tell(spent, now)

    @property
    def _about(self):
        """Seconds for all of it; 0 if that is anybody's guess."""
        return sum(SECONDS[part] for part in self._needed)

    def _tell(self, spent, now):
        if self._live:
            self._drawn = True
            text = f"compiling for this machine, once: {self._so_far(spent)}"
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self._told_at is None:
            about = f"about {self._about} s" if self._about else "some seconds"
            self._say(f"compiling for this machine, once: {about} (evogo warmup does it ahead)")
        elif now - self._told_at >= PLAIN_SECONDS:
            self._say(f"still compiling: {self._so_far(spent)}")
        else:
            return
        self._told_at = now

    def _so_far(self, spent):
        return f"{spent:.0f} s of about {self._about}" if self._about else f"{spent:.0f} s"

    def _clear(self):
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False

    def _finish(self):
        if self._told_at is not None and not self._live:
            self._say(f"compiled in {self._spent:.0f} s; it is kept for the next time")
        self._spent, self._told_at, self._thread = 0.0, None, None
