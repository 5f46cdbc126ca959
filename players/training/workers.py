"""Work items spread over a ``concurrent.futures.Executor``.

The default executor is a thread pool: the kernels that do the work release Python's lock. Any other executor does as well,
because an item is plain data and the function that evaluates it can be found by its name; ``--executor module:factory``
names a function of the number of workers that makes one. ``concurrent.futures:ProcessPoolExecutor`` is such a factory, and
so is ``mpi4py.futures:MPIPoolExecutor``.

Of an executor it is asked that it has ``submit`` and ``shutdown(wait)``, and that its futures have ``result(timeout)``,
``done``, ``cancel``, ``cancelled`` and ``exception``. Machines of a cluster die, and not every executor says so: when no
worker has answered for ``PATIENCE`` seconds, they count as dead.
"""

import concurrent.futures
import os
import signal
import time
import traceback
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import NamedTuple

from engine.texts import shortened
from players.kinds import named_object
from players.training.folder import RunError

_CHUNKS_PER_WORKER = 8  # enough that no worker idles long at the end of a generation, few enough to be cheap to send
PATIENCE = 600.0  # seconds without a single answer: our choice, more than a cluster takes to start and to compile
_LOOKS = 4  # at whether any other worker has answered, in that time
_SHOWN = 200  # characters of what an executor says of its failure


class WorkerDied(Exception):
    """Workers are gone, and perhaps the executor with them; the message says what is known."""


class Silence(WorkerDied):
    """Nobody says that they are gone, but none of them answers; whoever waits for them waits in vain."""


class _Failed(NamedTuple):
    """What the work itself raised in a worker. So whatever else comes out of a future is a failure of the executor."""

    error: Exception
    where: str  # its traceback, which does not travel with it


class _Elsewhere(Exception):
    """The cause of an error that was raised in a worker: its traceback there."""

    def __str__(self):
        return f"\n{self.args[0]}"


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


class _Parcel:
    """What travels to a worker and back, as one thing: Dask looks into lists and tuples, and makes plain arrays of records."""

    def __init__(self, content):
        self.content = content


def _evaluate_chunk(parcel):
    function, items = parcel.content
    try:
        return _Parcel([function(item) for item in items])
    except Exception as error:
        return _Parcel(_Failed(error, traceback.format_exc()))


class Workers:
    """An executor and how to give it work. ``spec`` is the ``module:factory`` of another executor than threads.

    ``patience`` is for how many seconds it waits without an answer of any worker; threads cannot die.
    """

    def __init__(self, count=None, spec=None, patience=PATIENCE):
        self.count = count or core_count()
        self._patience = patience if spec else None
        try:
            self._executor = (named_object(spec) if spec else threads)(self.count)
        except Exception as error:  # whatever a foreign factory may raise
            raise RunError(f"cannot make an executor from {spec or 'threads'}: {error}") from None
        if not hasattr(self._executor, "submit"):
            raise RunError(f"{spec} did not make an executor: it has no submit()")

    def evaluate(self, function, items, stopping=lambda: False):
        """``[function(item) for item in items]``, spread over the workers.

        If workers die of the signal that asked the run to stop (``stopping()``), their items are done in this process.
        WorkerDied if they die of anything else, or do not answer any more.
        """
        step = max(1, len(items) // (self.count * _CHUNKS_PER_WORKER))
        chunks = [items[start : start + step] for start in range(0, len(items), step)]
        futures, results, failed = [], [], None
        try:
            for chunk in chunks:
                futures.append(self._executor.submit(_evaluate_chunk, _Parcel((function, chunk))))
            for future in futures:
                answer = self._answer(future, futures).content
                if isinstance(answer, _Failed):
                    failed = answer
                    break
                results += answer
        except (Exception, KeyboardInterrupt) as error:
            _cancel(futures)
            if isinstance(error, KeyboardInterrupt) and not (stopping() and _came_from(futures, error)):
                raise
            if isinstance(error, WorkerDied) or not stopping():
                raise _in_words(error) from None
            results += [function(item) for item in items[len(results) :]]
        if failed is not None:
            _cancel(futures)
            raise failed.error from _Elsewhere(failed.where)
        return results

    def _answer(self, future, futures):
        """The result of a future; Silence if there is none of any of ``futures`` for too long."""
        done, since = -1, time.monotonic()
        while True:
            try:
                return future.result(None if self._patience is None else self._patience / _LOOKS)
            except concurrent.futures.TimeoutError:  # ours, or one of the executor
                if future.done():
                    raise
            count, now = sum(other.done() for other in futures), time.monotonic()
            if count != done:
                done, since = count, now
            elif now - since >= self._patience:
                raise Silence(f"no worker has answered for {self._patience:g} seconds")

    def close(self, wait=True):
        self._executor.shutdown(wait=wait)


def _cancel(futures):
    for future in futures:
        future.cancel()


def _in_words(error):
    """The WorkerDied of an executor's failure."""
    if isinstance(error, WorkerDied):
        return error
    told = shortened(str(error) or type(error).__name__, _SHOWN)
    return WorkerDied(f"a worker died: {told}" if isinstance(error, BrokenExecutor) else f"the workers failed: {told}")


def _came_from(futures, error):
    """Whether the exception was raised in a worker, rather than by a signal to this process."""
    return any(future.done() and not future.cancelled() and future.exception() is error for future in futures)
