"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pacman.commands.app import opt

StoreOption = Annotated[
    str, opt("Read the results of this store: a file of grade-all, or postgresql://...", "FILE|URL", "--store")
]
AssignmentOption = Annotated[str | None, opt("Choose this assignment of the store.", "NAME", "--assignment")]
GradedAssignmentOption = Annotated[
    str | None,
    opt(
        "Grade with this assignment: a name, or a folder with assignment.yaml. [default: multiagent; with --api "
        "cs188: classic]",
        "NAME",
        "--assignment",
    ),
]
AssignmentAsOption = Annotated[str | None, opt("", None, "--assignment", hidden=True)]
"""The name of an assignment, as commands took it before it became their argument."""

ApiOption = Annotated[
    str | None,
    opt(
        "Expect submissions in this style: native (this project's own), or cs188 (Berkeley multiAgents.py). "
        "[default: as the assignment says]",
        "NAME",
        "--api",
    ),
]
ImpliedApiOption = Annotated[str | None, opt("", None, "--api", hidden=True)]
"""The same where the assignment says it; for old scripts."""
KeyOption = Annotated[
    Path | None,
    opt(
        "Draw the ghosts of all matches from the key in this file, so that nobody can foretell "
        "them. Without it, everybody can: the matches are practice.",
        "FILE",
        "--key",
    ),
]
AllowUnsafeOption = Annotated[
    bool,
    opt(
        "Grade even if the sandbox is too weak to stop a hostile program (see the command doctor).",
        None,
        "--allow-unsafe",
    ),
]
WithOption = Annotated[
    list[Path] | None,
    opt(
        "Let each submission import this Python file too; can be repeated. Other files are not used without it.",
        "FILE",
        "--with",
    ),
]
JobsOption = Annotated[int, opt("Do N things at the same time; 0 uses all cores.", "N", "--jobs", min=0)]
