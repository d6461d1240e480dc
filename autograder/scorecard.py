"""The whole result of grading one submission: plain values, so that it can be written, read and compared."""

from __future__ import annotations

from dataclasses import dataclass, replace

VERSION = 1


@dataclass(frozen=True)
class Lost:
    """A criterion that was not earned in full."""

    criterion: str
    share: float
    expected: str
    got: str


@dataclass(frozen=True)
class Mistake:
    """A known wrong search that does what the submission does in `explains` of the question's `of` missed cases."""

    name: str
    sentence: str
    hint: str
    explains: int
    of: int


@dataclass(frozen=True)
class CaseScore:
    """One case: `earned` from 0 to 1; `message` for a fault; `why` and `picture` for a miss.

    Of a `hidden` case a student is told nothing but how many there are and were passed: see `Scorecard.public`.
    """

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
    hidden: bool = False


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
        return sum(question.points for question in self.questions if not question.extra)

    @property
    def earned(self) -> float:
        return sum(question.earned for question in self.questions)

    @property
    def is_full(self) -> bool:
        return all(question.is_full for question in self.questions)

    def public(self) -> Scorecard:
        """What a student may see: of hidden cases no name, input, output, text or time, only pass or fail counts."""
        return replace(self, questions=tuple(_public(question) for question in self.questions))


def _public(question: QuestionScore) -> QuestionScore:
    hidden = [case for case in question.cases if case.hidden]
    # Passed ones first, so that the order of the file names tells nothing.
    shown = [
        CaseScore(f"{question.id}/hidden-{number}", "hidden", "a hidden case", case.weight, case.earned, hidden=True)
        for number, case in enumerate(sorted(hidden, key=lambda case: -case.earned), 1)
    ]
    return replace(question, cases=(*(case for case in question.cases if not case.hidden), *shown))
