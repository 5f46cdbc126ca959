"""A real browser without a window, driven through the pipe of Chromium's own protocol: nothing to install besides it.

Messages are JSON texts that end with a zero byte; the browser reads them from its file descriptor 3 and answers on 4.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0  # seconds that an answer may take on a busy machine
_HIGH = 64  # descriptors from here on are not in the way of 3 and 4


class BrowserFailed(Exception):
    """The browser did not do what it was asked to; the message says what it said."""


def find_browser():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with one page open. Use it in a ``with`` statement."""

    def __init__(self, downloads=None):
        """``downloads`` is the folder into which the page may save files."""
        self._profile = tempfile.mkdtemp(prefix="evogo-browser-")
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, _HIGH) for end in (theirs_in, theirs_out)]
        for end in (theirs_in, theirs_out):
            os.close(end)

        def give_pipes():
            os.dup2(theirs[0], 3)
            os.dup2(theirs[1], 4)

        self._process = subprocess.Popen(
            [
                find_browser(),
                "--headless=new",
                "--remote-debugging-pipe",
                f"--user-data-dir={self._profile}",
                "--no-first-run",
                "--disable-gpu",
                "--hide-scrollbars",
                *(["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=give_pipes,
        )
        for end in theirs:
            os.close(end)
        self._numbers = 0
        self._unread = b""
        self.errors = []  # what scripts of the page have complained of
        self._session = None
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")
        if downloads is not None:
            self._send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._profile, ignore_errors=True)

    # The protocol

    def _send(self, method, **parameters):
        """What the browser answers to a command."""
        self._numbers += 1
        message = {"id": self._numbers, "method": method, "params": parameters}
        if self._session is not None and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._numbers:
                if "error" in answer:
                    raise BrowserFailed(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self._note(answer)

    def _read(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self._from, 1 << 20) if ready else b""
            if not part:
                raise BrowserFailed("the browser does not answer" if not ready else "the browser has gone")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        if event.get("method") == "Runtime.exceptionThrown":
            details = event["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details.get("text"))
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.errors.append(event["params"]["entry"]["text"])

    # What tests want

    def open(self, path, width=1280, height=900, dark=False):
        """Show the page in a file, in a window of so many pixels; a narrow one is a telephone's."""
        self._send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._send("Emulation.setEmulatedMedia", features=[scheme])
        self._send("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def ask(self, script):
        """The value of a JavaScript expression in the page, promises awaited."""
        found = self._send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise BrowserFailed(details.get("exception", {}).get("description") or details["text"])
        return found["result"].get("value")

    def wait(self, script, seconds=PATIENCE):
        """Wait until an expression is true."""
        until = time.monotonic() + seconds
        while not self.ask(script):
            if time.monotonic() > until:
                raise BrowserFailed(f"never true: {script}")
            time.sleep(0.02)

    def _place(self, selector, across, down):
        """Where such a share of an element is in the window, after scrolling to it."""
        script = f"""(() => {{
            const found = document.querySelector({json.dumps(selector)});
            found.scrollIntoView({{block: "center"}});
            const box = found.getBoundingClientRect();
            return [box.left + {across} * box.width, box.top + {down} * box.height];
        }})()"""
        return dict(zip("xy", self.ask(script)))

    def hover(self, selector, across=0.5, down=0.5):
        """Move the mouse over an element."""
        self._send("Input.dispatchMouseEvent", type="mouseMoved", **self._place(selector, across, down))

    def press(self, selector, across=0.5, down=0.5):
        """Press the mouse on an element."""
        place = self._place(selector, across, down)
        for event in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=event, button="left", clickCount=1, **place)

    def key(self, name):
        """Press a key, such as ``ArrowLeft``."""
        for event in ("keyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=event, key=name, code=name)

    def picture(self, path, whole=True):
        """Write the page (or only what the window shows) to a PNG file."""
        taken = self._send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(taken["data"]))
