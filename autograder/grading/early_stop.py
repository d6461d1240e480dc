"""Ends a question early if the code never answers, so that an endless loop does not cost the time of every case.

The rule counts time-outs in the order of the cases, never seconds: after IN_A_ROW of them in a row, the later cases
of the question are not run. A time-out of a position does not count, because a right but slow search can have one;
nor does one of a hidden case, of which a student learns nothing. A drawn tree takes a right search a few
milliseconds, and a game far less than its time limit. So a busy machine does not change who is stopped. Cases run
side by side; a later case that has already run when the rule is met loses its answer too, so that the result does not
depend on their speed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from autograder.cases.case import Assignment, Case, PositionInput
from autograder.judge.submission_answer import Answer, Fault

IN_A_ROW = 3


class EarlyStop:
    """Which cases of an assignment had no answer in time, and which ones are therefore not run."""

    def __init__(self, assignment: Assignment) -> None:
        self._counted = {
            question.id: [
                case.id
                for case in assignment.of(question)
                if not case.input.hidden and not isinstance(case.input, PositionInput)
            ]
            for question in assignment.questions
        }
        self._order = {case.id: place for place, case in enumerate(assignment.cases)}
        self._out_of_time: set[str] = set()

    def record(self, case: Case, answer: Answer) -> None:
        """Takes the answer to a case into account."""
        if answer.fault and answer.fault.kind == "time":
            self._out_of_time.add(case.id)

    def answer(self, case: Case) -> Answer | None:
        """The answer to a case that is not run: a fault with the reason. None if the case runs."""
        place = self._order[case.id]
        earlier = list(takewhile(lambda other: self._order[other] < place, self._counted[case.question.id]))
        for first in range(len(earlier) - IN_A_ROW + 1):
            in_a_row = earlier[first : first + IN_A_ROW]
            if self._out_of_time.issuperset(in_a_row):
                return Answer(fault=Fault("time", f"not run, because {', '.join(in_a_row)} had no answer in time"))
        return None

    def ended(self, cases: Iterable[Case]) -> bool:
        """True if some of these cases are not run."""
        return any(self.answer(case) for case in cases)
