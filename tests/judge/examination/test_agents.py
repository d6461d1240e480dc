"""Every agent of the table is examined once: its mistake is named, and every sentence about it is true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.judge.examination.hypotheses import hypotheses
from tests.judge.examination.agents import RIGHT, WRONG, written
from tests.judge.examination.rederived import RIGHT_VALUES, Examined, examined, untrue_sentences

QUESTIONS = {question.id: question for question in loading.load("multiagent").questions}
QUESTIONS["q2 in order"] = replace(QUESTIONS["q2"], order="fixed")
QUESTIONS["q4 in order"] = replace(QUESTIONS["q4"], order="fixed")


def examined_text(folder: Path, text: str, question: str) -> Examined:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return examined(file, QUESTIONS[question])


@pytest.mark.slow("that grade or examine wrong searches", keep=6)
@pytest.mark.parametrize(
    ("names", "base", "question", "edits"),
    [pytest.param(*row, id=f"{row[2]}-{row[0]}") for row in WRONG],
)
def test_a_wrong_agent_is_named_and_every_sentence_is_true(
    tmp_path: Path, names: str, base: str, question: str, edits: list[tuple[str, str]]
) -> None:
    seen = examined_text(tmp_path, written(base, edits), question)
    assert seen.result is not None
    assert untrue_sentences(seen) == []
    found = " + ".join(seen.result.mistakes)
    assert found == names.strip("?") or (found == "" and names.endswith("?"))
    assert seen.result.sentences
    assert seen.result.hint


@pytest.mark.slow("that grade or examine wrong searches", keep=2)
@pytest.mark.parametrize("style", RIGHT)
def test_a_right_agent_is_accused_of_nothing(tmp_path: Path, style: str) -> None:
    """The examination may say only that it generates other nodes than the question asks for."""
    text, question = RIGHT[style]
    seen = examined_text(tmp_path, text, question)
    if seen.result is not None:
        costless = {row.sentence for row in hypotheses(seen.scope) if row.costless}
        assert all(each in costless or each.startswith(RIGHT_VALUES) for each in seen.result.sentences)
        assert untrue_sentences(seen) == []
        assert not seen.result.right or seen.result.right.startswith(RIGHT_VALUES)
