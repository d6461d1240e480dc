"""Writes a file completely or not at all, and never over a file that the command line names for another purpose."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pacman.core.errors import InputError
from pacman.core.words import reason_of

NO_REPORTS = (".py", ".yaml", ".yml", ".zip", ".gz", ".tgz", ".tar", ".key", ".db", ".lay")
"""The endings of files that a report must not replace: code, cases, archives, keys, stores and layouts."""


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


def check_no_loss(path: Path) -> None:
    """InputError if a report at `path` would replace a file that is no report, or that this command also reads."""
    if sum(any(_is_same(part, path) for part in _parts(word)) for word in sys.argv[1:]) > 1:
        raise InputError(f"{path}: cannot be written: the command names this file twice; choose another name")
    names = (path, Path(os.path.realpath(path)))  # a report is written through a link
    if any(name.suffix.lower() in NO_REPORTS for name in names) and path.exists():
        raise InputError(f"{path}: cannot be written: this file exists and is no report; choose another name")


def _parts(word: str) -> set[str]:
    """What can be a path in a word of a command line: in FILE, --option=FILE, FILE:CLASS, key=FILE:NAME."""
    value = word.partition("=")[2]
    return {word, value, word.rpartition(":")[0], value.rpartition(":")[0]} - {""}


def _is_same(name: str, path: Path) -> bool:
    try:
        return os.path.abspath(name) == os.path.abspath(path) or os.path.samefile(name, path)
    except (OSError, ValueError):  # no such file, or no possible name of one
        return False
