"""What was handed in, read once and for all: a file, a folder or an archive as names and bytes, within a budget.

Nothing of it is run, and nothing is unpacked to disk here. Only Python files are kept.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from autograder.judge.submission_answer import clean
from pacman.core.errors import InputError

MAX_FILES = 100
MAX_BYTES = 4 << 20
MAX_MEMBERS = 2_000
MAX_ARCHIVE = 64 << 20
MAX_NAME = 120
MAX_FOLDERS = 60
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ .()+,=@-]*")
_PASSED_OVER = ("__MACOSX", "__pycache__", ".DS_Store", ".git", ".idea", ".vscode", ".venv", "venv")


@dataclass(frozen=True)
class SubmissionFiles:
    """The Python files of one submission: name (with `/` between folders) -> content."""

    files: dict[str, bytes]
    requested_file: str = ""
    """The one of them that was asked for, as one does with one's own work; the others only lie beside it."""

    def mentions(self, word: str) -> bool:
        """Whether the word stands in the file that was named, or in one whose name stands there; else in any file."""
        asked = self.files.get(self.requested_file)
        near = [
            content
            for name, content in self.files.items()
            if asked is None or name == self.requested_file or name.removesuffix(".py").encode() in asked
        ]
        return any(word.encode() in content for content in near)


def read(path: Path) -> SubmissionFiles:
    """What lies at `path`; InputError when it is not there, cannot be read, or is not what a submission may be."""
    try:
        if path.is_dir():
            return SubmissionFiles(_within_budget(path, _of_folder(path)))
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        if path.name.endswith(ARCHIVES) and path.is_file():
            with open(path, "rb") as file:
                if os.fstat(file.fileno()).st_size > MAX_ARCHIVE:
                    raise InputError(f"{path}: more than {MAX_ARCHIVE:,} bytes; a submission is a few Python files")
                try:
                    return SubmissionFiles(_within_budget(path, _of_archive(path, file)))
                except Exception as error:
                    if isinstance(error, InputError) or not _unreadable(error):
                        raise
                    raise InputError(f"{path}: not an archive that can be read: {clean(error, 100)}") from None
        return _single(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None


def _single(path: Path) -> SubmissionFiles:
    """One file, and the Python files beside it, which it may import, when they are few."""
    if path.suffix != ".py" or not path.is_file():
        archives = f"{', '.join(ARCHIVES[:-1])} or {ARCHIVES[-1]}"
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py, a folder, or {archives}")
    content = path.read_bytes()
    if not content.strip():
        raise InputError(f"{path}: the file is empty")
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: {len(content):,} bytes; a submission has at most {MAX_BYTES:,}")
    name = path.name if _PART.fullmatch(path.name) else "submission.py"
    others = (other for other in sorted(path.parent.glob("*.py")) if other.name != path.name)
    beside = [other for other in others if _PART.fullmatch(other.name) and other.is_file()]
    files = {name: content}
    if len(beside) < MAX_FILES and sum(other.stat().st_size for other in beside) <= MAX_BYTES:
        files |= {other.name: other.read_bytes() for other in beside}
    return SubmissionFiles(files, name)


def _within_budget(path: Path, members: Iterator[tuple[str, IO[bytes]]]) -> dict[str, bytes]:
    """The Python files among the members, read up to the budget; InputError where one breaks a rule."""
    files: dict[str, bytes] = {}
    left = MAX_BYTES
    folded: dict[str, str] = {}
    for count, (name, member) in enumerate(members, 1):
        with member:
            if count > MAX_MEMBERS:
                raise InputError(f"{path}: more than {MAX_MEMBERS:,} files; a submission is a few Python files")
            if folded.setdefault(name.casefold(), name) != name or name in files:
                raise InputError(f"{path}: two files named '{clean(name, 60)}'; expected each name once")
            if not name.endswith(".py"):
                continue
            content = member.read(left + 1)
        if len(content) > left:
            raise InputError(f"{path}: the Python files hold more than {MAX_BYTES:,} bytes")
        if len(files) >= MAX_FILES:
            raise InputError(f"{path}: more than {MAX_FILES} Python files")
        left -= len(content)
        files[name] = content
    if not files:
        raise InputError(f"{path}: no Python file in this {'folder' if path.is_dir() else 'archive'}")
    return files


def _of_folder(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The files below a folder that are regular files; links lead out of it and are refused."""
    for folder, folders, names in os.walk(path):
        if len(Path(folder).parts) - len(path.parts) > MAX_FOLDERS:
            raise InputError(f"{path}: more than {MAX_FOLDERS} folders inside one another")
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER and not name.startswith("."))
        for name in (*folders, *sorted(names)):
            place = Path(folder, name)
            if os.path.islink(place):
                raise InputError(f"{path}: '{clean(name, 60)}' is a link; expected files themselves")
        for name in sorted(names):
            place = Path(folder, name)
            if not name.endswith(".py"):
                continue
            inside = _checked(path, place.relative_to(path).as_posix())
            if inside is not None:
                descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
                file = os.fdopen(descriptor, "rb")
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    file.close()
                    raise InputError(f"{path}: '{clean(name, 60)}' is no regular file")
                yield inside, file


def _of_archive(path: Path, file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    """The regular files in an archive, none of it unpacked; whatever else is in it is refused."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise InputError(f"{path}: '{clean(entry.filename, 60)}' is a link or no regular file")
                inside = _checked(path, entry.filename.removesuffix("/"))
                if inside is not None and not entry.is_dir():
                    yield inside, archive.open(entry)
        return
    with tarfile.open(fileobj=_Unpacked(path, file), mode="r|") as tape:
        for member in tape:
            if not member.isreg() and not member.isdir():
                raise InputError(f"{path}: '{clean(member.name, 60)}' is a link or no regular file")
            inside = _checked(path, member.name.removeprefix("./"))
            content = tape.extractfile(member) if member.isreg() else None
            if inside is not None and content is not None:
                yield inside, content


class _Unpacked(io.RawIOBase):
    """What a tape holds, unpacked up to a budget, however much its headers and folders want to be read."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        self._path, self._left = path, MAX_ARCHIVE
        self._file = gzip.GzipFile(fileobj=file) if packed else file

    def read(self, size: int = -1) -> bytes:
        part = self._file.read(size)
        self._left -= len(part)
        if self._left < 0:
            raise InputError(f"{self._path}: unpacks to more than {MAX_ARCHIVE:,} bytes")
        return part


def _unreadable(error: Exception) -> bool:
    """Whether an archive library raised it over what it read. Their errors have no class in common."""
    known = (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError, RuntimeError, ValueError)
    return isinstance(error, known) or type(error).__module__ in ("zlib", "_lzma")


def _checked(path: Path, name: str) -> str | None:
    """`name` when it is one that a file of a submission may have, None when it is passed over; else InputError."""
    parts = name.split("/")
    if name in ("", "."):
        return None
    if ".." in parts or "\\" in name or name.startswith("/") or len(name) > MAX_NAME or not name.isprintable():
        raise InputError(f"{path}: a file named '{clean(name, 60)}'; expected a plain name inside the submission")
    if any(part in _PASSED_OVER or part.startswith(".") for part in parts):
        return None
    if not all(_PART.fullmatch(part) for part in parts):
        raise InputError(
            f"{path}: a file named '{clean(name, 60)}'; expected letters, digits, '_', '-', '.' and spaces"
        )
    return name
