"""The marks of a class as a table: for people, for Canvas, or for Moodle.

The columns for Canvas are those that its gradebook imports: who, then one column for each assignment, and first a row
with the points that are possible (https://community.canvaslms.com, "How do I import grades in the Gradebook?"). Moodle
imports any columns (https://docs.moodle.org, "Grade import"); a table with the column Identifier can also be uploaded
as the grading worksheet of one assignment.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from autograder.course.intake.roster import Student
from autograder.course.marks.attempts import NO_SUBMISSION, Rule, Work
from autograder.course.marks.pseudonyms import Naming, Pseudonyms
from autograder.course.marks.times import late_days
from autograder.judge.points_as_text import points_text
from pacman.core.errors import printable

KEY_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "canvas": ("ID", "SIS User ID", "SIS Login ID"),
    "moodle": ("Identifier", "ID number", "Email address", "Username"),
}
"""For each format, the columns by which the platform can find a student."""
_FORMULA = re.compile(r"""((?:^|[;|])[\s"']*)([=+\-@＝＋－＠])""")
"""What could begin a formula: a sign at the beginning of a cell, or after a separator."""


@dataclass(frozen=True)
class Mark:
    """The mark of one student in one assignment. With a `reason` there are no points.

    `late` is the number of late days, None if the time of receipt or the due time is not known. `attempt` is the number
    of the attempt that counts, of `attempts`. `version` says which grading it comes from. `adjusted` is the part of the
    points that the course staff gave or took, `because` says why.
    """

    student: Student
    assignment: str
    earned: float = 0.0
    points: float = 0.0
    reason: str = NO_SUBMISSION
    questions: Mapping[str, Sequence[float]] | None = None
    received: str = ""
    late: int | None = None
    attempt: int = 0
    attempts: int = 0
    version: tuple[str, str] = ("", "")
    adjusted: float = 0.0
    because: str = ""


def marks(
    assignment: str, works: Iterable[Work], rule: Rule, naming: Naming, due: datetime | None = None
) -> list[Mark]:
    """The mark of every student. Who has no submission, or none that could be graded, has 0 points and a reason.

    The reason names files, so a pseudonym has a shorter one; and the order of pseudonyms says nothing.
    """
    every = list(works)
    is_anonymous = isinstance(naming, Pseudonyms)
    if is_anonymous:
        every.sort(key=lambda work: naming(work.student).key)
    chosen = [each.chosen(rule) for each in every]
    points = max((each.result.points for each in chosen if each and each.result), default=0.0)
    rows = []
    for work, attempt in zip(every, chosen, strict=True):
        student = naming(work.student)
        adjusted = work.adjusted(attempt)
        because = "; ".join(each.question if is_anonymous else each.text for each in work.adjustments)
        if attempt is None:
            rows.append(Mark(student, assignment, adjusted, points, adjusted=adjusted, because=because))
            continue
        result, received = attempt.result, attempt.submission.received
        is_graded = bool(result and not attempt.reason)
        rows.append(
            Mark(
                student,
                assignment,
                attempt.earned + adjusted,
                result.points if result and is_graded else points,
                "could not be graded" if attempt.reason and is_anonymous else attempt.reason,
                result.questions if result and is_graded else None,
                received,
                late_days(received, due) if due else None,
                next(number for number, each in enumerate(work.attempts, 1) if each is attempt),
                len(work.attempts),
                (result.assignment_digest, result.grader) if result and is_graded else ("", ""),
                adjusted,
                because,
            )
        )
    return rows


def plain(rows: Sequence[Mark]) -> list[list[str]]:
    """A row for each student and assignment, with the points of each question and all that explains them."""
    questions = list(dict.fromkeys(name for row in rows for name in row.questions or ()))
    fixed = ["key", "name", "section", "assignment", "points", "possible"]
    has_adjustments = any(row.because for row in rows)
    more = ["by the grader", "adjusted"] if has_adjustments else []
    table = [[*fixed, *questions, *more, "attempt", "attempts", "received", "late days", "reason"]]
    for row in rows:
        own = row.questions or {}
        table.append(
            [
                *(row.student.key, row.student.name, row.student.section, row.assignment),
                *(points_text(row.earned), points_text(row.points)),
                *(points_text(own[name][0]) if name in own else "" for name in questions),
                *((points_text(row.earned - row.adjusted), row.because) if has_adjustments else ()),
                *(str(row.attempt or ""), str(row.attempts), row.received),
                *("" if row.late is None else str(row.late), row.reason),
            ]
        )
    return table


def canvas(rows: Sequence[Mark], key_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """The table that the gradebook of Canvas imports. `columns` maps assignments to the names of their columns."""
    ids = KEY_COLUMNS["canvas"]
    possible = {row.assignment: row.points for row in rows}
    table = [["Student", *ids, "Section", *columns.values()]]
    empty = [""] * (len(ids) + 1)
    table.append(["    Points Possible", *empty, *(points_text(possible.get(name, 0)) for name in columns)])
    for student, own in _by_student(rows):
        cells = [student.key if name == key_column else "" for name in ids]
        table.append([student.name or student.key, *cells, student.section, *_points(own, columns)])
    return table


def moodle(rows: Sequence[Mark], key_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """A table that the gradebook of Moodle imports; with Identifier and one assignment, also a grading worksheet."""
    if key_column == "Identifier":
        table = [["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"]]
        for row in rows:
            grade = [points_text(row.earned), points_text(row.points), "", row.reason]
            table.append([f"Participant {row.student.key}", row.student.name, *grade])
        return table
    table = [[key_column, "Full name", *columns.values()]]
    for student, own in _by_student(rows):
        table.append([student.key, student.name, *_points(own, columns)])
    return table


def likely_key_column(format_name: str, students: Iterable[Student]) -> str:
    """The column in which the platform looks for keys such as these.

    Its own exports name students by numbers: the ID of Canvas, the participant of Moodle.

    >>> [likely_key_column("canvas", [Student(key)]) for key in ("4711", "ada")]
    ['ID', 'SIS Login ID']
    >>> [likely_key_column("moodle", [Student(key)]) for key in ("4711", "ada@x.org", "s4711")]
    ['Identifier', 'Email address', 'ID number']
    """
    keys = [student.key for student in students]
    are_numbers = all(key.isascii() and key.isdigit() for key in keys)
    if format_name == "canvas":
        return "ID" if are_numbers else "SIS Login ID"
    if are_numbers:
        return "Identifier"
    return "Email address" if all("@" in key for key in keys) else "ID number"


def csv_text(table: Iterable[Sequence[str]]) -> str:
    """The table as CSV, each cell in quotation marks. What a spreadsheet would read as a formula gets an apostrophe.

    >>> print(csv_text([["=1+1", "Ada, B", "3.5"]]), end="")
    "'=1+1","Ada, B","3.5"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([safe_cell(cell) for cell in row] for row in table)
    return text.getvalue()


def safe_cell(cell: str) -> str:
    """The text of a cell on one line, with an apostrophe before each sign that could begin a formula.

    That is at the beginning, and after what can separate cells: in many countries a spreadsheet splits at a semicolon,
    and takes the quotation marks of a table with commas for text.

    >>> safe_cell("=1"), safe_cell("Bob; =1+1;-2"), safe_cell("a-b, -c")
    ("'=1", "Bob; '=1+1;'-2", 'a-b, -c')
    """
    return _FORMULA.sub(r"\1'\2", printable(cell))


def _by_student(rows: Sequence[Mark]) -> list[tuple[Student, dict[str, Mark]]]:
    """The marks of each student by assignment, in the order of the rows."""
    own: dict[str, tuple[Student, dict[str, Mark]]] = {}
    for row in rows:
        own.setdefault(row.student.key, (row.student, {}))[1][row.assignment] = row
    return list(own.values())


def _points(own: Mapping[str, Mark], columns: Iterable[str]) -> list[str]:
    return [points_text(own[name].earned) if name in own else "" for name in columns]
