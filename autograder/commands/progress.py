"""What a person at a terminal sees while a file is graded, and what changed since the last grading of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.cases.case import Case, Question
from autograder.grading.grade import Recorder
from autograder.judge.points_as_text import points_text, rounded_down
from autograder.judge.scorecard import Scorecard
from pacman import environment
from pacman.core.files import whole_file

FILE = "last-runs.json"
MAX_RUNS = 200
"""How many submissions are remembered: the ones that were graded last."""


class BarRecorder(Recorder):
    """Moves a bar forward with each case, and names the first question that is not finished.

    `update` is that of `progress_bar`.
    """

    def __init__(self, update: Callable[..., None], cases: Sequence[Case]) -> None:
        self._update, self._left = update, Counter(case.question.id for case in cases)

    def record_case(self, case: Case) -> None:
        """Counts a case as finished."""
        self._left[case.question.id] -= 1
        question = next((each for each, left in self._left.items() if left > 0), "explaining the lost points")
        self._update(advance=1, description=question)


def cache_folder() -> Path | None:
    """The user's folder for files that may be lost; None in continuous integration or without a home folder."""
    return None if environment.variables().get("CI") else environment.cache_folder()


def what_changed(card: Scorecard, submission: Path, folder: Path | None, questions: Sequence[Question]) -> str:
    """Each question whose points differ from those of the last run, and the question to work on next; or "".

    `questions` are those of the whole assignment, so the next one may be one that was not graded now. The points of
    this run are kept in `folder`; without a folder, nothing is remembered. A file that cannot be read or written is no
    error.
    """
    key = f"{submission.resolve()}:{card.assignment}"
    runs = _read(folder / FILE) if folder else {}
    last = runs.pop(key, None)
    if not (isinstance(last, dict) and all(type(each) in (int, float) for each in last.values())):
        last = {}
    now = {question.id: rounded_down(question.earned) for question in card.questions}
    if folder:
        runs[key] = last | now
        with suppress(OSError, UnicodeError):
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(folder / FILE) as file:
                file.write(json.dumps(dict([*runs.items()][-MAX_RUNS:]), indent=1).encode())
    changes = [
        f"{each.id} {points_text(each.earned)} of {points_text(each.points)} ({points_text(last[each.id])} last time)"
        for each in card.questions
        if each.id in last and last[each.id] != now[each.id]
    ]
    texts = [", ".join(changes)] if changes else ["No points changed"] if now.keys() <= last.keys() else []
    if following := _next_question(card, questions, last | now):
        texts.append(f"Next: {following}")
    return "".join(f"{text}. " for text in texts).strip()


def _next_question(card: Scorecard, questions: Sequence[Question], points: Mapping[str, float]) -> str:
    """The first question of the card without full marks, or the first one after it in the assignment; "" for none."""
    open_now = [each.id for each in card.questions if not each.is_full]
    if open_now:
        return open_now[0] if len(card.questions) > 1 else ""
    first = [each.id for each in questions].index(card.questions[-1].id) + 1
    others = [*questions[first:], *questions[:first]]
    return next((each.id for each in others if points.get(each.id, 0) < rounded_down(each.points)), "")


def _read(path: Path) -> dict[str, Any]:
    """The runs that the file remembers; none if it cannot be read, or has another form."""
    try:
        runs = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return runs if isinstance(runs, dict) else {}
