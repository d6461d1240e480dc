"""Reads files of a limited size, so that a huge or endless file is an error and not a full memory."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

from pacman.core.errors import InputError

MAX_BYTES = 1_000_000
"""The largest text file: a drawn tree of 10,000 nodes or a case with a whole game has less than a third of this."""


FROM_SHELL = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""The pipes that a shell makes for `<(PROGRAM)` and for standard input: there is a program that writes."""


def check_kind(path: Path) -> None:
    """OSError if `path` is a pipe or a device, from which reading may never end, or if there is nothing."""
    kind = path.stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or str(path).startswith(FROM_SHELL)):
        raise OSError(errno.EINVAL, "it is a pipe or a device; expected a file", str(path))


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a file; InputError if it has more than `limit` bytes, OSError if it is none or cannot be read.

    A file without a size is not read: it is empty, or the system makes its content, as that of /proc/kmsg, without end.
    """
    check_kind(path)
    status = path.stat()
    if stat.S_ISREG(status.st_mode) and not status.st_size:
        return b""
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise InputError(f"{path}: the file is too large; expected at most {limit:,} bytes")
    return content


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark; line ends become "\\n". UnicodeDecodeError if it is not UTF-8."""
    return read_bytes(path, MAX_BYTES).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
