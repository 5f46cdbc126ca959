"""A GTP engine as a subprocess: start it, ask it things with a time limit, and be sure that it is gone in the end.

The program gets a process group of its own, so that whatever it starts ends with it, and so that Ctrl-C in a terminal
reaches the match and not the engines.
"""

import logging
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque

from engine.contest.failure import CRASH, TIME, CannotPlay, PlayerFailure

_MORE_PATH = os.pathsep.join(("/usr/games", "/usr/local/games"))  # where Debian keeps GNU Go, often not in PATH
_QUIT_SECONDS = 2.0  # for a program to end by itself after quit, and again after the polite signal
_LONGEST_LINE = 1 << 12  # all points of the largest board in one line are less; a longer one is taken for several
_MOST_LINES = 2_000  # an answer longer than this is nonsense: a line for every point of the largest board is less
_FLOOD = object()  # in the place of a line: there was too much that nobody had asked for
_log = logging.getLogger(__name__)
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class Refused(Exception):
    """The engine answered a command with an error, whose text is the message."""


class Connection:
    """A running GTP engine.

    Every failure ends the process: after one, an answer could no longer be told to belong to its question.
    """

    def __init__(self, command):
        """Start ``command``; CannotPlay if there is no such program."""
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise CannotPlay(f"cannot read the command {command[:80]!r}: {str(error).lower()}") from None
        if not arguments:
            raise CannotPlay("gtp: needs the command that starts an engine, as in gtp:gnugo --mode gtp")
        program = shutil.which(arguments[0]) or shutil.which(arguments[0], path=_MORE_PATH)
        if program is None:
            raise CannotPlay(f"there is no program {arguments[0][:80]!r} to run")
        self.title = os.path.basename(program)  # how messages call the engine
        try:
            self._process = subprocess.Popen(
                [program, *arguments[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotPlay(f"cannot run {program}: {error.strerror}") from None
        self._lines = queue.SimpleQueue()  # what it wrote; None when it will write no more, _FLOOD when it wrote too much
        self._complaints = deque(maxlen=3)  # the end of what it wrote to its standard error
        readers = [
            threading.Thread(target=_read_answers, args=(self._process.stdout, self._lines), daemon=True),
            threading.Thread(target=_read_complaints, args=(self._process.stderr, self._complaints), daemon=True),
        ]
        for reader in readers:
            reader.start()
        self._complaining = readers[1]
        self._end = weakref.finalize(self, _end_process, self._process, self.title)  # also when the interpreter exits

    @property
    def is_running(self):
        return self._end.alive

    def ask(self, command, seconds):
        """The answer to ``command``, without its sign and with lines joined by line breaks.

        Refused if the engine answers with an error; PlayerFailure if it dies, is late or does not speak GTP.
        """
        deadline = time.monotonic() + seconds
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):  # a broken pipe, or one that close() has closed
            self._fail(CRASH, self._obituary(command))
        answer, read = [], 0
        while True:
            try:
                left = deadline - time.monotonic()
                if left <= 0 and not self._lines.empty():  # it talks, but comes to no end
                    raise queue.Empty
                line = self._lines.get(timeout=max(0.0, left))
            except queue.Empty:
                self._fail(TIME, f"{self.title} did not answer {_quote(command)} within {seconds:.3g} seconds")
            if line is None:
                self._fail(CRASH, self._obituary(command))
            read += 1
            if line is _FLOOD or read > _MOST_LINES:
                self._fail(CRASH, f"{self.title} answered {_quote(command)} without end")
            if not answer and line[:1] not in ("=", "?", ""):
                self._fail(CRASH, f"{self.title} answered {_quote(command)} with nonsense: {_quote(line)}")
            if line:
                answer.append(line)
            elif answer:  # a blank line ends an answer; one before it means nothing
                break
        sign, answer[0] = answer[0][0], answer[0][1:].lstrip("0123456789").strip()
        text = "\n".join(answer).strip()
        if sign == "?":
            raise Refused(text)
        return text

    def close(self):
        """Ask the engine to quit; end it, and all it started, if it does not."""
        self._end()

    def _fail(self, end, message):
        _signal_group(self._process, _KILL)  # there is nothing left to be polite about
        self._end()
        raise PlayerFailure(end, message) from None

    def _obituary(self, command):
        """That the engine is dead, and what is known about it."""
        try:
            code = self._process.wait(_QUIT_SECONDS)
            how = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
        except subprocess.TimeoutExpired:
            how = "closed its output"
        self._complaining.join(0.2)
        last = f" (its last words: {_quote(self._complaints[-1])})" if self._complaints else ""
        return f"{self.title} {how} before it answered {_quote(command)}{last}"


def _quote(text):
    """Text from elsewhere as a message shows it: short, on one line, without control characters."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _read_answers(stream, lines):
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            if lines.qsize() > _MOST_LINES:
                lines.put(_FLOOD)
                return
            text = line.decode("utf-8", "replace")
            lines.put("".join(c for c in text if c >= " " or c == "\t").strip())
    lines.put(None)


def _read_complaints(stream, complaints):
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            text = line.decode("utf-8", "replace").strip()
            if text:
                complaints.append(text)


def _end_process(process, title):
    """End a process and its group: by ``quit`` and a closed pipe, else by signals, which is said."""
    try:
        if process.poll() is None:
            process.stdin.write(b"quit\n")
        process.stdin.close()
    except OSError:
        pass
    for end in (None, signal.SIGTERM, _KILL):
        if end is not None:
            _signal_group(process, end)
        if end is _KILL:
            _log.warning("%s did not end when it was told to, and was killed", title)
        try:
            process.wait(_QUIT_SECONDS)
            break
        except subprocess.TimeoutExpired:
            continue
    _signal_group(process, _KILL)  # what it may have left behind


def _signal_group(process, number):
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        elif process.poll() is None:
            process.send_signal(number)
    except (ProcessLookupError, PermissionError):
        pass
