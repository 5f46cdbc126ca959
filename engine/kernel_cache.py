"""Where compiled kernels are kept between runs.

numba's cache notices a change in the file that holds a kernel, but not in other files whose kernels it calls, and then
goes on with old code. So the cache directory is named after a digest of all files that hold kernels: a new version of
any of them starts afresh, and every version finds its own again. ``NUMBA_CACHE_DIR`` set by the user is respected.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on this system: then nothing keeps two processes apart
    fcntl = None

_PACKAGES = ("engine", "players")
_KEEP_SECONDS = 30 * 24 * 3600  # caches of other versions that were not used for so long are removed
_VARIABLE = "NUMBA_CACHE_DIR"
_LOCK, _CLAIMS = ".lock", ".claims"
PATIENCE = 60.0  # seconds to wait for a kernel that another process compiles
_POLL_SECONDS = 0.02
_HOLDS_KERNELS = re.compile(rb"^(from|import) (numba|engine\.kernels)", re.MULTILINE)  # not who imports it on the way


def kernel_digest():
    """A short name for the present state of all kernel sources."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            source = path.read_bytes()
            if _HOLDS_KERNELS.search(source):
                digest.update(f"{path.relative_to(root)}\0{len(source)}\0".encode() + source)
    return digest.hexdigest()[:16]


def _root():
    """The folder of all versions' caches: in the user's cache folder, or in the temporary folder if that is closed."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "evogo")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        pass
    if os.access(folder, os.W_OK):
        return folder
    return os.path.join(tempfile.gettempdir(), f"evogo-{os.getuid() if hasattr(os, 'getuid') else 0}")


def _remove_unused(root, current):
    now = time.time()
    for entry in os.scandir(root):
        if entry.path != current and now - entry.stat().st_mtime > _KEEP_SECONDS:
            shutil.rmtree(entry.path, ignore_errors=True)


def use():
    """Point numba at the cache of this version; returns its folder. Call before numba is imported."""
    chosen = os.environ.get(_VARIABLE)
    root = _root()
    if chosen and os.path.dirname(chosen) != root:  # a parent process of ours may have set it for its own version
        return chosen
    folder = os.path.join(root, kernel_digest())
    try:
        os.makedirs(folder, exist_ok=True)
        os.utime(folder)
        _remove_unused(root, folder)
    except OSError:
        return None  # numba then looks for a place itself
    os.environ[_VARIABLE] = folder
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = folder
    return folder


def holds(kernel):
    """Whether a compiled kernel, a function that numba caches, is kept for this version."""
    folder, function = kernel.stats.cache_path, kernel.py_func
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-*.nbi"
    return bool(folder) and any(Path(folder).glob(name))


def holds_any(package):
    """Whether any kernels of a package, by the last part of its name, are kept for this version."""
    folder = os.environ.get(_VARIABLE)
    return bool(folder) and any(Path(folder).glob(f"{package}_*/*.nbi"))


def guard():
    """Let processes share the cache: only one at a time adds to it, and what one compiles the others wait for.

    numba reads the index of a kernel, adds a line, writes it back and then writes the code under the number of that line:
    two processes that do so at once can leave the code of one under the number of the other.
    """
    from numba.core import caching, compiler_lock, dispatcher

    if fcntl is None or hasattr(caching.IndexDataCacheFile.save, "guarded"):
        return
    save, compile_ = caching.IndexDataCacheFile.save, dispatcher.Dispatcher.compile

    def save_alone(self, key, data):
        try:
            lock = open(os.path.join(os.environ[_VARIABLE], _LOCK), "ab")
            fcntl.flock(lock, fcntl.LOCK_EX)
        except (OSError, KeyError):  # a file system without locks: as numba does it
            return save(self, key, data)
        with lock:
            return save(self, key, data)

    def compile_once(self, signature):
        if self.stats.cache_path is None:  # it is not kept: nobody else can use it
            return compile_(self, signature)
        # numba's own lock first: it orders the threads of a process. Kernels do not call each other in circles, so that
        # processes which wait for each other's never do so for ever.
        with compiler_lock.global_compiler_lock, _Claim(f"{self.stats.cache_path} {self.py_func.__qualname__} {signature}"):
            return compile_(self, signature)

    save_alone.guarded = True
    caching.IndexDataCacheFile.save = save_alone
    dispatcher.Dispatcher.compile = compile_once


class _Claim:
    """While it is held, no other process has a claim of the same name; one that hangs is not waited for beyond PATIENCE."""

    _file = None  # a byte of it is locked for each claim; closing it would give up all of a process

    def __init__(self, name):
        self._byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big")
        self._is_held = False

    def __enter__(self):
        give_up = time.monotonic() + PATIENCE
        try:
            if _Claim._file is None:
                _Claim._file = open(os.path.join(os.environ[_VARIABLE], _CLAIMS), "ab")
            while not self._is_held and time.monotonic() < give_up:
                self._is_held = self._try()
        except (OSError, KeyError):  # a file system without locks
            pass

    def _try(self):
        try:
            fcntl.lockf(_Claim._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, self._byte)
        except (BlockingIOError, PermissionError):
            time.sleep(_POLL_SECONDS)
            return False
        return True

    def __exit__(self, *_):
        if self._is_held:
            fcntl.lockf(_Claim._file, fcntl.LOCK_UN, 1, self._byte)
