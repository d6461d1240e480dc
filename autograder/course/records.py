"""What a store keeps, as frozen data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from autograder.course.intake.roster import Student, compared
from autograder.grading.submission import IMPORT
from autograder.judge.points_as_text import points_phrase, points_text
from autograder.judge.scorecard import QuestionScore, Scorecard
from autograder.report.blocks import IMPORT_FAULT, fault_name, shown_diagnosis

NOT_GRADED = "not graded yet"
FAULT = "fault: "
"""How the kinds of faults begin in `Result.mistakes`."""
UNNAMED = "unnamed"
"""What a diagnosis without a name for the mistake counts as, in `Result.mistakes`."""


@dataclass(frozen=True)
class Step:
    """What the grader found out about a work in one step, which took processor time.

    `case` is the id of a case (the content is then an answer, see `judge.submission_answer`), the id of a question
    (the content is then what its diagnosis found), or `import`. `digest` is that of all the input, `runner` that of
    the program that ran it. `alone` is false if other submissions ran at the same time.
    """

    case: str
    digest: str
    runner: str
    alone: bool
    content: Any


@dataclass(frozen=True)
class Result:
    """The points of one grading of a work, without the scorecard.

    `assignment_digest` and `grader` are digests of the questions with their cases and of the program that judges. With
    a `reason` the submission could not be graded: it has 0 points and no scorecard. `cases` maps case ids to the share
    that was earned (0 to 1), `questions` the ids of questions to the points that were earned and those that can be.
    `mistakes` maps the ids of questions to what is wrong there, see `mistakes_of`. `locked` maps the ids of questions
    that earn nothing because of others to the shares of those that they require, and "" to the points without the lock.
    """

    work: int
    assignment_digest: str
    grader: str
    earned: float
    points: float
    reason: str = ""
    cases: Mapping[str, float] = field(default_factory=dict)
    questions: Mapping[str, Sequence[float]] = field(default_factory=dict)
    mistakes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    locked: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    graded: str = ""
    id: int = 0

    @property
    def version(self) -> tuple[str, str]:
        """The version of the assignment and of the program that judges."""
        return self.assignment_digest, self.grader

    @property
    def why_none(self) -> str:
        """Why there are no points; empty if there are some."""
        if self.reason or self.earned:
            return self.reason
        pairs = [(each, name) for each, own in self.mistakes.items() for name in own if name.startswith(FAULT)]
        rest = self.questions.keys() - self.locked.keys() - {each for each, _ in pairs}
        wrong = ["wrong answers"] if pairs and any(self.questions[each][1] for each in rest) else []
        names = dict.fromkeys(wrong + [fault_name(name.removeprefix(FAULT)) for _, name in pairs])
        return ", ".join(names) or "no question gives points"


@dataclass(frozen=True)
class Submission:
    """One attempt: what a student handed in. With a `problem` it cannot be graded, and has no `work` (0).

    `work` is the id of the files, and `result` the last one of these, without the shares of cases. `received` is the
    time of receipt in UTC, as in 2026-11-22T08:00:00Z; empty if nobody knows it. `source` says where it was in the
    export, and `at` when it came into the store.
    """

    id: int
    work: int
    student: Student
    received: str
    source: str
    problem: str
    at: str
    result: Result | None = None

    @property
    def earned(self) -> float:
        """The points, 0 if there is no result."""
        return self.result.earned if self.result else 0.0

    @property
    def reason(self) -> str:
        """Why it has no points that count: it could not be graded, or is not graded yet. Else empty."""
        return self.problem or (self.result.reason if self.result else NOT_GRADED)

    @property
    def time(self) -> str:
        """When it was handed in, in UTC; or else when it came into the store."""
        return self.received or self.at


def by_student(attempts: Iterable[Submission]) -> dict[str, list[Submission]]:
    """The attempts of each student, by compared keys: the last one is the newest.

    In the order of their times of receipt; where one has none, in the order of the store.
    """
    own: dict[str, list[Submission]] = {}
    for each in attempts:
        own.setdefault(compared(each.student.key), []).append(each)
    for those in own.values():
        if all(each.received for each in those):
            those.sort(key=lambda each: (each.received, each.id))
    return own


@dataclass(frozen=True)
class Adjustment:
    """The points that the course staff gave a student in a question, whatever the grader says, and why."""

    question: str
    points: float
    reason: str

    @property
    def text(self) -> str:
        """The points with the reason, for people."""
        return f"{self.question}: {points_phrase(self.points)}: {self.reason}"


def adjusted(adjustments: Iterable[Adjustment], result: Result | None) -> float:
    """The points by which the adjustments of a student change a result; without one, they are all the points."""
    before = sum(own for own, *_ in result.questions.values()) if result else 0.0
    return sum(adjusted_questions(adjustments, result).values()) - before


def adjusted_questions(adjustments: Iterable[Adjustment], result: Result | None) -> dict[str, float]:
    """The points of each question with what the staff adjusted: at most what the question gives now.

    A question that is gone has none. One that was locked counts if the adjustments give what it requires.
    """
    if result is None or not result.questions:
        return {each.question: each.points for each in adjustments}
    most = {name: possible for name, (_, possible, *_) in result.questions.items()}
    own = {each.question: min(each.points, most[each.question]) for each in adjustments if each.question in most}
    points = {name: own.get(name, earned) for name, (earned, *_) in result.questions.items()}
    for _ in result.locked:  # one that counts now can open the next one
        for name, needs in result.locked.items():
            required = ((each, share) for each, share in needs.items() if each)
            if name not in own and all(points[each] >= share * most[each] - 1e-9 for each, share in required):
                points[name] = needs[""]
    return points


def adjustment_notes(adjustments: Iterable[Adjustment], result: Result | None) -> list[str]:
    """What the staff adjusted, and what that changes in a result, for people."""
    each_once = tuple(adjustments)
    points, notes = adjusted_questions(each_once, result), []
    for each in each_once:
        counts = points.get(each.question)
        more = " (the question is gone: not counted)" if counts is None else ""
        if counts is not None and counts < each.points:
            more = f" (counts as {points_text(counts)}, all that it gives)"
        notes.append(each.text + more)
    changed = {each.question for each in each_once}
    for name, (earned, *_) in result.questions.items() if result else ():
        if name not in changed and points.get(name, earned) != earned:
            notes.append(f"{name}: {points_phrase(points[name])}: not locked any more")
    return notes


def now() -> str:
    """The time in UTC, as in 2026-11-22T08:00:00Z. Nothing depends on it: the order of rows is that of their ids."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def result_of(
    work: int,
    assignment_digest: str,
    grader: str,
    card: Scorecard,
    requires: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> Result:
    """The row for a scorecard; `requires` says what each question requires of others."""
    locked = [each for each in card.questions if each.withheld and requires.get(each.id)]
    return Result(
        *(work, assignment_digest, grader, card.earned, card.points),
        cases={case.id: case.earned for question in card.questions for case in question.cases},
        questions={question.id: (question.earned, question.points) for question in card.questions},
        mistakes={question.id: names for question in card.questions if (names := mistakes_of(question))},
        locked={each.id: {**requires[each.id], "": replace(each, withheld="").earned} for each in locked},
    )


def mistakes_of(question: QuestionScore) -> list[str]:
    """What is wrong in a question, as codes: the names of the mistakes that the diagnosis found, and kinds of faults.

    A diagnosis that proves no mistake with a name is `UNNAMED`. A file that cannot be imported is one kind of fault,
    with the message of the import.
    """
    diagnosis = shown_diagnosis(question)
    causes = (f": {each.message.removeprefix(f'{IMPORT}: ')}" if each.at_import else "" for each in question.cases)
    pairs = zip(question.cases, causes, strict=True)
    faults = sorted({f"{IMPORT_FAULT * case.at_import}{case.fault}{cause}" for case, cause in pairs if case.fault})
    return [*((diagnosis.mistakes or (UNNAMED,)) if diagnosis else ()), *(FAULT + kind for kind in faults)]
