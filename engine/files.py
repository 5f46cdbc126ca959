"""Reading files that come from anywhere: whole, regular, and no larger than they may be."""

import mmap
import os
import stat

from engine.texts import shortened

_LONGEST_NAME = 300  # of a path, in a message


class FileError(ValueError):
    """A file that cannot be read; the message is one line that names it and says why."""


def read_bytes(path, most):
    """The content of the file at ``path``, of at most ``most`` bytes; FileError if there is none to be had.

    Anything but a regular file is refused before it is waited for: a pipe may never be written to, a device never end.
    """
    with open_regular(path, most) as file:
        try:
            content = file.read(most + 1)
        except OSError as error:
            raise FileError(f"cannot read {_name(path)}: {error.strerror}") from None
    if len(content) > most:  # it has grown meanwhile
        raise FileError(_too_large(path, most))
    return content


def open_regular(path, most):
    """The file at ``path`` open for reading bytes; FileError if it is not a regular one or has more than ``most`` bytes."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise FileError(f"cannot read {_name(path)}: {getattr(error, 'strerror', None) or error}") from None
    found = os.fstat(handle)
    problem = None
    if stat.S_ISDIR(found.st_mode):
        problem = f"cannot read {_name(path)}: Is a directory"
    elif not stat.S_ISREG(found.st_mode):
        problem = f"cannot read {_name(path)}: it is not a file but a pipe or a device"
    elif found.st_size > most:
        problem = _too_large(path, most)
    if problem:
        os.close(handle)
        raise FileError(problem)
    return os.fdopen(handle, "rb")


def _too_large(path, most):
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KB"
    return f"cannot read {_name(path)}: it has more than {size}"


def map_bytes(path, most):
    """A view of the content of the file at ``path``, of which only what is looked at is read; FileError as `read_bytes`."""
    with open_regular(path, most) as file:
        try:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:  # an empty file cannot be mapped
            return memoryview(b"")
        except OSError as error:
            raise FileError(f"cannot read {_name(path)}: {error.strerror}") from None


def _name(path):
    return shortened(path, _LONGEST_NAME)
