"""What the grader does differently for submissions of another style: its words, its advice, what it cannot compare.

The other half of a submission API runs in the student's process: `autograder.student_process.native_api.NativeApi`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder.cases.case import Assignment, Case
from autograder.cases.reference import Reference
from autograder.judge.compare import Verdict
from autograder.judge.submission_answer import Answer, Fault
from pacman.core.errors import InputError


@dataclass(frozen=True)
class SubmissionApi:
    """`assignment` is the one that it is made for; `criteria` that its submissions do not answer are not asked."""

    api: str = "native"
    assignment: str = "multiagent"
    unsupported_criteria: frozenset[str] = frozenset()
    with_advice: Callable[[Fault], Fault] = lambda fault: fault
    """The fault with what to do about it."""
    with_syntax_advice: Callable[[str], str] = lambda text: text
    """The same for a file that is no Python."""
    count_note: Callable[[Case, Reference | None, Answer, Verdict], str] = lambda case, reference, answer, verdict: ""
    """What there is to say of a miss in that style's own terms; empty for nothing."""

    def without_unsupported(self, assignment: Assignment) -> Assignment:
        """The assignment without the criteria that this style leaves unanswered."""
        if not self.unsupported_criteria:
            return assignment
        asked = {}
        for question in assignment.questions:
            left = {name: weight for name, weight in question.criteria.items() if name not in self.unsupported_criteria}
            if question.criteria and not left:
                raise InputError(
                    f"{assignment.name}: {question.id} compares nothing but {', '.join(question.criteria)}, "
                    f"which --api {self.api} does not give"
                )
            asked[question.id] = replace(question, criteria=left)
        cases = tuple(replace(case, question=asked[case.question.id]) for case in assignment.cases)
        return replace(assignment, questions=tuple(asked.values()), cases=cases)


NATIVE = SubmissionApi()
