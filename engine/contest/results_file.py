"""A file of results: one JSON object a line, a line a game. It only ever grows, and a crash costs the last line at most."""

import json
import os

from engine.contest.failure import CannotPlay


class ResultsFile:
    """The file at ``path``; None: nothing is kept."""

    def __init__(self, path):
        self.path = path
        self._is_torn = False  # whether the last line was never finished

    def entries(self, understood, what):
        """What ``understood(object)`` makes of each line, which is None for one that holds no game.

        Lines that were cut short are skipped. CannotPlay if the file cannot be read, or holds lines but no game: then it is
        no results file of ``what``.
        """
        text = self._text()
        self._is_torn = bool(text) and not text.endswith("\n")
        lines = [line for line in text.splitlines() if line.strip()]
        found = [entry for line in lines if (entry := _parsed(line, understood)) is not None]
        if lines and not found:
            raise CannotPlay(f"{self.path} is not a results file of a {what}; name another with --out")
        return found

    def _text(self):
        if self.path is None:
            return ""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise CannotPlay(f"cannot read {self.path}: {error.strerror}") from None

    def append(self, objects):
        """Add a line for each object, with a single write; CannotPlay if that fails."""
        if self.path is None:
            return
        content = ("\n" if self._is_torn else "") + "".join(f"{json.dumps(one)}\n" for one in objects)
        self._is_torn = False
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(handle, content.encode())
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise CannotPlay(f"cannot write {self.path}: {error.strerror}") from None


def _parsed(line, understood):
    try:
        return understood(json.loads(line))
    except (ValueError, TypeError, KeyError):
        return None
