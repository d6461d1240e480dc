"""A student whose search uses other methods than `search` also sees the values that those methods return."""

from __future__ import annotations

from pathlib import Path

from autograder.cases import loading
from autograder.grading.grade import grade

FILE = """\
from agents.base import SearchAgent
from pacman.core.layers import Layer
from pacman.core.tree import Line


class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        return max((Line(self.guess(child) + self.value(child, plies - 1), action) for action in node.actions()
                    for child in [node.successor(action)]), key=lambda line: line.value)

    def guess(self, node):
        return 0 * self.evaluate(node)

    def value(self, node, plies):
        if node.is_terminal or plies == 0:
            return self.evaluate(node)
        return self.highest(node=node, plies=plies) if node.layer is Layer.MAX else self.lowest(node, plies)

    def highest(self, node, plies):
        return max(self.value(node.successor(action), plies - 1) for action in node.actions())

    def lowest(self, node, plies):
        values = [self.value(node.successor(action), plies - 1) for action in node.actions()]
        return sum(values) / len(values)
"""


def test_the_values_of_methods_that_expand_a_node_are_drawn(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE, encoding="utf-8")
    card = grade(file, loading.load("multiagent").only("q2", "01-figure"), jobs=1)
    case = card.questions[0].cases[0]
    assert case.why == "at node a: expected 3, got 7.66667"
    rows = [line.split() for line in case.picture if "min" in line]
    assert [row[2:4] for row in rows] == [["3", "7.66667"], ["2", "4"], ["2", "7"]]
