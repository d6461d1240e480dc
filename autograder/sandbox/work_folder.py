"""Folders with copies of students' files. What a killed process has left is removed when another one starts.

A process locks its folders as long as it lives; the system ends the locks of one that is killed. A folder gets the name
that `remove_leftovers` looks for only when it is locked. SIGTERM and SIGHUP end the grader in order (see
`exits_in_order`), so that it removes them itself.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Self

PREFIX = "pacman-grade-"


class WorkFolder:
    """A new folder that only this user can read. A context manager: leaving it removes the folder."""

    def __init__(self) -> None:
        remove_leftovers()
        made = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}")).resolve()
        self._lock = _locked(made)
        self.path = made.rename(made.with_name(made.name.removeprefix("new-")))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Removes the folder with everything in it."""
        _remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@cache
def remove_leftovers() -> None:
    """Removes the folders of processes that do not live any more, once per process. Does nothing on Windows."""
    if sys.platform == "win32":
        return
    for path in Path(tempfile.gettempdir()).resolve().glob(f"{PREFIX}*"):
        try:
            lock = _locked(path) if path.lstat().st_uid == os.getuid() else None
        except OSError:  # locked, no folder, or removed meanwhile
            continue
        if lock is not None:
            _remove(path)
            os.close(lock)


def _locked(path: Path) -> int | None:
    """A lock of a folder; None on Windows. OSError if another process has it."""
    if sys.platform == "win32":
        return None
    import fcntl

    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        raise
    return number


def _remove(path: Path) -> None:
    def with_rights(remove: Callable[..., Any], name: str, error: object) -> None:
        """Tries again with the rights to do it. What is above the folder is not ours, and keeps its rights."""
        for place in map(Path, (os.path.dirname(name), name)):
            if place.is_relative_to(path) and not place.is_symlink():
                place.chmod(stat.S_IRWXU)
        remove(name)

    try:
        shutil.rmtree(path, onerror=with_rights)
    except OSError:
        return  # what cannot be removed stays: no grading ends because of it


@contextmanager
def exits_in_order() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP raise SystemExit with the status 128 + their number, once.

    From then on they do nothing, so that a second one does not interrupt the cleaning up, here and later.
    Does nothing for a signal that is ignored (as after `nohup`) or handled already, and outside the main thread.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []

    def stop(number: int, frame: object) -> None:
        for each in numbers:
            signal.signal(each, lambda *_: None)
        numbers.clear()
        sys.exit(128 + number)

    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
