"""Finds the submissions in what a platform exports: a folder or a zip in the layout of one of five formats.

gradescope   submission_123/..., with the names of the students in submission_metadata.yml
canvas       lovelaceada_41_977_solution.py, lovelaceada_LATE_41_977_solution.py
moodle       Ada Lovelace_1327627_assignsubmission_file_/...
github       ASSIGNMENT-LOGIN/...: the folder of a GitHub Classroom
plain        ada.py, ada.zip or ada/...: a file, an archive or a folder for each student

Every submission comes out once. One that cannot be graded comes out with its problem; a file that belongs to nobody is
named in `strays`.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from autograder.cases.yaml_file import plain_yaml
from autograder.course.roster import Student, compared
from autograder.sandbox import submission_files
from autograder.sandbox.no_links import Folder, LinkFound, is_regular, open_path
from autograder.sandbox.submission_files import ARCHIVES, IGNORED_NAMES, SubmissionFiles
from pacman.core.errors import InputError, nearest, one_line, printable

MAX_FILES = 500_000
"""The most files in an export."""
MAX_UNPACKED = 1_000_000_000
"""The most bytes of an export that is a zip, when it is unpacked. (It is not: each submission is read by itself.)"""
MAX_DIRECTORY = 64 << 20
"""The most bytes of the directory of a zip."""
MAX_METADATA = 200_000_000
METADATA = "submission_metadata.yml"
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_(?P<file>.*)")
_CANVAS = re.compile(r"(?P<name>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_(?P<attachment>\d+)_(?P<file>.+)")
_ATTEMPT = re.compile(r"(?P<base>.+?)-(?P<number>\d{1,3})(?P<ending>\.[^.]+)")
_GRADESCOPE = re.compile(r"submission_\d+")


@dataclass(frozen=True)
class Entry:
    """One submission of an export. `received` is the time of receipt in UTC; empty if the export does not say it.

    Either it has files, or a `problem` says why it cannot be graded. `earlier` are the sources of earlier attempts.
    """

    student: Student
    source: str
    received: str = ""
    files: SubmissionFiles | None = None
    problem: str = ""
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """A submission that was found and is not read yet. `keys` are the names under which a roster may know the student.

    `members` are its files: the name inside the submission, and the name in the export. Of several with the same key
    and different times, the latest counts.
    """

    keys: tuple[str, ...]
    source: str
    members: tuple[tuple[str, str], ...]
    name: str = ""
    received: str = ""


class _Tree(Protocol):
    """The files of an export. A name that ends in "/" is an empty folder. `open` gives None for a link."""

    path: Path
    names: list[str]

    def open(self, name: str) -> IO[bytes] | None: ...


@dataclass(frozen=True)
class Export:
    """What was found in an export. `entries` reads one submission after the other."""

    format: str
    strays: tuple[str, ...]
    notes: tuple[str, ...]
    _found: tuple[_Found, ...] = field(repr=False)
    _tree: _Tree = field(repr=False)

    def __len__(self) -> int:
        return len(self._found)

    def entries(self, roster: Mapping[str, Student]) -> Iterator[Entry]:
        """Each submission, with its files. A student who is in the roster has the key that the roster gives."""
        by_student: dict[str, list[tuple[Student, _Found]]] = {}
        for found in self._found:
            student = _student(found, roster)
            by_student.setdefault(compared(student.key), []).append((student, found))
        for group in by_student.values():
            student, latest = max(group, key=lambda each: each[1].received)
            same_time = [found for _, found in group if found.received == latest.received]
            if len(same_time) > 1:
                sources = " and ".join(f"'{found.source}'" for found in same_time)
                problem = f"{len(same_time)} submissions of one student: {sources}; keep one of them"
                yield Entry(student, latest.source, latest.received, problem=problem)
                continue
            entry = Entry(student, latest.source, latest.received)
            earlier = tuple(found.source for _, found in group if found is not latest)
            try:
                yield replace(entry, files=_read(latest, self._tree), earlier=earlier)
            except InputError as error:
                yield replace(entry, problem=str(error), earlier=earlier)


def _student(found: _Found, roster: Mapping[str, Student]) -> Student:
    """The student of a submission: from the roster, if it knows one of the keys."""
    for key in found.keys:
        if known := roster.get(compared(key)):
            return known
    return Student(found.keys[0], found.name)


def find(path: Path, format_name: str = "") -> Export:
    """The submissions in a folder or a zip; without the name of a format, it is recognised.

    InputError if there is no submission, if the format cannot be recognised, or if the zip is too large.
    """
    if format_name and format_name not in FORMATS:
        raise InputError(f"--export-format: no format '{format_name}': {nearest(format_name, FORMATS)}")
    tree: _Tree = _open_tree(path)
    top_folders = {name.partition("/")[0] for name in tree.names}
    if len(top_folders) == 1 and (below := _without_folder(tree, format_name)):
        tree = below
    name = format_name or _recognise(tree)
    found, strays, notes = FORMATS[name](tree)
    if not found:
        raise InputError(f"{path}: no submission in it (format {name}); expected {_EXPECTED[name]}")
    return Export(name, tuple(strays), tuple(notes), tuple(found), tree)


def _recognise(tree: _Tree) -> str:
    """The name of the format. InputError if there are traces of two formats."""
    if METADATA in tree.names:
        return "gradescope"
    tops = _tops(tree)
    counts = {
        "gradescope": sum(bool(_GRADESCOPE.fullmatch(top)) for top in tops),
        "moodle": sum(bool(_MOODLE.fullmatch(top)) for top in tops),
        "canvas": sum(bool(_CANVAS.fullmatch(top)) and files == [top] for top, files in tops.items()),
    }
    likely = [name for name, count in counts.items() if count]
    if not likely:
        prefix = tree.path.name.removesuffix("submissions")  # ends with the hyphen
        is_classroom = prefix != tree.path.name and 2 * sum(top.startswith(prefix) for top in tops) >= len(tops)
        return "github" if is_classroom else "plain"
    if len(likely) > 1 or 2 * counts[likely[0]] < len(tops):
        seen = ", ".join(f"{counts[name]} as {name} writes them" for name in likely)
        raise InputError(
            f"{tree.path}: {len(tops)} files and folders, {seen}; separate them, or name the format with "
            "--export-format"
        )
    return likely[0]


# The formats. Each gives what it found, the names of the files that belong to nobody, and notes for the user.

_Finding = tuple[list[_Found], list[str], list[str]]


def _gradescope(tree: _Tree) -> _Finding:
    """Folders submission_N. The metadata name the students of each, who may be several, and the time of receipt."""
    tops, strays, found = _tops(tree), [], []
    if METADATA not in tops:
        raise InputError(f"{tree.path}: no file {METADATA}; expected it beside the folders submission_N")
    place = tree.path / METADATA
    with _opened(tree, METADATA) as file:
        content = file.read(MAX_METADATA + 1)
    if len(content) > MAX_METADATA:
        raise InputError(f"{place}: the file is too large; expected at most {MAX_METADATA:,} bytes")
    metadata = plain_yaml(content, place)
    if not isinstance(metadata, dict):
        raise InputError(f"{place}: expected a mapping from the folders submission_N to their students")
    for top, files in tops.items():
        about = metadata.get(top)
        if top == METADATA:
            continue
        submitters = about.get(":submitters") if isinstance(about, dict) else None
        people = [each for each in submitters if isinstance(each, dict)] if isinstance(submitters, list) else []
        if not people and not _GRADESCOPE.fullmatch(top):
            strays.append(top)
            continue
        members = tuple((name.partition("/")[2] or name, name) for name in files)
        received = _utc(about.get(":created_at")) if isinstance(about, dict) else ""
        for person in people or [{}]:
            values = (_word(person.get(f":{key}")) for key in ("email", "sid", "name"))
            keys = tuple(value for value in values if value) or (top,)
            found.append(_Found(keys, top, members, _word(person.get(":name")), received))
    missing = [name for name in map(str, metadata) if name not in tops]
    found += [
        _Found(_gradescope_keys(metadata[name], name), name, ())
        for name in missing
        if name in metadata and _GRADESCOPE.fullmatch(name)
    ]
    return found, strays, []


def _gradescope_keys(about: object, name: str) -> tuple[str, ...]:
    """The keys of the first student of a submission whose folder is missing."""
    submitters = about.get(":submitters") if isinstance(about, dict) else None
    first = submitters[0] if isinstance(submitters, list) and submitters and isinstance(submitters[0], dict) else {}
    return tuple(value for key in ("email", "sid", "name") if (value := _word(first.get(f":{key}")))) or (name,)


def _canvas(tree: _Tree) -> _Finding:
    """Files NAME_ID_NUMBER_FILE. All files of one student are one submission; of two attempts the later one counts."""
    strays, notes = [], []
    people: dict[str, tuple[str, dict[str, tuple[int, str]]]] = {}
    for top, files in _tops(tree).items():
        match = _CANVAS.fullmatch(top)
        if not match or files != [top]:
            strays.append(top)
            continue
        _, own = people.setdefault(match["id"], (match["name"], {}))
        again = _ATTEMPT.fullmatch(match["file"])
        base, attempt = (again["base"] + again["ending"], int(again["number"])) if again else (match["file"], 0)
        if base in own:
            earlier, later = sorted([own[base], (attempt, top)])
            notes.append(f"'{later[1]}' counts, and not the earlier attempt '{earlier[1]}'")
            own[base] = later
        else:
            own[base] = attempt, top
    found = [
        _Found((number, name), " and ".join(sorted(top for _, top in own.values())), _canvas_members(own), name)
        for number, (name, own) in people.items()
    ]
    return found, strays, notes


def _canvas_members(own: Mapping[str, tuple[int, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((base, top) for base, (_, top) in sorted(own.items()))


def _moodle(tree: _Tree) -> _Finding:
    """Folders (or files) NAME_NUMBER_assignsubmission_file_. All with one number are one submission."""
    strays, people = list[str](), dict[str, list[tuple[str, re.Match[str], list[str]]]]()
    for top, files in _tops(tree).items():
        if match := _MOODLE.fullmatch(top):
            people.setdefault(match["id"], []).append((top, match, files))
        else:
            strays.append(top)
    found = []
    for number, parts in people.items():
        members = [
            (match["file"] if files == [top] else name.partition("/")[2], name)
            for top, match, files in parts
            for name in files
        ]
        first = parts[0][1]
        found.append(
            _Found((number, first["name"]), " and ".join(top for top, _, _ in parts), tuple(members), first["name"])
        )
    return found, strays, []


def _github(tree: _Tree) -> _Finding:
    """Folders ASSIGNMENT-LOGIN. What all names have in common, up to a hyphen, is the assignment."""
    tops = _tops(tree)
    folders = {top: files for top, files in tops.items() if files != [top]}
    prefix = tree.path.name.removesuffix("-submissions") + "-"
    if not folders or not all(top.startswith(prefix) for top in folders):
        prefix = _common_start(list(folders)).rpartition("-")[0] + "-" if len(folders) > 1 else ""
    found = [
        _Found((top.removeprefix(prefix),), top, tuple((name.partition("/")[2], name) for name in files))
        for top, files in folders.items()
    ]
    return found, [top for top in tops if top not in folders], []


def _common_start(names: list[str]) -> str:
    """The longest text with which all names begin."""
    first, last = min(names), max(names)
    return next((first[:length] for length, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), first)


def _plain(tree: _Tree) -> _Finding:
    """A Python file, an archive or a folder for each student, named after the student."""
    found, strays = [], []
    for top, files in _tops(tree).items():
        if files != [top]:
            found.append(_Found((top,), top, tuple((name.partition("/")[2], name) for name in files)))
        elif ending := next((each for each in (".py", *ARCHIVES) if top.endswith(each) and top != each), ""):
            found.append(_Found((top.removesuffix(ending),), top, ((top, top),)))
        else:
            strays.append(top)
    return found, strays, []


FORMATS: Mapping[str, Callable[[_Tree], _Finding]] = {
    "gradescope": _gradescope,
    "canvas": _canvas,
    "moodle": _moodle,
    "github": _github,
    "plain": _plain,
}
_EXPECTED = {
    "gradescope": f"folders submission_N and the file {METADATA}",
    "canvas": "files NAME_ID_NUMBER_FILE",
    "moodle": "folders NAME_NUMBER_assignsubmission_file_",
    "github": "folders ASSIGNMENT-LOGIN",
    "plain": "a Python file, an archive or a folder for each student",
}


# Reading.


def _read(found: _Found, tree: _Tree) -> SubmissionFiles:
    """The files of a submission; InputError if it cannot be graded."""
    path = Path(printable(found.source))
    names = [(inside, name) for inside, name in found.members if not name.endswith("/")]
    if len(names) == 1 and "/" not in names[0][1] and not names[0][0].endswith((".py", *ARCHIVES)):
        raise InputError(f"{path}: not a Python file or an archive")
    archives = [(inside, name) for inside, name in names if inside.endswith(ARCHIVES)]
    if len(archives) == 1 and not any(inside.endswith(".py") for inside, _ in names):
        inside, name = archives[0]
        content = _content(tree, name, submission_files.MAX_ARCHIVE)
        return submission_files.read_archive(path if path.name == name else path / inside, content)

    def members() -> Iterator[tuple[str, IO[bytes] | None]]:
        for inside, name in names:
            if (checked := submission_files.checked_name(path, inside)) is not None:
                is_read = inside.endswith(".py")
                yield checked, _opened(tree, name, none_for_link=True) if is_read else io.BytesIO()

    try:
        files = submission_files.read_members(path, "folder", members())
        if not any(content.strip() for content in files.files.values()):
            raise InputError(f"{path}: the file is empty")
        return files
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{path}: cannot be read: {one_line(error, to_text=str)}") from None


def _opened(tree: _Tree, name: str, none_for_link: bool = False) -> IO[bytes]:
    file = tree.open(name)
    if file is None and not none_for_link:
        raise InputError(f"{tree.path / name}: this is a link; expected the file itself")
    return file  # type: ignore[return-value]


def _content(tree: _Tree, name: str, limit: int) -> bytes:
    """The content of a file, up to one byte more than the limit."""
    try:
        with _opened(tree, name) as file:
            return file.read(limit + 1)
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise InputError(f"{printable(name)}: cannot be read: {one_line(error, to_text=str)}") from None


def _tops(tree: _Tree) -> dict[str, list[str]]:
    """The files and folders at the top: name -> the names of the files in it, or of the file itself. Sorted."""
    tops: dict[str, list[str]] = {}
    for name in sorted(tree.names):
        tops.setdefault(name.partition("/")[0], []).append(name)
    return tops


def _is_ignored(name: str) -> bool:
    return any(part in IGNORED_NAMES or part.startswith(".") for part in name.split("/") if part)


@dataclass
class _Below:
    """The files of a tree in its only folder."""

    path: Path
    names: list[str]
    above: _Tree

    def open(self, name: str) -> IO[bytes] | None:
        return self.above.open(f"{self.path.name}/{name}")


def _without_folder(tree: _Tree, format_name: str) -> _Tree | None:
    """The files in the only folder of an export, if that folder is the export and not a submission."""
    top = tree.names[0].partition("/")[0]
    inside = [name.partition("/")[2] for name in tree.names]
    if not all(inside):
        return None
    below = _Below(tree.path / top, inside, tree)
    names = {name.partition("/")[0] for name in inside}
    is_export = METADATA in names or top.endswith("-submissions") or any(_MOODLE.fullmatch(each) for each in names)
    is_export = is_export or any(_CANVAS.fullmatch(each) for each in names)
    if _MOODLE.fullmatch(top) or (format_name == "github" and not top.endswith("-submissions")):
        return None
    return below if is_export or tree.path.stem == top else None


def _open_tree(path: Path) -> _Tree:
    """The files of a folder or of a zip. InputError if it is something else or too large."""
    try:
        opened = open_path(path)
    except LinkFound:
        raise InputError(f"{path}: this is a link; name the folder or zip that it leads to") from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path}: no such folder or zip") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    if isinstance(opened, Folder):
        with opened:
            names = list(_folder_names(opened, path))
        tree: _Tree = _FolderTree(path, names)
    else:
        tree = _ZipTree(path, opened)
    if not tree.names:
        raise InputError(f"{path}: it is empty; expected the submissions of a class")
    return tree


@dataclass
class _FolderTree:
    """The files in a folder."""

    path: Path
    names: list[str]

    def open(self, name: str) -> IO[bytes] | None:
        try:
            opened = open_path(self.path / name)
        except LinkFound:
            return None
        if isinstance(opened, Folder) or not is_regular(opened):
            opened.__exit__(None, None, None)
            raise InputError(f"{printable(name)}: not a regular file")
        return opened


def _folder_names(folder: Folder, path: Path, inside: str = "") -> Iterator[str]:
    """The names of all files in a folder; that of an empty folder ends in "/"."""
    count = 0
    for name in folder.names():
        if _is_ignored(name):
            continue
        count += 1
        if folder.kind(name) == stat.S_IFDIR and inside.count("/") < submission_files.MAX_FOLDERS:
            opened = folder.open(name)
            assert isinstance(opened, Folder)
            with opened:
                yield from _folder_names(opened, path, f"{inside}{name}/")
        else:
            yield inside + name
    if not count and inside:
        yield inside


class _ZipTree:
    """The files in a zip, which stays open."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        try:
            submission_files.check_directory(path, file, MAX_DIRECTORY)
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            file.close()
            if isinstance(error, InputError):
                raise InputError(f"{path}: its directory is too large; unpack it and grade the folder") from None
            raise InputError(f"{path}: not a folder and not a readable zip: {one_line(error, to_text=str)}") from None
        entries = [(submission_files.entry_name(entry), entry) for entry in self._zip.infolist()]
        unpacked = sum(entry.file_size for _, entry in entries)
        if unpacked > MAX_UNPACKED or len(entries) > MAX_FILES:
            raise InputError(
                f"{path}: {len(entries):,} files with {unpacked:,} bytes; expected at most {MAX_FILES:,} files and "
                f"{MAX_UNPACKED:,} bytes; unpack it and grade the folder"
            )
        full_folders = {f"{parent}/" for name, _ in entries for parent in PurePosixPath(name.rstrip("/")).parents}
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for name, entry in entries:
            if name in self._entries or name.startswith("/") or ".." in name.split("/"):
                problem = "is in it twice" if name in self._entries else "leads outside"
                raise InputError(f"{path}: '{printable(name)[:80]}' {problem}; unpack it yourself and look at it")
            if _is_ignored(name) or name in full_folders:
                continue
            self._entries[name] = entry
        self.names = list(self._entries)

    def open(self, name: str) -> IO[bytes] | None:
        entry = self._entries[name]
        is_link = stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR)
        return None if is_link else self._zip.open(entry)


def _word(value: object) -> str:
    """A value of the metadata as a line of text; empty if there is none."""
    return "" if value is None else printable(str(value)).strip()


def _utc(value: object) -> str:
    """A time such as 2026-11-01 10:00:00.25 Z or 2026-11-01T10:00:00+01:00 in UTC; empty if it is none.

    >>> _utc("2026-11-01 10:00:00.250000000 Z"), _utc("2026-11-01T10:00:00+01:00"), _utc("soon")
    ('2026-11-01T10:00:00Z', '2026-11-01T09:00:00Z', '')
    """
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?", str(value))
    if not match:
        return ""
    try:
        time = datetime.fromisoformat(f"{match[1]}T{match[2]}{match[3] or 'Z'}")
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""
