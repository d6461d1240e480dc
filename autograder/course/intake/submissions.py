"""The submissions of an export, one after the other, each with its student and its files.

Every submission comes out once. One that cannot be graded comes out with its problem; a file that belongs to nobody is
named in `strays`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from autograder.course.intake import exports
from autograder.course.intake.archive import Tree, Unreadable, file_content, open_tree, reading
from autograder.course.intake.exports import LAYOUTS, Found
from autograder.course.intake.roster import Student, by_key, compared
from autograder.sandbox import submission_files
from autograder.sandbox.submission_files import ARCHIVES, SubmissionFiles
from pacman.core.errors import InputError, error_line, one_line, printable


@dataclass(frozen=True)
class Entry:
    """One submission of an export. `received` is the time of receipt in UTC; empty if the export does not say it.

    Either it has files, or a `problem` says why it cannot be graded, or a `failure` says why it is no attempt and has
    no result: this machine cannot read it, or nobody knows whose it is. `earlier` are the sources of earlier attempts.
    """

    student: Student
    source: str
    received: str = ""
    files: SubmissionFiles | None = None
    problem: str = ""
    failure: str = ""
    earlier: tuple[str, ...] = ()
    account: Student | None = None
    """Who handed it in, as the platform names the account; None if it is the student's own name."""
    other_keys: tuple[str, ...] = ()
    """The other names of this account: the one that the roster knows, and those of no other account of the export."""


@dataclass(frozen=True)
class Export:
    """What was found in an export. `entries` reads one submission after the other."""

    format: str
    strays: tuple[str, ...]
    notes: tuple[str, ...]
    _found: tuple[Found, ...] = field(repr=False)
    _tree: Tree = field(repr=False)
    _roster: Mapping[str, Student] = field(repr=False)

    def __len__(self) -> int:
        return len(self._found)

    def students(self) -> list[Student]:
        """The students, without reading their files. A student who is in the roster has the key that it gives."""
        return [self._student(found)[0] for found in self._found]

    def entries(self) -> Iterator[Entry]:
        """Each submission, with its files. A student who is in the roster has the key that the roster gives."""
        by_student: dict[str, list[tuple[int, Found]]] = {}
        for found in self._found:
            student, place = self._student(found)
            if found.failure:
                yield Entry(student, found.source, found.received, failure=found.failure)
            else:
                by_student.setdefault(compared(student.key), []).append((place, found))
        for group in by_student.values():
            yield from self._of_student(group)

    def _student(self, found: Found) -> tuple[Student, int]:
        """The student of a submission, and which of its keys the roster knows; without a roster, the first one."""
        for place, key in enumerate(found.keys):
            if known := self._roster.get(compared(key)):
                return known, place
        return Student(found.keys[0], found.name, is_listed=not self._roster), 0

    def _is_of_one(self, key: str) -> bool:
        """True if only one account of the export has this name."""
        name = compared(key)
        return len({compared(found.keys[0]) for found in self._found if name in map(compared, found.keys)}) == 1

    def _of_student(self, group: Sequence[tuple[int, Found]]) -> Iterator[Entry]:
        """The latest submission of one student. What another account claims to be of this student is nobody's."""
        best = min(place for place, _ in group)
        accounts = list(dict.fromkeys(compared(found.keys[0]) for place, found in group if place == best))
        own = [found for _, found in group if accounts == [compared(found.keys[0])]]
        student = self._student(group[0][1])[0]
        for found in (found for _, found in group if found not in own):
            claim = f"this account has the number of student {_shown(student.key)}, and so has another account"
            yield Entry(
                Student(found.keys[0], found.name),
                found.source,
                found.received,
                failure=f"'{_shown(found.source)}': {claim}; correct the number or the roster",
            )
        if not own:
            return
        latest = max(own, key=lambda each: each.received)
        same_time = [found for found in own if found.received == latest.received]
        account, is_student = Student(latest.keys[0], latest.name), compared(student.key)
        others = tuple(key for key in latest.keys[1:] if compared(key) == is_student or self._is_of_one(key))
        entry = Entry(student, latest.source, latest.received, account=account, other_keys=others)
        if len(same_time) > 1:
            sources = " and ".join(f"'{_shown(found.source)}'" for found in same_time[:3])
            problem = f"{len(same_time)} submissions of one student: {sources}; keep one of them"
            yield replace(entry, failure=problem)
            return
        entry = replace(entry, earlier=tuple(found.source for found in own if found is not latest))
        yield _with_files(entry, latest, self._tree)


def find(path: Path, format_name: str = "", roster: Iterable[Student] = ()) -> Export:
    """The submissions in a folder or a zip. Without the name of a format, it must have plain files.

    InputError if there is no submission, if it has names that a platform writes, or if the zip is too large.
    """
    name, tree = exports.choose(open_tree(path), format_name)
    found, strays, notes = exports.submissions(tree, name)
    if not found:
        raise InputError(f"{path}: no submission in it (format {name}); expected {LAYOUTS[name].expected}")
    return Export(name, tuple(strays), tuple(notes), tuple(found), tree, by_key(roster))


def _shown(text: str) -> str:
    """A text from an export in a message."""
    return one_line(text, 80, to_text=str)


def _with_files(entry: Entry, found: Found, tree: Tree) -> Entry:
    """The entry with its files, a problem or a failure. Whatever reading one submission raises ends here."""
    try:
        return replace(entry, files=_read(found, tree))
    except Unreadable as error:
        return replace(entry, failure=str(error))
    except InputError as error:
        return replace(entry, problem=str(error))
    except Exception as error:  # whatever is broken in one submission must not end the class
        source = printable(found.source)
        if problem := submission_files.machine_problem(error):
            return replace(entry, failure=f"{source}: cannot be read: {problem}")
        return replace(entry, problem=f"{source}: cannot be read: {error_line(error)}")


def _read(found: Found, tree: Tree) -> SubmissionFiles:
    """The files of a submission; InputError if it cannot be graded, Unreadable if it cannot be read."""
    path = Path(printable(found.source))
    for _, name in found.members:
        if name in tree.closed:
            raise Unreadable(f"{printable(name)}: cannot be read: {tree.closed[name]}")
    names = [(inside, name) for inside, name in found.members if not name.endswith("/")]
    if len(names) == 1 and "/" not in names[0][1] and not names[0][0].endswith((".py", *ARCHIVES)):
        raise InputError(f"{path}: not a Python file or a zip")
    archives = [(inside, name) for inside, name in names if inside.endswith(ARCHIVES)]
    if len(archives) == 1 and not any(inside.endswith(".py") for inside, _ in names):
        inside, name = archives[0]
        content = file_content(tree, name, submission_files.MAX_ARCHIVE)
        return submission_files.read_archive(path if path.name == name else path / inside, content)

    def members() -> Iterator[tuple[str, IO[bytes] | None]]:
        for inside, name in names:
            if (checked := submission_files.checked_name(path, inside)) is not None:
                is_read = inside.endswith(".py")
                yield checked, tree.open(name) if is_read else io.BytesIO()

    with reading(str(path)):
        files = submission_files.read_members(path, "folder", members())
    if not any(content.strip() for content in files.files.values()):
        raise InputError(f"{path}: the file is empty")
    return files
