"""The mark of each student: which attempt counts, what the course staff adjusted, and what late days cost."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from autograder.course.intake.roster import (
    Student,
    compared,
    first_names,
    named,
    parsed_time,
    read_time,
    time_text,
)
from autograder.course.records import NOT_GRADED, Adjustment, Result, Submission, adjusted, adjustment_notes
from autograder.course.store import Store
from autograder.judge.points_as_text import percent, rounded_down
from pacman.core.errors import InputError, counted, nearest, printable

NO_SUBMISSION = "no submission"

Rule = Literal["best", "last"]
"""Which of several attempts counts."""


@dataclass(frozen=True)
class Late:
    """Each late day takes the share `per_day` of the points. A student with a later due time has it in the roster."""

    due: datetime | None = None
    per_day: float = 0.0

    def extension(self, student: Student, assignment: str) -> datetime | None:
        """The due time of one student; None if it is that of all."""
        own = dict(student.due)
        text = own.get(assignment.casefold()) or own.get("")
        return parsed_time(text) if text else None

    def days(self, received: str, student: Student, assignment: str) -> int | None:
        """The late days of a submission, each begun day counted; None if its time or the due time is not known.

        >>> late = Late(read_time("--due", "2026-11-22T23:59+01:00"))
        >>> times = "2026-11-22T22:59:00Z", "2026-11-22T22:59:01Z", "2026-11-24T00:00:00Z", ""
        >>> [late.days(text, Student("ada"), "week1") for text in times]
        [0, 1, 2, None]
        """
        due, time = self.extension(student, assignment) or self.due, parsed_time(received)
        return None if due is None or time is None else max(0, math.ceil((time - due) / timedelta(days=1)))

    def kept(self, days: int | None) -> float:
        """The share of the points that so many late days leave.

        >>> [Late(per_day=0.1).kept(days) for days in (None, 0, 2, 5, 11)]
        [1.0, 1.0, 0.8, 0.5, 0.0]
        """
        return max(0.0, round(1 - self.per_day * (days or 0), 6))

    def share(self, received: str, student: Student, assignment: str) -> float:
        """The share of the points of a submission that counts."""
        return self.kept(self.days(received, student, assignment))

    def in_zone(self, received: str) -> str:
        """A time of receipt in the zone of the due time, or in UTC; empty if it is not known."""
        time = parsed_time(received)
        return time_text(time.astimezone(self.due.tzinfo if self.due else UTC)) if time else ""

    def warnings(self, students: Iterable[Student], assignment: str) -> list[str]:
        """A line that names the students who are due before all others; none if there are none."""
        due = self.due
        early = [each.named for each in students if due and (own := self.extension(each, assignment)) and own < due]
        what = f"{counted(len(early), 'student')} of the roster due before all others"
        return [f"{what}: {first_names(early)}"] if early else []


def read_late(due: str | None, per_day: str | None) -> Late:
    """What the options --due and --late-per-day say. InputError if one cannot be read.

    >>> read_late("2026-11-22T23:59Z", "12.5 %").per_day
    0.125
    """
    share = 0.0
    if per_day:
        with suppress(ValueError):
            share = float(per_day.strip().removesuffix("%")) / 100
        if not (0 < share <= 1 and per_day.strip().endswith("%")):
            raise InputError(f"--late-per-day {printable(per_day)}: expected a share of the points, as in 10%")
        if not due:
            raise InputError("--late-per-day: say with --due from when on, as in --due 2026-11-22T23:59+01:00")
    return Late(read_time("--due", due) if due else None, share)


def late_of(store: Store, assignment: str, due: str | None, per_day: str | None) -> Late:
    """The late rule of an assignment, as assignment.yaml said when it was graded last; what is given here overrides it.

    InputError if something cannot be read.
    """
    own_due, own_share = store.fact(f"late {assignment}") or ("", "")
    return read_late(due or own_due or None, per_day or (own_share if due or own_due else None))


@dataclass(frozen=True)
class Work:
    """The attempts of one student, the first one first, and the points that the course staff gave in questions.

    `is_unread`: the newest export has a submission of the student that is no attempt, because nobody could read it.
    """

    student: Student
    attempts: tuple[Submission, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    is_unread: bool = False

    def adjusted(self, attempt: Submission) -> float:
        """The points of an attempt, with what the staff adjusted."""
        return attempt.earned + adjusted(self.adjustments, attempt.result)

    def notes(self, attempt: Submission) -> list[str]:
        """What the course staff adjusted, and what that changes in an attempt, for people."""
        return adjustment_notes(self.adjustments, attempt.result)

    def chosen(self, rule: Rule, kept: Callable[[Submission], float] = lambda attempt: 1.0) -> Submission:
        """The attempt that counts: the last one, or the one with most points (of equally good ones the first).

        The points are those of the mark; `kept` is the share that counts. Without an attempt, one that says so.
        """
        if not self.attempts:
            return Submission(0, 0, self.student, "", "", NOT_GRADED if self.is_unread else NO_SUBMISSION, "")
        if rule == "last":
            return self.attempts[-1]
        return max(self.attempts, key=lambda each: (self.adjusted(each) * kept(each), not each.reason))


@dataclass(frozen=True)
class Mark:
    """The mark of one student in one assignment. With a `reason` there are no points of the grader.

    The mark is the points with what the staff adjusted x `kept` x (`out_of` / `most`). Without `out_of`, the last
    factor is 1.
    """

    work: Work
    attempt: Submission
    assignment: str
    most: float
    late_rule: Late = Late()
    out_of: float | None = None

    @property
    def student(self) -> Student:
        """Whose mark it is."""
        return self.work.student

    @property
    def received(self) -> str:
        """The time of receipt in the zone of the due time, or in UTC; empty if it is not known."""
        return self.late_rule.in_zone(self.attempt.received)

    @property
    def late(self) -> int | None:
        """The number of late days; None if the time of receipt or the due time is not known."""
        return self.late_rule.days(self.attempt.received, self.student, self.assignment)

    @property
    def kept(self) -> float:
        """The share of the points that the late days leave."""
        return self.late_rule.kept(self.late)

    @property
    def extended(self) -> str:
        """The student's own due time; empty if it is that of all."""
        own = self.late_rule.extension(self.student, self.assignment)
        return time_text(own) if own else ""

    @property
    def reason(self) -> str:
        """Why the grader gave no points; else empty."""
        return self.attempt.reason

    @property
    def why_none(self) -> str:
        """Why the grader gave no points, also if it ran the code and the staff adjusted nothing; else empty."""
        return self.reason or (self.attempt.result.why_none if self.attempt.result and not self.notes else "")

    @property
    def result(self) -> Result | None:
        """The result that counts; None if there is none with points."""
        return None if self.reason else self.attempt.result

    @property
    def questions(self) -> Mapping[str, Sequence[float]]:
        """The points of each question, as (earned, possible)."""
        return self.result.questions if self.result else {}

    @property
    def number(self) -> int:
        """Which attempt counts, from 1; 0 for none."""
        return next((number for number, each in enumerate(self.work.attempts, 1) if each is self.attempt), 0)

    @property
    def notes(self) -> list[str]:
        """What the course staff adjusted, and why."""
        return self.work.notes(self.attempt)

    @property
    def is_open(self) -> bool:
        """True if nobody knows the mark yet: the attempt that counts has no result, and nothing was adjusted."""
        return self.reason == NOT_GRADED and not self.notes

    @property
    def before(self) -> float:
        """The points of the grader and of the course staff, before late days and another maximum change them."""
        return rounded_down(self.work.adjusted(self.attempt))

    @property
    def earned(self) -> float:
        """The points that count."""
        return self.before * self.kept * (self.out_of / self.most if self.out_of and self.most else 1.0)

    @property
    def points(self) -> float:
        """The points that are possible."""
        return self.out_of or self.most

    @property
    def is_late(self) -> bool:
        """True if Canvas marked it as late; by how much, it does not say."""
        return self.late is None and bool(
            re.search(r"_LATE_[0-9]+_(?:[0-9]+_|(?:text|link)\.html)", self.attempt.source)
        )

    @property
    def late_note(self) -> str:
        """What late days cost; empty if they cost nothing."""
        return f"late days: {self.late}, so {percent(self.kept)} of the points count" if self.kept < 1 else ""


def marks(
    store: Store, assignment: str, rule: Rule, late: Late | None = None, out_of: float | None = None
) -> list[Mark]:
    """The mark of every student. Who has no submission, or none that could be graded, has 0 points and a reason.

    Late days cost what `late` says; with `out_of`, full points count as so many.
    """
    how, works = late or Late(), load_works(store, assignment)
    share = lambda each: how.share(each.received, each.student, assignment)  # noqa: E731
    chosen = [(work, work.chosen(rule, share)) for work in works]
    most = max((each.result.points for _, each in chosen if each.result), default=0.0)
    return [
        Mark(work, each, assignment, each.result.points if each.result and not each.reason else most, how, out_of)
        for work, each in chosen
    ]


def load_works(store: Store, assignment: str) -> list[Work]:
    """The work of every student of the store for one assignment. InputError if nothing is graded yet."""
    people, results = store.people(), store.some_results(assignment)
    adjustments, unread = store.adjustments(assignment, people), store.fact(f"unread {assignment}") or ()
    own, works = store.attempts_by_student(assignment, people), []
    for student in store.students(people):
        key = compared(student.key)
        attempts = tuple(replace(each, result=results.get(each.work)) for each in own.get(key, ()))
        works.append(Work(student, attempts, adjustments.get(key, ()), key in unread))
    return works


def chosen_assignments(store: Store, name: str | None) -> list[str]:
    """The assignment with this name, or all of the store. InputError if there is none."""
    known = store.assignments()
    if not known:
        raise InputError(f"store {store.name}: no submissions yet; add some with: python -m autograder grade-all")
    if name is not None and name not in known:
        raise InputError(f"store {store.name}: no submissions for assignment '{name}': {nearest(name, known)}")
    return known if name is None else [name]


def single_assignment(store: Store, name: str | None) -> str:
    """The assignment with this name, or the only one of the store. InputError if there is none, or if several are."""
    names = chosen_assignments(store, name)
    if len(names) > 1:
        raise InputError(f"store {store.name}: choose one assignment with --assignment: {', '.join(names)}")
    return names[0]


def find_student(store: Store, key: str) -> Student:
    """The student of a store with this key or account, or the only one of this name. InputError if there is none."""
    people = store.people()
    participant = (store.fact("worksheet") or ["Participant "])[0]  # stands before a number in worksheets of Moodle
    number = compared(key).removeprefix(compared(participant)).strip()
    return people.find(key) or people.find(number) or named(store.students(people), key, f"store {store.name}")
