"""A terminal with one line that changes, and lines above it that stay. Elsewhere there are only the lines that stay."""

import os
import threading

TICK_SECONDS = 1.0  # between two changes of the line: clocks show seconds
USUAL_COLUMNS = 80  # of a terminal that does not say


class Screen:
    """``remarks`` is the stream of the line that changes and of what is said; ``results`` that of what is told."""

    def __init__(self, remarks, results):
        self._remarks, self._results = remarks, results
        self._live = remarks.isatty()
        self._make_text = None
        self._lock = threading.RLock()
        self._closed = threading.Event()

    def watch(self, make_text):
        """Show what ``make_text()`` says, from now on and every second."""
        self._make_text = make_text
        if self._live:
            threading.Thread(target=self._tick, name="screen", daemon=True).start()

    def _tick(self):
        while not self._closed.is_set():
            self.refresh()
            self._closed.wait(TICK_SECONDS)

    def refresh(self):
        """Something has changed."""
        with self._lock:
            if self._live and self._make_text and not self._closed.is_set():
                self._put(self._remarks, f"\r\x1b[K{self._make_text()[: self._columns() - 1]}")

    def _columns(self):
        try:
            return os.get_terminal_size(self._remarks.fileno()).columns or USUAL_COLUMNS
        except OSError:
            return USUAL_COLUMNS

    def say(self, text):
        """A remark, on a line of its own."""
        self._above(self._remarks, text)

    def tell(self, text):
        """A result, on lines of its own."""
        self._above(self._results, text)

    def _above(self, stream, text):
        with self._lock:
            if self._live:
                self._put(self._remarks, "\r\x1b[K")
            self._put(stream, text.rstrip("\n") + "\n")
            self.refresh()

    def _put(self, stream, text):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            pass  # nobody reads it any more, which is no reason to stop playing
        except RuntimeError:
            pass  # a signal came while something was being written, and what is told of it gets lost

    def close(self):
        """No more line that changes."""
        with self._lock:
            self._closed.set()
            if self._live:
                self._put(self._remarks, "\r\x1b[K")

    # For whoever writes remarks to a stream

    def write(self, text):
        self.say(text)

    def flush(self):
        pass
