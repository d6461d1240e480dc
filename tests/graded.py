"""Grades one file as the grader does, and checks each report of the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.judge.scorecard import CaseScore, Scorecard
from autograder.platforms import submission_api
from tests.every_report import checked


def graded(
    path: Path, question: str | None = None, case: str | None = None, api: str = "native", jobs: int = 1, **more: Any
) -> Scorecard:
    """The scorecard of a file: of one question or one case of the API's assignment, with time for a busy machine."""
    chosen = submission_api(api)
    assignment = loading.load(chosen.assignment).only(question, case)
    patient = replace(assignment, cases=tuple(replace(each, seconds=120) for each in assignment.cases))
    return checked(grade(path, patient, jobs, api=chosen, **more))


def graded_case(path: Path, case: str, api: str = "native", **more: Any) -> CaseScore:
    """The score of one case for a file."""
    return graded(path, None, case, api, **more).questions[0].cases[0]


def graded_text(folder: Path, text: str, case: str = "q2/01-figure", api: str = "native", **more: Any) -> CaseScore:
    """The score of one case for a file with this text."""
    file = folder / ("mine.py" if api == "native" else "multiAgents.py")
    file.write_text(text, encoding="utf-8")
    return graded_case(file, case, api, **more)
