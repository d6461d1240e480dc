"""Every agent of the table is examined once: its mistake is named, and every sentence about it is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.judge.examination.hypotheses import hypotheses
from tests.judge.examination.agents import MINIMAX, RIGHT, WRONG, written
from tests.judge.examination.rederived import RIGHT_VALUES, Examined, examined, untrue_sentences

QUESTIONS = {question.id: question for question in loading.load("multiagent").questions}


def examined_text(folder: Path, text: str, question: str) -> Examined:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return examined(file, QUESTIONS[question])


@pytest.mark.parametrize(("names", "base", "question", "edits"), WRONG, ids=[f"{r[2]}-{r[0]}" for r in WRONG])
def test_a_wrong_agent_is_named_and_every_sentence_is_true(
    tmp_path: Path, names: str, base: str, question: str, edits: list[tuple[str, str]]
) -> None:
    seen = examined_text(tmp_path, written(base, edits), question)
    assert seen.result is not None
    assert untrue_sentences(seen) == []
    assert " + ".join(seen.result.mistakes) in ((names,) if names[-1:] != "?" else (names[:-1], ""))
    assert seen.result.sentences
    assert seen.result.hint


LAST = [("if line.value > best", "if True"), ("if line.value < best", "if True")]


@pytest.mark.xfail(strict=True, reason="it is said to look only at the last action")
def test_a_search_that_keeps_its_last_child_is_not_said_to_leave_children_out(tmp_path: Path) -> None:
    seen = examined_text(tmp_path, written(MINIMAX, LAST), "q2")
    assert seen.result is not None
    assert "children-left-out" not in seen.result.mistakes


@pytest.mark.parametrize("style", RIGHT)
def test_a_right_agent_is_accused_of_nothing(tmp_path: Path, style: str) -> None:
    """The examination may say only that it generates other nodes than the question asks for."""
    text, question = RIGHT[style]
    seen = examined_text(tmp_path, text, question)
    if seen.result is not None:
        costless = {row.sentence for row in hypotheses(seen.scope) if row.costless}
        assert all(each in costless or each.startswith(RIGHT_VALUES) for each in seen.result.sentences)
        assert untrue_sentences(seen) == []
        assert seen.result.right == "Right: every value and every action."
