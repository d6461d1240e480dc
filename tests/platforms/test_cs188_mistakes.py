"""Each known mistake, written as a student writes it in that style, costs marks and is named; a right file has none."""

from __future__ import annotations

import pytest

from autograder.cases import loading
from autograder.judge.mistakes.recognition import collect_attempt, recognise
from tests.platforms.cs188_grading import ASSIGNMENT, RIGHT, answer, search_cases, verdict
from tests.platforms.cs188_mistakes import MADE_TWICE, NO_STOP, SLIPS, Slip

QUESTIONS = {question.part: question for question in ASSIGNMENT.questions}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip.part}-{slip.name}")
def test_a_mistake_costs_marks_and_is_named(slip: Slip) -> None:
    question = QUESTIONS[slip.part]
    found = []
    for case in search_cases(question.id):
        if case.input.kind == "position":
            continue  # the trees tell the others apart, in less time
        expected = loading.load_reference(ASSIGNMENT, case)
        said = answer(slip.source, case, expected)
        found.append(collect_attempt(case, expected, said))
    assert [mistake.name for mistake in recognise(found, question)] == [slip.name]


def test_there_are_enough_and_each_is_a_mistake() -> None:
    assert len({(slip.name, slip.part) for slip in SLIPS}) == len(SLIPS) >= 20
    rights = {path.name: path.read_text(encoding="utf-8") for path in RIGHT}
    assert all(slip.source != rights[slip.file] for slip in SLIPS)
    assert {slip.file for slip in SLIPS} <= set(rights)


def test_leaving_stop_out_is_right_as_it_is_in_that_project() -> None:
    for case in search_cases("q2"):
        if case.input.kind == "position":
            assert verdict(NO_STOP.source, case).earned == 1


def test_leaving_something_else_out_is_not() -> None:
    (case,) = (case for case in search_cases("q2") if case.input.kind == "position")
    assert verdict(NO_STOP.source.replace("'Stop'", "'West'"), case).earned < 1


def test_making_successors_twice_is_remarked_upon_and_costs_nothing_as_in_that_project() -> None:
    for case in search_cases("q2")[:10]:
        found = verdict(MADE_TWICE.source, case)
        assert found.earned == 1
        assert "waste" in found.notes[0]
