"""The environment variables that our programs read, set and pass on. No other file looks at `os.environ`.

Python and the libraries read more: rich and typer, for example, the width COLUMNS, and tempfile the folder TMPDIR. One
variable is set elsewhere: `program_imports` sets PYTHONSAFEPATH, and must not import anything.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

READ: Mapping[str, str] = {
    "CI": "continuous integration: no file in the user's cache is written",
    "COLORTERM": "the colours of the terminal",
    "DISPLAY": "the display of X11",
    "HOME": "the user's folder, where his cache is",
    "LD_LIBRARY_PATH": "passed on to graded code, whose Python may need it",
    "LOCALAPPDATA": "the user's cache on Windows",
    "NO_COLOR": "a terminal without colours",
    "PYTHONBREAKPOINT": "another debugger for `breakpoint()`",
    "PYTHONSAFEPATH": "set for the grading processes of a cluster",
    "PYGAME_HIDE_SUPPORT_PROMPT": "set for pygame, which would print a line",
    "SDL_VIDEODRIVER": "how pygame shows a window; set while a window opens",
    "SDL_WINDOWS_DPI_AWARENESS": "set for pygame: sharp windows on Windows",
    "SYSTEMROOT": "passed on to graded code, whose Python needs it on Windows",
    "TERM": "the kind of the terminal",
    "WAYLAND_DISPLAY": "the display of Wayland",
    "WT_SESSION": "the terminal of Windows, which has all colours",
    "XDG_CACHE_HOME": "the user's cache",
}
"""Each variable -> what it is for."""
PASSED_TO_GRADED_CODE = ("SYSTEMROOT", "LD_LIBRARY_PATH")


def variables() -> dict[str, str]:
    """Those variables of `READ` that are set."""
    return {name: os.environ[name] for name in READ if name in os.environ}


def set_default(name: str, value: str) -> None:
    """Sets a variable, for a library or a process that starts later, unless the user has set it."""
    assert name in READ
    os.environ.setdefault(name, value)


@contextmanager
def setting(name: str, value: str) -> Iterator[None]:
    """In the `with` block, a variable that was not set has this value."""
    assert name in READ
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def all_with(**values: str) -> dict[str, str]:
    """The whole environment with these variables, for a process of our own code."""
    return {**os.environ, **values}


def cache_folder(values: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """The user's folder for files of ours that may be lost; None if he has no home folder."""
    values = variables() if values is None else values
    if platform == "win32":
        base = values.get("LOCALAPPDATA", "")
    elif platform == "darwin":
        base = os.path.join(values["HOME"], "Library", "Caches") if values.get("HOME") else ""
    else:
        home = os.path.join(values["HOME"], ".cache") if values.get("HOME") else ""
        base = values.get("XDG_CACHE_HOME") or home
    return Path(base) / "pacman-search" if base else None
