"""Each known mistake in a Berkeley-style file costs points and is named."""

from __future__ import annotations

import pytest

from autograder.cases import loading
from autograder.judge.mistakes.recognition import collect_attempt, recognise
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT, answer, search_cases, verdict
from tests.platforms.cs188_mistakes import MADE_TWICE, NO_STOP, SLIPS, Slip

QUESTIONS = {question.part: question for question in ASSIGNMENT.questions}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip.part}-{slip.name}")
def test_a_mistake_costs_points_and_is_named(slip: Slip) -> None:
    question = QUESTIONS[slip.part]
    runs = []
    for case in search_cases(question.id):
        if case.input.kind == "position":
            continue  # the trees are enough to distinguish the mistakes, and faster
        expected = loading.load_reference(ASSIGNMENT, case)
        wrong = answer(slip.source, case, expected)
        runs.append(collect_attempt(case, expected, wrong))
    assert [mistake.name for mistake in recognise(runs, question)] == [slip.name]


def test_there_are_twenty_mistakes_and_each_changes_a_file() -> None:
    assert len({(slip.name, slip.part) for slip in SLIPS}) == len(SLIPS) >= 20
    right_files = {path.name: path.read_text(encoding="utf-8") for path in RIGHT}
    assert all(slip.source != right_files[slip.file] for slip in SLIPS)
    assert {slip.file for slip in SLIPS} <= set(right_files)


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
