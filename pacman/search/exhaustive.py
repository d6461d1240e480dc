"""Search without cuts: minimax, expectimax or expectiminimax, depending on the layers of the tree."""

from __future__ import annotations

from math import inf

from pacman.core.tree import Evaluation, Layer, Line, Node, score
from pacman.search.base import Search, check_plies, checked_outcomes, leaf_value, raise_no_actions

MAX, CHANCE = Layer.MAX, Layer.CHANCE


def exhaustive(node: Node, plies: int, evaluate: Evaluation = score) -> Line:
    """The value of `node`, `plies` ahead, and the best action.

    At a terminal node, or with no plies left, the value is `evaluate(node)`. Otherwise the value of a MAX node is the
    highest value of its successors, that of a MIN node the lowest, and that of a CHANCE node the mean, weighted by the
    probabilities and added in the order of the outcomes. On a tie the first action wins. The action is None at a
    terminal node, at the horizon and at a CHANCE node. With b actions per node, the search enters b^plies nodes and
    keeps one path in memory. ValueError if `plies` is negative, if a value is NaN, or if probabilities do not sum
    to 1. Michie 1966; Russell & Norvig, section 5.5.

    >>> from pacman.core.tree_text import Outline
    >>> exhaustive(Outline.parse("max\\n  a: min\\n    x: 3\\n    y: 12\\n  b: chance\\n    x: 2\\n    y: 6"), plies=2)
    Line(value=4.0, action='b')
    """
    check_plies(plies)
    return Exhaustive(evaluate).visit(node, plies)


class Exhaustive(Search):
    """The recursion of `exhaustive`. It ignores the window."""

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(leaf_value(node, self.evaluate), None)
        layer = node.layer
        if layer is CHANCE:
            mean = 0.0
            for action, probability in checked_outcomes(node):
                mean += probability * self.visit(node.successor(action), plies - 1).value
            return Line(mean, None)
        best: Line | None = None
        for action in node.actions():
            value = self.visit(node.successor(action), plies - 1).value
            if best is None or (value > best.value if layer is MAX else value < best.value):
                best = Line(value, action)
        return best or raise_no_actions(node)
