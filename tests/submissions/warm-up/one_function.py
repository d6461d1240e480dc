"""The style with one recursive function, whoever moves."""

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best = None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if best is None or (value > best.value if node.layer is Layer.MAX else value < best.value):
                best = Line(value, action)
        return best


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            total = 0.0
            for action, chance in node.outcomes():
                total += chance * self.search(node.successor(action), plies - 1).value
            return Line(total, None)
        best = None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if best is None or (value > best.value if node.layer is Layer.MAX else value < best.value):
                best = Line(value, action)
        return best
