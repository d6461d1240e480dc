"""A right file in every style gets full marks, and plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from cs188_desk import ASSIGNMENT, RIGHT, play, search_cases, verdict

SEARCHES = search_cases()
OTHERS = [case for case in ASSIGNMENT.cases if not case.has_reference]


def test_the_assignment_asks_enough() -> None:
    trees = [case for case in SEARCHES if case.input.kind == "tree"]
    games = [case for case in SEARCHES if case.input.kind == "position"]
    assert len(trees) >= 80
    assert len(games) >= 3
    assert sum(question.points for question in ASSIGNMENT.questions) == 25


@pytest.mark.parametrize("file", RIGHT, ids=lambda file: file.stem)
@pytest.mark.parametrize("question", ["q2", "q3", "q4"])
def test_a_right_search_gets_full_marks(file: Path, question: str) -> None:
    text = file.read_text(encoding="utf-8")
    for case in search_cases(question):
        found = verdict(text, case)
        assert found.fault is None, (case.id, found.fault)
        assert found.earned == 1, (case.id, found.findings)


@pytest.mark.parametrize("file", RIGHT, ids=lambda file: file.stem)
def test_reflex_and_evaluation_play(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    earned = [play(text, case).earned for case in OTHERS]
    print([(case.id, round(e, 2)) for case, e in zip(OTHERS, earned, strict=True)])
    assert sum(earned) / len(earned) >= 0.5
