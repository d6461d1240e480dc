"""A right file in each programming style gets full marks and plays games."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cases import loading, right_answer
from autograder.cases.case import Case
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT, play, search_cases, verdict

SEARCHES = search_cases()
OTHERS = [case for case in ASSIGNMENT.cases if not case.has_reference]


def test_the_assignment_has_enough_cases() -> None:
    trees = [case for case in SEARCHES if case.input.kind == "tree"]
    games = [case for case in SEARCHES if case.input.kind == "position"]
    assert len(trees) >= 80
    assert len(games) >= 3
    assert sum(question.points for question in ASSIGNMENT.questions) == 25


@pytest.mark.parametrize("case", SEARCHES, ids=lambda case: case.id)
def test_the_references_are_up_to_date(case: Case) -> None:
    assert loading.load_reference(ASSIGNMENT, case) == right_answer.derive(case)


def test_a_position_has_right_answers_with_and_without_stop() -> None:
    (case,) = (case for case in SEARCHES if case.id == "q3/40-whole-game")
    for move in loading.load_reference(ASSIGNMENT, case).moves:
        assert [touched.cut for touched in move.touched] == ["strict", "strict without Stop"]
        assert move.touched[0].generated > move.touched[1].generated


@pytest.mark.slow("that grade or diagnose wrong searches", keep=3)
@pytest.mark.parametrize("file", RIGHT, ids=lambda file: file.stem)
@pytest.mark.parametrize("question", ["q2", "q3", "q4"])
def test_a_right_search_gets_full_marks(file: Path, question: str) -> None:
    text = file.read_text(encoding="utf-8")
    for case in search_cases(question):
        result = verdict(text, case)
        assert result.fault is None, (case.id, result.fault)
        assert result.earned == 1, (case.id, result.findings)


WHOLE = [file for file in RIGHT if "class ReflexAgent" in file.read_text(encoding="utf-8")]
"""The right files that contain more than searches."""


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize("file", WHOLE, ids=lambda file: file.stem)
def test_reflex_agents_and_evaluations_play_games(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    earned = [share for case in OTHERS for share in play(text, case).values()]
    assert sum(earned) / len(earned) >= 0.5
