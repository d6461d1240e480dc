"""What a class knows by now: its mistakes and its hard questions (see `sayings` for the next lecture).

Pure: everything comes from results that were read from a store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Literal

from autograder.course.marks.attempts import Attempt, Work
from autograder.course.marks.board_rows import Board, Day, FlatCase, MistakeRow, QuestionRow, SlowRow
from autograder.course.marks.board_words import FAULT, general, general_row
from autograder.course.marks.pseudonyms import Naming
from autograder.course.marks.sayings import FEW, sayings
from autograder.judge.points_as_text import rounded_down
from autograder.judge.wrong_searches.mistakes import mistakes_by_name
from autograder.report.contents import MISSING_PART, NOT_WRITTEN
from pacman.core.errors import one_line

SLOWEST = 5
TENTHS = 10
UNWRITTEN = (FAULT + NOT_WRITTEN, FAULT + MISSING_PART)
_DAY = re.compile(r"20\d\d-\d\d-\d\d")


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
    return replace(found, sayings=tuple(sayings(found)))


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
