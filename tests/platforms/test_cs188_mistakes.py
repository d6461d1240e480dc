"""Each known mistake in a Berkeley-style file costs points and is named."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases.right_answer import derive
from tests.judge.diagnosed import diagnosed, diagnosed_text
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT, search_cases, verdict
from tests.platforms.cs188_mistakes import MADE_TWICE, NO_STOP, REMEMBERS, SLIPS, THIRD_GHOST_NEVER_MOVES, Slip

QUESTIONS = {question.part: question for question in ASSIGNMENT.questions}


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize("slip", [pytest.param(slip, id=f"{slip.part}-{slip.name}") for slip in SLIPS])
def test_a_mistake_is_shown_at_its_line(slip: Slip, tmp_path: Path) -> None:
    found = diagnosed_text(tmp_path, slip.source, QUESTIONS[slip.part], "cs188")
    assert found is not None
    assert found.step is not None
    assert f"line {found.step.line}" in " ".join(found.sentences)
    assert "node." not in found.hint
    assert slip.name not in ("sum-for-mean", "min-as-max") or found.mistakes == (slip.name,)


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(
    ("path", "part"),
    [
        pytest.param(path, part, id=f"{path.stem}-{part}")
        for path, part in zip(
            RIGHT, itertools.cycle(("AlphaBetaAgent", "MinimaxAgent", "ExpectimaxAgent")), strict=False
        )
    ],
)
def test_a_right_search_is_accused_of_nothing(path: Path, part: str) -> None:
    assert diagnosed(path, QUESTIONS[part], "cs188") is None


def test_leaving_out_stop_is_right_as_in_that_project() -> None:
    for case in search_cases("q2"):
        if case.input.kind == "position":
            assert verdict(NO_STOP.source, case).earned == 1


def test_leaving_out_another_action_is_wrong() -> None:
    (case,) = (case for case in search_cases("q2") if case.input.kind == "position")
    assert verdict(NO_STOP.source.replace("'Stop'", "'West'"), case).earned < 1


def test_making_successors_twice_gets_a_note_and_costs_nothing() -> None:
    for case in search_cases("q2")[:10]:
        result = verdict(MADE_TWICE.source, case)
        assert result.earned == 1
        assert "waste" in result.notes[0]


def test_equal_positions_count_once_as_in_that_project() -> None:
    """Its solutions have the number of different states. A search that leaves out a position is wrong all the same."""
    (case,) = (case for case in search_cases("q2") if case.input.kind == "position")
    case = replace(case, question=replace(case.question, order="fixed"))
    assert verdict(REMEMBERS.source, case).earned == 1
    assert verdict(REMEMBERS.source.replace("(agent)]", "(agent)[:2]]"), case).earned < 1


@pytest.mark.slow("that grade or diagnose wrong searches")
def test_the_number_of_an_agent_is_not_taken_for_the_plies_left(tmp_path: Path) -> None:
    text = THIRD_GHOST_NEVER_MOVES.source
    found = diagnosed_text(tmp_path, text, QUESTIONS["MinimaxAgent"], "cs188")
    assert found is not None
    assert found.step is not None
    assert found.sentences[0].startswith("Your search passes on a wrong number for depth at a MIN node")
    assert "# HERE" in text.splitlines()[found.step.line - 1]
    assert "gets depth = 1, expected 0" in found.step.words


# ---- right files


SEARCHES = search_cases()


def test_a_position_has_right_answers_with_and_without_stop() -> None:
    (case,) = (case for case in SEARCHES if case.id == "q3/40-whole-game")
    for move in derive(case).moves:
        assert [touched.cut for touched in move.touched] == ["strict", "strict without Stop"]
        assert move.touched[0].generated > move.touched[1].generated
