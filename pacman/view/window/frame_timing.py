"""Frames in time while agents think in other threads, and Ctrl-C only between two frames."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SWITCH_SECONDS = 0.0005
"""The time after which an agent's thread lets the window run; Python's default is a third of a frame."""


@contextmanager
def frequent_thread_switches() -> Iterator[None]:
    """In this context threads switch more often, and the garbage collector ignores the objects that exist already.

    At the end both settings are restored.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # a full collection would examine all libraries, for the time of two frames
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


@contextmanager
def delayed_interrupts() -> Iterator[Callable[[], None]]:
    """In this context an interrupt (Ctrl-C) is raised only by the yielded function, or at the end of the context.

    The drawing library could otherwise lose it. Outside the main thread, which gets no interrupts, nothing changes.
    """
    signals: list[int] = []

    def raise_interrupt() -> None:
        if signals:
            signals.clear()
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield raise_interrupt
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: signals.append(number))
    try:
        yield raise_interrupt
    finally:
        signal.signal(signal.SIGINT, before)
    raise_interrupt()
