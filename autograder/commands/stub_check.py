"""What `release` and `lab` check before they write: the stub earns nothing."""

from __future__ import annotations

from autograder.cases.case import Assignment
from autograder.grading.submission_api import SubmissionApi
from pacman.core.errors import InputError


def check_stub(assignment: Assignment, api: SubmissionApi) -> None:
    """InputError if the stub of an assignment earns points: it may contain an answer."""
    from autograder.grading.grade import grade

    if assignment.stub is None:
        return
    card = grade(assignment.stub, assignment, 1, api=api)
    earning = [case.id for question in card.questions for case in question.cases if case.earned]
    if earning:
        more = f" and {len(earning) - 1} more" if earning[1:] else ""
        raise InputError(f"{assignment.stub}: the stub earns points in {earning[0]}{more}; take the answers out")
