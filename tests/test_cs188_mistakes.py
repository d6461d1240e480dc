"""Each known mistake, written as a student writes it in that style, loses marks where it is made and nowhere else."""

from __future__ import annotations

import pytest
from cs188_desk import ASSIGNMENT, search_cases, verdict
from cs188_mistakes import SLIPS, Slip

QUESTIONS = {question.part: question.id for question in ASSIGNMENT.questions}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip.part}-{slip.name}")
def test_a_mistake_costs_marks_in_its_own_question(slip: Slip) -> None:
    own = QUESTIONS[slip.part]
    found = {case.id: verdict(slip.source, case) for case in search_cases(own)}
    lost = [name for name, each in found.items() if each.earned < 1]
    assert lost, f"{slip.name} gets full marks"
    assert len(lost) < len(found), "nothing is left that tells it from another mistake"
