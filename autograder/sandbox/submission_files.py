"""Reads a submission once, into memory: the Python files of a file, a folder or an archive, within size limits.

Nothing is run here, and nothing is unpacked to disk. Files that are not Python files are dropped.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import unicodedata
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
MAX_NAME = 120  # characters of a path inside the submission
MAX_PART = 240  # bytes of one part of that path; file systems allow 255
MAX_FOLDERS = 60
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_IGNORED_NAMES = ("__MACOSX", "__pycache__", ".DS_Store", ".git", ".idea", ".vscode", ".venv", "venv")
_FORBIDDEN = '\\:*?"<>|$`;'  # separators, and signs that have a meaning for Windows or for a shell
_BAD_STARTS = "-=+@~"  # a program could read the name as an option, as a formula or as a home folder
_JOINERS = "\u200c\u200d"  # invisible, but part of the spelling in Persian and in Indian scripts


@dataclass(frozen=True)
class SubmissionFiles:
    """The Python files of one submission: name (with `/` between folders) -> content."""

    files: dict[str, bytes]
    requested_file: str = ""
    """The file that the user named; the others are in the same folder. Empty for a folder or an archive."""

    def mentions(self, word: str) -> bool:
        """True if the requested file, or a file whose name occurs in it, contains the word.

        Without a requested file: true if any file contains the word.
        """
        requested = self.files.get(self.requested_file)
        searched = [
            content
            for name, content in self.files.items()
            if requested is None or name == self.requested_file or name.removesuffix(".py").encode() in requested
        ]
        return any(word.encode() in content for content in searched)


def read(path: Path) -> SubmissionFiles:
    """The submission at `path`. InputError if it does not exist, cannot be read, or breaks a limit or a rule."""
    try:
        if path.is_dir():
            return SubmissionFiles(_read_members(path, _folder_members(path)))
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        if path.name.endswith(ARCHIVES) and path.is_file():
            with open(path, "rb") as file:
                if os.fstat(file.fileno()).st_size > MAX_ARCHIVE:
                    raise InputError(f"{path}: larger than {MAX_ARCHIVE:,} bytes; hand in the Python files only")
                try:
                    return SubmissionFiles(_read_members(path, _archive_members(path, file)))
                except Exception as error:
                    if isinstance(error, InputError) or not _is_archive_error(error):
                        raise
                    raise InputError(f"{path}: not a readable archive: {clean(error, 100)}") from None
        return _read_file(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None


def _read_file(path: Path) -> SubmissionFiles:
    """One file, and the Python files in the same folder, which it may import, if they are within the limits.

    A file whose own name is not allowed gets the name `submission.py`.
    """
    if path.suffix != ".py" or not path.is_file():
        archives = f"{', '.join(ARCHIVES[:-1])} or {ARCHIVES[-1]}"
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py, a folder, or {archives}")
    content = path.read_bytes()
    if not content.strip():
        raise InputError(f"{path}: the file is empty")
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: {len(content):,} bytes; a submission may have {MAX_BYTES:,} bytes at most")
    name = "submission.py" if _name_problem(path.name) else path.name
    others = (other for other in sorted(path.parent.glob("*.py")) if other.name not in (path.name, name))
    neighbours = [other for other in others if other.is_file() and not _name_problem(other.name)]
    files = {name: content}
    if len(neighbours) < MAX_FILES and sum(other.stat().st_size for other in neighbours) <= MAX_BYTES:
        files |= {other.name: other.read_bytes() for other in neighbours}
    return SubmissionFiles(files, name)


def _read_members(path: Path, members: Iterator[tuple[str, IO[bytes]]]) -> dict[str, bytes]:
    """The Python files among the members. InputError if they exceed a limit, or if two names are too similar."""
    files: dict[str, bytes] = {}
    left = MAX_BYTES
    names: dict[str, str] = {}  # as a file system compares them -> as they are written
    for count, (name, member) in enumerate(members, 1):
        with member:
            if count > MAX_MEMBERS:
                raise InputError(f"{path}: more than {MAX_MEMBERS:,} files; hand in the Python files only")
            compared = unicodedata.normalize("NFC", name).casefold()
            if names.setdefault(compared, name) != name or name in files:
                raise InputError(f"{path}: two files named '{clean(name, 60)}'; expected each name once")
            if not name.endswith(".py"):
                continue
            content = member.read(left + 1)
        if len(content) > left:
            raise InputError(f"{path}: the Python files together have more than {MAX_BYTES:,} bytes")
        if len(files) >= MAX_FILES:
            raise InputError(f"{path}: more than {MAX_FILES} Python files")
        left -= len(content)
        files[name] = content
    if not files:
        raise InputError(f"{path}: no Python file in this {'folder' if path.is_dir() else 'archive'}")
    return files


def _folder_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The Python files in a folder and its subfolders, opened. InputError for a link, which could lead outside."""
    for folder, folders, names in os.walk(path):
        if len(Path(folder).parts) - len(path.parts) > MAX_FOLDERS:
            raise InputError(f"{path}: folders nested more than {MAX_FOLDERS} deep")
        folders[:] = sorted(name for name in folders if name not in _IGNORED_NAMES and not name.startswith("."))
        for name in (*folders, *sorted(names)):
            if os.path.islink(Path(folder, name)):
                raise InputError(f"{path}: '{clean(name, 60)}' is a link; hand in the file itself")
        for name in sorted(names):
            place = Path(folder, name)
            if not name.endswith(".py"):
                continue
            inside = _checked_name(path, place.relative_to(path).as_posix())
            if inside is not None:
                descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
                file = os.fdopen(descriptor, "rb")
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    file.close()
                    raise InputError(f"{path}: '{clean(name, 60)}' is not a regular file")
                yield inside, file


def _archive_members(path: Path, file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    """The regular files in an archive, opened. Nothing is unpacked to disk. InputError for a link or a device."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                name = _entry_name(entry)
                if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise InputError(f"{path}: '{clean(name, 60)}' is a link or not a regular file")
                inside = _checked_name(path, name.removesuffix("/"))
                if inside is not None and not entry.is_dir():
                    yield inside, archive.open(entry)
        return
    with tarfile.open(fileobj=_LimitedReader(path, file), mode="r|") as tape:
        for member in tape:
            if not member.isreg() and not member.isdir():
                raise InputError(f"{path}: '{clean(member.name, 60)}' is a link or not a regular file")
            inside = _checked_name(path, member.name.removeprefix("./"))
            content = tape.extractfile(member) if member.isreg() else None
            if inside is not None and content is not None:
                yield inside, content


def _entry_name(entry: zipfile.ZipInfo) -> str:
    """The name of a file in a zip. Some programs (as on macOS) write UTF-8 and do not set the flag that says so."""
    if entry.flag_bits & 0x800 or entry.filename.isascii():
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


class _LimitedReader(io.RawIOBase):
    """Reads a tar file, unpacked if it is packed. InputError after MAX_ARCHIVE bytes, headers and folders included."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        is_packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        self._path, self._left = path, MAX_ARCHIVE
        self._file = gzip.GzipFile(fileobj=file) if is_packed else file

    def read(self, size: int = -1) -> bytes:
        part = self._file.read(size)
        self._left -= len(part)
        if self._left < 0:
            raise InputError(f"{self._path}: unpacks to more than {MAX_ARCHIVE:,} bytes")
        return part


def _is_archive_error(error: Exception) -> bool:
    """True if an archive library raised the error because of the archive. These errors have no common base class."""
    known = (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError, RuntimeError, ValueError)
    return isinstance(error, known) or type(error).__module__ in ("zlib", "_lzma")


def _checked_name(path: Path, name: str) -> str | None:
    """`name` if a file of a submission may have it, None if the file is ignored. InputError for an unsafe name."""
    parts = name.split("/")
    if name in ("", "."):
        return None
    problem = ""
    if ".." in parts or name.startswith("/"):
        problem = "it leads outside the submission"
    elif any(part in _IGNORED_NAMES or part.startswith(".") for part in parts):
        return None
    elif len(name) > MAX_NAME:
        problem = f"it has more than {MAX_NAME} characters"
    if problem := problem or next(filter(None, map(_name_problem, parts)), ""):
        raise InputError(f"{path}: file name '{clean(name, 60)}' is not allowed: {problem}")
    return name


def _name_problem(part: str) -> str:
    """Why one part of a path is not safe as a file name; an empty string if it is. Letters of any script are safe.

    >>> _name_problem("Übung 1"), _name_problem("作业.py")
    ('', '')
    >>> _name_problem("-rf.py"), _name_problem("a*b.py")
    ("it must not start with '-'", "it must not contain '*'")
    """
    try:
        size = len(os.fsencode(part))
    except UnicodeEncodeError:
        return "this system cannot store it"
    if not part:
        return "it has an empty folder or file name"
    if size > MAX_PART:
        return f"a folder or file name in it has more than {MAX_PART} bytes"
    if part[0] in (*_BAD_STARTS, ".", " "):
        return f"it must not start with '{part[0]}'"
    for character in part:
        if character in _FORBIDDEN:
            return f"it must not contain '{character}'"
        if not _is_visible(character):
            return f"it must not contain the invisible character U+{ord(character):04X}"
    return ""


def _is_visible(character: str) -> bool:
    """True for a character that shows, a space or a joiner; false for control, direction and unassigned characters."""
    return character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs"
