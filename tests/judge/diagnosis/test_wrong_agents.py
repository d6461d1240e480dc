"""Every known mistake is watched once: the line that is shown is in the function that was changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest

from autograder.judge.wrong_searches import WRONG_SEARCHES, text_of
from tests.judge.diagnosed import QUESTIONS, diagnosed_text
from tests.judge.diagnosis.agents import RIGHT, WRONG, written
from tests.paths import ROOT
from tests.record.test_reading import FOLDER, TRUTH

QUESTION = {**QUESTIONS, "q2 in order": replace(QUESTIONS["q2"], order="fixed")}
WITHOUT_A_STEP = {"score-not-evaluation", "action-at-chance", "pair-swapped"}
"""Mistakes that no single call shows: the actions of nodes below the root, and the same wrong form everywhere."""
NOT_WRONG = {"q2-last-of-ties", "q3-fail-hard"}
"""Known searches whose answers and nodes these questions accept."""
WRONG_ELSEWHERE = {
    *("023_loss_instead_of_value.py", "115_low_and_high_totals.py", "117_principal_variation_search.py"),
}
"""Right on the trees of their truth: two take each root for a MAX node, and one has a million for infinity."""
ELSEWHERE = {
    *("sign-changed", "max-as-min", "min-as-max", "chance-as-min", "chance-as-max", "by-turns"),
    *("ends-searched", "ends-raised", "cuts-unasked", "max-moves-count", "ply-deep", "round-deep", "no-horizon"),
    "ghosts-as-rounds",
}
"""Mistakes of a function that calls the wrong other one: the step is there, and its words name the caller."""
ONLY_NODES = {"successors-again", "stored-values", "all-successors-first", "cuts-too-late", "other-order",
              "unasked-cut"}  # fmt: skip
SAME_NAME = {
    *("window-through-chance", "max-as-min", "min-as-max", "chance-as-max", "chance-as-min", "sum-for-mean"),
    *("equal-chances", "mean-divided-again", "integer-division"),
}
"""Known searches that the diagnosis calls by the same name."""
KNOWN = """
from math import floor, inf

from agents.base import SearchAgent
from pacman.core.tree import Layer, Line

MAX, MIN, CHANCE = Layer.MAX, Layer.MIN, Layer.CHANCE


class {part}(SearchAgent):
    def search(self, node, plies):
        global AGENT, ROOT, PLIES, ROUND
        AGENT, ROOT, PLIES, ROUND = self, node, plies, 2
        return Line(*search(node, plies))


"""
"""A student's file around the text of a known search."""


def known(part: str, text: str) -> str:
    """The known search as a student's file."""
    text = text.replace("node.score", "AGENT.evaluate(node)").replace("ROOT.score", "AGENT.evaluate(ROOT)")
    return KNOWN.format(part=part) + text


def wrong_files() -> Iterator[Any]:
    """The names of a mistake, the question, and the file without and with the mistake."""
    for names, base, question, edits in WRONG:
        yield pytest.param(names, question, written(base), written(base, edits), id=f"{question}-{names}")
    for number, row in enumerate(WRONG_SEARCHES):
        layers = {layer.value for layer in row.layers}
        fitting = [q for q in ("q2", "q3", "q4", "q5") if layers <= {*(QUESTIONS[q].layers or layers)}]
        fitting = [q for q in fitting if ("equal" if q == "q3" else "") in row.cuts]
        for question in (each for each in fitting[:1] if f"{each}-{row.name}" not in NOT_WRONG):
            part, cuts = QUESTIONS[question].part, "equal" if question == "q3" else ""
            right, wrong = (known(part, text_of(edits, cuts)) for edits in ((), row.edits))
            yield pytest.param(row.name, question, right, wrong, id=f"{question}-{row.name}-{number}")


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
@pytest.mark.parametrize(("names", "question", "right", "wrong"), [*wrong_files()])
def test_the_line_is_in_the_function_that_is_wrong(
    tmp_path: Path, names: str, question: str, right: str, wrong: str
) -> None:
    found = diagnosed_text(tmp_path, wrong, QUESTION[question])
    assert found is not None
    assert found.sentences
    assert found.hint
    if found.step is None:
        assert names in WITHOUT_A_STEP
        return
    assert found.smallest is not None
    assert f"line {found.step.line}" in " ".join(found.sentences)
    assert found.step.words
    assert names not in SAME_NAME or found.mistakes == (names,)
    functions = changed_functions(right, wrong)
    assert right == wrong or names in ELSEWHERE or any(found.step.line in span for span in functions)


def right_files() -> Iterator[Any]:
    """Right searches in many ways of writing: a name, the text, and the question."""
    parts = {QUESTIONS[name].part: name for name in ("q2", "q3", "q4", "q5")}
    for style, (text, question) in RIGHT.items():
        yield pytest.param(written(text), question, id=style)
    for file in sorted((ROOT / "tests/submissions/multiagent").glob("*.py")):
        text = file.read_text(encoding="utf-8")
        yield from (
            pytest.param(text, parts[part], id=f"{file.stem}-{part}") for part in parts if f"class {part}(" in text
        )
    for name, each in TRUTH.items():
        if each["right"] and each["class"] in parts and name not in WRONG_ELSEWHERE:
            yield pytest.param((FOLDER / name).read_text(encoding="utf-8"), parts[each["class"]], id=name)


@pytest.mark.slow("that grade or diagnose wrong searches", keep=1)
@pytest.mark.parametrize(("text", "question"), [*right_files()])
def test_a_right_agent_is_accused_of_nothing(tmp_path: Path, text: str, question: str) -> None:
    """It may hear only of the nodes that it makes, where a question asks for an order of nodes."""
    found = diagnosed_text(tmp_path, text, QUESTION[question])
    if found is not None:
        assert set(found.mistakes) <= ONLY_NODES
