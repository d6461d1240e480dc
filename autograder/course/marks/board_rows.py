"""What a class board says, as plain values; and its rows in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from autograder.course.marks.board_words import FAULT
from autograder.judge.points_as_text import points_text
from autograder.report.blocks import fault_name
from pacman.core.errors import counted

VERSION = 3


@dataclass(frozen=True)
class MistakeRow:
    """A mistake in a question. `name` is a name of a diagnosis, a sentence of one that proves less, or a fault.

    A part that is not written, or a file that cannot be imported, is one row for all questions: its `question` is
    empty. `who` has it now.
    `students` is how many had it in any attempt, `now` how many of them in the last one that was graded; the others
    have `overcome` it. `since` is the time of the first attempt with it.
    """

    question: str
    name: str
    kind: Literal["mistake", "fact", "fault"]
    students: int
    now: int
    overcome: int
    since: str
    sentence: str = ""
    hint: str = ""
    who: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuestionRow:
    """A question. `average` is the share of its points that the last attempts earn on average."""

    question: str
    title: str
    points: float
    average: float
    full: int
    none: int
    students: int


@dataclass(frozen=True)
class FlatCase:
    """A case in which everybody earns the same share: it tells nobody apart."""

    case: str
    earned: float


@dataclass(frozen=True)
class Saying:
    """Something to say in the next lecture, and the rule that chose it."""

    text: str
    rule: str


@dataclass(frozen=True)
class Board:
    """A class in one assignment. `average` and `median` are of the points of the last attempts that were graded.

    `histogram` counts these attempts by tenths of the points; its last number is that of those with all points.
    """

    assignment: str
    students: int
    without_submission: int
    submissions: int
    not_graded: int
    points: float
    average: float
    median: float
    mistakes: tuple[MistakeRow, ...]
    questions: tuple[QuestionRow, ...]
    flat_cases: tuple[FlatCase, ...]
    sayings: tuple[Saying, ...]
    histogram: tuple[int, ...] = ()
    version: int = VERSION


def overview(found: Board) -> str:
    """How many students and submissions there are, and their points, in one line."""
    return (
        f"{counted(found.students, 'student')}, {found.without_submission} without a submission; "
        f"{counted(found.submissions, 'submission')}, {found.not_graded} not graded; "
        f"average {points_text(found.average)}, median {points_text(found.median)} "
        f"of {points_text(found.points)} points"
    )


def row_title(row: MistakeRow) -> str:
    """A mistake with its name, or with its kind if it has no name."""
    text = row_text(row)
    if row.kind != "mistake":
        return f"{row.kind}: {text}"
    return text if text == row.name else f"{row.name}: {text}"


def row_text(row: MistakeRow) -> str:
    """What is wrong, in words."""
    return fault_name(row.name.removeprefix(FAULT)) if row.kind == "fault" else row.sentence or row.name
