"""`python -m autograder import-cs188 DIR`: that project's test files as an assignment of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.platforms.cs188 import folder_conversion
from pacman.core.errors import InputError

ALL, SOME = 0, 1


def import_cs188(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="With test_cases/, with q1/, q2/, ... or .test files.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the assignment is written: new, or empty.")] = Path(
        "imported"
    ),
    title: Annotated[str, typer.Option(metavar="TEXT", help="What the assignment is called.")] = "Imported tests",
) -> None:
    """Turn .test and .solution files into an assignment. Exit status: 0 all agree, 1 something is named, 2 nothing."""
    done = folder_conversion.convert(folder)
    recorded = folder_conversion.write(done, out, title) if done.cases else 0
    for problem in done.notes.problems:
        typer.echo(problem, err=True)
    if not done.cases:
        raise InputError(f"{folder}: none of its {done.tests} tests can be imported")
    typer.echo(done.summary(out))
    typer.echo(f"{recorded} references recorded; now: python -m autograder grade FILE --assignment {out} --api cs188")
    raise typer.Exit(SOME if done.notes.problems else ALL)
