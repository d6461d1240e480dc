"""A right file in each programming style gets full marks and plays games."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cases import loading
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT, play, search_cases

SEARCHES = search_cases()
OTHERS = [case for case in ASSIGNMENT.cases if not case.has_reference]


def test_the_assignment_has_enough_cases() -> None:
    trees = [case for case in SEARCHES if case.input.kind == "tree"]
    games = [case for case in SEARCHES if case.input.kind == "position"]
    assert len(trees) >= 80
    assert len(games) >= 3
    assert sum(question.points for question in ASSIGNMENT.questions) == 25


def test_a_position_has_right_answers_with_and_without_stop() -> None:
    (case,) = (case for case in SEARCHES if case.id == "q3/40-whole-game")
    for move in loading.load_reference(ASSIGNMENT, case).moves:
        assert [touched.cut for touched in move.touched] == ["strict", "strict without Stop"]
        assert move.touched[0].generated > move.touched[1].generated


WHOLE = [file for file in RIGHT if "class ReflexAgent" in file.read_text(encoding="utf-8")]
"""The right files that contain more than searches."""


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize("file", WHOLE, ids=lambda file: file.stem)
def test_reflex_agents_and_evaluations_play_games(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    earned = [share for case in OTHERS for share in play(text, case).values()]
    assert sum(earned) / len(earned) >= 0.5
