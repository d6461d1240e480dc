"""The values that a shell completes for `pacman-grade`: assignments, questions, cases and others.

A completion reads names only: the names of folders and files, not what is in them.
"""

from __future__ import annotations

import typer

from autograder.cases import loading
from autograder.platforms import submission_api
from autograder.student_process.request_handler import APIS
from pacman.commands import completion
from pacman.commands.cli import Completion
from pacman.core.errors import InputError


def assignments(ctx: typer.Context, incomplete: str) -> list[str]:
    """The assignments that come with the project."""
    return loading.names()


def questions(ctx: typer.Context, incomplete: str) -> list[str]:
    """The questions of the assignment on the command line that have cases."""
    return list(dict.fromkeys(case.partition("/")[0] for case in cases(ctx, incomplete)))


def cases(ctx: typer.Context, incomplete: str) -> list[str]:
    """The cases of the assignment on the command line, or of the default one; none if there is no such assignment."""
    try:
        name = ctx.params.get("assignment") or submission_api(ctx.params.get("api") or "native").assignment
        return loading.case_ids(str(name))
    except (InputError, OSError):
        return []


def explained(ctx: typer.Context, incomplete: str) -> list[str]:
    """What `explain` has a name for: cases and layouts."""
    return [*cases(ctx, incomplete), *completion.layouts(ctx, incomplete)]


VALUES: dict[str, Completion] = {
    **{name: completion.VALUES[name] for name in ("algorithm", "ghosts", "layout", "order")},
    "api": completion.one_of(APIS),
    "assignment": assignments,
    "case": cases,
    "case_id": cases,
    "question": questions,
    "target": explained,
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
