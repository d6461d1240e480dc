"""Lets SIGTERM and SIGHUP end the grader in order, so that it deletes its copy of a submission."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def exits_in_order() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP raise SystemExit with the status 128 + their number, once.

    Does nothing for a signal that is ignored (as after `nohup`) or handled already, and outside the main thread.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []

    def stop(number: int, frame: object) -> None:
        for each in numbers:  # a second signal must not interrupt the cleaning up
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)

    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
