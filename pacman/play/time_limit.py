"""A call with a time limit, for code that may never return."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")
T = TypeVar("T")


class OutOfTime(Exception):
    """The call did not return in time."""


class _Abandoned(BaseException):
    """Thrown into a thread that nobody waits for any more."""


def bounded(call: Callable[[A], T], argument: A, seconds: float) -> T:
    """`call(argument)`, or OutOfTime after `seconds`; whatever the call raises is raised here.

    The call runs in a thread of its own. One that is too late is asked to stop at its next Python step; if it
    does not (it swallows everything, or waits in C), it goes on unheard, and does not keep the program alive. One long
    step in C that lets no other thread run, as `sum(range(10**12))`, cannot be left: only a process of its own could.
    """
    answer: list[T] = []
    fault: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(call(argument))
        except _Abandoned:
            pass
        except BaseException as error:  # handed on to the caller, not lost
            fault.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Abandoned))
        raise OutOfTime
    if fault:
        raise fault[0]
    return answer[0]
