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
from autograder.judge.submission_answer import Answer, Fault
from autograder.student_process.fault_kind import FaultKind

IN_A_ROW = 3
WAITING_SECONDS = 60.0
MERELY = 0.1
"""A process that computed for a smaller share of its time merely waited."""


def hangs(case: Case, answer: Answer) -> bool:
    """True if the code computed until the limit where any search needs a few milliseconds.

    That is: in a drawn tree, in a choice of one move, or in a match before the first move. No machine changes that.
    """
    if not answer.never_ends:
        return False
    if isinstance(case.input, MatchInput):
        return not answer.results and not (answer.lost_game and answer.lost_game.moves)
    return isinstance(case.input, TreeInput) or case.question.role == "choice"


def merely_waits(answer: Answer) -> bool:
    """True if a process did little but wait. False where this is not known."""
    return answer.idle_seconds > (1 - MERELY) * answer.seconds


class EarlyStop:
    """Which cases of an assignment had no answer in time, and which ones are therefore not run."""

    def __init__(self, assignment: Assignment) -> None:
        self._most_seconds = assignment.limits.submission_seconds
        self._counted = {
            question.id: [
                case.id
                for case in assignment.of(question)
                if not case.input.hidden and not isinstance(case.input, PositionInput)
            ]
            for question in assignment.questions
        }
        cases = sorted(assignment.cases, key=lambda case: case.input.hidden)
        self._order = {case.id: place for place, case in enumerate(cases)}
        self._question = {case.id: case.question.id for case in cases}
        self._out_of_time: set[str] = set()
        self._hanging: set[str] = set()
        self._computed: dict[str, float] = {}
        self._waiting: dict[str, float] = {}

    def record(self, case: Case, answer: Answer) -> None:
        """Takes the answer to a case into account."""
        if answer.fault and answer.fault.kind == FaultKind.TIME:
            self._out_of_time.add(case.id)
        if hangs(case, answer) and not case.input.hidden:
            self._hanging.add(case.id)
        self._computed[case.id] = answer.processor_seconds
        self._waiting[case.id] = answer.idle_seconds

    def answer(self, case: Case) -> Answer | None:
        """The answer to a case that is not run: a fault with the reason. None if the case runs."""
        reason = self._reason(case)
        return Answer(fault=Fault(FaultKind.TIME, f"not run, because {reason}")) if reason else None

    def _reason(self, case: Case) -> str:
        place, question = self._order[case.id], case.question.id
        for other in sorted(self._hanging, key=self._order.__getitem__):
            if self._question[other] == question and self._order[other] < place:
                return f"{other} had no answer in time"
        earlier = list(takewhile(lambda other: self._order[other] < place, self._counted[question]))
        for first in range(len(earlier) - IN_A_ROW + 1):
            in_a_row = earlier[first : first + IN_A_ROW]
            if self._out_of_time.issuperset(in_a_row):
                return f"{', '.join(in_a_row)} had no answer in time"
        if self._before(self._computed, place) >= self._most_seconds:
            return f"the cases before used the {self._most_seconds:g} s of processor time of a submission"
        if self._before(self._waiting, place) >= WAITING_SECONDS:
            return f"the cases before waited for {WAITING_SECONDS:g} s without computing"
        return ""

    def _before(self, seconds: dict[str, float], place: int) -> float:
        """The sum of the seconds of the cases before a place."""
        return sum(each for name, each in list(seconds.items()) if self._order[name] < place)
