"""What each student of a class may see, in files whose names say whose they are.

Moodle reads the number of the participant in NAME_NUMBER_assignsubmission_file_ ("Upload multiple feedback files in a
zip"). Canvas reads the numbers of the student and of a file that the student handed in, which are in the names that it
exports ("Upload Submissions"). Both names come from the export that was graded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course.intake.roster import Student, first_names
from pacman.core.errors import InputError, reason_of
from pacman.core.files import whole_file

if TYPE_CHECKING:  # the help of the command reads the table of formats, and needs no database
    from autograder.course.marks.marks import Late, Mark, Rule
    from autograder.course.store import Store
    from autograder.judge.scorecard import Scorecard

ENDINGS = {"page": "html", "markdown": "md"}
_MOODLE_SOURCE = re.compile(r"_([0-9]+)_assignsubmission_")
_CANVAS_SOURCE = re.compile(r"[^_]+_(?:LATE_)?([0-9]+)_[0-9]+(?=_)")
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_RESERVED = re.compile(r"index|con|prn|aux|nul|com\d|lpt\d|.*-[0-9a-f]{10}")
"""Names that are taken, that Windows does not allow, or that look like those with a digest."""


def page_name(key: str) -> str:
    """The file of a student's page: the key, if every system can have such a file, or else part of it and a digest.

    >>> page_name("ada"), page_name("../Ada")
    ('ada.html', 'ada-4e4af21652.html')
    """
    if _PLAIN.fullmatch(key) and not _RESERVED.fullmatch(key):
        return f"{key}.html"
    part = re.sub("[^a-z0-9]+", "-", key.lower()).strip("-")[:24].strip("-") or "student"
    return f"{part}-{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}.html"


def plain_name(student: Student, source: str, ending: str) -> str:
    """The id of a student as the name of a file."""
    return f"{Path(page_name(student.key)).stem}.{ending}"


def moodle_name(student: Student, source: str, ending: str) -> str:
    """The name for Moodle, from the folder that it exported; empty if the number of the participant is not known.

    >>> moodle_name(Student("s1", "Ada_B"), "Ada B_132_assignsubmission_file", "html")
    'Ada B_132_assignsubmission_file_/feedback.html'
    >>> moodle_name(Student("132"), "ada.py", "md"), moodle_name(Student("ada"), "ada.py", "md")
    ('student_132_assignsubmission_file_/feedback.md', '')
    """
    numbers = {*_MOODLE_SOURCE.findall(source)} or ({student.key} if re.fullmatch("[0-9]+", student.key) else set())
    if len(numbers) != 1:
        return ""
    name = " ".join(re.sub(r"[^\w .'-]|_", " ", student.name).split()).strip(". ") or "student"
    return f"{name}_{numbers.pop()}_assignsubmission_file_/feedback.{ending}"


def canvas_name(student: Student, source: str, ending: str) -> str:
    """The name for Canvas, from a file that it exported; empty if it is not known.

    >>> canvas_name(Student("41"), "lovelaceada_LATE_41_977_search.py and lovelaceada_LATE_41_978_x.py", "html")
    'lovelaceada_LATE_41_977_feedback.html'
    >>> canvas_name(Student("42"), "bob_41_977_x.py", "html"), canvas_name(Student("ada"), "ada.py", "html")
    ('', '')
    """
    match = _CANVAS_SOURCE.match(source)
    is_other = match and student.key.isdigit() and student.key != match[1]
    return f"{match[0]}_feedback.{ending}" if match and not is_other else ""


def feedback(store: Store, assignment: str, rule: Rule, late: Late) -> Iterator[tuple[Mark, Scorecard | None]]:
    """What each student of a store may see about the attempt that counts, without a card if it was not graded.

    Only of whom something is known: the attempt has a result or a problem, or the staff adjusted something.
    """
    from autograder.course.marks.marks import NO_SUBMISSION, marks
    from autograder.course.records import NOT_GRADED

    for mark in marks(store, assignment, rule, late):
        card = store.scorecard(mark.result.id) if mark.result else None
        if card and mark.late_note:
            card = replace(card, notes=(*card.notes, f"{mark.late_note[0].upper()}{mark.late_note[1:]}."))
        if mark.notes or mark.reason not in (NOT_GRADED, NO_SUBMISSION):
            yield mark, card


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes reports, which only their owner can read. InputError if that fails, or if the folder has files."""
    try:
        folder.mkdir(exist_ok=True)
        if others := sorted(each.name for each in folder.iterdir()):
            raise InputError(f"--out {folder}: this folder is not empty: {first_names(others)}; name a new one")
        for name, content in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            with whole_file(folder / name, rights=0o600) as file:
                file.write(content)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be written: {reason_of(error)}") from None
