"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    str,
    typer.Option(
        "--store", metavar="FILE|URL", help="Read the results of this store: a file of grade-all, or postgresql://..."
    ),
]
AssignmentOption = Annotated[
    str | None, typer.Option("--assignment", metavar="NAME", help="Choose this assignment of the store.")
]
GradedAssignmentOption = Annotated[
    str | None,
    typer.Option(
        "--assignment",
        metavar="NAME",
        help="Grade with this assignment: a name, or a folder with assignment.yaml. [default: multiagent; with --api "
        "cs188: classic]",
    ),
]
AssignmentAsOption = Annotated[str | None, typer.Option("--assignment", hidden=True)]
"""The name of an assignment, as commands took it before it became their argument."""

ApiOption = Annotated[
    str | None,
    typer.Option(
        "--api",
        metavar="NAME",
        help="Expect submissions in this style: native (this project's own), or cs188 (Berkeley multiAgents.py). "
        "[default: as the assignment says]",
    ),
]
ImpliedApiOption = Annotated[str | None, typer.Option("--api", hidden=True)]
"""The same where the assignment says it; for old scripts."""
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="Draw the ghosts of all matches from the key in this file, so that nobody can foretell "
        "them. Without it, everybody can: the matches are practice.",
    ),
]
AllowUnsafeOption = Annotated[
    bool,
    typer.Option(
        "--allow-unsafe",
        help="Grade even if the sandbox is too weak to stop a hostile program (see the command doctor).",
    ),
]
WithOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        metavar="FILE",
        help="Let each submission import this Python file too; can be repeated. Other files are not used without it.",
    ),
]
JobsOption = Annotated[
    int, typer.Option("--jobs", metavar="N", min=0, help="Do N things at the same time; 0 uses all cores.")
]
