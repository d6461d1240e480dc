"""A search on copies of the nodes is right: the grader also counts the successors of a copy."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from autograder.cases import loading
from autograder.grading.grade import grade
from autograder.grading.submission_api import NATIVE, SubmissionApi
from autograder.platforms.cs188.submission_api import API as CS188
from pacman.core.trace import CountedNode, Trace
from pacman.core.tree_text import Outline
from tests.platforms.cs188_grading import RIGHT

ON_COPIES = """\
import copy
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        values = {}
        for action in node.actions():
            values[action] = self.search(copy.deepcopy(node).successor(action), plies - 1).value
        best = (max if node.layer is Layer.MAX else min)(values, key=values.get)
        return Line(values[best], best)
"""


def cs188_on_copies() -> str:
    """A right Berkeley-style file whose search copies each state before it makes a successor."""
    (text,) = (file.read_text(encoding="utf-8") for file in RIGHT if file.stem == "one_value")
    copied = text.replace("gameState.getNextState(agent", "copy.deepcopy(gameState).getNextState(agent")
    assert copied != text
    return copied.replace("import random\n", "import copy\nimport random\n", 1)


@pytest.mark.parametrize(
    ("text", "api"), [(ON_COPIES, NATIVE), (cs188_on_copies(), CS188)], ids=lambda value: getattr(value, "name", "")
)
def test_a_minimax_on_copies_gets_full_marks(text: str, api: SubmissionApi, tmp_path: Path) -> None:
    path = tmp_path / "multiAgents.py"
    path.write_text(text, encoding="utf-8")
    card = grade(path, loading.load(api.assignment).only("q2", None), 1, api=api)
    assert [case.id for case in card.questions[0].cases if case.earned < 1] == []


@pytest.mark.parametrize("copying", [copy.copy, copy.deepcopy], ids=lambda function: function.__name__)
def test_a_copy_is_the_same_node_of_the_trace(copying: object) -> None:
    assert callable(copying)
    trace = Trace()
    root = CountedNode(Outline.parse("max\n  a: min\n    x: 3\n  b: 5"), trace)
    copying(copying(root).successor("a")).successor("x")
    (inside,) = copying([root.successor("b")])
    assert inside.score == 5
    assert list(trace.paths()) == [("a",), ("a", "x"), ("b",)]
