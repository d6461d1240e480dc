"""Functions in worker processes of this machine, as an executor that ends: after Ctrl-C, and when a worker is killed.

A thread of this process holds each worker, hands it one task at a time, and waits for the result. So nothing is ever
written to a worker that does not read, and the end of a worker costs only its own task. Python's `ProcessPoolExecutor`
can wait for ever in both cases (3.11.2, as in Debian 12): one of its threads writes into a full pipe that nobody reads.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import ParamSpec, TypeVar

from pacman.core.errors import InputError

END_SECONDS = 5.0
"""How long a worker may take to end in order. Then it is killed."""
_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy threads and open files of this process

P = ParamSpec("P")
R = TypeVar("R")


_ENDED = (
    "a worker process ended {}before it had a result; somebody killed it, or there is too little memory: "
    "try a smaller --jobs"
)


class WorkerEnded(InputError):
    """A worker ended before it had a result. Its pool starts another one."""


@dataclass(frozen=True)
class _Worker:
    process: SpawnProcess
    connection: Connection


class WorkerPool(Executor):
    """Runs functions in up to `size` processes; each starts when it is needed. Leave it as a context manager.

    If an exception leaves the `with` block, the pool gives up all tasks. A worker gets no Ctrl-C, and it ends when this
    process ends. Each worker enters the context `in_worker(number)` before its first task; the one that replaces it has
    the same number, from 0 to `size` - 1.
    """

    def __init__(self, size: int, in_worker: Callable[[int], AbstractContextManager[object]] = nullcontext) -> None:
        self._in_worker = in_worker
        self._threads = ThreadPoolExecutor(size)
        self._lock = threading.Lock()
        """Held while a worker starts, and where `_workers` and `_has_ended` are used."""
        self._free = [*reversed(range(size))]
        """The numbers that no thread uses; the one that was used last comes next, since its worker has started."""
        self._workers: dict[int, _Worker] = {}
        self._has_ended = False

    def submit(self, function: Callable[P, R], /, *arguments: P.args, **options: P.kwargs) -> Future[R]:
        """Runs a function in a worker. The future raises WorkerEnded if that worker ends first; the others go on."""
        return self._threads.submit(self._run, partial(function, *arguments, **options))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more tasks. With `wait`, waits for those that it has, and ends the workers."""
        try:
            self._threads.shutdown(wait, cancel_futures=cancel_futures)
        except BaseException:  # raised again
            self.give_up()
            raise
        if wait:
            self._end(lambda worker: worker.connection.close())

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.give_up()

    def give_up(self) -> None:
        """Ends the workers now, and gives up all tasks."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._end(lambda worker: worker.process.terminate())

    def _end(self, ask: Callable[[_Worker], None]) -> None:
        """Asks the workers to end, and kills those that do not do so in time. A second Ctrl-C kills them at once."""
        with self._lock:
            self._has_ended = True
            workers = [*self._workers.values()]
        try:
            for worker in workers:
                ask(worker)
            until = time.monotonic() + END_SECONDS
            for worker in workers:
                worker.process.join(max(0.0, until - time.monotonic()))
        finally:
            for worker in workers:
                worker.process.kill()
            self._threads.shutdown()  # each thread sees the end of its worker
            for worker in workers:
                worker.process.join()
                worker.connection.close()

    # ---- in a thread of the pool

    def _run(self, call: Callable[[], R]) -> R:
        task = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        number = self._free.pop()
        try:
            with self._lock:
                if self._has_ended:
                    raise WorkerEnded(_ENDED.format(""))
                worker = self._workers.get(number) or self._start(number)
            try:
                worker.connection.send_bytes(task)
                reply = worker.connection.recv_bytes()
            except (EOFError, OSError):
                self._drop(number)
                raise WorkerEnded(_ENDED.format("")) from None
        finally:
            self._free.append(number)
        result: R
        result, error = pickle.loads(reply)
        if error is not None:
            raise error
        return result

    def _start(self, number: int) -> _Worker:
        if sys.platform != "win32":
            # This thread, and the worker from its first moment, leave Ctrl-C to the main thread.
            resource_tracker.ensure_running()  # otherwise `start` does this, and ends the blocking
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        connection, of_worker = _SPAWN.Pipe()
        with of_worker:
            process = _SPAWN.Process(target=_work, args=(of_worker, self._in_worker, number), daemon=True)
            process.start()
        worker = self._workers[number] = _Worker(process, connection)
        return worker

    def _drop(self, number: int) -> None:
        """Removes a worker that has ended, so that the next task with its number gets a new one."""
        worker = self._workers[number]
        worker.process.join(END_SECONDS)
        with self._lock:
            if not self._has_ended:
                worker.process.kill()
                worker.connection.close()
                del self._workers[number]


def in_order(pool: Executor, calls: Iterable[Callable[[], R]], ahead: int) -> Iterator[R]:
    """The results of calls, in their order, each when it is there. At most `ahead` calls run or wait at a time.

    A call whose worker ends runs once more. WorkerEnded if that worker ends too.
    """
    waiting: deque[tuple[Callable[[], R], Future[R]]] = deque()

    def first_result() -> R:
        call, future = waiting.popleft()
        with suppress(WorkerEnded):
            return future.result()
        try:
            return pool.submit(call).result()
        except WorkerEnded:
            raise WorkerEnded(_ENDED.format("twice ")) from None

    for call in calls:
        if len(waiting) == ahead:
            yield first_result()
        waiting.append((call, pool.submit(call)))
    while waiting:
        yield first_result()


# ---- in a worker


def _work(connection: Connection, in_worker: Callable[[int], AbstractContextManager[object]], number: int) -> None:
    """Runs tasks until the process that started this one wants no more or has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with in_worker(number), suppress(EOFError, OSError):
        while True:
            connection.send_bytes(_reply(connection.recv_bytes()))


def _reply(task: bytes) -> bytes:
    """The result of a task and no error, or no result and its error, with the place in a note."""
    try:
        return pickle.dumps((pickle.loads(task)(), None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # whatever a task raises is its result
        error.add_note(traceback.format_exc())
        return pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)


def _end_with_parent() -> None:
    """Waits until the process that started this one has ended, however it ended, and ends this one."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)
