"""The other end of a GTP engine, for tests: a process, its answers, and a limit to every wait."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUB = (sys.executable, "-m", "tests.processes.stub_engine")
EVOGO = (sys.executable, str(ROOT / "gtp_main.py"))
PATIENCE = 240  # seconds for one answer: a cold cache compiles first, and other tests may be running
LAST = 2147483647
_started = []


class Client:
    """A running engine."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
        )
        _started.append(self.process)
        self._lines = queue.SimpleQueue()
        self.errors = []
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read_output(self):
        for line in self.process.stdout:
            self._lines.put(line.decode("utf-8"))
        self._lines.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace").rstrip("\n"))

    def send(self, text):
        """Send text (or bytes) as it is."""
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def line(self):
        """The next line of output without its end; None at the end of output."""
        line = self._lines.get(timeout=PATIENCE)
        return None if line is None else line.rstrip("\n")

    def answer(self):
        """The next answer up to its empty line, as one text."""
        lines = []
        while True:
            line = self.line()
            assert line is not None, "\n".join(["the engine has gone", *self.errors[-20:]])
            if line == "" and lines:
                return "\n".join(lines)
            lines.append(line)

    def ask(self, command):
        """The answer to one command."""
        self.send(command + "\n")
        return self.answer()

    def dialogue(self, text):
        """Everything that comes back for some whole lines of input, whatever number of answers that is."""
        self.send(text)
        self.send(f"{LAST} protocol_version\n")
        lines = []
        while True:
            line = self.line()
            assert line is not None, "\n".join(["the engine has gone", *self.errors[-20:]])
            if line == f"={LAST} 2":
                assert self.line() == ""
                return "".join(lines)
            lines.append(line + "\n")

    def is_silent(self):
        """Whether nothing has come back that was not read."""
        return self._lines.empty()

    def end(self):
        """Close the input; the exit code, and the rest of the output."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(timeout=PATIENCE)
        for thread in self._threads:
            thread.join()
        rest = []
        while not self._lines.empty():
            rest.append(self._lines.get() or "")
        return code, "".join(rest)

    def kill(self):
        """End it, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


def end_all():
    """End every engine that still runs."""
    while _started:
        process = _started.pop()
        if process.poll() is None:
            process.kill()
            process.wait()
