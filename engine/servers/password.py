"""Where the password comes from: a file, the environment or a prompt. Never the command line, which every user of the
machine can read, and never into a log."""

import getpass
import os
import stat
import sys

from engine.files import FileError, read_bytes
from engine.gtp.protocol import Failure

VARIABLE = "EVOGO_CGOS_PASSWORD"
LARGEST_FILE = 1024  # bytes: the password is its first line
HIDDEN = "********"  # what stands for it in the log
_HOW = f"say --password-file FILE or set {VARIABLE}"


def find_password(user, server, path=None, warn=None):
    """The password of ``user``: from the file at ``path`` if one is named, else the environment, else a prompt.

    The environment loses it, so that no program that is started from here finds it there. ``warn`` is called with a line
    when the file is open to others. Failure if there is no password, or one that cannot be sent.
    """
    given = os.environ.pop(VARIABLE, None)
    if path is not None:
        return _checked(_from_file(path, warn), "in the file")
    if given is not None:
        return _checked(given, f"in {VARIABLE}")
    if sys.stdin is None or not sys.stdin.isatty():
        raise Failure(f"a password is needed: {_HOW}")
    try:
        return _checked(getpass.getpass(f"password of {user} on {server} (a new name is registered with it): "), "given")
    except EOFError:
        raise Failure(f"no password was given ({_HOW})") from None


def _from_file(path, warn):
    try:
        data = read_bytes(path, LARGEST_FILE)
    except FileError as error:
        raise Failure(str(error)) from None
    if warn and os.name == "posix" and os.stat(path).st_mode & (stat.S_IRGRP | stat.S_IROTH):
        warn(f"others can read {path}: chmod 600 keeps the password to yourself")
    return data.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")


def _checked(password, where):
    """CGOS takes a blank for the end of the old password and the beginning of a new one."""
    if not password:
        raise Failure(f"the password {where} is empty")
    if not password.isascii() or not password.isprintable() or " " in password:
        raise Failure(f"the password {where} holds a blank or a character that CGOS does not take")
    return password
