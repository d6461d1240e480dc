"""What `run_autograder` runs on the platform: grades ROOT/submission, leaves ROOT/results/results.json come what may.

The file is there from the first moment and grows with every question: where the platform cuts a grading short, it shows
the last that was written. Nothing that a student prints gets into it but through the scorecard.
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
from autograder.cases.yaml_file import adapter
from autograder.grading.grade import grade
from autograder.judge.scorecard import Scorecard
from autograder.platforms import style
from autograder.platforms.gradescope.upload_check import SETTINGS, Settings, ready
from autograder.report import gradescope, terminal
from autograder.sandbox import check_sandbox
from pacman.core.errors import InputError

STARTED = "Still being graded. If this stays, the grading was cut short (time or memory): tell the course staff."
FAILED = "The grader itself failed. This is no fault of yours, and no grade: tell the course staff."
UNSAFE = (
    "Not graded: the sandbox of this machine reached only level '{level}', and other people's files need 'container'. "
    "This is no fault of yours: tell the course staff. (They can build the upload anew with --allow-unsafe.)"
)
WEAK = "Graded in a weak sandbox, level '{level}', as the course staff allowed."


def main(root: Path) -> None:
    """Grades what lies under `root`, laid out as Gradescope does it."""
    results = root / "results" / "results.json"
    about = metadata(root / "submission_metadata.json")
    _write(results, gradescope.ungraded(STARTED, about))
    try:
        card = _graded(root, results, about)
    except Exception:  # whatever it is, the student must see that it was not his fault
        traceback.print_exc()
        _write(results, gradescope.ungraded(FAILED, about))
        return
    if card is not None:
        # The whole result, hidden cases too: the platform shows what is printed to the course staff alone.
        terminal.render(card, Console(highlight=False, width=110), everything=True, show_hidden=True)


def _graded(root: Path, results: Path, about: dict[str, Any]) -> Scorecard | None:
    """The scorecard, when there is one; the results are written either way."""
    said: Settings = adapter(Settings).validate_json((root / "source" / SETTINGS).read_text(encoding="utf-8"))
    assignment = ready(loading.load(str(root / "source" / "assignment" / said.assignment)), said.minutes)
    _keep_private(root)
    shield = check_sandbox()
    for reason in shield.reasons:
        print(reason)
    level = shield.level
    if not level.is_safe and not said.allow_unsafe:
        _write(results, gradescope.ungraded(UNSAFE.format(level=level.value), about))
        return None
    weak = "" if level.is_safe else WEAK.format(level=level.value)

    def watch(card: Scorecard) -> None:
        so_far = f"{len(card.questions)} of {len(assignment.questions)} questions so far. {STARTED} {weak}".strip()
        _write(results, gradescope.dump(card, so_far, about))

    try:
        card = grade(root / "submission", assignment, 1, watch, shield, said.allow_unsafe, style(said.api))
    except InputError as error:  # what was handed in cannot be graded
        _write(results, gradescope.ungraded(str(error).replace(f"{root}{os.sep}", ""), about))
        return None
    _write(results, gradescope.dump(card, weak, about))
    return card


def metadata(path: Path) -> dict[str, Any]:
    """Who handed in what, by the platform's numbers and no names; empty where that cannot be read."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        users = [user["id"] for user in said["users"]]
        numbers = [said["id"], *users]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {"submission": said["id"], "students": users} if all(type(each) is int for each in numbers) else {}


def _keep_private(root: Path) -> None:
    """References, results and metadata (which holds earlier results) are for nobody but this user."""
    for name in ("source", "results", "submission_metadata.json"):
        path = root / name
        if path.exists():
            path.chmod(path.stat().st_mode & 0o700)


def _write(path: Path, text: str) -> None:
    """At once, or not at all: a reader never finds half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8", newline="\n")
    fresh.replace(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
