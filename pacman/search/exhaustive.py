"""Search without a cut: minimax, expectimax and expectiminimax, by the layers that it meets."""

from __future__ import annotations

from math import inf

from pacman.core.layers import Layer
from pacman.core.tree import Evaluation, Line, Node, score
from pacman.search.base import Search, chances, check_plies, leaf_value, no_actions

MAX, CHANCE = Layer.MAX, Layer.CHANCE


def exhaustive(node: Node, plies: int, evaluate: Evaluation = score) -> Line:
    """Value of `node` looking `plies` ahead, and the action that earns it.

    At a terminal node, or with no plies left, the value is `evaluate(node)`. Before that a MAX node is worth its
    best successor, a MIN node its worst, a CHANCE node the mean of its outcomes weighted by their probabilities,
    added up in their order. On a tie the first action wins; at an end, the horizon and a CHANCE node it is None.
    Enters b^plies nodes for b actions each, in memory for one path. ValueError if `plies` is negative, a value is
    NaN, or probabilities do not sum to 1. Michie 1966; Russell & Norvig, section 5.5.

    >>> from pacman.core.outline import Outline
    >>> exhaustive(Outline.parse("max\\n  a: min\\n    x: 3\\n    y: 12\\n  b: chance\\n    x: 2\\n    y: 6"), plies=2)
    Line(value=4.0, action='b')
    """
    check_plies(plies)
    return Exhaustive(evaluate).visit(node, plies)


class Exhaustive(Search):
    """The recursion behind `exhaustive`. A window makes no difference to it."""

    def visit(self, node: Node, plies: int, alpha: float = -inf, beta: float = inf) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(leaf_value(node, self.evaluate), None)
        layer = node.layer
        if layer is CHANCE:
            mean = 0.0
            for action, probability in chances(node):
                mean += probability * self.visit(node.successor(action), plies - 1).value
            return Line(mean, None)
        best: Line | None = None
        for action in node.actions():
            value = self.visit(node.successor(action), plies - 1).value
            if best is None or (value > best.value if layer is MAX else value < best.value):
                best = Line(value, action)
        return best or no_actions(node)
