"""The marks of a class as a table: for people, or for the gradebook of a platform.

The columns for Canvas are those that its gradebook imports: who, then one column for each assignment, and first a row
with the points that are possible (https://community.canvaslms.com, "How do I import grades in the Gradebook?"). Moodle
imports any columns (https://docs.moodle.org, "Grade import"); a table with the column Identifier can also be uploaded
as the grading worksheet of one assignment.

In a zip with feedback, the name of a file says of which student it is. Moodle reads the number of the participant in
NAME_NUMBER_assignsubmission_file_ ("Upload multiple feedback files in a zip"). Canvas reads the numbers of the student
and of a file that the student handed in, which are in the names that it exports ("Upload Submissions"). Both names come
from the export that was graded.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from autograder.course.intake.roster import Student
from autograder.judge.points_as_text import percent, points_text
from pacman.core.errors import printable

if TYPE_CHECKING:  # the help of the command reads the table of formats, and needs no database
    from autograder.course.marks.mark import Mark

_FORMULA = re.compile(r"""((?:^|[;|])[\s"']*)([=+\-@＝＋－＠])""")
"""What could begin a formula: a sign at the beginning of a cell, or after a separator."""
_MOODLE_SOURCE = re.compile(r"_([0-9]+)_assignsubmission_")
_CANVAS_SOURCE = re.compile(r"[^_]+_(?:LATE_)?([0-9]+)_[0-9]+(?=_)")


Table = list[list[str]]


def plain(rows: Sequence[Mark], id_column: str = "", names: Mapping[str, str] = MappingProxyType({})) -> Table:
    """A row for each student and assignment, with the points of each question and all that explains them."""
    shows_late_rule = any(row.has_late_rule for row in rows)
    questions = list(dict.fromkeys(name for row in rows for name in row.questions or ()))
    columns: dict[str, Callable[[Mark], str]] = {
        "id": lambda row: row.student.key,
        "name": lambda row: row.student.name,
        "section": lambda row: row.student.section,
        "assignment": lambda row: row.assignment,
        "points": lambda row: points_text(row.earned),
        "possible": lambda row: points_text(row.points),
    }
    columns |= {name: partial(_points_of, name) for name in questions}
    if any(row.because for row in rows):
        columns |= {"by the grader": lambda row: points_text(row.by_grader), "adjusted": lambda row: row.because}
    if shows_late_rule or any(row.out_of for row in rows):
        columns["before"] = lambda row: points_text(row.before)
    if shows_late_rule:
        columns["kept"] = lambda row: percent(row.kept)
    if any(row.out_of for row in rows):
        columns["times"] = lambda row: f"{points_text(row.out_of or row.most)}/{points_text(row.most)}"
    if any(row.extended for row in rows):
        columns["extended to"] = lambda row: row.extended
    columns |= {
        "attempt": lambda row: str(row.attempt or ""),
        "attempts": lambda row: str(row.attempts),
        "received": lambda row: row.received,
        "late days": lambda row: "" if row.late is None else str(row.late),
        "reason": lambda row: row.reason,
    }
    return [[*columns], *([cell(row) for cell in columns.values()] for row in rows)]


def _points_of(question: str, row: Mark) -> str:
    own = row.questions or {}
    return points_text(own[question][0]) if question in own else ""


def canvas(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> Table:
    """The table that the gradebook of Canvas imports. `columns` maps assignments to the names of their columns."""
    ids = FORMATS["canvas"].id_columns
    possible = {row.assignment: row.points for row in rows}
    most = [points_text(possible.get(name, 0)) for name in columns]

    def who(student: Student) -> list[str]:
        cells = [student.key if name == id_column else "" for name in ids]
        return [student.name or student.key, *cells, student.section]

    head = ["Student", *ids, "Section", *columns.values()]
    return [head, ["    Points Possible", *[""] * (len(ids) + 1), *most], *_by_student(rows, columns, who)]


def moodle(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> Table:
    """A table that the gradebook of Moodle imports; with Identifier and one assignment, also a grading worksheet."""
    if id_column == "Identifier":
        table = [["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"]]
        for row in rows:
            grade = [points_text(row.earned), points_text(row.points), "", feedback(row)]
            table.append([f"Participant {row.student.key}", row.student.name, *grade])
        return table
    head = [id_column, "Full name", *columns.values()]
    return [head, *_by_student(rows, columns, lambda student: [student.key, student.name])]


def feedback(row: Mark) -> str:
    """A mark in one line for the student: the points of each question, what changed them, and why there are none."""
    texts = [f"{name}: {points_text(own[0])} of {points_text(own[1])}" for name, own in (row.questions or {}).items()]
    texts += [f"adjusted by the course staff: {row.because}"] if row.because else []
    texts += [f"late days: {row.late}, so {percent(row.kept)} of the points count"] if row.kept < 1 else []
    return "; ".join([*texts, row.reason] if row.reason else texts)


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
        [*who(student), *(points_text(marks[name].earned) if name in marks else "" for name in columns)]
        for student, marks in own.values()
    ]


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
    found = _CANVAS_SOURCE.match(source)
    is_other = found and student.key.isdigit() and student.key != found[1]
    return f"{found[0]}_feedback.{ending}" if found and not is_other else ""


@dataclass(frozen=True)
class Format:
    """One kind of table: what makes it, and how the platform finds a student.

    `id_columns` are the columns in which it can look for the id, `by_form` the one for ids that are numbers, addresses
    or anything else; the first one that fits counts. `file_name` names the file with a student's report, so that the
    platform finds the student.
    """

    table: Callable[[Sequence[Mark], str, Mapping[str, str]], Table]
    id_columns: tuple[str, ...] = ()
    by_form: Mapping[Literal["number", "address", "any"], str] = field(default_factory=dict)
    file_name: Callable[[Student, str, str], str] | None = None

    def likely_id_column(self, students: Iterable[Student]) -> str:
        """The column in which the platform looks for ids such as these; empty if it finds nobody.

        Its own exports name students by numbers: the ID of Canvas, the participant of Moodle.

        >>> [FORMATS["canvas"].likely_id_column([Student(key)]) for key in ("4711", "ada")]
        ['ID', 'SIS Login ID']
        >>> [FORMATS["moodle"].likely_id_column([Student(key)]) for key in ("4711", "ada@x.org", "s4711")]
        ['Identifier', 'Email address', 'ID number']
        """
        keys = [student.key for student in students]
        fits = {
            "number": all(key.isascii() and key.isdigit() for key in keys),
            "address": all("@" in key for key in keys),
        }
        return next((column for form, column in self.by_form.items() if fits.get(form, True)), "")


FORMATS: Mapping[str, Format] = {
    "plain": Format(plain),
    "canvas": Format(
        canvas, ("ID", "SIS User ID", "SIS Login ID"), {"number": "ID", "any": "SIS Login ID"}, canvas_name
    ),
    "moodle": Format(
        moodle,
        ("Identifier", "ID number", "Email address", "Username"),
        {"number": "Identifier", "address": "Email address", "any": "ID number"},
        moodle_name,
    ),
}
"""Each format by its name. The command, its help, the shell and the tests read this table."""
