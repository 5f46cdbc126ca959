"""The Go Text Protocol, version 2: lines in, framed answers out, and nothing about Go.

    parse_line     one line of input to an id, a command name and its arguments
    clean, header  what an answer may hold, and how it begins
    Input          reads in a thread of its own: hears ``# interrupt``, further input and the end while a command runs
    Engine         takes requests in order, answers each, survives whatever a command does
    open_streams   keeps the real standard output for GTP alone, whatever a library prints

This module imports the standard library only: an engine answers its first commands before numba is there.
Where the protocol leaves room, it does what real clients need: a space always follows the ``=``, no answer holds an
empty line, surplus arguments are ignored, and a command that fails leaves the engine as it was.
"""

import os
import queue
import re
import sys
import threading
import time
import traceback
from datetime import datetime

MAX_ID = 2**31 - 1
_INTERRUPT = re.compile(r"#\s*interrupt\s*")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all but tab and line feed
_NOT_A_COLOUR = re.compile(r"#(?![0-9A-Fa-f]{6}\b)")  # answers hold no '#', except in GoGui's colours (#rrggbb)
_SHOUTS = re.compile(r"^(?=[=?]|info|play)")  # Lizzie mixes stderr with stdout and would take such lines for answers


class GtpError(Exception):
    """A command cannot be carried out; the text is what the client reads."""


class Failure(Exception):
    """The engine cannot start or go on; the text is one line for the user."""


def parse_line(line):
    """``(id or None, command, arguments)`` of one line of input; None if there is nothing in it."""
    line = _CONTROL.sub("", line).replace("\t", " ").replace("\n", "")
    words = [word for word in line.partition("#")[0].split(" ") if word]
    if not words:
        return None
    number = None
    if words[0].isascii() and words[0].isdigit() and len(words[0]) <= 10 and int(words[0]) <= MAX_ID:
        number = int(words.pop(0))
    return number, (words[0] if words else ""), words[1:]


def clean(text):
    """``text`` as an answer may hold it: no empty lines, no control characters, no comment sign."""
    text = _NOT_A_COLOUR.sub("", _CONTROL.sub("", text)).replace("\t", " ")
    first, *rest = text.split("\n")
    return "\n".join([first.rstrip()] + [line.rstrip() for line in rest if line.strip()])


def header(success, number):
    """The beginning of an answer: ``= ``, ``=7 ``, ``? ``."""
    return f"{'=' if success else '?'}{'' if number is None else number} "


class Request:
    """One command that came in.

    ``stop`` is set when the client wants the search of this command to end; ``followed`` when anything at all came in
    after it, which ends an analysis that has no end of its own. ``began`` is when the client began to wait for the answer,
    by ``time.monotonic``: when the command came in, or when the one before it was answered.
    """

    def __init__(self, number, name, arguments):
        self.number = number
        self.name = name
        self.arguments = arguments
        self.began = time.monotonic()
        self.stop = threading.Event()
        self.followed = threading.Event()
        self.streaming = False


class Input(threading.Thread):
    """Reads requests from a binary stream as they come, whatever the engine is doing."""

    def __init__(self, stream, log):
        super().__init__(name="gtp-input", daemon=True)
        self._stream = stream
        self._log = log
        self._queue = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._open = []  # requests not answered yet, in order; the first one may be running
        self._running = False
        self._answered = 0.0  # when the last request was

    def run(self):
        try:
            for raw in iter(self._stream.readline, b""):
                self._take(raw.decode("utf-8", "surrogateescape"))
        except (OSError, ValueError):
            pass  # the other end is gone, which is an end of input too
        self._end()

    def _take(self, line):
        self._log.note("<", line)
        interrupt = _INTERRUPT.fullmatch(_CONTROL.sub("", line).strip())
        parsed = parse_line(line)
        with self._lock:
            for request in self._open:
                request.followed.set()
                if interrupt:
                    request.stop.set()
            if parsed:
                request = Request(*parsed)
                self._open.append(request)
                self._queue.put(request)

    def _end(self):
        """Stop what runs, since nobody waits for it; what is queued is a script, and is still carried out."""
        with self._lock:
            for request in self._open:
                request.followed.set()
            if self._running:
                self._open[0].stop.set()
        self._queue.put(None)

    def fail(self, failure):
        """Make ``next`` raise the given exception, from another thread."""
        self._queue.put(failure)

    def next(self):
        """The next request; None at the end of input."""
        request = self._queue.get()
        if isinstance(request, Exception):
            raise request
        if request is not None:
            request.began = max(request.began, self._answered)
            with self._lock:
                self._running = True
        return request

    def done(self):
        """The request that ``next`` gave last is answered."""
        self._answered = time.monotonic()
        with self._lock:
            self._open.pop(0)
            self._running = False


class Log:
    """A record of everything that came in and went out, with times; writes nothing if it has no file."""

    def __init__(self, path=None):
        """OSError if the file cannot be written."""
        self._file = open(path, "a", encoding="utf-8", errors="backslashreplace") if path else None
        self._lock = threading.Lock()

    @property
    def is_open(self):
        return self._file is not None

    def note(self, mark, text):
        """Write ``text`` with the time, each line marked ``mark``."""
        if self._file is None:
            return
        now = datetime.now().strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        with self._lock:
            try:
                for line in text.rstrip("\n").split("\n"):
                    self._file.write(f"{now} {mark} {line}\n")
                self._file.flush()
            except OSError:
                self._file = None  # a full disk is no reason to stop playing


class Notices:
    """Lines for a human on stderr, in a form that no client takes for an answer."""

    def __init__(self, stream, log):
        self._stream = stream
        self._log = log

    def say(self, text):
        text = _SHOUTS.sub(" ", " ".join(clean(text).split("\n"))).replace(" -> ", " to ")
        self._log.note("!", text)
        self._write(text + "\n")

    def draw(self, lines):
        """Live graphics, as GoGui reads them from stderr."""
        self._write("\n".join(["gogui-gfx:", *lines, "", ""]))

    def _write(self, text):
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # nobody reads stderr any more

    def warn(self, text):
        self.say(f"Warning: {text}")  # GoGui highlights these


class Engine:
    """Answers requests one after the other until ``quit`` or the end of input.

    ``commands`` says what there is to call: ``find(name)`` gives a function of a Request that returns the answer
    (text or None), or None if there is no such command.
    """

    def __init__(self, stdin, stdout, commands, log, notices):
        self.input = Input(stdin, log)
        self._stdout = stdout
        self._commands = commands
        self._log = log
        self._notices = notices
        self.quitting = False

    def quit(self):
        """Leave after the current answer."""
        self.quitting = True

    def run(self):
        """Serve until the end. Failure if the engine cannot go on."""
        self.input.start()
        try:
            while not self.quitting:
                request = self.input.next()
                if request is None:
                    return
                self._answer(request)
                self.input.done()
        except BrokenPipeError:
            pass  # the client is gone

    def _write(self, text):
        self._log.note(">", text)
        self._stdout.write(text.encode("utf-8", "replace"))
        self._stdout.flush()

    def _answer(self, request):
        success, text = True, ""
        try:
            function = self._commands.find(request.name)
            if function is None:
                raise GtpError("unknown command" if request.name else "syntax error")
            text = function(request) or ""
        except GtpError as error:
            success, text = False, str(error).replace("\n", " ")
        except (KeyboardInterrupt, BrokenPipeError, Failure):
            raise
        except BaseException as error:  # whatever a player or a library does, the game goes on
            success, text = False, self._describe(request, error)
        if request.streaming:
            self._write(f"{clean(text)}\n\n" if success and text else "\n")
        else:
            self._write(f"{header(success, request.number)}{clean(text)}\n\n")

    def _describe(self, request, error):
        kind = type(error).__name__
        self._log.note("!", f"{request.name} failed\n{traceback.format_exc()}")
        if not self._log.is_open:
            self._notices.warn(f"{request.name} failed: {kind}: {error} (run with --log FILE to see where)")
        return f"internal error: {kind}"

    def begin_stream(self, request):
        """Answer ``=`` now; lines follow through ``stream``, and what the command returns comes last."""
        request.streaming = True
        self._write(f"{header(True, request.number)}\n")

    def stream(self, line):
        """One more line of the answer that is under way."""
        self._write(clean(line) + "\n")


def open_streams():
    """``(stdin, stdout)`` as binary streams of their own; from then on the descriptor of stdout leads to stderr.

    A library that prints, in Python or in C, or a child process that inherits the descriptor, can not break an answer.
    A stream that was closed before the start is an empty one.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    if sys.stdout is not None:
        sys.stdout.flush()
    stdin = os.fdopen(os.dup(0), "rb")
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stdin, stdout


def leave(code):
    """End the process now: threads that still compile or search are not waited for."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # closed, or never there
    os._exit(code)


def cpu_seconds():
    """CPU time of this process and its children so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
