"""What changed since the last run, remembered in a file on this machine: "q2 5 of 5 (2.36 last time). Next: q3."."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.cases.case import Question
from autograder.judge.points_as_text import points_text, rounded_down
from autograder.judge.scorecard import Scorecard
from pacman import environment
from pacman.core.files import whole_file

FILE = "last-runs.json"
MAX_RUNS = 200
"""How many submissions are remembered: the ones that were graded last."""


def cache_folder(values: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """The user's folder for files that may be lost; None in continuous integration or without a home folder."""
    values = environment.variables() if values is None else values
    return None if values.get("CI") else environment.cache_folder(values, platform)


def what_changed(card: Scorecard, submission: Path, folder: Path | None, questions: Sequence[Question]) -> str:
    """Each question whose points differ from those of the last run, and the question to work on next; or "".

    `questions` are those of the whole assignment, so the next one may be one that was not graded now. The points of
    this run are kept in `folder`; without a folder, nothing is remembered. A file that cannot be read or written is no
    error.
    """
    key = f"{submission.resolve()}:{card.assignment}"
    runs = _read(folder / FILE) if folder else {}
    last = _points(runs.pop(key, None))
    now = {question.id: rounded_down(question.earned) for question in card.questions}
    if folder:
        runs[key] = last | now
        _write(folder / FILE, dict(list(runs.items())[-MAX_RUNS:]))
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


def _points(run: Any) -> dict[str, float]:
    """The points of each question in what the file remembers of a submission; nothing if it is of another form."""
    is_good = isinstance(run, dict) and all(type(each) in (int, float) for each in run.values())
    return run if is_good else {}


def _read(path: Path) -> dict[str, Any]:
    try:
        runs = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return runs if isinstance(runs, dict) else {}


def _write(path: Path, runs: dict[str, Any]) -> None:
    with suppress(OSError, UnicodeError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(json.dumps(runs, indent=1).encode())
