"""Where an error happened in the code of an agent: the frames of its own files, without those of this project."""

from __future__ import annotations

import os
import sys
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path

from pacman.core.errors import printable

MOST_FRAMES = 12
"""The most frames of a traceback. Python itself shortens a long recursion of one line."""
PACKAGES = ("pacman", "agents", "autograder")
_PROJECT = Path(os.path.abspath(__file__)).parents[2]  # its name may contain `..`
_PYTHON = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_OTHERS = tuple(f"{folder}{os.sep}" for folder in (*(_PROJECT / name for name in PACKAGES), *_PYTHON))


def own_frames(agent: object, frames: Iterable[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """The frames in the agent's own code: in the file of its class, or in a file outside this project and Python."""
    module = sys.modules.get(type(agent).__module__)
    own_file = getattr(module, "__file__", None)
    return [frame for frame in frames if frame.filename == own_file or not is_other_code(frame.filename)]


def location(frames: Iterable[traceback.FrameSummary]) -> str:
    """The innermost of these frames as FILE:LINE, relative to the current folder; "" if there is none."""
    *_, frame = (None, *frames)
    if frame is None:
        return ""
    path = Path(os.path.abspath(frame.filename))
    short_path = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else Path(path.name)
    return printable(f"{short_path}:{frame.lineno}")


def traceback_text(reason: str, frames: Iterable[traceback.FrameSummary]) -> str:
    """These frames as Python prints them (the last `MOST_FRAMES` if there are more), and the reason below them."""
    own = list(frames)
    stack = traceback.StackSummary.from_list(own[-MOST_FRAMES:])
    skipped = [f"  (the first {len(own) - MOST_FRAMES} calls are left out)"] if len(own) > MOST_FRAMES else []
    lines = [line for part in stack.format() for line in part.rstrip("\n").split("\n")]
    return "\n".join(["Traceback (most recent call last):", *skipped, *map(printable, lines), reason])


def is_other_code(file: str) -> bool:
    """True for a file of this project, of Python or of an installed package, and for code without a file."""
    return file.startswith("<") or os.path.abspath(file).startswith(_OTHERS)
