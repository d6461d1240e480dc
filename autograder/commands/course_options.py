"""Options and files that the commands for a class share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.commands.private_file import open_private
from autograder.course.job import PackedGrader
from autograder.grading.grade import Grader
from autograder.platforms import submission_api
from autograder.sandbox import check_sandbox, unsafe_message
from pacman.core.errors import InputError

STDOUT = Path("-")

StoreOption = Annotated[
    str,
    typer.Option(
        "--store", metavar="FILE|URL", help="Read the results of this store: a file of grade-all, or postgresql://..."
    ),
]
AssignmentOption = Annotated[
    str | None, typer.Option("--assignment", metavar="NAME", help="Choose this assignment of the store.")
]
PseudonymsOption = Annotated[
    bool,
    typer.Option(
        "--pseudonyms", help="Name each student by a pseudonym, which is the same in all reports from this store."
    ),
]

ApiOption = Annotated[
    str, typer.Option("--api", metavar="NAME", help="Expect submissions in this style: native, or cs188.")
]
KeyOption = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Draw the ghosts of all matches from this key (see new-key)."),
]
AllowUnsafeOption = Annotated[
    bool,
    typer.Option("--allow-unsafe", help="Grade even if the sandbox is too weak to stop a hostile program."),
]
JobsOption = Annotated[
    int, typer.Option("--jobs", metavar="N", help="Grade N submissions at the same time; 0 uses all cores.")
]


def make_grader(
    assignment: str | None, api: str, key: Path | None, allow_unsafe: bool, jobs: int, about: str = ""
) -> PackedGrader:
    """The grader that the options choose, as data that every worker can read.

    InputError if an option or the assignment is wrong, and if the sandbox is too weak and `allow_unsafe` is false;
    `about` stands before that message.
    """
    if jobs < 0:
        raise InputError(f"--jobs {jobs}: expected a number of submissions, or 0 for all cores")
    chosen_api = submission_api(api)
    loaded = chosen_api.without_unsupported(loading.load(assignment or chosen_api.assignment))
    references = {case.id: loading.load_reference(loaded, case) for case in loaded.cases if case.has_reference}
    check = check_sandbox()
    if not (allow_unsafe or check.level.is_safe):
        raise InputError(f"{about}{unsafe_message(check)}")
    game_key = GameKey.load(key) if key else None
    return PackedGrader.of(Grader(loaded, references, check, 1, chosen_api, game_key))


def check_new(option: str, path: Path) -> None:
    """InputError if there is a file already, or no folder for it. `-` is always right."""
    if path == STDOUT:
        return
    if path.exists():
        raise InputError(f"{option} {path}: this file exists already; choose another name")
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: cannot be written: no folder {path.parent}")


def write_new(option: str, path: Path, text: str) -> None:
    """Writes a new file that only its owner can read; `-` is standard output. InputError if it cannot be written."""
    if path == STDOUT:
        typer.echo(text, nl=False)
        return
    try:
        with open_private(path, "xb") as file:
            file.write(text.encode("utf-8"))
    except FileExistsError:
        raise InputError(f"{option} {path}: this file exists already; choose another name") from None
    except OSError as error:
        raise InputError(f"{option} {path}: cannot be written: {(error.strerror or str(error)).lower()}") from None
