"""The submissions of an export, one after the other, each with its student and its files.

Every submission comes out once. One that cannot be graded comes out with its problem; a file that belongs to nobody is
named in `strays`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from autograder.course.intake.export_formats import EXPECTED, FORMATS, Found, recognise, without_folder
from autograder.course.intake.export_tree import UNREADABLE, Tree, file_content, open_file, open_tree
from autograder.course.intake.roster import Student, compared
from autograder.sandbox import submission_files
from autograder.sandbox.submission_files import ARCHIVES, SubmissionFiles
from pacman.core.errors import InputError, nearest, one_line, printable


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
class Export:
    """What was found in an export. `entries` reads one submission after the other."""

    format: str
    strays: tuple[str, ...]
    notes: tuple[str, ...]
    _found: tuple[Found, ...] = field(repr=False)
    _tree: Tree = field(repr=False)

    def __len__(self) -> int:
        return len(self._found)

    def entries(self, roster: Mapping[str, Student]) -> Iterator[Entry]:
        """Each submission, with its files. A student who is in the roster has the key that the roster gives."""
        by_student: dict[str, list[tuple[Student, Found]]] = {}
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


def _student(found: Found, roster: Mapping[str, Student]) -> Student:
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
    tree: Tree = open_tree(path)
    top_folders = {name.partition("/")[0] for name in tree.names}
    if len(top_folders) == 1 and (below := without_folder(tree, format_name)):
        tree = below
    name = format_name or recognise(tree)
    found, strays, notes = FORMATS[name](tree)
    if not found:
        raise InputError(f"{path}: no submission in it (format {name}); expected {EXPECTED[name]}")
    return Export(name, tuple(strays), tuple(notes), tuple(found), tree)


def _read(found: Found, tree: Tree) -> SubmissionFiles:
    """The files of a submission; InputError if it cannot be graded."""
    path = Path(printable(found.source))
    names = [(inside, name) for inside, name in found.members if not name.endswith("/")]
    if len(names) == 1 and "/" not in names[0][1] and not names[0][0].endswith((".py", *ARCHIVES)):
        raise InputError(f"{path}: not a Python file or an archive")
    archives = [(inside, name) for inside, name in names if inside.endswith(ARCHIVES)]
    if len(archives) == 1 and not any(inside.endswith(".py") for inside, _ in names):
        inside, name = archives[0]
        content = file_content(tree, name, submission_files.MAX_ARCHIVE)
        return submission_files.read_archive(path if path.name == name else path / inside, content)

    def members() -> Iterator[tuple[str, IO[bytes] | None]]:
        for inside, name in names:
            if (checked := submission_files.checked_name(path, inside)) is not None:
                is_read = inside.endswith(".py")
                yield checked, open_file(tree, name, none_for_link=True) if is_read else io.BytesIO()

    try:
        files = submission_files.read_members(path, "folder", members())
        if not any(content.strip() for content in files.files.values()):
            raise InputError(f"{path}: the file is empty")
        return files
    except UNREADABLE as error:
        raise InputError(f"{path}: cannot be read: {one_line(error, to_text=str)}") from None
