"""Worker processes on this machine, as an executor. They end with the process that started them, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection

from autograder.sandbox.stop_signals import exits_in_order

END_SECONDS = 5.0
"""How long a worker may take to delete the files of its sandbox after the end of the process that started it."""


@contextmanager
def local_workers(count: int) -> Iterator[Executor]:
    """An executor with `count` processes. When the `with` block is left by an exception, running jobs are given up."""
    context = multiprocessing.get_context("spawn")  # a fork would copy threads and open files of this process
    lifeline, our_end = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(count, context, _prepare, (lifeline,))
    try:
        yield executor
    except BaseException:  # raised again
        our_end.close()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        our_end.close()
        lifeline.close()


def _prepare(lifeline: Connection) -> None:
    """Prepares a worker: Ctrl-C is for the process that started it, and with the end of that process it ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
