"""What a class knows by now: its mistakes, its hard questions, and what to say in the next lecture.

Pure: everything comes from results that were read from a store. `SAYINGS` are the rules for the lecture, in the order
in which they are tried; the first three that apply are taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Literal

from autograder.course.marks.attempts import Attempt, Work
from autograder.course.marks.board_words import FAULT, general, general_row
from autograder.course.marks.pseudonyms import Naming
from autograder.judge.points_as_text import counted, percent, points_text, rounded_down
from autograder.judge.wrong_searches.mistakes import mistakes_by_name
from autograder.report.fault_texts import MISSING_PART, NOT_WRITTEN, fault_name
from pacman.core.errors import one_line

VERSION = 2
SLOWEST = 5
TO_SAY = 3
FEW = 2
"""The fewest students about whom something is said to the whole class."""
HARD = 0.8
"""A question with at least this average share of its points is not hard."""
TENTHS = 10
UNWRITTEN = (FAULT + NOT_WRITTEN, FAULT + MISSING_PART)
_DAY = re.compile(r"20\d\d-\d\d-\d\d")


@dataclass(frozen=True)
class Day:
    """How many students had a mistake in their last attempt at the end of a day, as in 2026-11-22."""

    day: str
    students: int


@dataclass(frozen=True)
class MistakeRow:
    """A mistake in a question. `name` is a name of an examination, a sentence of one that proves less, or a fault.

    A part that is not written is one row for all questions: its `question` is empty. `who` has it now.
    `students` is how many had it in any attempt, `now` how many of them in the last one that was graded; the others
    have `overcome` it. `since` is the time of the first attempt with it. `history` has the days on which this changed.
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
    history: tuple[Day, ...] = ()
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
class SlowRow:
    """A submission that took long to grade."""

    student: str
    seconds: float
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
    slowest: tuple[SlowRow, ...]
    sayings: tuple[Saying, ...]
    histogram: tuple[int, ...] = ()
    version: int = VERSION


Texts = Callable[[str, str], tuple[str, str]]
"""The sentence and the hint that students read about a mistake, by question and name; empty if nobody knows."""


def board(
    assignment: str,
    works: Sequence[Work],
    common_shares: Mapping[str, float],
    naming: Naming,
    titles: Mapping[str, str],
    texts: Texts,
    most_texts: int = 10,
) -> Board:
    """The board of a class. `common_shares` are those of the cases that are the same in all last attempts.

    `titles` are those of the questions; `texts` is asked for the `most_texts` first rows, and for the others what the
    grader says about such a mistake in general.
    """
    attempts = [each for work in works for each in work.attempts]
    last = last_graded(works)
    earned = [each.earned for each in last]
    rows = _mistakes(works, naming)
    rows = [_with_text(row, texts if number < most_texts else known_texts) for number, row in enumerate(rows)]
    pairs = sorted(common_shares.items()) if len(last) >= FEW else []
    flat = tuple(FlatCase(name, share) for name, share in pairs)
    found = Board(
        assignment,
        len(works),
        sum(not work.attempts for work in works),
        len(attempts),
        sum(bool(each.reason) for each in attempts),
        max((each.result.points for each in last if each.result), default=0.0),
        rounded_down(fmean(earned)) if earned else 0.0,
        rounded_down(median(earned)) if earned else 0.0,
        tuple(rows),
        tuple(_questions(last, titles)),
        flat,
        tuple(_slowest(works, naming)),
        (),
        _histogram(last),
    )
    return replace(found, sayings=tuple(_sayings(found)))


def _histogram(last: Sequence[Attempt]) -> tuple[int, ...]:
    """How many attempts earned each tenth of their points, and how many all of them."""
    counts = [0] * (TENTHS + 1)
    for each in last:
        assert each.result is not None
        counts[min(TENTHS, int(TENTHS * each.earned / each.result.points + 1e-9)) if each.result.points else 0] += 1
    return tuple(counts)


def known_texts(question: str, name: str) -> tuple[str, str]:
    """What the grader says about a mistake in general, and its hint; empty for a name that it does not know."""
    row = mistakes_by_name().get(name)
    return (general_row(row.sentence), row.hint) if row else ("", "")


def last_graded(works: Iterable[Work]) -> list[Attempt]:
    """The last attempt of each student that was graded; nothing for the others."""
    last = (next((each for each in reversed(work.attempts) if not each.reason), None) for work in works)
    return [each for each in last if each is not None]


def _mistakes(works: Sequence[Work], naming: Naming) -> list[MistakeRow]:
    """The mistakes of all attempts, those that most students still make first; after them, what has no name."""
    who: dict[tuple[str, str], list[str]] = {}
    had: Counter[tuple[str, str]] = Counter()
    now: Counter[tuple[str, str]] = Counter()
    since: dict[tuple[str, str], str] = {}
    changes: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for work in works:
        ever: set[tuple[str, str]] = set()
        present: set[tuple[str, str]] = set()
        for attempt in work.attempts:
            if attempt.reason or attempt.result is None:
                continue
            before, present = (
                present,
                {_key(question, name) for question, names in attempt.result.mistakes.items() for name in names},
            )
            for key in present - ever:
                if attempt.time and (key not in since or attempt.time < since[key]):
                    since[key] = attempt.time
            for key in present ^ before:
                changes.setdefault(key, []).append((attempt.time, 1 if key in present else -1))
            ever |= present
        had.update(ever)
        now.update(present)
        for key in present:
            who.setdefault(key, []).append(naming(work.student).key)
    rows = [
        MistakeRow(
            *(question, name, _kind(name), count, now[key], count - now[key], since.get(key, "")),
            history=_history(changes[key]),
            who=tuple(who.get(key, ())),
        )
        for key, count in had.items()
        for question, name in [key]
    ]
    return sorted(rows, key=lambda row: (row.kind == "fact", -row.now, -row.students, row.question, row.name))


def _key(question: str, name: str) -> tuple[str, str]:
    """The row of a mistake. What is not written, or not in the file, is one row for all questions."""
    return ("", FAULT + NOT_WRITTEN) if name in UNWRITTEN else (question, general(name))


def _history(changes: Iterable[tuple[str, int]]) -> tuple[Day, ...]:
    """The days on which a number changed, from the times of its changes and by how much it changed.

    >>> _history([("2026-11-02T08:00:00Z", 1), ("2026-11-01T08:00:00Z", 1), ("2026-11-02T09:00:00Z", -1)])
    (Day(day='2026-11-01', students=1), Day(day='2026-11-02', students=1))
    """
    days: dict[str, int] = {}
    students = 0
    for time, change in sorted(changes, key=lambda each: each[0]):
        students += change
        days[time[:10]] = students
    return tuple(Day(day, number) for day, number in days.items() if _DAY.fullmatch(day))


def _kind(name: str) -> Literal["mistake", "fact", "fault"]:
    if name.startswith(FAULT):
        return "fault"
    return "fact" if " " in name else "mistake"


def _with_text(row: MistakeRow, texts: Texts) -> MistakeRow:
    """The row with its sentence and hint. Those of a fact could quote a student: its name says what is wrong."""
    if row.kind != "mistake":
        return row
    sentence, hint = texts(row.question, row.name)
    return replace(row, sentence=sentence, hint=one_line(hint, 400, to_text=str))


def _questions(last: Sequence[Attempt], titles: Mapping[str, str]) -> list[QuestionRow]:
    """The questions, the hardest first."""
    earned: dict[str, list[tuple[float, float]]] = {}
    for attempt in last:
        assert attempt.result is not None
        for name, (own, points) in attempt.result.questions.items():
            earned.setdefault(name, []).append((own, points))
    rows = []
    for name, pairs in earned.items():
        shares = [min(1.0, own / points) if points else 0.0 for own, points in pairs]
        full, none = sum(share > 1 - 1e-9 for share in shares), sum(share == 0 for share in shares)
        points = pairs[-1][1]
        rows.append(QuestionRow(name, titles.get(name, name), points, fmean(shares), full, none, len(pairs)))
    return sorted(rows, key=lambda row: (row.average, row.question))


def _slowest(works: Sequence[Work], naming: Naming) -> list[SlowRow]:
    timed = [
        (-each.result.seconds, number, work, each.result)
        for number, work in enumerate(works)
        for each in work.attempts
        if each.result and each.result.seconds > 0
    ]
    return [
        SlowRow(naming(work.student).key, round(result.seconds, 1), rounded_down(result.earned))
        for _, _, work, result in sorted(timed, key=lambda each: each[:2])[:SLOWEST]
    ]


def _sayings(found: Board) -> Iterator[Saying]:
    """The first sayings that apply, each about something else."""
    told: set[str] = set()
    for rule, saying in SAYINGS:
        if len(told) == TO_SAY:
            return
        text = saying(found, told)
        if text:
            told.add(text)
            yield Saying(text, rule)


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


def _most_frequent(found: Board, told: set[str]) -> str:
    for row in sorted(found.mistakes, key=lambda row: -row.now):
        text = (
            f"{counted(row.now, 'student')} in {_title(found, row.question)}: {row_text(row)}"
            f"{f' Ask: {row.hint}' if row.hint else ''}"
        )
        if row.kind != "fault" and row.now >= FEW and text not in told:
            return text
    return ""


def _hardest(found: Board, told: set[str]) -> str:
    for row in found.questions:
        if row.average < HARD and row.students >= FEW:
            return (
                f"{row.title} ({row.question}) is the hardest question: {percent(row.average)} of its points on "
                f"average, {row.none} of {counted(row.students, 'student')} with none"
            )
    return ""


def _frequent_fault(found: Board, told: set[str]) -> str:
    rows = [row for row in found.mistakes if row.kind == "fault" and row.now >= FEW]
    if not rows:
        return ""
    row = rows[0]
    if not row.question:
        return f"{counted(row.now, 'student')} lost points because of a part that is {row_text(row)}"
    return f"{counted(row.now, 'student')} lost points in {_title(found, row.question)} because of: {row_text(row)}"


def _overcome(found: Board, told: set[str]) -> str:
    row = max(found.mistakes, key=lambda each: each.overcome, default=None)
    if row is None or row.overcome < 1:
        return ""
    place = f" in {_title(found, row.question)}" if row.question else ""
    return (
        f"{row.overcome} of {counted(row.students, 'student')} overcame this{place}: "
        f"{row_text(row)} Let one of them explain how"
    )


def _missing(found: Board, told: set[str]) -> str:
    if not found.without_submission:
        return ""
    verb = "has" if found.without_submission == 1 else "have"
    return f"{found.without_submission} of {counted(found.students, 'student')} {verb} not handed in anything"


def _nobody(found: Board, told: set[str]) -> str:
    failed = [row.case for row in found.flat_cases if row.earned == 0]
    return f"nobody earns anything in case {failed[0]}: solve it together" if failed else ""


def _all_right(found: Board, told: set[str]) -> str:
    return f"the class earns {percent(found.average / found.points)} of the points on average" if found.points else ""


SAYINGS: tuple[tuple[str, Callable[[Board, set[str]], str]], ...] = (
    (f"the mistake or fact that most students have in their last attempt, at least {FEW}", _most_frequent),
    (f"the question with the lowest average, if that is below {percent(HARD)}", _hardest),
    ("the mistake or fact that comes second", _most_frequent),
    (f"the fault that most students have in their last attempt, at least {FEW}", _frequent_fault),
    ("the mistake that most students have overcome", _overcome),
    ("the students without a submission", _missing),
    ("a case in which nobody earns anything", _nobody),
    ("the average of the class", _all_right),
)
"""The rules for the next lecture: what each looks for, and how it is said; empty if it does not apply."""


def _title(found: Board, question: str) -> str:
    title = next((row.title for row in found.questions if row.question == question), question)
    return question if title == question else f"{question} ({title})"
