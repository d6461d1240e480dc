"""`--reload`: watches the files of the agents that play, and loads them again when one is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from agents import load
from pacman.core.errors import InputError


class Reloader:
    """Called now and then: None while no file has changed, "" after the changed files were loaded, else the error.

    `create` creates the agents from their files; it raises InputError if a file has a mistake. The files are those of
    the agents, and the files in their folders that they import.
    """

    def __init__(self, files: Iterable[str], create: Callable[[], None]) -> None:
        self._files = [Path(file) for file in files]
        self._create = create
        self._before = self._stamps()

    def __call__(self) -> str | None:
        """What has changed since the last call; a file that is missing for a moment has not changed."""
        self._before = self._stamps() | self._before  # files that were imported since the last call are not new
        now = {path: _stamp(path) for path in self._before}
        if now == self._before or None in now.values():
            return None
        load.forget_files(self._files)
        try:
            self._create()
        except InputError as error:
            return str(error)
        finally:
            self._before = now
        return ""

    def _stamps(self) -> dict[Path, tuple[int, int] | None]:
        """When each file was changed last, and its size; None for a missing file."""
        return {path: _stamp(path) for path in (*self._files, *load.imported_files(self._files))}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
