"""Frames in time, whatever else runs in the program, and Ctrl-C between two of them."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SWITCH_SECONDS = 0.0005
"""An agent that thinks in Python lets the window run after so long; by default it would be a third of a frame."""


@contextmanager
def responsive_threads() -> Iterator[None]:
    """While it lasts threads take turns more often, and the garbage collector passes over what was there before.

    Both are as they were afterwards.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # a full collection looks through all libraries, which takes two frames
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(before)


@contextmanager
def delayed_interrupts() -> Iterator[Callable[[], None]]:
    """While it lasts an interrupt only counts when the function that it hands out is called: that raises it.

    Inside the drawing library it can get lost. One that comes too late for a call is raised at the end. Outside the
    main thread, which gets none, nothing changes.
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
