"""Work items spread over a ``concurrent.futures.Executor``.

The default executor is a thread pool: the kernels that do the work release Python's lock. Any other executor does as well,
because an item is plain data and the function that evaluates it can be found by its name; ``--executor module:factory``
names a function of the number of workers that makes one. ``concurrent.futures:ProcessPoolExecutor`` is such a factory, and
so is ``mpi4py.futures:MPIPoolExecutor``.
"""

import os
import signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor

from players.kinds import named_object
from players.training.folder import RunError

_CHUNKS_PER_WORKER = 8  # enough that no worker idles long at the end of a generation, few enough to be cheap to send


class WorkerDied(Exception):
    """A worker is gone, and with it the executor; the message says what is known."""


def core_count():
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def threads(workers):
    """The default executor."""
    return ThreadPoolExecutor(workers, thread_name_prefix="worker")


def processes(workers):
    """A process pool whose workers leave Ctrl-C to the process that started them."""
    return ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))


def _evaluate_chunk(function, items):
    return [function(item) for item in items]


class Workers:
    """An executor and how to give it work. ``spec`` is the ``module:factory`` of another executor than threads."""

    def __init__(self, count=None, spec=None):
        self.count = count or core_count()
        try:
            self._executor = (named_object(spec) if spec else threads)(self.count)
        except Exception as error:  # whatever a foreign factory may raise
            raise RunError(f"cannot make an executor from {spec or 'threads'}: {error}") from None
        if not hasattr(self._executor, "submit"):
            raise RunError(f"{spec} did not make an executor: it has no submit()")

    def evaluate(self, function, items, stopping=lambda: False):
        """``[function(item) for item in items]``, spread over the workers.

        If workers die of the signal that asked the run to stop (``stopping()``), their items are done in this process.
        """
        step = max(1, len(items) // (self.count * _CHUNKS_PER_WORKER))
        chunks = [items[start : start + step] for start in range(0, len(items), step)]
        futures = []
        results = []
        try:
            futures = [self._executor.submit(_evaluate_chunk, function, chunk) for chunk in chunks]
            for future in futures:
                results += future.result()
        except (BrokenExecutor, KeyboardInterrupt) as error:
            for future in futures:
                future.cancel()
            if not stopping() or (isinstance(error, KeyboardInterrupt) and not _came_from(futures, error)):
                if isinstance(error, KeyboardInterrupt):
                    raise
                raise WorkerDied(str(error)) from None
            results += _evaluate_chunk(function, items[len(results) :])
        return results

    def close(self, wait=True):
        self._executor.shutdown(wait=wait, cancel_futures=True)


def _came_from(futures, error):
    """Whether the exception was raised in a worker, rather than by a signal to this process."""
    return any(future.done() and not future.cancelled() and future.exception() is error for future in futures)
