"""Opens files and folders without following a link. What is opened is what is read, whatever happens to its path later.

Where the system allows it (not on Windows), the files in a folder are opened through the open folder.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO, Self

_HAS_OPEN_FOLDERS = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and os.listdir in os.supports_fd
# O_NONBLOCK: opening a named pipe must not wait for a writer.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class LinkFound(OSError):
    """The file or folder is a link."""


class Folder:
    """An open folder, a context manager. Without a `descriptor`, its files are found by their paths."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self._path, self._descriptor = path, descriptor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def names(self) -> list[str]:
        """The names of the files and folders in it, sorted."""
        return sorted(os.listdir(self._path if self._descriptor is None else self._descriptor))

    def kind(self, name: str) -> int:
        """The kind of a file in it, as `stat.S_IFMT` gives it. That of a link is S_IFLNK."""
        place, folder = (str(self._path / name), None) if self._descriptor is None else (name, self._descriptor)
        return stat.S_IFMT(os.stat(place, dir_fd=folder, follow_symlinks=False).st_mode)

    def open(self, name: str) -> IO[bytes] | Folder:
        """A file or a folder in it, opened. LinkFound for a link."""
        return _open(self._path / name, name, self._descriptor)


def open_path(path: Path) -> IO[bytes] | Folder:
    """The file or the folder at `path`, opened. LinkFound if `path` itself is a link; folders above it may be links."""
    return _open(path, str(path), None)


def is_regular(file: IO[bytes]) -> bool:
    """True for an ordinary file; false for a device, a named pipe, or a file that the system makes, as /proc/kmsg."""
    status = os.fstat(file.fileno())
    has_space = status.st_size or not hasattr(os, "statvfs") or os.fstatvfs(file.fileno()).f_blocks
    return stat.S_ISREG(status.st_mode) and bool(has_space)


def _open(path: Path, name: str, folder: int | None) -> IO[bytes] | Folder:
    place = str(path) if folder is None else name
    before = os.stat(place, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(before.st_mode):
        raise LinkFound(f"{name} is a link")
    if stat.S_ISDIR(before.st_mode) and not _HAS_OPEN_FOLDERS:
        return Folder(path, None)
    descriptor = os.open(place, _FLAGS, dir_fd=folder)
    try:
        opened = os.fstat(descriptor)
        if (opened.st_dev, opened.st_ino) != (before.st_dev, before.st_ino):
            raise OSError(errno.EBUSY, "it was replaced while it was opened", name)
        if stat.S_ISDIR(opened.st_mode):
            return Folder(path, descriptor)
        return os.fdopen(descriptor, "rb")
    except BaseException:  # raised again: only the descriptor must not stay open
        os.close(descriptor)
        raise
