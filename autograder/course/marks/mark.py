"""The mark of each student: the attempt that counts, what the staff adjusted, late days, and another maximum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.course.intake.roster import Student
from autograder.course.marks.attempts import NO_SUBMISSION, Attempt, Rule, Work
from autograder.course.marks.late import LateRule
from autograder.judge.points_as_text import rounded_down

_NO_RULE = LateRule()


@dataclass(frozen=True)
class Mark:
    """The mark of one student in one assignment. With a `reason` there are no points.

    `late` is the number of late days, None if the time of receipt or the due time is not known. `attempt` is the number
    of the attempt that counts, of `attempts`. `version` says which grading it comes from. `adjusted` is the part of the
    points that the course staff gave or took, `because` says why.

    The mark is (the points by the grader + `adjusted`) x `kept` x (`out_of` / `most`). `kept` is the share that the
    late days leave. Without `out_of`, the last factor is 1. `extended` is the student's due time. With `has_late_rule`,
    late days can cost points.
    """

    student: Student
    assignment: str
    by_grader: float = 0.0
    most: float = 0.0
    reason: str = NO_SUBMISSION
    questions: Mapping[str, Sequence[float]] | None = None
    received: str = ""
    late: int | None = None
    attempt: int = 0
    attempts: int = 0
    version: tuple[str, str] = ("", "")
    adjusted: float = 0.0
    because: str = ""
    kept: float = 1.0
    out_of: float | None = None
    extended: str = ""
    has_late_rule: bool = False

    @property
    def before(self) -> float:
        """The points of the grader and of the course staff, before late days and another maximum change them."""
        return rounded_down(self.by_grader + self.adjusted)

    @property
    def earned(self) -> float:
        """The points that count."""
        scale = self.out_of / self.most if self.out_of and self.most else 1.0
        return self.before * self.kept * scale

    @property
    def points(self) -> float:
        """The points that are possible."""
        return self.out_of or self.most


def marks(
    assignment: str,
    works: Iterable[Work],
    rule: Rule,
    late: LateRule = _NO_RULE,
    out_of: float | None = None,
) -> list[Mark]:
    """The mark of every student. Who has no submission, or none that could be graded, has 0 points and a reason.

    Late days cost what `late` says; with `out_of`, full points count as so many.
    """
    every = list(works)

    def days(work: Work, attempt: Attempt) -> int | None:
        return late.days(attempt.submission.received, work.student, assignment)

    chosen = [work.chosen(rule, lambda each, work=work: late.kept(days(work, each))) for work in every]  # type: ignore[misc]
    most = max((each.result.points for each in chosen if each and each.result), default=0.0)
    rows = []
    for work, attempt in zip(every, chosen, strict=True):
        extension, result = late.extension(work.student, assignment), attempt.result if attempt else None
        row = Mark(
            work.student,
            assignment,
            most=most,
            adjusted=work.adjusted(attempt),
            because="; ".join(each.text for each in work.adjustments),
            out_of=out_of,
            has_late_rule=late.costs,
            extended=extension.strftime("%Y-%m-%dT%H:%M:%SZ") if extension else "",
        )
        if attempt is not None:
            late_days = days(work, attempt)
            row = replace(
                row,
                by_grader=attempt.earned,
                reason=attempt.reason,
                received=attempt.submission.received,
                late=late_days,
                kept=late.kept(late_days),
                attempt=next(number for number, each in enumerate(work.attempts, 1) if each is attempt),
                attempts=len(work.attempts),
            )
        if result and not result.reason:
            row = replace(row, most=result.points, questions=result.questions, version=result.version)
        rows.append(row)
    return rows
