"""Minimax with the most frequent mistake: it stops one ply too early."""

from agents.base import SearchAgent
from pacman import Layer, Line, Node


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        if plies == 1 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)
