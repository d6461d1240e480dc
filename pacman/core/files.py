"""Reads files of a limited size, and writes files completely or not at all.

So a huge or endless file is an error and not a full memory, and a full disk leaves what was there before.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from pacman.core.errors import InputError, printable, reason_of

MAX_BYTES = 1_000_000
"""The largest text file: a drawn tree of 10,000 nodes or a case with a whole game has less than a third of this."""
MOST_BESIDE = 1_000
"""The most names in a folder among which a similar one is looked for."""
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


def near_file(path: Path) -> str:
    """The end of a message about a file that is not there: the most similar name beside it, or nothing."""
    try:
        names = sorted(each.name for each in islice(path.absolute().parent.iterdir(), MOST_BESIDE))
    except OSError:
        return ""
    close = [name for name in names if name == f"{path.name}.py"] or get_close_matches(path.name, names, 1)
    return f"; did you mean '{printable(str(path.with_name(close[0])))}'?" if close and path.name else ""


@contextmanager
def whole_file(path: Path, is_new: bool = False, rights: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write. If that fails, for example on a full disk, what was at `path` before stays as it was.

    A new file has the `rights`, an old one keeps its own. With `is_new`, FileExistsError if there is one already. A
    pipe or a device is written at once.
    """
    target = path if is_new else Path(os.path.realpath(path))
    is_direct = not is_new and target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK))
    part = target if is_new or is_direct else target.with_name(f".{os.getpid()}.part")
    with open(part, "wb" if is_direct else "xb", opener=lambda name, flags: os.open(name, flags, rights)) as file:
        try:
            yield file
            file.close()  # writes the rest, which may fail too
            if part != target and target.exists():
                shutil.copymode(target, part)
            if part != target:
                part.replace(target)
        except BaseException:  # raised again
            with suppress(OSError):
                file.close()  # on Windows, no open file can be removed
            if not is_direct:
                part.unlink(missing_ok=True)
            raise


def write_file(path: Path, content: bytes, option: str = "", is_new: bool = False, rights: int = 0o666) -> None:
    """Writes a whole file, as `whole_file` does. InputError, which names the `option` too, if that fails."""
    place = f"{option} {path}".lstrip()
    try:
        with whole_file(path, is_new, rights) as file:
            file.write(content)
    except FileExistsError:
        raise InputError(f"{place}: this file exists already; choose another name") from None
    except OSError as error:
        raise InputError(f"{place}: cannot be written: {reason_of(error)}") from None
