"""Makes the board of a class from its store, and its JSON. `board.schema.json` describes that JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.cases.yaml_file import adapter
from autograder.course.marks.attempts import Work, load_works
from autograder.course.marks.board import board, known_texts, last_graded
from autograder.course.marks.board_rows import Board, MistakeRow
from autograder.course.marks.board_words import general, texts_of
from autograder.course.marks.pseudonyms import Naming
from autograder.course.store import Store
from autograder.judge.scorecard import SmallestTree

_BOARD = adapter(Board)


def load_board(store: Store, assignment: str, naming: Naming) -> Board:
    """The board of an assignment. InputError if nothing is graded yet."""
    every = load_works(store, assignment)
    shares = store.common_shares([each.result.id for each in last_graded(every) if each.result])
    return board(assignment, every, shares, naming, _titles(store, every), _Texts(store, every))


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
    """The board as JSON: plain ASCII without angle brackets, so that it is safe in any page."""
    text = json.dumps(_BOARD.dump_python(found, mode="json"), indent=2, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e") + "\n"


def schema() -> dict[str, Any]:
    """The JSON schema of `dump`: every key is there, and no other one."""
    whole: dict[str, Any] = _BOARD.json_schema(mode="serialization")
    for each in (whole, *whole.get("$defs", {}).values()):
        each["additionalProperties"] = False
        each["required"] = list(each["properties"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}


class _Texts:
    """What students read about a mistake, from the first scorecard in which it is the only one or the first one."""

    def __init__(self, store: Store, works: Sequence[Work]) -> None:
        self._store = store
        self._places: dict[tuple[str, str], int] = {}
        for work in works:
            for attempt in work.attempts:
                for question, names in attempt.result.mistakes.items() if attempt.result else ():
                    if attempt.result and names:
                        self._places.setdefault((question, general(names[0])), attempt.result.id)

    def __call__(self, question: str, name: str) -> tuple[str, str]:
        """The sentence and the hint: of a scorecard, or else what the grader says about such a mistake in general."""
        place = self._places.get((question, name))
        card = self._store.scorecard(place) if place is not None else None
        for each in card.questions if card else ():
            if each.id == question and each.examination and each.examination.sentences:
                return texts_of(each.examination.sentences, each.examination.hint)
        return known_texts(question, name)

    def smallest_tree(self, question: str, name: str) -> SmallestTree | None:
        """The smallest tree on which a submission with this mistake fails; None if no scorecard has one."""
        place = self._places.get((question, name))
        card = self._store.scorecard(place) if place is not None else None
        found = (each.examination for each in card.questions if each.id == question) if card else ()
        return next((each.smallest for each in found if each), None)


def _titles(store: Store, works: Sequence[Work]) -> Mapping[str, str]:
    """The titles of the questions, from the scorecard of the result that was added last."""
    ids = [each.result.id for work in works for each in work.attempts if each.result and not each.reason]
    card = store.scorecard(max(ids)) if ids else None
    return {question.id: question.title for question in card.questions} if card else {}
