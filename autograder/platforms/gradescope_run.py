"""The program that `run_autograder` runs on the platform: grades ROOT/submission, writes ROOT/results/results.json.

It writes the file at the very start, and again after each question. So if the platform stops a grading, it shows the
last results that were written. What a student's code prints reaches the file only through the scorecard.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import adapter
from autograder.grading.grade import Grader, Recorder
from autograder.judge.scorecard import Scorecard
from autograder.platforms import submission_api
from autograder.platforms.gradescope_build import KEY, SETTINGS, Settings, fit_to_platform
from autograder.report import gradescope, terminal
from autograder.sandbox import check_sandbox
from pacman.core.errors import InputError, counted
from pacman.core.files import write_file

STARTED = (
    "Grading is not finished. If this text stays, the platform stopped it (time or memory): tell the course staff."
)
FAILED = "Not graded: the grader itself failed. This is not your fault: tell the course staff."
UNSAFE = (
    "Not graded: the sandbox of this machine reached only the level 'limits'; expected 'safe'. "
    "This is not your fault: tell the course staff. (They can build the upload again with --allow-unsafe.)"
)
WEAK = "Graded in a weak sandbox (level 'limits'), as the course staff allowed."


def main(root: Path) -> None:
    """Grades the submission in `root`, the folder that Gradescope calls /autograder, and writes the results."""
    results, numbers = root / "results" / "results.json", read_metadata(root / "submission_metadata.json")
    results.parent.mkdir(parents=True, exist_ok=True)

    def put(text: str) -> None:  # as a whole, so that a reader never finds half a file
        write_file(results, text.encode())

    put(gradescope.ungraded(STARTED, numbers))
    try:
        card = _graded(root, put, numbers)
    except Exception:  # whatever it is, the student must read that it is not the submission's fault
        traceback.print_exc()
        put(gradescope.ungraded(FAILED, numbers))
        return
    if isinstance(card, str):
        put(gradescope.ungraded(card, numbers))
    else:
        # The whole result with hidden cases: the platform shows printed text only to the course staff.
        terminal.render(card, Console(highlight=False, width=110), show_hidden=True)


def _graded(root: Path, put: Callable[[str], None], numbers: dict[str, Any]) -> Scorecard | str:
    """The scorecard, or why the submission is not graded. Puts out the results of the questions as they are graded."""
    settings: Settings = adapter(Settings).validate_json((root / "source" / SETTINGS).read_text(encoding="utf-8"))
    assignment = fit_to_platform(loading.load(str(root / "source" / "assignment" / settings.assignment)))
    key = GameKey.load(root / "source" / KEY)
    for name in ("source", "results", "submission_metadata.json"):  # only for this user; it has earlier results
        if (root / name).exists():
            (root / name).chmod((root / name).stat().st_mode & 0o700)
    check, path = check_sandbox(), root / "submission"
    for reason in check.reasons:
        print(f"sandbox: {reason}")
    if not check.level.is_safe and not settings.allow_unsafe:
        return UNSAFE
    weak = "" if check.level.is_safe else WEAK

    class ResultsFile(Recorder):
        def record_scores(self, card: Scorecard) -> None:
            progress = f"{len(card.questions)} of {counted(len(assignment.questions), 'question')} graded."
            text = f"{progress} {STARTED} {weak}".strip()
            put(gradescope.dump(card, text, numbers, assignment.hidden_results))

    grader = Grader.of(assignment, 1, submission_api(settings.api), key, check)
    try:
        files = grader.read(path, allow_unsafe=settings.allow_unsafe)
        card = grader.grade(path, files, ResultsFile(), is_upload=True)
    except InputError as error:
        return str(error).replace(f"{root}{os.sep}", "")
    put(gradescope.dump(card, weak, numbers, assignment.hidden_results))
    return card


def read_metadata(path: Path) -> dict[str, Any]:
    """The platform's numbers of the submission and its students, without names; empty if they cannot be read."""
    try:
        metadata = json.loads(path.read_text(encoding="utf-8"))
        users = [user["id"] for user in metadata["users"]]
        numbers = [metadata["id"], *users]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {"submission": metadata["id"], "students": users} if all(type(each) is int for each in numbers) else {}


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
