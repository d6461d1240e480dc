"""How the grader treats submissions that are written for one API: its texts, its advice, and what it cannot compare.

The part of a submission API that runs in the student's process is `autograder.student_process.native_api.NativeApi`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from autograder.cases.case import Assignment, Case
from autograder.cases.truth import CaseTruth
from autograder.judge.compare import Verdict
from autograder.judge.submission_answer import Answer
from autograder.student_process.request_handler import with_names
from pacman.core.errors import InputError


@dataclass(frozen=True)
class SubmissionApi:
    """`assignment` is the default assignment; `unsupported_criteria` are those that its submissions cannot answer."""

    name: str = "native"
    assignment: str = "multiagent"
    unsupported_criteria: frozenset[str] = frozenset()
    counts_agents: bool = False
    """True if a part counts agents and moves in rounds; false if it asks each node for its layer."""

    def named_for(self, assignment: Assignment) -> str:
        """The name for a process, and the names that the course has for the methods of a game state."""
        return with_names(self.name, assignment.names)

    def count_note(self, case: Case, truth: CaseTruth | None, answer: Answer, verdict: Verdict) -> str:
        """A note about a miss in the terms of this API; empty for none."""
        return ""

    def without_unsupported(self, assignment: Assignment) -> Assignment:
        """The assignment without the unsupported criteria; InputError if a question has no criterion left."""
        if not self.unsupported_criteria:
            return assignment
        questions = {}
        for question in assignment.questions:
            left = {name: weight for name, weight in question.criteria.items() if name not in self.unsupported_criteria}
            if question.criteria and not left:
                raise InputError(
                    f"{assignment.name}: {question.id}: cannot grade the criterion {', '.join(question.criteria)} "
                    f"with --api {self.name}; add another criterion, for example action"
                )
            questions[question.id] = replace(question, criteria=left)
        cases = tuple(replace(case, question=questions[case.question.id]) for case in assignment.cases)
        return replace(assignment, questions=tuple(questions.values()), cases=cases)


NATIVE = SubmissionApi()
