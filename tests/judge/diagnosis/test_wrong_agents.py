"""Every agent of the table is watched once: the line that is shown is in the function that was changed."""

from __future__ import annotations

import ast
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.judge.diagnosed import QUESTIONS, diagnosed_text
from tests.judge.diagnosis.agents import RIGHT, WRONG, written

QUESTION = {
    **QUESTIONS,
    "q2 in order": replace(QUESTIONS["q2"], order="fixed"),
    "q4 in order": replace(QUESTIONS["q4"], order="fixed"),
}
WITHOUT_A_STEP = {"score-not-evaluation", "action-at-chance", "no-action", "pair-swapped"}
"""Mistakes that no single call shows: the actions of nodes below the root, and the same wrong form everywhere."""
ELSEWHERE = {"ghosts-as-rounds?", "exchanged", "min-as-max", "max-as-min", "by-depth", "by-plies-left", "ends-searched",
             "cuts-unasked", "max-moves-count", "ply-deep"}  # fmt: skip
"""Mistakes of a function that calls the wrong other one: the step is there, and its words name the caller."""


ONLY_NODES = {
    "successors-again",
    "stored-values",
    "all-successors-first",
    "cuts-too-late",
    "other-order",
    "unasked-cut",
}


def changed_functions(before: str, after: str) -> list[range]:
    """The lines of the functions of `after` that are not the same in `before`."""
    matcher = SequenceMatcher(a=before.splitlines(), b=after.splitlines(), autojunk=False)
    lines = {
        line for tag, _, _, start, end in matcher.get_opcodes() if tag != "equal" for line in range(start, end + 1)
    }
    functions = [node for node in ast.walk(ast.parse(after)) if isinstance(node, ast.FunctionDef)]
    spans = [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in functions]
    return [span for span in spans if any(line + 1 in span for line in lines)]


@pytest.mark.slow("that grade or diagnose wrong searches", keep=2)
@pytest.mark.parametrize(
    ("names", "base", "question", "edits"), [pytest.param(*row, id=f"{row[2]}-{row[0]}") for row in WRONG]
)
def test_the_line_is_in_the_function_that_is_wrong(
    tmp_path: Path, names: str, base: str, question: str, edits: list[tuple[str, str]]
) -> None:
    text = written(base, edits)
    found = diagnosed_text(tmp_path, text, QUESTION[question])
    assert found is not None
    assert found.sentences
    assert found.hint
    if found.step is None:
        assert set(names.split(" + ")) & WITHOUT_A_STEP
        return
    assert found.smallest is not None
    assert f"line {found.step.line}" in " ".join(found.sentences)
    assert found.step.words
    functions = changed_functions(written(base), text)
    assert not edits or names in ELSEWHERE or any(found.step.line in span for span in functions)


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize("style", RIGHT)
def test_a_right_agent_is_accused_of_nothing(tmp_path: Path, style: str) -> None:
    """It may hear only of the nodes that it makes, where a question asks for an order of nodes."""
    text, question = RIGHT[style]
    found = diagnosed_text(tmp_path, written(text), QUESTION[question])
    if found is not None:
        assert set(found.mistakes) <= ONLY_NODES
