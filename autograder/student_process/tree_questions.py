"""What questions need in the student's process: limits of time and of a search, evaluations, the output."""

from __future__ import annotations

import io
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TextIO

from autograder.student_process.plain_values import MAX_TEXT, EndlessSearch, OutOfTime, TooManySuccessors
from pacman.core.tree import Evaluation, NodeWrapper
from pacman.record.trace import Trace
from pacman.record.watcher import WatchedTrace

if TYPE_CHECKING:
    from mmap import mmap  # not in every browser's Python

SECONDS = 2.0
"""The processor time for a search, which ends by its number of lines unless it loops in other code."""
MAX_LINES = 100_000
"""The most lines of the watched files between two successors. A search needs some tens."""
LOOP_LINES = 10_000
"""The lines after these, in which the call with the loop is found; and after these, the lines until it is left."""


def end_process_after(seconds: float) -> None:
    """Ends this process with the signal SIGPROF when it has used so much more processor time.

    A timer of this kind also ends a loop in C, and other programs on the machine do not change the result.
    """
    if sys.platform != "win32":  # there, only the time limit of the session ends such a search
        signal.setitimer(signal.ITIMER_PROF, seconds)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Inside, OutOfTime is raised where the code is, after `seconds` or at the end of the time of the process.

    Both are processor time. Code that catches it gets the same error at its end. It ends with its process, a second
    after the end of that time, as does code that computes in C.
    """
    if sys.platform == "win32":
        yield
        return

    stopped = list[int]()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.append(number)
        raise OutOfTime(OutOfTime.TEXT)

    for each in (signal.SIGXCPU, signal.SIGVTALRM):
        signal.signal(each, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    if stopped:
        raise OutOfTime(OutOfTime.TEXT)


class LimitedTrace(Trace):
    """A trace that ends the search with TooManySuccessors when this has made more than `limit` successors."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.is_over = False

    def generate(self, parent: int, action: str) -> int:
        """Records a successor, as `Trace` does. After the last one, every call raises TooManySuccessors."""
        if len(self.successors) >= self.limit:
            self.is_over = True
            self.check()
        return super().generate(parent, action)

    def check(self) -> None:
        """Raises TooManySuccessors if the search tried to make too many, also if it has caught that error."""
        if self.is_over:
            raise TooManySuccessors(f"the search made more than {self.limit:,} successors in this small tree")


class WatchedLimitedTrace(WatchedTrace, LimitedTrace):
    """A trace with a limit that also reports each successor to a watcher."""


def kept_values(module: ModuleType, agent: object) -> dict[str, str]:
    """What stays from one call to the next, by its name, as a text that differs if it changed.

    These are global names, default arguments that can change, and what classes and the agent hold.
    """
    kept = {f"self.{name}": value for name, value in getattr(agent, "__dict__", {}).items()}
    classes = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    for place, start in (*((each, f"{each.__name__}.") for each in classes), (module, "")):
        for name, value in vars(place).items():
            if isinstance(value, FunctionType) and value.__defaults__ and value.__module__ == module.__name__:
                names = value.__code__.co_varnames[: value.__code__.co_argcount]
                pairs = zip(reversed(names), reversed(value.__defaults__), strict=False)
                kept.update((name, default) for name, default in pairs if isinstance(default, list | dict | set))
            elif not name.startswith("__"):
                kept[start + name] = value
    return {name: _mark(value) for name, value in kept.items()}


def _mark(value: object) -> str:
    is_long = type(value) is int and value.bit_length() > 9_999  # Python writes none with so many digits
    if value is None or (type(value) in (bool, int, float, str) and not is_long):
        return repr(value)[:MAX_TEXT]
    return f"{id(value)} {len(value) if isinstance(value, list | dict | set | deque) else ''}"


def changed_names(before: Mapping[str, str], after: Mapping[str, str], source: Sequence[str]) -> list[list[Any]]:
    """The names of which the value changed, each with the first line of the source that sets it, 0 if none is seen."""
    changed = [name for name, mark in after.items() if name in before and before[name] != mark]
    return [[name, _line_of(name, source) or _line_of(name.rpartition(".")[2], source)] for name in changed]


def _line_of(name: str, source: Sequence[str]) -> int:
    sets = re.compile(rf"(?<![\w.]){re.escape(name)}\s*(:[^=]*)?=(?!=)")
    return next((number for number, line in enumerate(source, 1) if sets.search(line)), 0)


COUNT = 8
"""So many bytes at the start of the memory of an output say how many bytes were printed."""


@contextmanager
def line_limit(files: Container[str], trace: Trace) -> Iterator[None]:
    """Ends a watched search that would never end, at the same line on every machine: it counts lines, not seconds.

    After `MAX_LINES` lines of these files, named as in tracebacks, without a new successor, it looks for the innermost
    call that goes on: that has the loop. When this call comes to the first line of its loop again, EndlessSearch is
    raised there. Code that catches it, or that computes without a new line, ends only with its process.
    """
    lines = _LineCounter(files, trace)
    # Python calls this for every call, also of our own code
    sys.settrace(lambda frame, event, argument: lines if frame.f_code.co_filename in files else None)
    try:
        yield
    finally:
        sys.settrace(None)


class _LineCounter:
    """The trace function of the calls in these files."""

    def __init__(self, files: Container[str], trace: Trace) -> None:
        self.files, self.successors, self.count = files, trace.successors, 0
        self.made = 0
        """How many successors there were when the count began."""
        self.loop: FrameType | None = None
        """The innermost call that has not ended since it was looked for."""
        self.first = 0
        """The first line that was executed in it since then."""

    def __call__(self, frame: FrameType, event: str, argument: object) -> _LineCounter:
        if event == "line":
            self.count += 1
            if self.count > MAX_LINES:
                self._look(frame)
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


class Output(io.BufferedIOBase):
    """A file of bytes that keeps the last ones that are written, and counts all. `show` gets each text.

    Both are in a `memory`, for `printed`: the count, then the bytes in a ring. The grader shares the memory, so it can
    read it also after the process was killed. By default nothing is kept.
    """

    name = "<stdout>"

    def __init__(self, memory: mmap | bytearray | None = None, show: Callable[[str], object] | None = None) -> None:
        self.memory, self.show, self.count = bytearray(COUNT) if memory is None else memory, show, 0
        self.most = len(self.memory) - COUNT

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Any) -> int:
        """Takes some bytes, in a time that depends on them alone."""
        if self.most:
            last = bytes(data)[-self.most :]
            place = COUNT + (self.count + len(data) - len(last)) % self.most
            first = last[: COUNT + self.most - place]
            self.memory[place : place + len(first)] = first
            self.memory[COUNT : COUNT + len(last) - len(first)] = last[len(first) :]
        self.count += len(data)
        self.memory[:COUNT] = self.count.to_bytes(COUNT, "big")
        if self.show:
            self.show(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def as_stream(self) -> TextIO:
        """A stream with all that the standard output has, for example `reconfigure`, which writes to this file.

        It writes each line when it is whole, and what is shown at once.
        """
        return io.TextIOWrapper(self, "utf-8", "replace", line_buffering=True, write_through=self.show is not None)


def printed(memory: bytes) -> tuple[bytes, int]:
    """The last bytes that were written to the memory of an `Output`, and how many were written in all.

    >>> output = Output(bytearray(COUNT + 4))
    >>> [(output.write(text), printed(output.memory)[0]) for text in (b"abc", b"de", b"fghijk")]
    [(3, b'abc'), (2, b'bcde'), (6, b'hijk')]
    """
    count, ring = int.from_bytes(memory[:COUNT], "big"), memory[COUNT:]
    place = count % len(ring) if ring and count > len(ring) else 0
    return bytes(ring[place:] + ring[:place])[:count], count


def _score(node: Any) -> float:
    """The score of a node, or of a Berkeley-style state."""
    score: float = node.getScore() if hasattr(node, "getScore") else node.score
    return score


def shifted_score(shift: float) -> Evaluation:
    """An evaluation: the score plus `shift`."""
    return lambda node: _score(node) + shift


class NegatedScore(NodeWrapper):
    """A node whose score is the negative of the score of the node inside."""

    __slots__ = ()

    @property
    def score(self) -> float:  # type: ignore[override]
        """The negative of the score inside."""
        return -self._node.score

    def successor(self, action: str) -> NegatedScore:
        """The wrapped successor."""
        return NegatedScore(self._node.successor(action))


def negated_score(node: Any) -> float:
    """The score before `NegatedScore` negated it."""
    return -_score(node)
