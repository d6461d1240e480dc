"""The whole result of grading one submission: plain values, so that it can be written, read and compared."""

from __future__ import annotations

from dataclasses import dataclass

VERSION = 1


@dataclass(frozen=True)
class Lost:
    """A criterion that was not earned in full."""

    criterion: str
    share: float
    expected: str
    got: str


@dataclass(frozen=True)
class CaseScore:
    """One case: `earned` from 0 to 1; `message` for a fault; `why` and `picture` for a miss."""

    id: str
    kind: str
    shows: str
    weight: float
    earned: float
    lost: tuple[Lost, ...] = ()
    fault: str = ""
    message: str = ""
    why: str = ""
    picture: tuple[str, ...] = ()
    output: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class QuestionScore:
    id: str
    title: str
    points: float
    cases: tuple[CaseScore, ...]

    @property
    def earned(self) -> float:
        """Points: the mean of the cases, by their weights."""
        whole = sum(case.weight for case in self.cases)
        return self.points * sum(case.weight * case.earned for case in self.cases) / whole

    @property
    def is_full(self) -> bool:
        return all(case.earned == 1 for case in self.cases)


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
        return sum(question.points for question in self.questions)

    @property
    def earned(self) -> float:
        return sum(question.earned for question in self.questions)

    @property
    def is_full(self) -> bool:
        return all(question.is_full for question in self.questions)
