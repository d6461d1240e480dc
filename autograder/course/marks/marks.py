"""The mark of each student: which attempt counts, what the course staff adjusted, and what late days cost."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from autograder.course.intake.roster import Student, compared, first_names, named, parsed_time, read_time, time_text
from autograder.course.records import NOT_GRADED, Adjustment, Result, Submission, adjusted, adjustment_notes, by_student
from autograder.course.store import Store
from autograder.judge.points_as_text import percent, rounded_down
from autograder.sandbox.submission_files import ARCHIVES
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
        """The due time of one student, None for that of all. One for all assignments counts only if it is later."""
        own = dict(student.due)
        here, everywhere = (parsed_time(own.get(key, "")) for key in (assignment.casefold(), ""))
        return here or (None if everywhere and self.due and everywhere < self.due else everywhere)

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

    def in_zone(self, received: str) -> str:
        """A time of receipt in the zone of the due time, or in UTC; empty if it is not known."""
        time = parsed_time(received)
        return time_text(time.astimezone(self.due.tzinfo if self.due else UTC)) if time else ""

    def warnings(self, students: Iterable[Student], assignment: str) -> list[str]:
        """Lines that name the students whose own due time is before that of all; none if there are none."""
        early, unused = list[str](), list[str]()
        for each in dict.fromkeys(students) if self.due else ():
            used = self.extension(each, assignment)
            if used and self.due and used < self.due:
                early.append(each.named)
            elif "" in dict(each.due) and not used:
                unused.append(each.named)
        found = (early, "due before all others"), (unused, "with a `due` before that of all, which does not count")
        kinds = ((counted(len(names), "student"), what, first_names(names)) for names, what in found if names)
        return [f"{count} of the roster {what}: {names}" for count, what, names in kinds]


def late_of(store: Store, assignment: str, due: str | None = None, per_day: str | None = None) -> Late:
    """The late rule of an assignment, as assignment.yaml said when it was graded last; what is given here overrides it.

    InputError if something cannot be read.
    """
    own_due, own_share = store.fact(f"late {assignment}") or ("", "")
    due, per_day, share = due or own_due, per_day or (own_share if due or own_due else ""), 0.0
    if per_day:
        with suppress(ValueError):
            share = float(per_day.strip().removesuffix("%")) / 100
        if not (0 < share <= 1 and per_day.strip().endswith("%")):
            raise InputError(f"--late-per-day {printable(per_day)}: expected a share of the points, as in 10%")
        if not due:
            raise InputError("--late-per-day: say with --due from when on, as in --due 2026-11-22T23:59+01:00")
    return Late(read_time("--due", due) if due else None, share)


@dataclass(frozen=True)
class Mark:
    """What one student has in one assignment: the attempts, the first one first, and the one that counts.

    `adjustments` are the points that the course staff gave in questions. With a `reason` there are no points of the
    grader. The mark is the points with what the staff adjusted x `kept` x (`out_of` / `most`). Without `out_of`, the
    last factor is 1.
    """

    student: Student
    assignment: str
    attempts: tuple[Submission, ...]
    adjustments: tuple[Adjustment, ...]
    attempt: Submission
    late_rule: Late = Late()
    most: float = 0.0
    out_of: float | None = None

    @property
    def adjusted(self) -> float:
        """The points of the attempt, with what the staff adjusted."""
        return self.attempt.earned + adjusted(self.adjustments, self.attempt.result)

    @property
    def graded(self) -> list[tuple[Submission, Result]]:
        """The attempts that the grader could grade, with their results."""
        return [(each, each.result) for each in self.attempts if each.result and not each.reason]

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
    def told(self) -> str:
        """The same for the student: without the id and the folder of the export in which the grader found the files."""
        places = [each for each in (self.student.key, self.attempt.source) if not each.endswith((".py", *ARCHIVES))]
        text = self.why_none
        for place in filter(None, places):
            text = text.removeprefix(f"{place}: ").removeprefix(f"{place}/")
        return text

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
        return next((number for number, each in enumerate(self.attempts, 1) if each is self.attempt), 0)

    @property
    def notes(self) -> list[str]:
        """What the course staff adjusted, and why."""
        return adjustment_notes(self.adjustments, self.attempt.result)

    @property
    def is_open(self) -> bool:
        """True if nobody knows the mark yet: the attempt that counts has no result, and nothing was adjusted."""
        return self.reason == NOT_GRADED and not self.notes

    @property
    def before(self) -> float:
        """The points of the grader and of the course staff, before late days and another maximum change them."""
        return rounded_down(self.adjusted)

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


def marks(store: Store, assignment: str, rule: Rule, late: Late = Late(), out_of: float | None = None) -> list[Mark]:
    """The mark of every student. Who has no submission, or none that could be graded, has 0 points and a reason.

    The last attempt counts, or the best one (of equally good ones the first) after what the staff adjusted and what
    late days cost by `late`. With `out_of`, full points count as so many. InputError if nothing is graded yet.
    """
    people = store.people()
    own, adjustments = by_student(store.some_attempts(assignment, people)), store.adjustments(assignment, people)
    unread, rows = store.fact(f"unread {assignment}") or (), list[Mark]()
    for student in store.students(people):
        key = compared(student.key)
        attempts = tuple(own.get(key, ()))
        none = Submission(0, 0, student, "", "", NOT_GRADED if key in unread else NO_SUBMISSION, "")
        last = Mark(student, assignment, attempts, adjustments.get(key, ()), [none, *attempts][-1], late)
        every = [replace(last, attempt=each) for each in attempts if rule == "best"] or [last]
        rows.append(max(every, key=lambda row: (row.adjusted * row.kept, not row.reason)))
    most = max((row.attempt.result.points for row in rows if row.attempt.result), default=0.0)
    return [replace(row, most=row.result.points if row.result else most, out_of=out_of) for row in rows]


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
