"""Ends a watched search that would never end, at the same line on every machine: it counts lines, not seconds.

    with line_limit(files, trace):
        part.search(node, plies)

After `MAX_LINES` lines without a new successor, it looks for the innermost call that goes on: that has the loop. When
this call comes to the first line of its loop again, EndlessSearch is raised there.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from types import FrameType

from autograder.student_process.plain_values import EndlessSearch
from pacman.core.trace import Trace

MAX_LINES = 100_000
"""The most lines of the watched files between two successors. A search needs some tens."""
LOOP_LINES = 10_000
"""The lines after these, in which the call with the loop is found; and after these, the lines until it is left."""


@contextmanager
def line_limit(files: Container[str], trace: Trace) -> Iterator[None]:
    """Raises EndlessSearch in the code of these files, named as in tracebacks, when too many lines make no successor.

    Code that catches it, or that computes without a new line, ends only with its process.
    """
    sys.settrace(_LineCounter(files, trace))
    try:
        yield
    finally:
        sys.settrace(None)


class _LineCounter:
    """The trace function of `sys.settrace`."""

    def __init__(self, files: Container[str], trace: Trace) -> None:
        self.files, self.successors, self.count = files, trace.successors, 0
        self.made = 0
        """How many successors there were when the count began."""
        self.loop: FrameType | None = None
        """The innermost call that has not ended since it was looked for."""
        self.first = 0
        """The first line that was executed in it since then."""

    def __call__(self, frame: FrameType, event: str, argument: object) -> _LineCounter | None:
        if event == "line":
            self.count += 1
            if self.count > MAX_LINES:
                self._look(frame)
        elif event == "call":
            return self if frame.f_code.co_filename in self.files else None
        elif event == "return" and frame is self.loop:
            self._take(frame.f_back)
        return self

    def _look(self, frame: FrameType) -> None:
        if len(self.successors) > self.made:
            self.made, self.count, self.loop = len(self.successors), 0, None
        elif self.count == MAX_LINES + 1:
            self._take(frame)
        elif self.count <= MAX_LINES + LOOP_LINES:
            if frame is self.loop:
                self.first = min(self.first, frame.f_lineno)
        elif self.count > MAX_LINES + 2 * LOOP_LINES or (frame is self.loop and frame.f_lineno == self.first):
            self.loop = None
            raise EndlessSearch(f"no new successor in {MAX_LINES:,} lines; perhaps a loop never ends")

    def _take(self, frame: FrameType | None) -> None:
        """The loop is in this call, or in the first one around it that is in the files."""
        while frame is not None and frame.f_code.co_filename not in self.files:
            frame = frame.f_back
        self.loop, self.first = frame, frame.f_lineno if frame else 0
