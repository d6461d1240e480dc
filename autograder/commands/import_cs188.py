"""`python -m autograder import-cs188 DIR`: turns the Berkeley project's test files into an assignment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.started_as import as_started
from pacman.core.errors import InputError

ALL, SOME = 0, 1


def import_cs188(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder with test_cases/, with q1/, q2/, ... or with .test files.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Write the assignment to this new or empty folder.")
    ] = Path("imported"),
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Give the assignment this title, for example 'Project 2'.")
    ] = "Imported tests",
) -> None:
    """Turn the .test and .solution files of the Berkeley course CS 188 into an assignment.

    Each problem is one line on standard error: a test that is skipped, or a .solution that contradicts the
    grader's search.

    Exit status: 0 no problem, 1 some problems, 2 nothing could be imported.

    \b
    Examples:
      python -m autograder import-cs188 path/to/multiagent
      python -m autograder import-cs188 path/to/multiagent/test_cases --out ours --title "Project 2"
    """
    from autograder.judge.points_as_text import counted
    from autograder.platforms.cs188 import folder_conversion

    imported = folder_conversion.convert(folder)
    recorded = folder_conversion.write(imported, out, title) if imported.cases else 0
    for problem in imported.notes.problems:
        typer.echo(problem, err=True)
    if not imported.cases:
        raise InputError(
            f"{folder}: nothing imported; {counted(imported.tests, 'test')} found, with the problems listed above"
        )
    typer.echo(imported.summary(out))
    command = as_started(f"python -m autograder grade FILE --assignment {out} --api cs188")
    typer.echo(f"{counted(recorded, 'reference')} recorded; next: {command}")
    raise typer.Exit(SOME if imported.notes.problems else ALL)
