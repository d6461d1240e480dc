"""Grades one file as the grader does, and checks each report of the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.judge.scorecard import CaseScore, Scorecard
from autograder.platforms import submission_api
from tests.every_report import checked


def graded(
    path: Path, question: str | None = None, case: str | None = None, api: str = "native", **more: Any
) -> Scorecard:
    """The scorecard of a file for the assignment of an API, or for one question or case of it."""
    chosen = submission_api(api)
    return checked(grade(path, loading.load(chosen.assignment).only(question, case), api=chosen, **{"jobs": 1, **more}))


def graded_text(folder: Path, text: str, case: str, api: str = "native", **more: Any) -> CaseScore:
    """The score of one case for a file with this text."""
    file = folder / ("mine.py" if api == "native" else "multiAgents.py")
    file.write_text(text, encoding="utf-8")
    return graded(file, None, case, api, **more).questions[0].cases[0]
