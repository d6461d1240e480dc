"""Records the calls of a student's own methods during one search: which node, which window, and what came back."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from math import inf, isinf
from types import FrameType
from typing import Any

from pacman.core.trace import CountedNode, Trace

MAX_CALLS = 40_000
"""The calls and returns that are recorded; later ones are left out."""
SECONDS = 1.0
"""The processor time for a recorded search, so that the calls before an endless loop are known."""
Call = tuple[int, int, bool, bool, float | None, float | None]
"""One call of a method, or its return.

The number of successors that were made before; the number of the node in the trace; True for a return; True if the
window is known; alpha or the returned value; beta. None is an infinite end of a window, or an unknown value.
"""


class OutOfTime(BaseException):
    """The recorded search took too long. A student's `except Exception` does not catch this error."""


class CallLog:
    """The calls of a search, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def __bool__(self) -> bool:
        return True

    def logged(
        self, recorded: Callable[..., Any], method: Callable[..., Any], trace: Trace, value_in: Callable[[Any], Any]
    ) -> Callable[..., Any]:
        """`recorded`, which calls the `method` of an agent; each call with a node is written to this log."""
        parameters = signature(method)

        @wraps(method)
        def logged(*positional: Any, **keywords: Any) -> Any:
            try:
                arguments = parameters.bind(None, *positional, **keywords).arguments
            except TypeError:  # a wrong call: the method itself raises the error
                return recorded(*positional, **keywords)
            node = list(arguments.values())[1] if len(arguments) > 1 else None
            if not isinstance(node, CountedNode):
                return recorded(*positional, **keywords)
            window = [_end(arguments.get(name)) for name in ("alpha", "beta")]
            is_known = all(end is not None for end in window) and window[0] != inf and window[1] != -inf
            alpha, beta = (None if end is None or isinf(end) else end for end in window)
            self._add((len(trace.successors), node.number, False, is_known, alpha, beta))
            result = recorded(*positional, **keywords)
            self._add((len(trace.successors), node.number, True, False, value_in(result), None))
            return result

        return logged

    def _add(self, call: Call) -> None:
        if len(self.calls) < MAX_CALLS:
            self.calls.append(call)


def _end(value: Any) -> float | None:
    """An end of a window, if `value` is a number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


@contextmanager
def time_limit() -> Iterator[None]:
    """Raises OutOfTime when the block has used `SECONDS` of processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"no answer within {SECONDS:g} s of processor time")

    if sys.platform in ("win32", "emscripten"):  # there, only the time limit of the session ends a search that hangs
        yield
        return
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
