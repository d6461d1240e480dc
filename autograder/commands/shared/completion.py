"""The values that a shell completes for `pacman-grade`: assignments, questions, cases and others.

A completion reads names only: the names of folders and files, not what is in them.
"""

from __future__ import annotations

import typer

from pacman.commands import completion
from pacman.commands.app import Completion
from pacman.core.errors import InputError


def assignments(ctx: typer.Context, incomplete: str) -> list[str]:
    """The assignments that come with the project."""
    from autograder.cases import loading

    return loading.names()


def questions(ctx: typer.Context, incomplete: str) -> list[str]:
    """The questions of the assignment on the command line that have cases."""
    return list(dict.fromkeys(case.partition("/")[0] for case in cases(ctx, incomplete)))


def cases(ctx: typer.Context, incomplete: str) -> list[str]:
    """The cases of the assignment and the question on the command line; none if there is no such assignment."""
    from autograder.cases import loading

    try:
        ids = loading.case_ids(ctx.params.get("assignment") or _default_assignment(ctx.params.get("api")))
    except (InputError, OSError):
        return []
    question = ctx.params.get("question")
    return [name for name in ids if question is None or name.startswith(f"{question}/")]


def _default_assignment(api: str | None) -> str:
    from autograder.platforms import default_assignment

    return default_assignment(api)


def explained(ctx: typer.Context, incomplete: str) -> list[str]:
    """What `explain` has a name for: cases and layouts."""
    return [*cases(ctx, incomplete), *completion.VALUES["layout"](ctx, incomplete)]


VALUES: dict[str, Completion] = {
    **{name: completion.VALUES[name] for name in ("algorithm", "ghosts", "layout", "order")},
    "api": completion.one_of("autograder.student_process.request_handler:APIS"),
    "assignment": assignments,
    "case": cases,
    "export_format": completion.one_of("autograder.course.intake.exports:LAYOUTS"),
    "format_name": completion.one_of("autograder.course.marks.tables:FORMATS"),
    "case_id": cases,
    "question": questions,
    "target": explained,
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
