"""Ends a question or a grading early, so that code that never answers does not cost the time of every case.

The rules look at the cases in their order, first those that students see, then the hidden ones. Cases run side by side.
If a later case has already run when a rule is met, its answer is dropped. So the result depends neither on how many
cases run at the same time nor on other programs on the machine:

- After a case that hangs (see `hangs`), the later cases of its question are not run.
- After IN_A_ROW time-outs in a row, the later cases of the question are not run. A time-out of a position does not
  count, because a right but slow search can have one.
- After the processor time of the assignment's limit `submission_seconds`, no later case is run.
- Waiting without computing counts apart: after WAITING_SECONDS of it, no later case is run.

A hidden case, of which a student learns nothing, ends no question.
"""

from __future__ import annotations

from itertools import takewhile

from autograder.cases.case import Assignment, Case, MatchInput, PositionInput, TreeInput
from autograder.judge.submission_answer import ONE_ANSWER, Answer, Fault
from autograder.student_process.fault_kind import FaultKind

IN_A_ROW = 3
WAITING_SECONDS = 60.0
MERELY = 0.1
"""A process that computed for a smaller share of its time merely waited."""


def hangs(case: Case, answer: Answer) -> bool:
    """True if the code computed until the limit where any search needs a few milliseconds.

    That is: in a drawn tree, in a choice of one move, or in one move of a match. No machine changes that.
    """
    if not (answer.fault and answer.never_ends):
        return False
    if isinstance(case.input, MatchInput) and answer.fault.detail != ONE_ANSWER:  # it may have computed in C
        return not answer.results and not (answer.lost_game and answer.lost_game.moves)
    return isinstance(case.input, TreeInput | MatchInput) or case.question.role == "choice"


def merely_waits(answer: Answer) -> bool:
    """True if a process did little but wait. False where this is not known."""
    return answer.idle_seconds > (1 - MERELY) * answer.seconds


class EarlyStop:
    """Which cases of an assignment are not run, because of the answers to the cases before them."""

    def __init__(self, assignment: Assignment) -> None:
        self._most_seconds = assignment.limits.submission_seconds
        self._cases = sorted(assignment.cases, key=lambda case: case.input.hidden)
        self._answers: dict[str, Answer] = {}

    def record(self, case: Case, answer: Answer) -> None:
        """Takes the answer to a case into account."""
        self._answers[case.id] = answer

    def answer(self, case: Case) -> Answer | None:
        """The answer to a case that is not run: a fault with the reason. None if the case runs."""
        reason = self._reason(case)
        return Answer(fault=Fault(FaultKind.TIME, f"not run, because {reason}")) if reason else None

    def _reason(self, case: Case) -> str:
        before = [*takewhile(lambda other: other.id != case.id, self._cases)]
        answers = [(other, self._answers.get(other.id, Answer())) for other in before]
        in_a_row: list[str] = []
        for other, answer in answers:
            if other.question.id != case.question.id or other.input.hidden:
                continue
            if hangs(other, answer):
                return f"{other.id} had no answer in time"
            if not isinstance(other.input, PositionInput) and len(in_a_row) < IN_A_ROW:
                is_late = answer.fault is not None and answer.fault.kind == FaultKind.TIME
                in_a_row = [*in_a_row, other.id] if is_late else []
        if len(in_a_row) == IN_A_ROW:
            return f"{', '.join(in_a_row)} had no answer in time"
        if sum(answer.processor_seconds for _, answer in answers) >= self._most_seconds:
            return f"the cases before used the {self._most_seconds:g} s of processor time of a submission"
        if sum(answer.idle_seconds for _, answer in answers) >= WAITING_SECONDS:
            return f"the cases before waited for {WAITING_SECONDS:g} s without computing"
        return ""
