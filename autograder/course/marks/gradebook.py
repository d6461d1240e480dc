"""The marks of a class as a table: for people, or for the gradebook of a platform.

The columns for Canvas are those that its gradebook imports: who, then one column for each assignment, and first a row
with the points that are possible (https://community.canvaslms.com, "How do I import grades in the Gradebook?"). Moodle
imports any columns (https://docs.moodle.org, "Grade import"); a table with the column Identifier can also be uploaded
as the grading worksheet of one assignment. Blackboard finds students by the column Username, and an assignment by the
name that its own table has (https://help.blackboard.com, "Work offline"). Brightspace has OrgDefinedId or Username, a
column "NAME Points Grade" for each assignment, and a last column (https://community.d2l.com, "Importing grades").
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from autograder.course.intake.roster import Student
from autograder.course.marks.attempts import NO_SUBMISSION, Attempt, Rule, Work
from autograder.course.marks.late import LateRule
from autograder.course.marks.pseudonyms import Naming, Pseudonyms
from autograder.judge.points_as_text import percent, points_text, rounded_down
from pacman.core.errors import printable

KEY_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "canvas": ("ID", "SIS User ID", "SIS Login ID"),
    "moodle": ("Identifier", "ID number", "Email address", "Username"),
    "blackboard": ("Username",),
    "brightspace": ("OrgDefinedId", "Username"),
}
"""For each format, the columns by which the platform can find a student."""
_NO_RULE = LateRule()
_FORMULA = re.compile(r"""((?:^|[;|])[\s"']*)([=+\-@＝＋－＠])""")
"""What could begin a formula: a sign at the beginning of a cell, or after a separator."""


@dataclass(frozen=True)
class Mark:
    """The mark of one student in one assignment. With a `reason` there are no points.

    `late` is the number of late days, None if the time of receipt or the due time is not known. `attempt` is the number
    of the attempt that counts, of `attempts`. `version` says which grading it comes from. `adjusted` is the part of the
    points that the course staff gave or took, `because` says why.

    The mark is (the points by the grader + `adjusted`) x `kept` x (`out_of` / `most`), and at most `max_points`: `kept`
    is the share that the late days leave. Without `out_of`, the last factor is 1. `extended` is the student's due time.
    """

    student: Student
    assignment: str
    by_grader: float = 0.0
    most: float = 0.0
    reason: str = NO_SUBMISSION
    questions: Mapping[str, Sequence[float]] | None = None
    received: str = ""
    late: int | None = None
    attempt: int = 0
    attempts: int = 0
    version: tuple[str, str] = ("", "")
    adjusted: float = 0.0
    because: str = ""
    kept: float = 1.0
    out_of: float | None = None
    max_points: float | None = None
    extended: str = ""

    @property
    def before(self) -> float:
        """The points of the grader and of the course staff, before late days and another maximum change them."""
        return rounded_down(self.by_grader + self.adjusted)

    @property
    def earned(self) -> float:
        """The points that count."""
        scale = self.out_of / self.most if self.out_of and self.most else 1.0
        return min(self.before * self.kept * scale, self.max_points or math.inf)

    @property
    def points(self) -> float:
        """The points that are possible."""
        return min(self.out_of or self.most, self.max_points or math.inf)


def marks(
    assignment: str,
    works: Iterable[Work],
    rule: Rule,
    naming: Naming,
    late: LateRule = _NO_RULE,
    out_of: float | None = None,
    max_points: float | None = None,
) -> list[Mark]:
    """The mark of every student. Who has no submission, or none that could be graded, has 0 points and a reason.

    Late days cost what `late` says; with `out_of`, full points count as so many; no mark is above `max_points`. The
    reason names files, so a pseudonym has a shorter one; and the order of pseudonyms says nothing.
    """
    every = list(works)
    is_anonymous = isinstance(naming, Pseudonyms)
    if is_anonymous:
        every.sort(key=lambda work: naming(work.student).key)

    def days(work: Work, attempt: Attempt) -> int | None:
        return late.days(attempt.submission.received, work.student, assignment)

    chosen = [work.chosen(rule, lambda each, work=work: late.kept(days(work, each))) for work in every]  # type: ignore[misc]
    most = max((each.result.points for each in chosen if each and each.result), default=0.0)
    rows = []
    for work, attempt in zip(every, chosen, strict=True):
        extension = late.extension(work.student, assignment)
        row = Mark(
            naming(work.student),
            assignment,
            most=most,
            adjusted=work.adjusted(attempt),
            because="; ".join(each.question if is_anonymous else each.text for each in work.adjustments),
            out_of=out_of,
            max_points=max_points,
            extended=extension.strftime("%Y-%m-%dT%H:%M:%SZ") if extension else "",
        )
        if attempt is not None:
            result = None if attempt.reason else attempt.result
            late_days = days(work, attempt)
            row = replace(
                row,
                by_grader=attempt.earned,
                most=result.points if result else most,
                reason="could not be graded" if attempt.reason and is_anonymous else attempt.reason,
                questions=result.questions if result else None,
                received=attempt.submission.received,
                late=late_days,
                kept=late.kept(late_days),
                attempt=next(number for number, each in enumerate(work.attempts, 1) if each is attempt),
                attempts=len(work.attempts),
                version=(result.assignment_digest, result.grader) if result else ("", ""),
            )
        rows.append(row)
    return rows


def plain(rows: Sequence[Mark], shows_late_rule: bool = False) -> list[list[str]]:
    """A row for each student and assignment, with the points of each question and all that explains them.

    With `shows_late_rule`, also the points before late days take some, and the share that they leave.
    """
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
    if shows_late_rule or any(row.out_of or row.max_points for row in rows):
        columns["before"] = lambda row: points_text(row.before)
    if shows_late_rule:
        columns["kept"] = lambda row: percent(row.kept)
    if any(row.out_of for row in rows):
        columns["times"] = lambda row: f"{points_text(row.out_of or row.most)}/{points_text(row.most)}"
    if any(row.max_points for row in rows):
        columns["at most"] = lambda row: points_text(row.max_points or row.most)
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


def canvas(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """The table that the gradebook of Canvas imports. `columns` maps assignments to the names of their columns."""
    ids = KEY_COLUMNS["canvas"]
    possible = {row.assignment: row.points for row in rows}
    table = [["Student", *ids, "Section", *columns.values()]]
    empty = [""] * (len(ids) + 1)
    table.append(["    Points Possible", *empty, *(points_text(possible.get(name, 0)) for name in columns)])
    for student, own in _by_student(rows):
        cells = [student.key if name == id_column else "" for name in ids]
        table.append([student.name or student.key, *cells, student.section, *_points(own, columns)])
    return table


def moodle(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """A table that the gradebook of Moodle imports; with Identifier and one assignment, also a grading worksheet."""
    if id_column == "Identifier":
        table = [["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"]]
        for row in rows:
            grade = [points_text(row.earned), points_text(row.points), "", feedback(row)]
            table.append([f"Participant {row.student.key}", row.student.name, *grade])
        return table
    table = [[id_column, "Full name", *columns.values()]]
    for student, own in _by_student(rows):
        table.append([student.key, student.name, *_points(own, columns)])
    return table


def blackboard(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """The table that the gradebook of Blackboard takes for upload."""
    return [[id_column, *columns.values()], *([each.key, *_points(own, columns)] for each, own in _by_student(rows))]


def brightspace(rows: Sequence[Mark], id_column: str, columns: Mapping[str, str]) -> list[list[str]]:
    """The table that the gradebook of Brightspace imports."""
    names = [name if "Points Grade" in name else f"{name} Points Grade" for name in columns.values()]
    table = [[id_column, *names, "End-of-Line Indicator"]]
    return table + [[each.key, *_points(own, columns), "#"] for each, own in _by_student(rows)]


def feedback(row: Mark) -> str:
    """A mark in one line for the student: the points of each question, what changed them, and why there are none."""
    texts = [f"{name}: {points_text(own[0])} of {points_text(own[1])}" for name, own in (row.questions or {}).items()]
    texts += [f"adjusted by the course staff: {row.because}"] if row.because else []
    texts += [f"late days: {row.late}, so {percent(row.kept)} of the points count"] if row.kept < 1 else []
    return "; ".join([*texts, row.reason] if row.reason else texts)


def likely_id_column(format_name: str, students: Iterable[Student]) -> str:
    """The column in which the platform looks for keys such as these.

    Its own exports name students by numbers: the ID of Canvas, the participant of Moodle.

    >>> [likely_id_column("canvas", [Student(key)]) for key in ("4711", "ada")]
    ['ID', 'SIS Login ID']
    >>> [likely_id_column("moodle", [Student(key)]) for key in ("4711", "ada@x.org", "s4711")]
    ['Identifier', 'Email address', 'ID number']
    >>> [likely_id_column("brightspace", [Student(key)]) for key in ("4711", "ada")]
    ['OrgDefinedId', 'Username']
    """
    keys = [student.key for student in students]
    are_numbers = all(key.isascii() and key.isdigit() for key in keys)
    if format_name == "canvas":
        return "ID" if are_numbers else "SIS Login ID"
    if format_name in ("blackboard", "brightspace"):
        return "OrgDefinedId" if are_numbers and format_name == "brightspace" else "Username"
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
