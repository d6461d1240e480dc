"""A program that does not search earns nearly nothing, in every assignment and through both APIs."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.case_strength import idlers
from autograder.cases import loading
from autograder.commands.shared.assignment_checks import check_without_games
from autograder.platforms import submission_api
from tests.course import small_class

CHANCE = {name: tree for name, tree in small_class.TREES.items() if name.startswith("q2")}
QUESTIONS = [
    (name, api, question.id)
    for name in loading.names()
    for api in ("native", "cs188")
    for question in loading.load(name).questions
    if question.role == "search"
]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=6)
@pytest.mark.parametrize(("name", "api", "question"), QUESTIONS)
def test_a_program_that_does_not_search_earns_at_most_a_tenth(name: str, api: str, question: str) -> None:
    loaded = loading.load(name)
    asked = next(each for each in loaded.questions if each.id == question)
    shares = idlers.earned_shares(loaded, asked, submission_api(api))
    assert len(shares) >= 5
    assert max(shares.values()) <= idlers.MOST_EARNED, shares


def test_check_reports_a_program_that_earns_points_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_class, "TREES", {"q1/01-zero": "max\n  a: 0\n  b: 0\n", **CHANCE})
    folder = small_class.write_assignment(tmp_path)
    *_, result = check_without_games(loading.load(str(folder)), str(folder), submission_api("native"), 1)
    assert result.text == "programs without a search earn at most 100 % of a question"
    assert result.problems == tuple(
        f"q1: a program that returns {name} and does not search earns 100 %; expected at most 10 %"
        for name in ("an empty action", "the first action", "the first action after one node")
    )
