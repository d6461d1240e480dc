"""An agent's own code: calls it with a time limit, and says where in its own files an error happened."""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from traceback import FrameSummary, StackSummary, extract_tb, walk_stack
from typing import TypeVar

from pacman.core.errors import line_of, printable

MOST_FRAMES = 12
"""The most frames of a traceback. Python itself shortens a long recursion of one line."""
PACKAGES = ("pacman", "agents", "autograder")
_PROJECT = Path(os.path.abspath(__file__)).parents[2]  # its name may contain `..`
_PYTHON = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_OTHERS = tuple(f"{folder}{os.sep}" for folder in (*(_PROJECT / name for name in PACKAGES), *_PYTHON))
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


def frames_of(error: BaseException) -> list[FrameSummary]:
    """The frames of an error's traceback, each with its line, also where Ctrl-C came at a jump, which has no line."""
    frames, step = extract_tb(error.__traceback__), error.__traceback__
    for frame in frames:
        if step:
            frame.lineno = line_of(step)
        step = step and step.tb_next
    return list(frames)


def own_frames(agent: object, frames: Iterable[FrameSummary]) -> list[FrameSummary]:
    """The frames in the agent's own code: in the file of its class, or in a file outside this project and Python."""
    module = sys.modules.get(type(getattr(agent, "agent", agent)).__module__)  # a Berkeley-style one is inside
    own_file = getattr(module, "__file__", None)
    return [frame for frame in frames if frame.filename == own_file or not is_other_code(frame.filename)]


def location(frames: Iterable[FrameSummary]) -> str:
    """The innermost of these frames as FILE:LINE, relative to the current folder; "" if there is none."""
    *_, frame = (None, *frames)
    if frame is None:
        return ""
    path = Path(os.path.abspath(frame.filename))
    short_path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else Path(path.name)
    return printable(f"{short_path}:{frame.lineno}")


def traceback_text(reason: str, frames: Iterable[FrameSummary]) -> str:
    """These frames as Python prints them (the last `MOST_FRAMES` if there are more), and the reason below them."""
    own = list(frames)
    stack = StackSummary.from_list(own[-MOST_FRAMES:])
    skipped = [f"  (the first {len(own) - MOST_FRAMES} calls are left out)"] if len(own) > MOST_FRAMES else []
    lines = [line for part in stack.format() for line in part.rstrip("\n").split("\n")]
    return "\n".join(["Traceback (most recent call last):", *skipped, *map(printable, lines), reason])


def is_other_code(file: str) -> bool:
    """True for a file of this project, of Python or of an installed package, and for code without a file."""
    return file.startswith("<") or os.path.abspath(file).startswith(_OTHERS)
