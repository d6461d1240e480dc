"""`python -m autograder feedback`: writes the reports of a class as a zip that a platform gives back to students."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder.commands.shared.options import AssignmentOption, StoreOption
from autograder.commands.shared.report_file import check_new, write_new
from autograder.course.intake.roster import Student, first_names
from autograder.course.marks import gradebook
from pacman.core.errors import InputError, nearest

FORMATS: Mapping[str, Callable[[Student, str, str], str] | None] = {
    name: row.file_name for name, row in gradebook.FORMATS.items() if row.file_name or name == "plain"
}
"""The formats in which the files have names that the platform reads, and `plain`."""
ENDINGS = {"page": "html", "markdown": "md"}


def feedback(
    store: StoreOption,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.zip", help="Write the zip to this new file.")
    ] = Path("feedback.zip"),
    assignment: AssignmentOption = None,
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Name the files for {' or '.join(list(FORMATS)[1:])}, or by the students' ids (plain).",
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
    """Write what each student may see, one file a student, as a zip that the platform takes for upload.

    A report has no hidden case. Who could not be graded gets the reason. The names for moodle and canvas come from
    their own exports, so grade those with grade-all.

    \b
    Examples:
      python -m autograder feedback --store class.db --format moodle --out feedback.zip
      python -m autograder feedback --store class.db --format canvas --attempt best --out feedback.zip
      python -m autograder feedback --store class.db --as markdown
    """
    if format_name not in FORMATS:
        raise InputError(f"--format: no format '{format_name}': {nearest(format_name, FORMATS)}")
    if form not in ENDINGS:
        raise InputError(f"--as: no form '{form}': {nearest(form, ENDINGS)}")
    check_new("--out", out, ".zip")
    from autograder.cases.zip_file import zip_bytes
    from autograder.commands.shared.page_folder import feedback_of, page_name
    from autograder.course.marks.attempts import load_works, single_assignment
    from autograder.course.store import Store
    from pacman.core.errors import counted

    files: dict[str, bytes] = {}
    without, unnamed = 0, []
    with Store.open(store) as opened:
        name = single_assignment(opened, assignment)
        for work in load_works(opened, name):
            found = feedback_of(opened, name, work, attempt)
            if found is None:
                without += 1
                continue
            ending, student = ENDINGS[form], work.student
            place = f"{Path(page_name(student.key)).stem}.{ending}"
            if own_name := FORMATS[format_name]:
                place = own_name(student, found.attempt.submission.source, ending)
            if not place or place in files:
                unnamed.append(student.key)
                continue
            files[place] = (found.page() if form == "page" else found.markdown()).encode("utf-8", "replace")
    if not files:
        raise InputError(f"store {store}: no report has a name for {format_name}; grade the export of {format_name}")
    write_new("--out", out, zip_bytes(files))
    typer.echo(f"{out}: reports of {counted(len(files), 'student')} for {name}")
    if without:
        typer.echo(f"left out: {counted(without, 'student')} without a submission that was graded")
    if unnamed:
        who = f"{counted(len(unnamed), 'student')} whose number in {format_name} is not known"
        typer.echo(f"left out: {who}: {first_names(unnamed)}")
