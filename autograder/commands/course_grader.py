"""From the options of a command to the grader of a class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.course.job import PackedGrader
from autograder.grading.grade import Grader
from autograder.platforms import load_assignment
from autograder.sandbox import check_sandbox, submission_files, unsafe_message
from pacman.core.errors import InputError


def make_grader(
    assignment: str | None,
    api: str | None,
    key: Path | None,
    allow_unsafe: bool,
    about: str = "",
    helpers: Sequence[Path] = (),
) -> PackedGrader:
    """The grader that the options choose, as data that every worker can read.

    InputError if an option or the assignment is wrong, and if the sandbox is too weak and `allow_unsafe` is false;
    `about` stands before that message. Every submission may import the files `helpers`.
    """
    loaded, chosen_api = load_assignment(assignment, api)
    references = {case.id: loading.load_reference(loaded, case) for case in loaded.cases if case.has_reference}
    check = check_sandbox()
    if not (allow_unsafe or check.level.is_safe):
        raise InputError(f"{about}{unsafe_message(check)}")
    game_key = GameKey.load(key) if key else None
    files = {name: content for helper in helpers for name, content in submission_files.read(helper).files.items()}
    if len(files) < len(helpers):
        raise InputError("--with: two files with the same name; rename one of them")
    return PackedGrader.of(Grader(loaded, references, check, 1, chosen_api, game_key), files)
