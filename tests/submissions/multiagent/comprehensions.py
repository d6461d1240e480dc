"""The style with comprehensions, `max` and `min` in place of loops; alpha-beta keeps a list of what it has seen."""

from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies, window=(-inf, inf)):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        alpha, beta = window
        pick = max if node.layer is Layer.MAX else min
        seen = []
        for action in node.actions():
            seen.append(Line(self.search(node.successor(action), plies - 1, (alpha, beta)).value, action))
            if pick is max:
                alpha = max(alpha, seen[-1].value)
            else:
                beta = min(beta, seen[-1].value)
            if alpha >= beta:
                break
        return pick(seen, key=lambda line: line.value)


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        values = [self.search(node.successor(action), plies - 1).value for action in node.actions()]
        if node.layer is Layer.CHANCE:
            return Line(sum(value * chance for value, (_, chance) in zip(values, node.outcomes())), None)
        best = max(values) if node.layer is Layer.MAX else min(values)
        return Line(best, node.actions()[values.index(best)])


class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            return Line(sum(p * self.search(node.successor(a), plies - 1).value for a, p in node.outcomes()), None)
        return max((Line(self.search(node.successor(a), plies - 1).value, a) for a in node.actions()), key=lambda x: x[0])
