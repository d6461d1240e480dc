"""The whole result of grading one submission: plain values, so that it can be written, read and compared."""

from __future__ import annotations

from dataclasses import dataclass, replace

VERSION = 2
HIDDEN = "hidden"
"""The kind of a hidden case, as a student sees it."""
GRADERS_FAULT = "grader"
"""The fault of a case that the grader itself could not judge. It costs no points, and no result with one is final."""


@dataclass(frozen=True)
class Finding:
    """One criterion: the share of it that was earned (0 to 1), and, where it is not all, what came instead."""

    criterion: str
    weight: float
    earned: float
    expected: str = ""
    got: str = ""


@dataclass(frozen=True)
class Mistake:
    """A known wrong search that does what the submission does in `explains` of the question's `of` missed searches.

    Where a question has two, they are made at once, and `explains` is what they explain together.
    """

    name: str
    sentence: str
    hint: str
    explains: int
    of: int


@dataclass(frozen=True)
class CaseScore:
    """One case: `earned` from 0 to 1; `message` for a fault; `why` and `picture` for a miss; `notes` cost nothing.

    Of a `hidden` case a student is told nothing but how many there are and were passed: see `Scorecard.public`.
    """

    id: str
    kind: str
    shows: str
    weight: float
    earned: float
    lost: tuple[Finding, ...] = ()
    fault: str = ""
    message: str = ""
    why: str = ""
    picture: tuple[str, ...] = ()
    output: str = ""
    seconds: float = 0.0
    hidden: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuestionScore:
    """One question. `withheld`: why it earns nothing whatever its cases did. `extra` points are not in the total."""

    id: str
    title: str
    points: float
    cases: tuple[CaseScore, ...]
    mistakes: tuple[Mistake, ...] = ()
    extra: bool = False
    withheld: str = ""

    @property
    def earned(self) -> float:
        """Points: the mean of the cases, by their weights."""
        if self.withheld:
            return 0
        whole = sum(case.weight for case in self.cases)
        return self.points * sum(case.weight * case.earned for case in self.cases) / whole

    @property
    def is_full(self) -> bool:
        return not self.withheld and all(case.earned == 1 for case in self.cases)


@dataclass(frozen=True)
class Scorecard:
    assignment: str
    title: str
    submission: str
    level: str
    questions: tuple[QuestionScore, ...]
    seconds: float

    @property
    def points(self) -> float:
        return sum(question.points for question in self.questions if not question.extra)

    @property
    def earned(self) -> float:
        return sum(question.earned for question in self.questions)

    @property
    def is_full(self) -> bool:
        return all(question.is_full for question in self.questions)

    @property
    def is_final(self) -> bool:
        """False where the grader failed on a case: somebody has to look before the points count."""
        return all(case.fault != GRADERS_FAULT for question in self.questions for case in question.cases)

    def public(self) -> Scorecard:
        """What a student may see: of hidden cases no name, input, output, text or time, only pass or fail counts."""
        return replace(self, questions=tuple(_public(question) for question in self.questions))


def _public(question: QuestionScore) -> QuestionScore:
    """Hidden cases as so many passed and so many failed; what the failed ones earned is told in one sum."""
    hidden = [case for case in question.cases if case.hidden]
    groups = [[case for case in hidden if case.earned == 1], [case for case in hidden if case.earned < 1]]
    shown: list[CaseScore] = []
    for group in groups:
        whole = sum(case.weight for case in group)
        for _ in group:
            name = f"{question.id}/hidden-{len(shown) + 1}"
            earned = sum(case.weight * case.earned for case in group) / whole
            shown.append(CaseScore(name, HIDDEN, "a hidden case", whole / len(group), earned, hidden=True))
    return replace(question, cases=(*(case for case in question.cases if not case.hidden), *shown))
