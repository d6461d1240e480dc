"""`python -m pacman new-agent`: writes a file with empty agents for a student to complete."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.app import arg, as_started
from pacman.core.errors import InputError
from pacman.core.files import write_file

SOURCE = "agents/student.py"
"""The path of the stubs, as their own docstring writes it."""


def new_agent(
    file: Annotated[Path, arg("File to write; it must not exist yet.", "FILE.py")],
) -> None:
    """Create a file with empty agents for the assignment. You complete them.

    \b
    Examples:
      python -m pacman new-agent my_agents.py
    """
    if file.suffix != ".py":
        raise InputError(f"{file}: expected a file name that ends in .py, for example my_agents.py")
    stubs = files("agents").joinpath("student.py").read_text(encoding="utf-8")
    path = shlex.quote(file.as_posix())
    escaped = path.replace("\\", r"\\").replace('"', r"\"")  # the path stands in a docstring
    write_file(file, as_started(stubs.replace(SOURCE, escaped)).encode("utf-8"), is_new=True)
    typer.echo(f"{file}: written. Next steps:")
    typer.echo(
        f"  1. Open {path} and complete the first class, ReflexAgent: put your code for `raise NotWritten(...)`."
    )
    agent = shlex.quote(file.as_posix() + ":ReflexAgent")
    typer.echo(as_started(f"  2. Grade it:      python -m autograder grade {path} --question q1"))
    typer.echo(as_started(f"  3. Watch it play: python -m pacman watch {agent}"))
    typer.echo("Then complete the searches, from MinimaxAgent (q2) on.")
