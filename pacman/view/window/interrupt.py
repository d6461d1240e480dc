"""Ctrl-C at a moment of our choosing: inside the drawing library it can get lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """While it lasts an interrupt only counts when the function that it hands out is called: that raises it.

    One that comes too late for that is raised at the end. Outside the main thread, which gets none, nothing changes.
    """
    came: list[int] = []

    def raise_it() -> None:
        if came:
            came.clear()
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield raise_it
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield raise_it
    finally:
        signal.signal(signal.SIGINT, before)
    raise_it()
