"""Frames in time: what else runs in the program may not keep the window waiting."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SWITCH_SECONDS = 0.0005
"""An agent that thinks in Python lets the window run after so long; by default it would be a third of a frame."""


@contextmanager
def steady() -> Iterator[None]:
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
