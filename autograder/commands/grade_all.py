"""`python -m autograder grade-all`: grades the submissions of a class into a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.shared.options import (
    AllowUnsafeOption,
    ApiOption,
    GradedAssignmentOption,
    JobsOption,
    KeyOption,
    WithOption,
)
from pacman.core.errors import InputError, printable

ALL_GRADED, NOT_FINAL = 0, 2


def grade_all(
    export: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The submissions: a folder, or the zip that a platform exports.")
    ],
    store: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Keep the results in this SQLite file, or at a URL: postgresql://USER@HOST/NAME."
        ),
    ],
    assignment: GradedAssignmentOption = None,
    roster_file: Annotated[
        Path | None,
        typer.Option(
            "--roster",
            metavar="CSV",
            help="The students: a CSV file with the columns id, name, section, or of Canvas, Moodle, Gradescope.",
        ),
    ] = None,
    export_format: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Read the submissions in this layout: gradescope, moodle, canvas, github, plain. [default: plain; "
            "what a platform exports needs it]",
        ),
    ] = "",
    main_files: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            metavar="STUDENT=NAME",
            help="Grade this file of a student whose submission has several with parts of the assignment, as in "
            "ada=final.py; can be repeated.",
        ),
    ] = None,
    helpers: WithOption = None,
    api: ApiOption = None,
    key: KeyOption = None,
    allow_unsafe: AllowUnsafeOption = False,
    jobs: JobsOption = 0,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Grade on the workers of this Dask cluster: tls://HOST:PORT, or tcp://127.0.0.1:PORT on this machine.",
        ),
    ] = "",
) -> None:
    """Grade the submissions of a class and keep the results in a store.

    Results are stored as they come. If the command is interrupted, start it again: it goes on where it was. It also
    grades again after a change of the assignment, but only what the change touches.

    With a new store, --key FILE makes the key if it is missing.

    Exit status: 0 every submission has a result, 2 some have none.

    \b
    Examples:
      python -m autograder grade-all submissions/ --store class.db
      python -m autograder grade-all export.zip --export-format moodle --store class.db --roster roster.csv
      python -m autograder grade-all submissions/ --store class.db --key course.key --jobs 4
      python -m autograder grade-all submissions/ --store class.db --cluster tls://grader.example.org:8786
    """
    from autograder.commands.shared.grade_export import chosen_files, grade_export, make_grader, workers
    from autograder.course.intake import roster, submissions
    from autograder.course.store import Store, single_grading
    from autograder.sandbox.work_folder import exits_in_order

    is_new = "://" in store or not Path(store).exists()
    packed = make_grader(assignment, api, key, allow_unsafe, f"{export}: ", helpers or (), is_new)
    notes: list[str] = []
    students = roster.read(roster_file, notes) if roster_file else {}
    found = submissions.find(export, export_format, students)
    chosen = chosen_files(main_files or (), found)
    with (
        exits_in_order(),
        workers(cluster, jobs) as (pool, count),
        single_grading(store, create=True),
        Store.open(store, create=True) as opened,
    ):
        name, kept = packed.unpack()[0].assignment.name, opened.assignments()
        if assignment is None and kept and name not in kept:
            raise InputError(f"--store {store} has {', '.join(kept)}, not {name}: choose one with --assignment")
        is_complete, lines = grade_export(opened, packed, found, export, students, chosen, pool, count)
    for line in (*notes, *lines):
        typer.echo(printable(line))
    raise typer.Exit(ALL_GRADED if is_complete else NOT_FINAL)
