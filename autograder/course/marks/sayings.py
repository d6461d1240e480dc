"""What to say in the next lecture. `SAYINGS` are the rules, in the order in which they are tried.

The first three that apply are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autograder.course.marks.board_rows import Board, Saying, row_text
from autograder.grading.submission import IMPORT
from autograder.judge.points_as_text import percent
from pacman.core.words import counted

TO_SAY = 3
FEW = 2
"""The fewest students about whom something is said to the whole class."""
HARD = 0.8
"""A question with at least this average share of its points is not hard."""


def sayings(found: Board) -> Iterator[Saying]:
    """The first sayings that apply, each about something else."""
    told: set[str] = set()
    for rule, candidates in SAYINGS:
        text = next((each for each in candidates(found) if each not in told), "")
        if text and len(told) < TO_SAY:
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


def _frequent_fault(found: Board) -> Iterator[str]:
    for row in found.mistakes:
        if row.kind == "fault" and row.now >= FEW and row.question:
            place = f"{_title(found, row.question)} because of: {row_text(row)}"
            yield f"{counted(row.now, 'student')} lost points in {place}"
        elif row.kind == "fault" and row.now >= FEW:
            reason = row_text(row)
            what = f"because {reason}" if reason.startswith(IMPORT) else f"because of a part that is {reason}"
            yield f"{counted(row.now, 'student')} lost points {what}"


def _overcome(found: Board) -> Iterator[str]:
    for row in sorted(found.mistakes, key=lambda row: -row.overcome):
        if row.overcome:
            place = f" in {_title(found, row.question)}" if row.question else ""
            yield (
                f"{row.overcome} of {counted(row.students, 'student')} overcame this{place}: "
                f"{row_text(row)} Let one of them explain how"
            )


def _missing(found: Board) -> Iterator[str]:
    if found.without_submission:
        verb = "has" if found.without_submission == 1 else "have"
        yield f"{found.without_submission} of {counted(found.students, 'student')} {verb} not handed in anything"


def _nobody(found: Board) -> Iterator[str]:
    for row in found.flat_cases:
        if row.earned == 0:
            yield f"nobody earns anything in case {row.case}: solve it together"


def _all_right(found: Board) -> Iterator[str]:
    if found.points:
        yield f"the class earns {percent(found.average / found.points)} of the points on average"


SAYINGS: tuple[tuple[str, Callable[[Board], Iterator[str]]], ...] = (
    (f"the mistake or fact that most students have in their last attempt, at least {FEW}", _most_frequent),
    (f"the question with the lowest average, if that is below {percent(HARD)}", _hardest),
    ("the mistake or fact that comes second", _most_frequent),
    (f"the fault that most students have in their last attempt, at least {FEW}", _frequent_fault),
    ("the mistake that most students have overcome", _overcome),
    ("the students without a submission", _missing),
    ("a case in which nobody earns anything", _nobody),
    ("the average of the class", _all_right),
)
"""The rules for the next lecture: what each looks for, and how it can be said, the best text first."""


def _title(found: Board, question: str) -> str:
    title = next((row.title for row in found.questions if row.question == question), question)
    return question if title == question else f"{question} ({title})"
