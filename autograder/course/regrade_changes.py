"""What changes for whom if a class is graded again after a change: a pure comparison of two scorecards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.course.intake.roster import Student
from autograder.judge.points_as_text import percent, points_text, rounded_down
from autograder.judge.scorecard import QuestionScore, Scorecard
from pacman.core.errors import counted


@dataclass(frozen=True)
class Change:
    """The points of one submission before and after, with what the staff adjusted.

    `reasons` name each case that earns another share, has another weight, or is new or gone; and each question that
    gives other points, or that is locked now or no longer.
    """

    student: Student
    submission_id: int
    received: str
    before: float
    after: float
    reasons: tuple[str, ...]

    @property
    def difference(self) -> float:
        """The difference between the marks, which are in whole hundredths."""
        return round(rounded_down(self.after) - rounded_down(self.before), 2)


def reasons(old: Scorecard | None, new: Scorecard | None) -> tuple[str, ...]:
    """What is different. None is a submission that could not be graded."""
    if old is None or new is None:
        return ("could not be graded" if new is None else "can be graded now",)
    before = {question.id: question for question in old.questions}
    after = {question.id: question for question in new.questions}
    names = dict.fromkeys((*before, *after))
    return tuple(reason for name in names for reason in _of_question(name, before.get(name), after.get(name)))


def _of_question(name: str, old: QuestionScore | None, new: QuestionScore | None) -> Iterator[str]:
    """What is different in one question."""
    if old is None or new is None:
        yield f"{name} is {'gone' if new is None else 'new'}"
        return
    before, after = ({case.id: case for case in question.cases} for question in (old, new))
    for case in dict.fromkeys((*before, *after)):
        was, now = before.get(case), after.get(case)
        if was is None or now is None:
            yield f"{case} is {'gone' if now is None else 'new'}"
        elif was.earned != now.earned:
            yield f"{case} {percent(was.earned)} -> {percent(now.earned)}"
        elif was.weight != now.weight:
            yield f"weight of {case}"
    if old.points != new.points:
        yield f"points of {name}"
    if bool(old.withheld) != bool(new.withheld):
        yield f"{name} is {'locked' if new.withheld else 'not locked any more'}"


def signed(points: float) -> str:
    """A difference of points with its sign.

    >>> signed(0.5), signed(-1.25), signed(0)
    ('+0.5', '-1.25', '0')
    """
    text = points_text(abs(points) + 5e-7)
    return text if text == "0" else f"{'-' if points < 0 else '+'}{text}"


def overview(changes: Sequence[Change], unchanged: int) -> str:
    """How many submissions change, in one line."""
    raised = sum(change.difference > 0 for change in changes)
    lowered = sum(change.difference < 0 for change in changes)
    same = len(changes) - raised - lowered + unchanged
    total = counted(len(changes) + unchanged, "submission")
    return f"{total} compared: {raised} raised, {lowered} lowered, {same} unchanged"
