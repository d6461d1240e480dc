"""The program that `run_autograder` runs on the platform: grades ROOT/submission, writes ROOT/results/results.json.

It writes the file at the very start, and again after each question. So if the platform stops a grading, it shows the
last results that were written. What a student's code prints reaches the file only through the scorecard.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.cases import loading
from autograder.cases.game_seeds import GameKey
from autograder.cases.yaml_file import adapter
from autograder.grading.grade import Grader, Recorder
from autograder.judge.scorecard import Scorecard
from autograder.platforms import submission_api
from autograder.platforms.gradescope.build import KEY, SETTINGS, Settings, fit_to_platform
from autograder.report import gradescope, terminal
from autograder.sandbox import check_sandbox
from pacman.core.errors import InputError, counted

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
    results = root / "results" / "results.json"
    numbers = read_metadata(root / "submission_metadata.json")
    _write(results, gradescope.ungraded(STARTED, numbers))
    try:
        card = _graded(root, results, numbers)
    except Exception:  # whatever it is, the student must read that it is not the submission's fault
        traceback.print_exc()
        _write(results, gradescope.ungraded(FAILED, numbers))
        return
    if card is not None:
        # The whole result with hidden cases: the platform shows printed text only to the course staff.
        terminal.render(card, Console(highlight=False, width=110), show_hidden=True)


def _graded(root: Path, results: Path, numbers: dict[str, Any]) -> Scorecard | None:
    """The scorecard, or None if the submission could not be graded. Writes the results in both cases."""
    settings: Settings = adapter(Settings).validate_json((root / "source" / SETTINGS).read_text(encoding="utf-8"))
    assignment = fit_to_platform(loading.load(str(root / "source" / "assignment" / settings.assignment)))
    key = GameKey.load(root / "source" / KEY)
    _keep_private(root)
    check = check_sandbox()
    for reason in check.reasons:
        print(f"sandbox: {reason}")
    level = check.level
    if not level.is_safe and not settings.allow_unsafe:
        _write(results, gradescope.ungraded(UNSAFE, numbers))
        return None
    weak = "" if level.is_safe else WEAK

    class ResultsFile(Recorder):
        def record_scores(self, card: Scorecard) -> None:
            progress = f"{len(card.questions)} of {counted(len(assignment.questions), 'question')} graded."
            _write(
                results,
                gradescope.dump(card, f"{progress} {STARTED} {weak}".strip(), numbers, assignment.hidden_results),
            )

    path = root / "submission"
    grader = Grader.of(assignment, 1, submission_api(settings.api), key, check)
    try:
        files = grader.read(path, allow_unsafe=settings.allow_unsafe)
        card = grader.grade(path, files, ResultsFile(), is_upload=True)
    except InputError as error:  # the submission cannot be graded
        _write(results, gradescope.ungraded(str(error).replace(f"{root}{os.sep}", ""), numbers))
        return None
    _write(results, gradescope.dump(card, weak, numbers, assignment.hidden_results))
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


def _keep_private(root: Path) -> None:
    """Lets only this user read the cases, the results and the metadata, which contains earlier results."""
    for name in ("source", "results", "submission_metadata.json"):
        path = root / name
        if path.exists():
            path.chmod(path.stat().st_mode & 0o700)


def _write(path: Path, text: str) -> None:
    """Writes the whole file in one step, so that a reader never finds half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8", newline="\n")
    fresh.replace(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
