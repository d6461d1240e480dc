"""What to say in the next lecture. `SAYINGS` are the rules: those that apply are taken, each about something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autograder.course.marks.board_rows import Board, Saying, row_text
from autograder.judge.points_as_text import percent
from pacman.core.errors import counted

FEW = 2
"""The fewest students about whom something is said to the whole class."""
HARD = 0.8
"""A question with at least this average share of its points is not hard."""


def sayings(found: Board) -> Iterator[Saying]:
    """The sayings that apply, each about something else."""
    told: set[str] = set()
    for rule, candidates in SAYINGS:
        text = next((each for each in candidates(found) if each not in told), "")
        if text:
            told.add(text)
            yield Saying(text, rule)


def _most_frequent(found: Board) -> Iterator[str]:
    for row in sorted(found.mistakes, key=lambda row: -row.now):
        if row.kind != "fault" and row.now >= FEW:
            hint = f" Ask: {row.hint}" if row.hint else ""
            yield f"{counted(row.now, 'student')} in {_title(found, row.question)}: {row_text(row)}{hint}"


def _hardest(found: Board) -> Iterator[str]:
    for row in found.questions:
        if row.average < HARD and row.students >= FEW:
            yield (
                f"{row.title} ({row.question}) is the hardest question: {percent(row.average)} of its points on "
                f"average, {row.none} of {counted(row.students, 'student')} with none"
            )


SAYINGS: tuple[tuple[str, Callable[[Board], Iterator[str]]], ...] = (
    (f"the mistake or fact that most students have in their last attempt, at least {FEW}", _most_frequent),
    (f"the question with the lowest average, if that is below {percent(HARD)}", _hardest),
    ("the mistake or fact that comes second", _most_frequent),
)
"""The rules for the next lecture: what each looks for, and how it can be said, the best text first."""


def _title(found: Board, question: str) -> str:
    title = next((row.title for row in found.questions if row.question == question), question)
    return question if title == question else f"{question} ({title})"
