"""The submissions of an export, one after the other, each with its student and its files.

Every submission comes out once. One that cannot be graded comes out with its problem; a file that belongs to nobody is
named in `strays`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from autograder.course.intake import exports
from autograder.course.intake.archive import Tree, Unreadable, file_content, open_tree, reading
from autograder.course.intake.exports import LAYOUTS, Entry
from autograder.course.intake.roster import Student, by_key, compared
from autograder.sandbox import submission_files
from autograder.sandbox.submission_files import ARCHIVES, Members, SubmissionFiles
from pacman.core.errors import InputError, counted, error_line, one_line, printable

MAX_ARCHIVES = 20
"""The most zips in one submission: each of them is read as a whole."""


@dataclass(frozen=True)
class Export:
    """What was found in an export: submissions without their files, names that belong to nobody, notes for the user.

    A student who is in the roster has the key that it gives.
    """

    format: str
    strays: tuple[str, ...]
    notes: tuple[str, ...]
    found: tuple[Entry, ...] = field(repr=False)
    tree: Tree = field(repr=False)

    def students(self) -> list[Student]:
        """The students, without reading their files."""
        return [each.student for each in self.found]

    def entries(self) -> Iterator[Entry]:
        """Each submission, one after the other, with its files, a problem or a failure."""
        for each in self.found:
            try:
                with reading(printable(each.source)):
                    entry = each if each.failure else replace(each, files=_read(each, self.tree))
            except Unreadable as error:
                entry = replace(each, failure=str(error))
            except InputError as error:
                entry = replace(each, problem=str(error))
            except Exception as error:  # whatever is broken in one submission must not end the class
                entry = replace(each, problem=f"{printable(each.source)}: cannot be read: {error_line(error)}")
            yield entry


def find(
    path: Path,
    format_name: str = "",
    roster: Iterable[Student] = (),
    received: Mapping[str, str] = MappingProxyType({}),
) -> Export:
    """The submissions in a folder or a zip. Without the name of a format, it must have plain files.

    `received` are times of receipt by compared keys, for submissions of which the export says none.

    InputError if there is no submission, if it has names that a platform writes, or if the zip is too large.
    """
    name, tree = exports.choose(open_tree(path), format_name)
    entries, strays, notes = exports.submissions(tree, name)
    if not entries:
        raise InputError(f"{path}: no submission in it (format {name}); expected {LAYOUTS[name].expected}")
    known, failed, students, owners = by_key(roster), list[Entry](), dict[str, list[Entry]](), dict[str, set[str]]()
    for each in entries:
        keys = [compared(key) for key in each.keys]
        own = ((place, known[key]) for place, key in enumerate(keys) if key in known)
        place, student = next(own, (0, replace(each.account, is_listed=not known)))
        time = each.received or received.get(compared(student.key), "")
        entry = replace(each, student=student, place=place, received=time)
        (failed if each.failure else students.setdefault(compared(student.key), [])).append(entry)
        for key in keys:
            owners.setdefault(key, set()).add(keys[0])
    latest = [each for group in students.values() for each in _of_student(group, owners)]
    return Export(name, tuple(strays), tuple(notes), (*failed, *latest), tree)


def _of_student(group: Sequence[Entry], owners: Mapping[str, set[str]]) -> Iterator[Entry]:
    """The latest submission of one student. What another account claims to be of this student is nobody's.

    `owners` has for each key the accounts that have it.
    """
    best, key = min(each.place for each in group), group[0].student.key
    accounts = {compared(each.keys[0]) for each in group if each.place == best}
    own = [each for each in group if accounts == {compared(each.keys[0])}]
    for each in group:
        if each not in own:
            claim = f"this account has the number of student {_shown(key)}, and so has another account"
            failure = f"'{_shown(each.source)}': {claim}; correct the number or the roster"
            yield replace(each, student=each.account, failure=failure)
    if not own:
        return
    latest = max(own, key=lambda each: each.received)
    others = (each for each in latest.keys[1:] if compared(each) == compared(key) or len(owners[compared(each)]) == 1)
    last = replace(latest, other_keys=tuple(others), earlier=tuple(each.source for each in own if each is not latest))
    same_time = [f"'{_shown(each.source)}'" for each in own if each.received == latest.received]
    if len(same_time) > 1:
        problem = f"{len(same_time)} submissions of one student: {' and '.join(same_time[:3])}; keep one of them"
        last = replace(last, failure=problem)
    yield last


def _shown(text: str) -> str:
    """A text from an export in a message."""
    return one_line(text, 80, to_text=str)


def _read(entry: Entry, tree: Tree) -> SubmissionFiles:
    """The files of a submission; InputError if it cannot be graded, Unreadable if it cannot be read."""
    path = Path(printable(entry.source))
    for _, name in entry.members:
        if name in tree.closed:
            raise Unreadable(f"{printable(name)}: cannot be read: {tree.closed[name]}")
    names = [(inside, name) for inside, name in entry.members if not name.endswith("/")]
    if len(names) == 1 and "/" not in names[0][0]:  # as if this file were graded alone
        names = [(submission_files.safe_name(names[0][0]), names[0][1])] if names[0][0].endswith(".py") else names
    if len(names) == 1 and "/" not in names[0][1] and not names[0][0].endswith((".py", *ARCHIVES)):
        raise InputError(f"{path}: not a Python file or a zip{submission_files.near_python([names[0][0]])}")
    archives = [(inside, name) for inside, name in names if inside.endswith(ARCHIVES)]
    archives = archives if not any(inside.endswith(".py") for inside, _ in names) else []
    if len(archives) > MAX_ARCHIVES:
        raise InputError(f"{path}: {counted(len(archives), 'zip')}; hand in one, or the Python files")
    read, problems, left = list[tuple[str, SubmissionFiles]](), list[InputError](), submission_files.MAX_BYTES
    for inside, name in archives:
        content = file_content(tree, name, submission_files.MAX_ARCHIVE)
        try:
            place = path if path.name == name else path / inside
            read.append((inside, submission_files.read_archive(place, io.BytesIO(content))))
        except InputError as error:
            problems.append(error)
            continue
        left -= sum(map(len, read[-1][1].files.values()))
        if left < 0:
            raise InputError(f"{path}: the Python files together have more than {submission_files.MAX_BYTES:,} bytes")
    if problems and not read:
        raise problems[0]
    ignored = tuple(f"ignored: {each}" for each in problems)
    if len(read) == 1:
        return replace(read[0][1], notes=(*read[0][1].notes, *ignored))

    def members() -> Members:
        for archive, own in read:  # each is a folder
            for file, text in own.files.items():
                if (checked := submission_files.checked_name(path, f"{archive.rpartition('.')[0]}/{file}")) is not None:
                    yield checked, io.BytesIO(text)
        for inside, name in names:
            if (checked := submission_files.checked_name(path, inside)) is not None:
                is_read = inside.endswith(".py")
                yield checked, tree.open(name) if is_read else io.BytesIO()

    files = submission_files.read_members(path, "folder", members())
    if not any(content.strip() for content in files.files.values()):
        raise InputError(f"{path}: the file is empty")
    return replace(files, notes=(*files.notes, *ignored))
