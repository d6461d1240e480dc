"""The marks of a class as a table: for people, or for the gradebook of a platform; and the table of platforms.

The columns for Canvas are those that its gradebook imports: who, then one column for each assignment, and first a row
with the points that are possible (https://community.canvaslms.com, "How do I import grades in the Gradebook?"). Moodle
imports any columns (https://docs.moodle.org, "Grade import"); a table with the column Identifier can also be uploaded
as the grading worksheet of one assignment.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from autograder.course.intake.roster import Student, compared
from autograder.course.marks.feedback import canvas_name, moodle_name, plain_name
from autograder.judge.points_as_text import points_text
from pacman.core.errors import printable

if TYPE_CHECKING:  # the help of the command reads the table of formats, and needs no database
    from autograder.course.marks.marks import Mark

_FORMULA = re.compile(r"""((?:^|[;|])[\s"']*)([=+\-@＝＋－＠])""")
"""What could begin a formula: a sign at the beginning of a cell, or after a separator."""

WORKSHEET = (
    *("Participant ", "Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"),
    "Feedback comments",
)
"""What stands before the number of a participant, and the columns of a grading worksheet, in English."""

Table = list[list[str]]


def plain(rows: Sequence[Mark], *_: object) -> Table:
    """A row for each student and assignment, with the points of each question and all that explains them."""
    shows_late_rule = any(row.late_rule.per_day for row in rows)
    questions = list(dict.fromkeys(name for row in rows for name in row.questions))
    if len({row.assignment for row in rows}) > 1:  # each may have another order
        questions.sort(key=lambda name: (len(name), name))
    columns: dict[str, Callable[[Mark], str]] = {
        "id": lambda row: row.student.key,
        "name": lambda row: row.student.name,
        "section": lambda row: row.student.section,
        "assignment": lambda row: row.assignment,
        "points": lambda row: points_text(row.earned),
        "possible": lambda row: points_text(row.points),
    }
    columns |= {name: partial(_points_of, name) for name in questions}
    if any(row.notes for row in rows):
        columns["by the grader"] = lambda row: points_text(row.attempt.earned)
        columns["adjusted"] = lambda row: "; ".join(row.notes)
    if shows_late_rule or any(row.out_of for row in rows):
        columns["before"] = lambda row: points_text(row.before)
    if shows_late_rule:
        columns["kept"] = lambda row: f"{row.kept:.6%}".rstrip("0%").rstrip(".") + " %"
    if any(row.out_of for row in rows):
        columns["times"] = lambda row: f"{points_text(row.points)}/{points_text(row.most)}"
    if any(row.extended for row in rows):
        columns["extended to"] = lambda row: row.extended
    if not all(row.student.is_listed for row in rows):
        columns["roster"] = lambda row: "" if row.student.is_listed else "not in it"
    columns |= {
        "attempt": lambda row: str(row.number or ""),
        "attempts": lambda row: str(len(row.attempts)),
        "received": lambda row: row.received,
        "late days": lambda row: str(row.late) if row.late is not None else "LATE" if row.is_late else "",
        "reason": lambda row: row.why_none,
    }
    return [[*columns], *([cell(row) for cell in columns.values()] for row in rows)]


def _points_of(question: str, row: Mark) -> str:
    return points_text(row.questions[question][0]) if question in row.questions else ""


def canvas(
    rows: Sequence[Mark], id_column: str, columns: Mapping[str, str], sis: Mapping[str, Sequence[str]] | None
) -> Table:
    """The table that the gradebook of Canvas imports. `columns` maps assignments to the names of their columns.

    The ids of `sis` are those of the gradebook that came as the roster.
    """
    ids = FORMATS["canvas"].id_columns
    possible = {row.assignment: row.points for row in rows}
    most = [points_text(possible.get(name, 0)) for name in columns]

    def who(student: Student) -> list[str]:
        user, login = (sis or {}).get(compared(student.key), ("", ""))
        known = {"SIS User ID": user, "SIS Login ID": login, id_column: student.key}
        return [student.name or student.key, *(known.get(name, "") for name in ids), student.section]

    head = ["Student", *ids, "Section", *columns.values()]
    return [head, ["    Points Possible", *[""] * (len(ids) + 1), *most], *_by_student(rows, columns, who)]


def moodle(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str], worksheet: Sequence[str] | None) -> Table:
    """A table that the gradebook of Moodle imports; with Identifier and one assignment, also a grading worksheet.

    Its words are those of the `worksheet` that came as the roster: Moodle reads them in the language of its user.
    """
    if id_column == "Identifier":
        participant, *head = worksheet or WORKSHEET
        table = [head]
        for row in rows:
            grade = _open_or_points(row), points_text(row.points), ""
            told = escape(feedback(row), quote=False)  # Moodle reads it as HTML
            table.append([participant + row.student.key, row.student.name, *grade, told])
        return table if head[-1] else [line[:-1] for line in table]  # an assignment without comments
    head = [id_column, "Full name", *columns.values()]
    return [head, *_by_student(rows, columns, lambda student: [student.key, student.name])]


def _open_or_points(row: Mark) -> str:
    """The points for a platform; empty for a mark that is not known yet, since a platform would show a 0."""
    return "" if row.is_open else points_text(row.earned)


def feedback(row: Mark) -> str:
    """A mark in one line for the student: the points of each question, what changed them, and why there are none."""
    texts = [f"{name}: {points_text(own[0])} of {points_text(own[1])}" for name, own in row.questions.items()]
    adjusted = f"adjusted by the course staff: {'; '.join(row.notes)}" if row.notes else ""
    return "; ".join(filter(None, [*texts, adjusted, row.late_note, row.told]))


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


def _by_student(rows: Sequence[Mark], columns: Iterable[str], who: Callable[[Student], list[str]]) -> Table:
    """A row for each student, in the order of the marks: who it is, and the points in each assignment."""
    own: dict[str, tuple[Student, dict[str, Mark]]] = {}
    for row in rows:
        own.setdefault(row.student.key, (row.student, {}))[1][row.assignment] = row
    return [
        [*who(student), *(_open_or_points(marks[name]) if name in marks else "" for name in columns)]
        for student, marks in own.values()
    ]


@dataclass(frozen=True)
class Format:
    """One kind of table: what makes it, and how the platform finds a student.

    `id_columns` are the columns in which it can look for the id, each with the form of the ids that are likely there.
    `fact` is the name of what the store knows of the platform and the table needs. `file_name` names a file with
    feedback, from the student, the source of the submission and the ending.
    """

    table: Callable[[Sequence[Mark], str, Mapping[str, str], Any], Table]
    file_name: Callable[[Student, str, str], str]
    id_columns: Mapping[str, str] = field(default_factory=dict)
    fact: str = ""

    def likely_id_column(self, students: Iterable[Student]) -> str:
        """The column in which the platform looks for ids such as these; empty if it finds nobody.

        Its own exports name students by numbers: the ID of Canvas, the participant of Moodle.

        >>> [FORMATS["canvas"].likely_id_column([Student(key)]) for key in ("4711", "ada")]
        ['ID', 'SIS Login ID']
        >>> [FORMATS["moodle"].likely_id_column([Student(key)]) for key in ("4711", "ada@x.org", "s4711")]
        ['Identifier', 'Email address', 'ID number']
        """
        keys = [student.key for student in students]
        fits = (name for name, form in self.id_columns.items() if all(re.fullmatch(form, key) for key in keys))
        return next(fits, "")

    def unlikely_ids(self, column: str, students: Iterable[Student]) -> list[str]:
        """The ids that do not have the form of this column; none if that is not known."""
        form = self.id_columns.get(column, _NO_ID)
        return [each.key for each in students if form != _NO_ID and not re.fullmatch(form, each.key)]


_NO_ID = "(?!)"
FORMATS: Mapping[str, Format] = {
    "plain": Format(plain, plain_name),
    "canvas": Format(canvas, canvas_name, {"ID": "[0-9]+", "SIS User ID": _NO_ID, "SIS Login ID": "(?s:.*)"}, "sis"),
    "moodle": Format(
        *(moodle, moodle_name),
        {"Identifier": "[0-9]+", "Email address": "(?s:.*@.*)", "ID number": "(?s:.*)", "Username": _NO_ID},
        "worksheet",
    ),
}
"""Each format by its name. The command, its help, the shell and the tests read this table."""
