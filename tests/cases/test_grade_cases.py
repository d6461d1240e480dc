"""Cases and references: every reference is derived again, and every error message names its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.cases import loading
from pacman.core.errors import InputError

MULTIAGENT = loading.load("multiagent")


def test_every_question_has_five_cases_and_a_match() -> None:
    for question in MULTIAGENT.questions:
        kinds = [case.input.kind for case in MULTIAGENT.of(question)]
        assert len(kinds) >= 5
        assert "match" in kinds
        if question.role == "search":
            assert kinds.count("position") >= 2
            assert kinds.count("tree") >= 5


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MULTIAGENT.folder, tmp_path / "copied"))


FIGURE = "cases/q2/01-figure.yaml"


def test_keys_without_effect_on_the_answer_do_not_change_the_digest(copied: Path) -> None:
    path = copied / FIGURE
    before = loading.load(str(copied)).cases[5].digest
    path.write_text(path.read_text(encoding="utf-8") + "weight: 2\n", encoding="utf-8")
    assert loading.load(str(copied)).cases[5].digest == before


def test_one_question_can_be_read_without_the_others(copied: Path) -> None:
    """A student who asks for one question does not wait for the others, and not for their mistakes."""
    next((copied / "cases" / "q3").iterdir()).write_text("kind: nothing\n", encoding="utf-8")
    assignment = loading.load(str(copied), cases_of="q2")
    assert {case.question.id for case in assignment.cases} == {"q2"}
    assert [question.id for question in assignment.questions] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    with pytest.raises(InputError, match="kind"):
        loading.load(str(copied))
