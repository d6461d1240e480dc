"""The files of an export: a folder or a zip, read file by file and never unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO

from autograder.sandbox import submission_files
from autograder.sandbox.submission_files import is_regular, open_file
from pacman.core.errors import InputError, counted, one_line, printable

MAX_FILES = 500_000
"""The most files in an export."""
MAX_UNPACKED = 1_000_000_000
"""The most bytes of an export that is a zip, when it is unpacked. (It is not: each submission is read by itself.)"""
MAX_DIRECTORY = 64 << 20
"""The most bytes of the directory of a zip."""


class Unreadable(InputError):
    """A file of the export cannot be read: the disk, its rights or the download are damaged, and not a submission."""


@dataclass(frozen=True)
class Tree:
    """The files of an export. A name that ends in "/" is an empty folder. `open` gives None for a link.

    `closed` are the folders that cannot be read, with the reason: their names end in "/" too.
    """

    path: Path
    names: list[str]
    closed: Mapping[str, str]
    open: Callable[[str], IO[bytes] | None]

    def inside(self, top: str) -> Tree:
        """The files in the folder `top`, which is the only one."""
        start = f"{top}/"
        return Tree(
            self.path / top,
            [name.removeprefix(start) for name in self.names],
            {name.removeprefix(start): problem for name, problem in self.closed.items()},
            lambda name: self.open(start + name),
        )


def open_tree(path: Path) -> Tree:
    """The files of a folder or of a zip. InputError if it is something else or too large."""
    closed: dict[str, str] = {}
    with submission_files.input_errors(path):
        opened = open_file(path)
        if opened is None:
            opener = partial(submission_files.open_regular, path)
            tree = Tree(path, list(submission_files.walk(path, closed)), closed, opener)
    if opened:
        if not is_regular(opened):
            opened.close()
            raise InputError(f"{path}: it is a pipe or a device; expected a folder or a zip")
        tree = _zip_tree(path, opened)
    if not tree.names:
        raise InputError(f"{path}: it is empty; expected the submissions of a class")
    return tree


def _zip_tree(path: Path, file: IO[bytes]) -> Tree:
    """The files in a zip, which stays open."""
    try:
        submission_files.check_directory(path, file, MAX_DIRECTORY)
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        file.close()
        if isinstance(error, InputError):
            raise InputError(f"{path}: a zip64 or a very large zip; unpack it and grade the folder") from None
        raise InputError(f"{path}: not a folder and not a readable zip: {one_line(error, to_text=str)}") from None
    found = [(submission_files.entry_name(entry), entry) for entry in archive.infolist()]
    unpacked = sum(entry.file_size for _, entry in found)
    if unpacked > MAX_UNPACKED or len(found) > MAX_FILES:
        raise InputError(
            f"{path}: {counted(len(found), 'file')} with {unpacked:,} bytes; expected at most "
            f"{MAX_FILES:,} files and {MAX_UNPACKED:,} bytes; unpack it and grade the folder"
        )
    names = sorted(name for name, _ in found)
    full_folders = {
        one for one, after in pairwise(names) if one.endswith("/") and after.startswith(one) and after > one
    }
    entries: dict[str, zipfile.ZipInfo] = {}
    for name, entry in found:
        problem = ""
        if entry.compress_type not in submission_files.PACKINGS:
            problem = "is packed with an unusual method; unpack the zip and grade the folder"
        elif name in entries:
            problem = "is in it twice; unpack it yourself and look at it"
        elif name.startswith("/") or ".." in name.split("/"):
            problem = "leads outside; unpack it yourself and look at it"
        if problem:
            raise InputError(f"{path}: '{printable(name)[:80]}' {problem}")
        if not submission_files.is_ignored(name) and name not in full_folders:
            entries[name] = entry
    return Tree(path, list(entries), {}, lambda name: submission_files.open_entry(archive, entries[name]))


def file_content(tree: Tree, name: str, limit: int) -> bytes:
    """The content of a file, up to one byte more than the limit. Unreadable if it cannot be read.

    InputError for a link.
    """
    with reading(printable(name)):
        file = tree.open(name)
        if file is None:
            raise InputError(f"{tree.path / name}: this is a link; expected the file itself")
        with file:
            return file.read(limit + 1)


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Inside, files of the export are read: turns an error of the disk, the memory or a damaged zip into Unreadable."""
    try:
        yield
    except (OSError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        problem = submission_files.machine_problem(error) or one_line(error, to_text=str)
        raise Unreadable(f"{source}: cannot be read: {problem}") from None


def by_top(tree: Tree) -> dict[str, list[str]]:
    """The files and folders at the top: name -> the names of the files in it, or of the file itself. Sorted."""
    tops: dict[str, list[str]] = {}
    for name in sorted(tree.names):
        tops.setdefault(name.partition("/")[0], []).append(name)
    return tops
