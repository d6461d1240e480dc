"""Worker processes on this machine, as an executor. They end with the process that started them, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.queues import SimpleQueue

from autograder.sandbox.work_folder import exits_in_order

END_SECONDS = 5.0
"""How long a worker may take to delete the files of its sandbox after the end of the process that started it."""


@contextmanager
def local_workers(count: int) -> Iterator[Executor]:
    """An executor with `count` processes. When the `with` block is left by an exception, running jobs are given up."""
    context = multiprocessing.get_context("spawn")  # a fork would copy threads and open files of this process
    lifeline, our_end = context.Pipe(duplex=False)
    cores: SimpleQueue[int | None] = context.SimpleQueue()
    for core in _cores(count):
        cores.put(core)
    executor = ProcessPoolExecutor(count, context, _prepare, (lifeline, cores))
    try:
        yield executor
    except BaseException:  # raised again
        our_end.close()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        our_end.close()
        lifeline.close()


def _cores(count: int) -> Sequence[int | None]:
    """The core of each worker, if the workers take all cores of this machine.

    A worker and the sandbox of its submission take turns: on one core, they need a fifth less time than on two. With
    fewer workers than cores, the system chooses: two gradings at the same time could have chosen the same cores.
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) == count:
            return cores
    return [None] * count


def _prepare(lifeline: Connection, cores: SimpleQueue[int | None]) -> None:
    """Prepares a worker: Ctrl-C is for the process that started it, and with the end of that process it ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    core = cores.get()
    if sys.platform == "linux" and core is not None:
        os.sched_setaffinity(0, {core})  # its sandboxes inherit it
    exits_in_order().__enter__()
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    """Waits until the other end of the pipe is closed, which the system does at the latest, and ends this process."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_SECONDS)
        os._exit(1)
