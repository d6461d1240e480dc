"""`python -m pacman new-agent`: writes a file with empty agents for a student to complete."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from pacman.commands.app import arg, as_started, opt
from pacman.core.errors import InputError, nearest
from pacman.core.files import write_file

SOURCES = {"native": ("student.py", "agents/student.py"), "cs188": ("cs188/stub.txt", "FILE.py")}
"""The style of a file -> the file with the stubs, and what stands for the path of the new file in its docstring."""


def new_agent(
    file: Annotated[Path, arg("File to write; it must not exist yet.", "FILE.py")],
    api: Annotated[
        str, opt("Style of the file: native (this project's own), or cs188 (Berkeley's multiAgents.py).", "NAME")
    ] = "native",
) -> None:
    """Create a file with empty agents for the assignment. You complete them.

    \b
    Examples:
      python -m pacman new-agent my_agents.py
      python -m pacman new-agent multiAgents.py --api cs188
    """
    if file.suffix != ".py":
        raise InputError(f"{file}: expected a file name that ends in .py, for example my_agents.py")
    if api not in SOURCES:
        raise InputError(f"--api: no API '{api}': {nearest(api, SOURCES)}")
    source, name = SOURCES[api]
    stubs = files("agents").joinpath(source).read_text(encoding="utf-8")
    path = shlex.quote(file.as_posix())
    escaped = path.replace("\\", r"\\").replace('"', r"\"")  # the path stands in a docstring
    write_file(file, as_started(stubs.replace(name, escaped)).encode("utf-8"), is_new=True)
    empty, style = ("util.raiseNotDefined()", " --api cs188") if api == "cs188" else ("raise NotWritten(...)", "")
    typer.echo(f"{file}: written. Next steps:")
    typer.echo(f"  1. Open {path} and complete the first class, ReflexAgent: put your code for `{empty}`.")
    agent = shlex.quote(file.as_posix() + ":ReflexAgent")
    typer.echo(as_started(f"  2. Grade it:      python -m autograder grade {path}{style} --question q1"))
    typer.echo(as_started(f"  3. Watch it play: python -m pacman watch {agent}"))
    typer.echo("Then complete the searches, from MinimaxAgent (q2) on.")
