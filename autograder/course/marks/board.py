"""What a class knows by now: its mistakes and its hard questions (see `sayings` for the next lecture).

`board.schema.json` describes the JSON of a board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean, median
from typing import Any, Literal

from autograder.cases.yaml_file import adapter
from autograder.course.marks.board_rows import Board, FlatCase, MistakeRow, QuestionRow
from autograder.course.marks.board_words import FAULT, general, general_texts, texts_of
from autograder.course.marks.marks import Work, load_works
from autograder.course.marks.sayings import FEW, sayings
from autograder.course.store import Result, Store
from autograder.course.summary import tenths
from autograder.judge.points_as_text import rounded_down
from autograder.judge.scorecard import QuestionScore, SmallestTree
from autograder.report.blocks import IMPORT_FAULT, MISSING_PART, NOT_WRITTEN
from autograder.report.escape import json_text
from pacman.core.errors import one_line

MOST_CARDS = 30
"""In so many scorecards, the board looks for what students read about a mistake."""
UNWRITTEN = (FAULT + NOT_WRITTEN, FAULT + MISSING_PART)
_BOARD = adapter(Board)


def load_board(store: Store, assignment: str) -> Board:
    """The board of an assignment. InputError if nothing is graded yet."""
    works = load_works(store, assignment)
    attempts = [each for work in works for each in work.attempts]
    last = last_graded(works)
    ids = {each.id for each in last}
    cases = [each.cases for each in store.results(assignment) if each.id in ids]
    shares = sorted(cases[0].items()) if len(cases) >= FEW else []
    rows, texts = _mistakes(works), _Texts(store, works)
    earned = [each.earned for each in last] or [0.0]
    found = Board(
        assignment,
        students=len(works),
        without_submission=sum(not work.attempts for work in works),
        submissions=len(attempts),
        not_graded=sum(bool(each.reason) for each in attempts),
        points=max((each.points for each in last), default=0.0),
        average=rounded_down(fmean(earned)),
        median=rounded_down(median(earned)),
        mistakes=tuple(_with_text(row, texts) for row in rows),
        questions=tuple(_questions(last, _titles(store, works))),
        flat_cases=tuple(FlatCase(*pair) for pair in shares if all(each.get(pair[0]) == pair[1] for each in cases)),
        sayings=(),
        histogram=tuple(tenths(each.earned / each.points if each.points else 0.0 for each in last)),
    )
    return replace(found, sayings=tuple(sayings(found)))


def common_mistakes(store: Store, found: Board, most: int = 3) -> list[tuple[MistakeRow, SmallestTree | None]]:
    """The mistakes that most students have now, each with the smallest tree on which a submission with it fails.

    A mistake that is made in several questions is there once.
    """
    texts = _Texts(store, load_works(store, found.assignment))
    rows: dict[str, MistakeRow] = {}
    for row in found.mistakes:
        if row.now and row.kind == "mistake":
            rows.setdefault(row.name, row)
    return [(row, texts.smallest_tree(row.question, row.name)) for row in list(rows.values())[:most]]


def dump(found: Board) -> str:
    """The board as JSON."""
    return json_text(_BOARD.dump_python(found, mode="json"), indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema of `dump`: every key is there, and no other one."""
    whole: dict[str, Any] = _BOARD.json_schema(mode="serialization")
    for each in (whole, *whole.get("$defs", {}).values()):
        each["additionalProperties"] = False
        each["required"] = list(each["properties"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}


class _Texts:
    """What students read about a mistake, from the scorecards in which it is the only one or the first one."""

    def __init__(self, store: Store, works: Sequence[Work]) -> None:
        self._scorecard = cache(store.scorecard)
        self._places: dict[tuple[str, str], list[int]] = {}
        self._count: Counter[tuple[str, str]] = Counter()
        for result in (each.result for work in works for each in work.attempts if each.result):
            for question, names in result.mistakes.items():
                self._count.update((question, general(name)) for name in names)
                if names:
                    self._places.setdefault((question, general(names[0])), []).append(result.id)

    def __call__(self, question: str, name: str) -> tuple[str, str]:
        """The sentence and the hint: of the scorecards, if all say the same, or else what is true for each of them."""
        places = self._places.get((question, name), [])
        found = [each.diagnosis for each in self._scores(question, name, MOST_CARDS) if each.diagnosis]
        texts = [texts_of(each.sentences, each.hint) for each in found if each.sentences]
        is_every_text = len(texts) == len(places) == self._count[question, name]
        if is_every_text and len({sentence for sentence, _ in texts}) == 1:
            return texts[0]
        return general_texts(name) if any(general_texts(name)) or not texts else texts[0]

    def smallest_tree(self, question: str, name: str) -> SmallestTree | None:
        """The smallest tree on which a submission with this mistake fails; None if no scorecard has one."""
        found = (each.diagnosis for each in self._scores(question, name, 1))
        return next((each.smallest for each in found if each), None)

    def _scores(self, question: str, name: str, most: int) -> list[QuestionScore]:
        """The scores of the question in the first scorecards with this mistake."""
        cards = map(self._scorecard, self._places.get((question, name), ())[:most])
        return [each for card in cards if card for each in card.questions if each.id == question]


def _titles(store: Store, works: Sequence[Work]) -> Mapping[str, str]:
    """The titles of the questions, from the scorecard of the result that was added last."""
    ids = [each.result.id for work in works for each in work.attempts if each.result and not each.reason]
    card = store.scorecard(max(ids)) if ids else None
    return {question.id: question.title for question in card.questions} if card else {}


def last_graded(works: Iterable[Work]) -> list[Result]:
    """The result of the last attempt of each student that was graded; nothing for the others."""
    last = (next((each for each in reversed(work.attempts) if not each.reason), None) for work in works)
    return [each.result for each in last if each and each.result]


def _mistakes(works: Sequence[Work]) -> list[MistakeRow]:
    """The mistakes of all attempts, those that most students still make first; after them, what has no name."""
    who: dict[tuple[str, str], list[str]] = {}
    had: Counter[tuple[str, str]] = Counter()
    since: dict[tuple[str, str], str] = {}
    for work in works:
        ever: set[tuple[str, str]] = set()
        present: set[tuple[str, str]] = set()
        for attempt in work.attempts:
            if attempt.reason or attempt.result is None:
                continue
            present = {_key(question, name) for question, names in attempt.result.mistakes.items() for name in names}
            for key in present - ever:
                if attempt.time and (key not in since or attempt.time < since[key]):
                    since[key] = attempt.time
            ever |= present
        had.update(ever)
        for key in present:
            who.setdefault(key, []).append(work.student.key)
    rows = [
        MistakeRow(
            *(*key, _kind(key[1]), count, len(who.get(key, ())), count - len(who.get(key, ())), since.get(key, "")),
            who=tuple(who.get(key, ())),
        )
        for key, count in had.items()
    ]
    return sorted(rows, key=lambda row: (row.kind == "fact", -row.now, -row.students, row.question, row.name))


def _key(question: str, name: str) -> tuple[str, str]:
    """The row of a mistake. One row for all questions has what is not written, and what cannot be imported."""
    if name in UNWRITTEN:
        return "", FAULT + NOT_WRITTEN
    return ("", name) if name.startswith(FAULT + IMPORT_FAULT) else (question, general(name))


def _kind(name: str) -> Literal["mistake", "fact", "fault"]:
    if name.startswith(FAULT):
        return "fault"
    return "fact" if " " in name else "mistake"


def _with_text(row: MistakeRow, texts: _Texts) -> MistakeRow:
    """The row with its sentence and hint. Those of a fact could quote a student: its name says what is wrong."""
    if row.kind != "mistake":
        return row
    sentence, hint = texts(row.question, row.name)
    return replace(row, sentence=sentence, hint=one_line(hint, 400, to_text=str))


def _questions(last: Sequence[Result], titles: Mapping[str, str]) -> list[QuestionRow]:
    """The questions, the hardest first."""
    earned: dict[str, list[Sequence[float]]] = {}
    for result in last:
        for name, pair in result.questions.items():
            earned.setdefault(name, []).append(pair)
    rows = []
    for name, pairs in earned.items():
        shares = [min(1.0, own / points) if points else 0.0 for own, points in pairs]
        full, none = sum(share > 1 - 1e-9 for share in shares), sum(share == 0 for share in shares)
        rows.append(QuestionRow(name, titles.get(name, name), pairs[-1][1], fmean(shares), full, none, len(pairs)))
    return sorted(rows, key=lambda row: (row.average, row.question))
