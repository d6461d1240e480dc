"""The solutions of the warm-up. For instructors."""

from __future__ import annotations

from agents.base import SearchAgent
from pacman import Layer, Line, Node


class ExpectiminimaxAgent(SearchAgent):
    """MAX takes the greatest value, MIN the least one, and CHANCE the mean."""

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            mean = 0.0
            for action, probability in node.outcomes():
                mean += probability * self.search(node.successor(action), plies - 1).value
            return Line(mean, None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class MinimaxAgent(ExpectiminimaxAgent):
    """The same search, on trees without chance."""

    assumes = Layer.MIN
