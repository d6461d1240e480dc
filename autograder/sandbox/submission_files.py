"""Reads a submission once, into memory: the Python files of a file, a folder or a zip, within size limits.

A submission is what the user named, and nothing beside it. A link is not followed. Nothing is run here, and nothing is
unpacked to disk. Files that are not Python files and files of the project are dropped.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.judge.submission_answer import clean
from autograder.shipped import copied_answers, is_project_file, project_files
from pacman.core.errors import InputError, counted, printable, reason_of
from pacman.core.files import near_file

MAX_FILES = 100
MAX_BYTES = 8 << 20
MOST_LINES = 100_000
MAX_MEMBERS = 2_000
MAX_ARCHIVE = 64 << 20
MAX_NAME = 120  # characters of a path inside the submission
MAX_PART = 240  # bytes of one part of that path; file systems allow 255
MAX_FOLDERS = 60
MAX_ZIP_END = (1 << 16) + 22 + 20  # bytes: the comment of a zip and the records that end it
MAX_DIRECTORY = MAX_MEMBERS * 512  # bytes
MANY = f"more than {MAX_MEMBERS:,} files; hand in the Python files only"
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
"""How the name of an archive ends. Only a zip is read: of a tar, one line says so."""
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a file in a zip may be packed. Other methods ask for as much memory as the file says."""
IGNORED_NAMES = ("__MACOSX", "__pycache__", ".DS_Store", ".git", ".idea", ".vscode", ".venv", "venv")
_ZIP_END, _ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_FORBIDDEN = '\\:*?"<>|$`;'  # separators, and signs that have a meaning for Windows or for a shell
_BAD_STARTS = "-=+@~"  # a program could read the name as an option, as a formula or as a home folder
_JOINERS = "\u200c\u200d"  # invisible, but part of the spelling in Persian and in Indian scripts
Members = Iterator[tuple[str, IO[bytes] | None]]
"""What is in a folder or an archive: the name of a file, and the opened file; None for a link."""
COPY = "the same text as the sample answers"
# O_NONBLOCK: opening a named pipe must not wait for a writer.
_OPEN = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class LinkFound(OSError):
    """The file or folder is a link."""


@dataclass(frozen=True)
class SubmissionFiles:
    """The Python files of one submission: name (with `/` between folders) -> content."""

    files: dict[str, bytes]
    requested_file: str = ""
    """The file that the user named. Empty for a folder or an archive of which nobody named a file."""
    helpers: tuple[str, ...] = ()
    """The names of the files that were added with `--with`. They can be imported, and are never graded."""
    links: tuple[str, ...] = ()
    """The names of the links (and devices) in a folder or an archive. They were not followed."""
    notes: tuple[str, ...] = ()
    """What was ignored, and what is a copy, one line each, for the report."""
    copies: tuple[str, ...] = ()
    """The names of the files that have the text of a sample answer."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the names and contents of the files that were handed in, without the helpers.

        Of several files, also of the name of the one that is graded, if somebody chose it.
        """
        whole = hashlib.sha256()
        if self.requested_file and len(self.files) > 1 + len(self.helpers):
            whole.update(f"graded: {self.requested_file}\n".encode("utf-8", "surrogatepass"))
        for name in sorted(self.files):
            if name not in self.helpers:
                for part in (name.encode("utf-8", "surrogatepass"), self.files[name]):
                    whole.update(len(part).to_bytes(8) + part)
        return whole.hexdigest()

    def lines(self, name: str) -> list[str]:
        """The lines of a file, at most `MOST_LINES`, with spaces for tabs; none if there is no such file."""
        text = self.files.get(name, b"").decode("utf-8-sig", "replace").expandtabs(4)
        text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
        # not `splitlines`: a form feed ends no line of Python
        return text.split("\n", MOST_LINES)[:MOST_LINES] if text else []

    def mentions(self, word: str) -> bool:
        """True if any file contains the word."""
        return any(word.encode() in content for content in self.files.values())


def read(path: Path, helpers: Sequence[Path] = ()) -> SubmissionFiles:
    """The submission at `path`, and the Python files `helpers`, which it may import.

    InputError if one of them does not exist, cannot be read, is a link, or breaks a limit or a rule.
    """
    with input_errors(path):
        opened = open_file(path)
        if opened is None:
            work = read_members(path, "folder", _folder_members(path), lambda name: read(path / name))
        else:
            with opened:
                if path.name.endswith(ARCHIVES) and is_regular(opened):
                    work = read_archive(path, opened)
                else:
                    name = safe_name(path.name)
                    work = SubmissionFiles({name: _read_file(path, opened)}, name)
    if helpers:
        work = with_helpers(path, work, read_helpers(helpers))
        _check_limits(path, work.files)
    return work


def read_archive(path: Path, file: IO[bytes]) -> SubmissionFiles:
    """The submission in an archive that is opened; `path` is its name. InputError as in `read`."""
    if path.suffix != ".zip":
        raise InputError(f"{path}: a tar archive is not read; hand in a zip")
    if file.seek(0, io.SEEK_END) > MAX_ARCHIVE:
        raise InputError(f"{path}: larger than {MAX_ARCHIVE:,} bytes; hand in the Python files only")

    def read_inner(name: str) -> SubmissionFiles:
        ((_, inner),) = _zip_members(path, file)
        return read_archive(path / name, io.BytesIO(inner.read(MAX_ARCHIVE + 1) if inner else b""))

    try:
        is_inner = path.parent.suffix == ".zip"
        return read_members(path, "archive", _zip_members(path, file), None if is_inner else read_inner)
    except InputError:
        raise
    except Exception as error:  # the errors that `zipfile` raises have no common base class
        if machine_problem(error):
            raise
        raise InputError(f"{path}: not a readable archive: {clean(error, 100)}") from None


def machine_problem(error: Exception) -> str:
    """What failed if an error comes from this machine (permission, disk, memory), not from a file; else empty.

    The system numbers its errors; an `OSError` without a number is one that a library raised because of the content.
    """
    if isinstance(error, MemoryError):
        return "not enough memory"
    return reason_of(error) if isinstance(error, OSError) and error.errno is not None else ""


def open_file(path: Path, top: Path | None = None) -> IO[bytes] | None:
    """The file at `path`, opened; None for a folder. LinkFound for a link; folders above it may be links.

    With `top`, LinkFound also if a folder between the two is a link by now (where the system says what was opened).
    """
    kind = stat.S_IFMT(os.lstat(path).st_mode)
    if kind == stat.S_IFLNK:
        raise LinkFound(f"{path} is a link")
    if kind == stat.S_IFDIR:
        return None
    file = os.fdopen(os.open(path, _OPEN), "rb")
    with suppress(FileNotFoundError, PermissionError):
        if top and os.readlink(f"/proc/self/fd/{file.fileno()}") != str(top.resolve() / path.relative_to(top)):
            file.close()
            raise LinkFound(f"{path} is behind a link")
    return file


def open_regular(top: Path, name: str) -> IO[bytes] | None:
    """The file with this name in a folder, opened; None for a link. InputError for a pipe or a device."""
    try:
        opened = open_file(top / name, top)
    except LinkFound:
        return None
    if opened and is_regular(opened):
        return opened
    if opened:
        opened.close()
    raise InputError(f"{printable(name)}: not a regular file")


def is_regular(file: IO[bytes]) -> bool:
    """True for an ordinary file; false for a device, a named pipe, or a file that the system makes, as /proc/kmsg."""
    status = os.fstat(file.fileno())
    has_space = status.st_size or not hasattr(os, "statvfs") or os.fstatvfs(file.fileno()).f_blocks
    return stat.S_ISREG(status.st_mode) and bool(has_space)


@contextmanager
def input_errors(path: Path) -> Iterator[None]:
    """Inside, a user's file or folder is read: InputError if there is none, if it is a link or cannot be read."""
    try:
        yield
    except LinkFound:
        raise InputError(f"{path}: this is a link; name the file or folder that it leads to") from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path}: no such file or folder{near_file(path)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None


def _read_file(path: Path, file: IO[bytes]) -> bytes:
    """The content of one Python file; InputError if it is something else, empty or too large."""
    if path.suffix != ".py" or not is_regular(file):
        raise InputError(f"{path}: not a Python file; expected a name that ends in .py, a folder, or a zip")
    content = file.read(MAX_BYTES + 1)
    if not content.strip():
        raise InputError(f"{path}: the file is empty")
    if len(content) > MAX_BYTES:
        size = max(len(content), os.fstat(file.fileno()).st_size)
        raise InputError(f"{path}: {size:,} bytes; a submission may have {MAX_BYTES:,} bytes at most")
    return content


def read_helpers(paths: Iterable[Path]) -> dict[str, bytes]:
    """The Python files of `--with`, by their names. InputError if one breaks a rule for files of a submission."""
    files: dict[str, bytes] = {}
    for path in paths:
        with input_errors(path):
            opened = open_file(path)
            if opened is None or path.suffix != ".py":
                raise InputError(f"--with {path}: not a Python file; expected a name that ends in .py")
            with opened:
                content = _read_file(path, opened)
        if problem := _name_problem(path.name):
            raise InputError(f"--with {path}: this file name is not allowed: {problem}")
        if is_project_file(path.name, content):
            raise InputError(f"--with {path}: a file of the project; a submission may not use it")
        if _compared(path.name) in map(_compared, files):
            raise InputError("--with: two files with the same name; rename one of them")
        files[path.name] = content
    return files


def with_helpers(path: Path, work: SubmissionFiles, helpers: Mapping[str, bytes]) -> SubmissionFiles:
    """The submission with files that it may import. InputError if it has a file with one of their names."""
    own = set(map(_compared, work.files))
    for name in helpers:
        if _compared(name) in own:
            raise InputError(f"{path}: '{name}' is the name of a file of the course; rename it")
    return replace(work, files=work.files | dict(helpers), helpers=tuple(helpers))


def _compared(name: str) -> str:
    """A name as a file system may compare it: without upper case, and with one spelling of each letter."""
    return unicodedata.normalize("NFC", name).casefold()


def _check_limits(path: Path, files: dict[str, bytes]) -> None:
    """InputError if the files are too many or too large, or if one has the name of a folder with another."""
    if sum(map(len, files.values())) > MAX_BYTES:
        raise InputError(f"{path}: the Python files together have more than {MAX_BYTES:,} bytes")
    if len(files) > MAX_FILES:
        raise InputError(f"{path}: more than {MAX_FILES} Python files")
    names = {_compared(name): name for name in files}
    for name in files:
        for parent in PurePosixPath(_compared(name)).parents:
            if str(parent) in names:
                both = clean(names[str(parent)], 60)
                raise InputError(f"{path}: '{both}' is the name of a file and of a folder; rename one of them")


def read_members(
    path: Path, kind: str, members: Members, read_zip: Callable[[str], SubmissionFiles] | None = None
) -> SubmissionFiles:
    """The submission with these members, without files of the project. InputError if it breaks a rule.

    `kind` says what they are in: a folder or an archive. If the only member is a zip, `read_zip` reads what is in it. A
    copy of the sample answers is the submission if there is nothing else.
    """
    files, links, others = _read_members(path, members)
    names = [*files, *links, *others]
    if read_zip and len(names) == 1 and names[0].endswith(".zip"):
        return read_zip(names[0])
    ours = project_files(files)
    copies = copied_answers(files) if len(ours) == len(files) else []
    ours = [name for name in ours if name not in copies]
    left = {name: content for name, content in files.items() if name not in ours}
    imported = _imported_words(left.values())
    for link in links:
        if not left or PurePosixPath(link).name.removesuffix(".py") in imported:
            wrong = "is a link; hand in the file itself" if kind == "folder" else "is a link or not a regular file"
            raise InputError(f"{path}: '{clean(link, 60)}' {wrong}")
    if not left and ours:
        raise InputError(f"{path}: only files of the project in this {kind}; expected your own Python file")
    if not left:
        raise InputError(f"{path}: no Python file in this {kind}{near_python(others)}")
    _check_limits(path, left)
    ignored = (("file", " of the project", ours), ("link", "", links))
    notes = tuple(
        f"ignored {counted(len(names), what)}{whose}: {_listed(names)}" for what, whose, names in ignored if names
    )
    notes += (f"{COPY}: {_listed(copies)}",) if copies else ()
    return SubmissionFiles(left, links=tuple(links), notes=notes, copies=tuple(copies))


def near_python(names: Sequence[str]) -> str:
    """What to do about files of which none is a Python file, or which they are; empty without names.

    >>> near_python(["a.pdf", "my.py.txt"]), near_python(["MY.PY"]), near_python(["a.zip", "b.zip"])
    ("; save 'my.py.txt' as 'my.py'", "; save 'MY.PY' as 'MY.py'", '; it has: a.zip, b.zip; grade one of the zips')
    """
    for name in names:
        if near := re.fullmatch(r"(?is)(.+)\.py(?:w|\.txt)?", name):
            return f"; save '{clean(name, 60)}' as '{clean(near[1], 60)}.py'"
        if name.lower().endswith(".ipynb"):
            return f"; save the notebook '{clean(name, 60)}' as a Python file"
    of_class = sum(name.endswith(".zip") for name in names) > 1
    return f"; it has: {_listed(names)}{'; grade one of the zips' * of_class}" if names else ""


def _imported_words(contents: Iterable[bytes]) -> set[str]:
    """Every word in the lines that begin with `import` or `from`."""
    lines = (line for content in contents for line in re.findall(rb"^[ \t]*(?:import|from)[ \t.].*", content, re.M))
    return {word for line in lines for word in re.findall(r"\w+", line.decode("utf-8", "replace"))}


def _listed(names: Sequence[str]) -> str:
    """The first three names, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(clean(name, 60) for name in names[:3]) + more


def _read_members(path: Path, members: Members) -> tuple[dict[str, bytes], list[str], list[str]]:
    """The Python files among the members, the names of the links (members without a file), and those of the rest.

    InputError if they are too many or too large, or if two names are too similar.
    """
    files: dict[str, bytes] = {}
    links, others = list[str](), list[str]()
    left = MAX_BYTES
    names: dict[str, str] = {}  # as a file system compares them -> as they are written
    for count, (name, member) in enumerate(members, 1):
        if count > MAX_MEMBERS:
            raise InputError(f"{path}: {MANY}")
        if member is None:
            links.append(name)
            continue
        with member:
            if not name.endswith(".py"):
                others.append(name)
                continue
            if names.setdefault(_compared(name), name) != name or name in files:
                raise InputError(f"{path}: two files named '{clean(name, 60)}'; expected each name once")
            content = member.read(left + 1)
        if len(content) > left:
            raise InputError(f"{path}: the Python files together have more than {MAX_BYTES:,} bytes")
        left -= len(content)
        files[name] = content
    return files, links, others


def walk(folder: Path, closed: dict[str, str], inside: str = "") -> Iterator[str]:
    """The name of each file in a folder and its subfolders, sorted. No link is followed.

    The name of an empty folder ends in "/"; so does that of one that cannot be read, and `closed` then says why. A
    folder in more than MAX_FOLDERS others is not entered: it comes out as a file does.
    """
    entries = [each for each in os.scandir(folder) if not is_ignored(each.name)]
    for entry in sorted(entries, key=lambda each: each.name):
        below = f"{inside}{entry.name}/"
        if entry.is_dir(follow_symlinks=False) and inside.count("/") < MAX_FOLDERS:
            try:
                yield from walk(folder / entry.name, closed, below)
            except OSError as error:
                closed[below] = reason_of(error)
                yield below
        else:
            yield inside + entry.name
    if not entries and inside:
        yield inside


def is_ignored(name: str) -> bool:
    """True if the path has a hidden part, or one that programs and not students make."""
    return any(part in IGNORED_NAMES or part.startswith(".") for part in name.split("/"))


def _folder_members(path: Path) -> Members:
    """The Python files in a folder and its subfolders, opened; None for a link, which could lead outside."""
    closed = dict[str, str]()
    for name in walk(path, closed):
        if closed:
            raise InputError(f"{path}: cannot be read: {closed[name]}")
        if (path / name).is_symlink():
            yield name, None
        elif name.endswith(".py") and not (path / name).is_dir():
            checked_name(path, name)
            yield name, open_regular(path, name)
        elif name.endswith(ARCHIVES):  # it is not read: a message can name it
            yield name, io.BytesIO()
        elif name.count("/") == MAX_FOLDERS and (path / name).is_dir():
            raise InputError(f"{path}: folders nested more than {MAX_FOLDERS} deep")


def _zip_members(path: Path, file: IO[bytes]) -> Members:
    """The regular files in a zip, opened; None for a link or a device. Nothing is unpacked to disk."""
    check_directory(path, file)
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            name = entry_name(entry)
            if entry.compress_type not in PACKINGS:
                what = f"'{clean(name, 60)}' is packed with an unusual method"
                raise InputError(f"{path}: {what}; expected an ordinary zip (deflate)")
            inside = checked_name(path, name.removesuffix("/"))
            if inside is not None and not entry.is_dir():
                yield inside, open_entry(archive, entry)


def open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes] | None:
    """A file in a zip, opened; None for a link or a device."""
    is_file = stat.S_IFMT(entry.external_attr >> 16) in (0, stat.S_IFREG, stat.S_IFDIR)
    return archive.open(entry) if is_file else None


def check_directory(path: Path, file: IO[bytes], most_bytes: int = MAX_DIRECTORY) -> None:
    """Refuses a zip with a large directory before `zipfile` reads it. InputError then.

    Finds the record that ends the zip as `zipfile` does. A zip64 has a second record, with other sizes: refused.
    """
    end = file.seek(0, io.SEEK_END)
    file.seek(max(0, end - MAX_ZIP_END))
    tail = file.read()
    file.seek(0)
    has_comment = tail[-22:-18] != _ZIP_END or tail[-2:] != b"\0\0"
    place = tail.rfind(_ZIP_END) if has_comment else len(tail) - 22
    if place < 0:
        return
    if tail[max(0, place - 20) :].startswith(_ZIP64_LOCATOR):
        raise InputError(f"{path}: a zip64; hand in the Python files only, as an ordinary zip")
    if int.from_bytes(tail[place + 12 : place + 16], "little") > most_bytes:
        raise InputError(f"{path}: {MANY}")


def entry_name(entry: zipfile.ZipInfo) -> str:
    """The name of a file in a zip. Some programs (as on macOS) write UTF-8 and do not set the flag that says so."""
    if entry.flag_bits & 0x800 or entry.filename.isascii():
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def checked_name(path: Path, name: str) -> str | None:
    """`name` if a file of a submission may have it, None if the file is ignored. InputError for an unsafe name."""
    parts = name.split("/")
    if name in ("", "."):
        return None
    problem = ""
    if ".." in parts or name.startswith("/"):
        problem = "it leads outside the submission"
    elif is_ignored(name):
        return None
    elif len(name) > MAX_NAME:
        problem = f"it has more than {MAX_NAME} characters"
    if problem := problem or next(filter(None, map(_name_problem, parts)), ""):
        raise InputError(f"{path}: file name '{clean(name, 60)}' is not allowed: {problem}")
    return name


def safe_name(name: str) -> str:
    """The name of a single file as its submission has it: the same, with one spelling of each letter, if it is safe."""
    return "submission.py" if _name_problem(name) else unicodedata.normalize("NFC", name)


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
