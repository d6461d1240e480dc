"""Each option of several commands once, the file with the course's key, and the values that a shell completes.

A completion reads names only: the names of folders and files, not what is in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pacman.commands import options
from pacman.commands.app import Completion, opt
from pacman.commands.output import write_new
from pacman.core.errors import InputError, nearest

if TYPE_CHECKING:
    from autograder.cases.game_seeds import GameKey
    from autograder.course.job import PackedGrader

StoreOption = Annotated[
    str, opt("Read the results of this store: a file of grade-all, or postgresql://...", "FILE|URL", "--store")
]
AssignmentOption = Annotated[str | None, opt("Choose this assignment of the store.", "NAME", "--assignment")]
GradedAssignmentOption = Annotated[
    str | None,
    opt(
        "Grade with this assignment: a name, or a folder with assignment.yaml. [default: multiagent]",
        "NAME",
        "--assignment",
    ),
]
ImpliedApiOption = Annotated[str | None, opt("", None, "--api", hidden=True)]
"""The style of a student's file, if it is not the one that the assignment says."""
AllowUnsafeOption = Annotated[
    bool,
    opt(
        "Grade even if the sandbox is too weak to stop a hostile program (see the command doctor).",
        None,
        "--allow-unsafe",
    ),
]


@dataclass(frozen=True)
class GraderOptions:
    """How submissions of others are graded."""

    helpers: Annotated[
        list[Path] | None,
        opt(
            "Let each submission import this Python file too; can be repeated. Other files are not used without it.",
            "FILE",
            "--with",
        ),
    ] = None
    key: Annotated[
        Path | None,
        opt(
            "Draw the ghosts of all matches from the key in this file, so that nobody can foretell "
            "them. Without it, everybody can: the matches are practice.",
            "FILE",
        ),
    ] = None
    allow_unsafe: AllowUnsafeOption = False
    jobs: options.JobsOption = 0

    def packed(self, assignment: str | None, about: str = "", makes_key: bool = False) -> PackedGrader:
        """The grader for an assignment, as data that every worker can read.

        InputError if an option or the assignment is wrong, and if the sandbox is too weak and nobody allows that;
        `about` stands before that message. With `makes_key`, a missing key is made.
        """
        from autograder.course.job import PackedGrader
        from autograder.grading.grade import Grader
        from autograder.platforms import load_assignment
        from autograder.sandbox import submission_files, unsafe_message

        assignment_data, chosen_api = load_assignment(assignment, None)
        grader = Grader.of(assignment_data, 1, chosen_api, open_key(self.key, makes_key) if self.key else None)
        if not (self.allow_unsafe or grader.check.level.is_safe):
            raise InputError(f"{about}{unsafe_message(grader.check)}")
        return PackedGrader.of(grader, submission_files.read_helpers(self.helpers or ()))


def single(questions: Sequence[str]) -> str:
    """The question of a command that has only one; "" if none is named. InputError for several."""
    names = list(dict.fromkeys(questions))
    if len(names) > 1:
        raise InputError(f"--question: this command takes one question, not {' and '.join(names)}")
    return names[0] if names else ""


def open_key(path: Path, makes: bool = False) -> GameKey:
    """The key in a file. A missing file is an InputError with the nearest name, unless this `makes` a new key."""
    from autograder.cases.game_seeds import GameKey

    if path.exists() or not path.parent.is_dir():
        return GameKey.load(path)
    if not makes:
        names = [each.name for each in path.parent.iterdir() if each.suffix == path.suffix]
        near = nearest(path.name, names) if names else "without the first key, grade with a new one into a new store"
        raise InputError(f"--key {path}: no such file: {near}")
    key = GameKey.new()
    write_new("--key", path, key.text)
    typer.echo(f"{path}: a new key; keep it secret, and use it for the whole course", err=True)
    return key


# ---- completion


def _questions(ctx: typer.Context, incomplete: str) -> list[str]:
    """The questions of the assignment on the command line that have cases."""
    return list(dict.fromkeys(case.partition("/")[0] for case in _cases(ctx, incomplete)))


def _cases(ctx: typer.Context, incomplete: str) -> list[str]:
    """The cases of the assignment and the questions on the command line; none if there is no such assignment."""
    from autograder.cases import loading
    from autograder.platforms import default_assignment

    try:
        ids = loading.case_ids(ctx.params.get("assignment") or default_assignment(ctx.params.get("api")))
    except (InputError, OSError):
        return []
    questions = ctx.params.get("question") or ()
    return [name for name in ids if not questions or name.partition("/")[0] in questions]


VALUES: dict[str, Completion] = {
    **{name: options.VALUES[name] for name in ("algorithm", "ghosts", "layout", "order")},
    "api": options.one_of("autograder.student_process.request_handler:APIS"),
    "assignment": options.one_of("autograder.cases.loading:names"),
    "case": _cases,
    "export_format": options.one_of("autograder.course.intake.exports:LAYOUTS"),
    "case_id": _cases,
    "question": _questions,
    "target": lambda ctx, incomplete: [*_cases(ctx, incomplete), *options.VALUES["layout"](ctx, incomplete)],
}
"""The completion of each parameter that has a set of names, by the name of the parameter in the command's function."""
