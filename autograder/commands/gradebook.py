"""`python -m autograder gradebook`: writes the marks of a class as a table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from autograder.commands.shared.report_file import check_new, write_new
from autograder.course.marks.tables import FORMATS, csv_text
from pacman.commands.app import as_started
from pacman.core.errors import InputError, nearest

if TYPE_CHECKING:
    from autograder.course.marks.marks import Mark

MOST_POINTS = 1_000_000
MOST_REASONS = 5
"""How many reasons are printed. The plain table has all of them."""


def gradebook(
    store: StoreOption,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.csv", help="Write the table to this new file; - prints it.")
    ],
    assignment: AssignmentOption = None,
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Write a table for people (plain), or for a platform: {', '.join(list(FORMATS)[1:])}.",
        ),
    ] = "plain",
    attempt: Annotated[
        Literal["best", "last"],
        typer.Option(metavar="RULE", help="Of several submissions of a student, count the best one or the last one."),
    ] = "last",
    due: Annotated[
        str | None, typer.Option(metavar="TIME", help="Count late days after this time, as in 2026-11-22T23:59+01:00.")
    ] = None,
    late_per_day: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Take this share of the points for each late day, as in 10%.")
    ] = None,
    out_of: Annotated[
        float | None,
        typer.Option(metavar="N", help="Count full points as N points, as the platform does. [default: as they are]"),
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Put the ids of students into this column. "
            + " ".join(f"For {name}: {', '.join(row.id_columns)}." for name, row in FORMATS.items() if row.id_columns)
            + " [default: by the form of the ids]",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help='Name of the assignment on the platform, as in "Project 2 (1234)". [default: the name in the store]',
        ),
    ] = None,
) -> None:
    """Write the marks of a class as a table (CSV).

    Every student of the store is in the table. Who has no submission, or none that could be graded, has 0 points and a
    reason. Without --assignment, the table has all assignments of the store.

    \b
    Examples:
      python -m autograder gradebook --store class.db --out marks.csv
      python -m autograder gradebook --store class.db --attempt best --due 2026-11-22T23:59+01:00 --out marks.csv
      python -m autograder gradebook --store class.db --due 2026-11-22T23:59+01:00 --late-per-day 10% --out marks.csv
      python -m autograder gradebook --store class.db --assignment multiagent --format canvas --out canvas.csv
    """
    from autograder.course.marks.marks import chosen_assignments, load_works, marks, read_late
    from autograder.course.store import Store

    if format_name not in FORMATS:
        raise InputError(f"--format: no format '{format_name}': {nearest(format_name, FORMATS)}")
    chosen = FORMATS[format_name]
    late = read_late(due, late_per_day)
    if out_of is not None and not 0 < out_of <= MOST_POINTS:
        raise InputError(f"--out-of {out_of:g}: expected a number above 0, at most {MOST_POINTS:,}")
    _check(format_name, bool(due) and not late.per_day, id_column, column)
    check_new("--out", out)
    with Store.open(store) as opened:
        names = chosen_assignments(opened, assignment)
        if column and len(names) > 1:
            raise InputError(f"--column {column}: choose one assignment with --assignment: {', '.join(names)}")
        rows = [row for name in names for row in marks(name, load_works(opened, name), attempt, late, out_of)]
        columns = {name: column or name for name in names}
    students = [row.student for row in rows]
    place = id_column or chosen.likely_id_column(students)
    if place == "Identifier" and len(names) > 1:
        raise InputError("a grading worksheet has one assignment: choose it with --assignment, or use --id-column")
    write_new("--out", out, csv_text(chosen.table(rows, place, columns)))
    warnings = dict.fromkeys(line for name in names for line in late.warnings(students, name))
    for line in (*_summary(rows, place, bool(late.per_day)), *warnings):
        typer.echo(line, err=True)


def _check(format_name: str, has_due: bool, id_column: str | None, column: str | None) -> None:
    """InputError for options that do not belong together."""
    is_plain = format_name == "plain"
    if has_due and not is_plain:
        raise InputError(
            f"--due: a table for {format_name} has no column for late days; use --format plain, or say with "
            "--late-per-day what they cost"
        )
    for option, value in (("--id-column", id_column), ("--column", column)):
        if value and is_plain:
            raise InputError(f"{option}: only for the format of a platform, as --format canvas")
    known = FORMATS[format_name].id_columns
    if id_column and id_column not in known:
        raise InputError(f"--id-column: {format_name} has no column '{id_column}': {nearest(id_column, known)}")


def _kind(reason: str) -> str:
    """A reason without its file and its details, so that equal ones can be counted: PLACE: WHAT: DETAILS.

    >>> _kind("ada/ada.py:1: not valid Python: '(' was never closed"), _kind("no submission")
    ('not valid Python', 'no submission')
    >>> _kind("two: several files define parts of the assignment (a.py, b.py); name the one to grade")
    'several files define parts of the assignment'
    """
    what = reason.split(": ")[:2][-1]
    return what.split(";")[0].partition(" (")[0]


def _summary(rows: list[Mark], id_column: str, has_late_rule: bool) -> list[str]:
    """What somebody who imports the table should know, one line each."""
    from pacman.core.errors import counted

    lines = []
    for name in dict.fromkeys(row.assignment for row in rows):
        own = [row for row in rows if row.assignment == name]
        reasons = Counter(_kind(row.reason) for row in own if row.reason)
        lines.append(f"{name}: {counted(len(own), 'student')}, {len(own) - reasons.total()} with a grade")
        lines += [f"  {count} with 0 points: {reason}" for reason, count in reasons.most_common(MOST_REASONS)]
        if len(reasons) > MOST_REASONS:
            rest = sum(count for _, count in reasons.most_common()[MOST_REASONS:])
            lines.append(f"  {rest} with 0 points for other reasons")
        if len({row.result.version for row in own if row.result}) > 1:
            command = as_started("python -m autograder regrade")
            lines.append(
                "  these marks come from different versions of the assignment or of the grader; make them equal with: "
                f"{command}"
            )
    if has_late_rule and (unknown := sum(row.late is None and bool(row.attempt) for row in rows)):
        lines.append(f"{counted(unknown, 'submission')} without a time of receipt: taken as not late")
    if id_column:
        lines.append(f"students are found by the column {id_column}; --id-column chooses another one")
    return lines
