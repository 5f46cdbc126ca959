"""What holds for all tests: signals as at a terminal, a time limit each, and two cores for all of them (see ``sharing``).

A shell starts what runs in the background (``nohup python -m pytest &``) with SIGINT ignored, and whatever that starts
inherits it. Tests send Ctrl-C, to themselves and to engines, and wait for what it does.
"""

import faulthandler
import os
import signal

import pytest

from engine import kernel_cache
from engine.compiling import QUIET
from tests import sharing

# Seconds for a test with its fixtures: a cold cache on a busy machine compiles for minutes, and fuzzers go on as they are
# told.
LIMIT = 900 + int(os.environ.get("EVOGO_FUZZ_SECONDS", 0))
GRACE = 60  # seconds later the whole run ends: whatever hangs does not listen

_errors = []  # a standard error that is not captured


class TookTooLong(BaseException):
    """Raised in a test after its LIMIT; no test or engine takes it for one of its own."""


def pytest_configure(config):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kernel_cache.guard()
    os.environ.update(QUIET)  # tests read what engines and commands say on standard error, with a cold cache too
    _errors.append(os.fdopen(os.dup(2), "w"))
    plugin = sharing.plugin()
    if plugin is not None:
        config.pluginmanager.register(plugin)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    def give_up(number, frame):
        raise TookTooLong(f"more than {LIMIT} seconds")

    faulthandler.dump_traceback_later(LIMIT + GRACE, exit=True, file=_errors[0])
    has_alarm = hasattr(signal, "SIGALRM")
    if has_alarm:
        before = signal.signal(signal.SIGALRM, give_up)
        signal.alarm(LIMIT)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        if has_alarm:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
