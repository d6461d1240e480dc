"""The style with one recursive function, whoever moves; alpha-beta keeps its window in default arguments."""

from math import inf

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


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies, alpha=-inf, beta=inf):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        best_action = None
        if node.layer is Layer.MAX:
            best = -inf
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, alpha, beta).value
                if value > best:
                    best, best_action = value, action
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        else:
            best = inf
            for action in node.actions():
                value = self.search(node.successor(action), plies - 1, alpha, beta).value
                if value < best:
                    best, best_action = value, action
                beta = min(beta, best)
                if alpha >= beta:
                    break
        return Line(best, best_action)


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


class ExpectimaxAgent(ExpectiminimaxAgent):
    assumes = Layer.CHANCE
