"""`python -m autograder new-assignment`: writes a small assignment that an instructor extends."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.shared.started_as import as_started


def new_assignment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the assignment, for example week4.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="Write it to this folder, which must not exist yet. [default: NAME]"
        ),
    ] = None,
) -> None:
    """Write a small assignment: one question, two cases, a stub, solutions and a handout.

    It passes `check` at once. Change it to what you need.

    \b
    Examples:
      python -m autograder new-assignment week4
      python -m autograder new-assignment "Week 4" --out course/week4
    """
    from autograder.course.kit.new_assignment import write_assignment

    folder = Path(name) if out is None else out
    write_assignment(name, folder)
    place = shlex.quote(str(folder))
    typer.echo(f"{folder}: written. Next steps:")
    typer.echo(f"  1. Change assignment.yaml, the cases, stub.py and solutions.py in {place}.")
    typer.echo(as_started(f"  2. Check it:                 python -m autograder check {place}"))
    typer.echo(as_started(f"  3. Make the students' zip:   python -m autograder release {place} --out kit.zip"))
