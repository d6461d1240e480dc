"""`python -m autograder import-cs188 DIR`: turns the Berkeley project's test files into an assignment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.shared.started_as import as_started
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
    ] = "Multi-agent search",
    keys: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Play the games with N drawn keys, and warn of goals that are not sure; 0: no games.",
        ),
    ] = 5,
    agent: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play these games with this file with right answers: only a file that you trust. [default: one of "
            "this project]",
        ),
    ] = None,
) -> None:
    """Turn the .test and .solution files of the Berkeley course CS 188 into an assignment.

    It has a stub and a handout too, which you can change. Each problem is one line on standard error: a test that is
    skipped, a .solution that contradicts the grader's search, or a goal of a game that a right file misses with some
    keys.

    Exit status: 0 no problem, 1 some problems, 2 nothing could be imported.

    \b
    Examples:
      python -m autograder import-cs188 path/to/multiagent
      python -m autograder import-cs188 path/to/multiagent/test_cases --out ours --title "Project 2"
    """
    from autograder.cases import loading
    from autograder.commands.shared.assignment_checks import missed_goals
    from autograder.platforms import load_assignment
    from autograder.platforms.cs188 import folder_conversion
    from pacman.core.errors import counted

    imported = folder_conversion.convert(folder)
    if imported.cases:
        folder_conversion.write(imported, out, title)
    for problem in (*dict.fromkeys(imported.notes.ignored), *imported.notes.problems):
        typer.echo(problem, err=True)
    if not imported.cases:
        raise InputError(
            f"{folder}: nothing imported; {counted(imported.tests, 'test')} found, with the problems listed above"
        )
    typer.echo(imported.summary(out))
    loaded, api = load_assignment(str(out), None)
    player = agent or loading.load(api.assignment).solutions
    assert player is not None
    missed = list(missed_goals(loaded, str(out), api, keys, player, os.cpu_count() or 1)) if keys else []
    for line in missed:
        typer.echo(line, err=True)
    command = as_started(f"python -m autograder check {out}")
    typer.echo(f"next: {command}")
    raise typer.Exit(SOME if imported.notes.problems or missed else ALL)
