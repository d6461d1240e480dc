"""Calls a function with a time limit, since an agent may never return."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Sequence
from traceback import FrameSummary, StackSummary, walk_stack
from typing import TypeVar

A = TypeVar("A")
T = TypeVar("T")


class OutOfTime(Exception):
    """The call did not return in time. `stack` is where it was at that moment, the innermost call last."""

    def __init__(self, stack: Sequence[FrameSummary] = ()) -> None:
        super().__init__("the call did not return in time")
        self.stack = stack


class _Abandoned(BaseException):
    """Raised inside a thread that ran out of time, to stop it."""


def call_with_time_limit(call: Callable[[A], T], argument: A, seconds: float) -> T:
    """The result of `call(argument)`. OutOfTime after `seconds`; an exception of the call is raised here too.

    The call runs in a separate thread. After the time limit the thread gets an exception at its next Python step. If
    it catches that exception or waits in C code, it runs on in the background, but it does not keep the program alive.
    One limit remains: a long step in C that lets no other thread run, such as `sum(range(10**12))`, cannot be
    interrupted. Only a separate process could stop it.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call(argument))
        except _Abandoned:
            pass
        except BaseException as error:  # the caller gets it
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if thread.is_alive() and thread.ident is not None:
        stack = StackSummary.extract(walk_stack(sys._current_frames().get(thread.ident)))
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Abandoned))
        raise OutOfTime(stack[::-1])
    if errors:
        raise errors[0]
    return results[0]
