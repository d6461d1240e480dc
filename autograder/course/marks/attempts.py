"""What each student handed in for one assignment, in order, with its last result; and which attempt counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from autograder.course.intake.roster import Student, compared
from autograder.course.store import Adjustment, Result, Store, Submission, adjusted
from pacman.core.errors import InputError, nearest

NO_SUBMISSION = "no submission"
NOT_GRADED = "not graded yet"

Rule = Literal["best", "last"]
"""Which of several attempts counts."""


@dataclass(frozen=True)
class Attempt:
    """One submission of a student, with the result that was added last; None if it is not graded yet."""

    submission: Submission
    result: Result | None

    @property
    def earned(self) -> float:
        """The points, 0 if there is no result."""
        return self.result.earned if self.result else 0.0

    @property
    def reason(self) -> str:
        """Why the attempt has no points that count: it could not be graded, or is not graded yet. Else empty."""
        return self.result.reason if self.result else self.submission.problem or NOT_GRADED

    @property
    def time(self) -> str:
        """When it was handed in, in UTC; or else when it came into the store or was graded; empty if nobody knows."""
        return self.submission.received or self.submission.at or (self.result.graded if self.result else "")


@dataclass(frozen=True)
class Work:
    """The attempts of one student, the first one first."""

    student: Student
    attempts: tuple[Attempt, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    """The points that the course staff gave in some questions."""

    def adjusted(self, attempt: Attempt | None) -> float:
        """The points by which the adjustments change those of an attempt."""
        return adjusted(self.adjustments, attempt.result if attempt else None)

    def chosen(self, rule: Rule, kept: Callable[[Attempt], float] = lambda attempt: 1.0) -> Attempt | None:
        """The attempt that counts: the last one, or the one with most points (of equally good ones the first).

        The points are those of the mark, with what the staff adjusted; `kept` is the share that counts.
        """
        if not self.attempts:
            return None
        if rule == "last":
            return self.attempts[-1]
        return max(self.attempts, key=lambda each: ((each.earned + self.adjusted(each)) * kept(each), not each.reason))


def works(
    students: Iterable[Student],
    attempts: Sequence[Submission],
    results: Mapping[int, Result],
    adjustments: Mapping[str, tuple[Adjustment, ...]] = MappingProxyType({}),
) -> list[Work]:
    """The work of every student, also of those without a submission, in the order of `students`.

    Attempts are in the order of their times of receipt; where one has none, in the order of the store.
    """
    own: dict[str, list[Attempt]] = {}
    for each in attempts:
        own.setdefault(compared(each.student.key), []).append(Attempt(each, results.get(each.id)))
    found = []
    for student in students:
        of_student = own.get(compared(student.key), [])
        if all(each.submission.received for each in of_student):
            of_student.sort(key=lambda each: (each.submission.received, each.submission.id))
        found.append(Work(student, tuple(of_student), adjustments.get(compared(student.key), ())))
    return found


def chosen_assignments(store: Store, name: str | None) -> list[str]:
    """The assignment with this name, or all of the store. InputError if there is none."""
    known = store.assignments()
    if not known:
        raise InputError(f"store {store.name}: no submissions yet; add some with: python -m autograder grade-all")
    if name is None:
        return known
    if name not in known:
        raise InputError(f"store {store.name}: no submissions for assignment '{name}': {nearest(name, known)}")
    return [name]


def single_assignment(store: Store, name: str | None) -> str:
    """The assignment with this name, or the only one of the store. InputError if there is none, or if several are."""
    found = chosen_assignments(store, name)
    if len(found) > 1:
        raise InputError(f"store {store.name}: choose one assignment with --assignment: {', '.join(found)}")
    return found[0]


def find_student(store: Store, key: str) -> Student:
    """The student of a store with this key. InputError with the nearest key if there is none."""
    known = store.student(key)
    if known is None:
        keys = [each.key for each in store.students()]
        raise InputError(f"store {store.name}: no student '{key}': {nearest(key, keys)}")
    return known


def load_works(store: Store, assignment: str) -> list[Work]:
    """The work of every student of the store for one assignment. InputError if nothing is graded yet."""
    results = store.some_results(assignment)
    return works(store.students(), store.attempts(assignment), results, store.adjustments(assignment))
