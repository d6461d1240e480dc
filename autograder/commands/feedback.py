"""`python -m autograder feedback`: writes the reports of a class: as files, or as a zip for a platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from autograder.commands.shared.report_file import check_new, write_new
from autograder.course.intake.roster import first_names
from autograder.course.marks.feedback import ENDINGS, NAMES, Feedback
from pacman.core.errors import InputError, nearest, printable


def feedback(
    store: StoreOption,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR|FILE.zip", help="Write to this folder, or to this new zip.")
    ] = Path("feedback.zip"),
    assignment: AssignmentOption = None,
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Name the files for {' or '.join(list(NAMES)[1:])}, or by the students' ids (plain).",
        ),
    ] = "plain",
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help="Write each report as a page for a browser (page), or markdown.")
    ] = "page",
    attempt: Annotated[
        Literal["best", "last"],
        typer.Option(metavar="RULE", help="Of several submissions, report the best one or the last one."),
    ] = "last",
) -> None:
    """Write what each student may see, one file a student: to a folder, or as a zip that a platform takes.

    A report has no hidden case. Who could not be graded gets the reason. The names for moodle and canvas come from
    their own exports, so grade those with grade-all.

    \b
    Examples:
      python -m autograder feedback --store class.db --out pages
      python -m autograder feedback --store class.db --format moodle --out feedback.zip
      python -m autograder feedback --store class.db --format canvas --attempt best --out feedback.zip
      python -m autograder feedback --store class.db --as markdown
    """
    if format_name not in NAMES:
        raise InputError(f"--format: no format '{format_name}': {nearest(format_name, NAMES)}")
    if form not in ENDINGS:
        raise InputError(f"--as: no form '{form}': {nearest(form, ENDINGS)}")
    if out.suffix == ".zip":
        check_new("--out", out)
    elif out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: this is a file; expected a folder, or the name of a zip")
    elif not out.parent.is_dir():
        raise InputError(f"--out {out}: cannot be written: no folder {out.parent}")
    from autograder.cases.zip_file import zip_bytes
    from autograder.course.marks import feedback as reports
    from autograder.course.marks.marks import single_assignment
    from autograder.course.store import Store
    from pacman.core.errors import counted

    files: dict[str, bytes] = {}
    without, unnamed = 0, []
    with Store.open(store) as opened:
        name = single_assignment(opened, assignment)
        for student, found in reports.feedback(opened, name, attempt):
            if found is None:
                without += 1
                continue
            place = NAMES[format_name](student, found.attempt.submission.source, ENDINGS[form])
            if not place or place in files:
                unnamed.append(student.key)
                continue
            files[place] = report(found, form).encode("utf-8", "replace")
    if not files:
        raise InputError(f"store {store}: no report has a name for {format_name}; grade the export of {format_name}")
    if out.suffix == ".zip":
        write_new("--out", out, zip_bytes(files))
    else:
        reports.write_folder(out, files)
    typer.echo(f"{printable(str(out))}: reports of {counted(len(files), 'student')} for {name}")
    if without:
        typer.echo(f"left out: {counted(without, 'student')} without a submission that was graded")
    if unnamed:
        who = f"{counted(len(unnamed), 'student')} whose number in {format_name} is not known"
        typer.echo(f"left out: {who}: {first_names(unnamed)}")


def report(found: Feedback, form: str) -> str:
    """The text of a report: a page for a browser, or Markdown."""
    from autograder.judge.points_as_text import points_text
    from autograder.pages.student_page import refused_page, student_page
    from autograder.report import blocks, escape, markdown

    changed, student = (found.adjusted, found.notes), found.work.student.name or found.work.student.key
    if found.card is not None:
        return (
            markdown.dump(found.card, *changed) if form == "markdown" else student_page(found.card, student, *changed)
        )
    if form == "page":
        return refused_page(found.assignment, found.attempt.reason, student, *changed)
    title = f"# {escape.prose(found.assignment)}: not graded, {points_text(found.adjusted)} points"
    notes = (escape.prose(f"{blocks.ADJUSTED}{note}") for note in found.notes)
    return "\n\n".join([title, escape.prose(found.attempt.reason), *notes]) + "\n"
