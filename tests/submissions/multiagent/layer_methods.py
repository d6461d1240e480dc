"""The style with one method for each layer; alpha-beta is fail-soft and leaves a node with `return`."""

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        if node.is_terminal or plies == 0:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies)
        return self.min_value(node, plies)

    def max_value(self, node, plies):
        best, best_action = float("-inf"), None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value > best:
                best, best_action = value, action
        return Line(best, best_action)

    def min_value(self, node, plies):
        best, best_action = float("inf"), None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value < best:
                best, best_action = value, action
        return Line(best, best_action)


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        return self.value(node, plies, float("-inf"), float("inf"))

    def value(self, node, plies, alpha, beta):
        if node.is_terminal or plies == 0:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies, alpha, beta)
        return self.min_value(node, plies, alpha, beta)

    def max_value(self, node, plies, alpha, beta):
        best, best_action = float("-inf"), None
        for action in node.actions():
            value = self.value(node.successor(action), plies - 1, alpha, beta).value
            if value > best:
                best, best_action = value, action
            if best >= beta:
                return Line(best, best_action)
            alpha = max(alpha, best)
        return Line(best, best_action)

    def min_value(self, node, plies, alpha, beta):
        best, best_action = float("inf"), None
        for action in node.actions():
            value = self.value(node.successor(action), plies - 1, alpha, beta).value
            if value < best:
                best, best_action = value, action
            if best <= alpha:
                return Line(best, best_action)
            beta = min(beta, best)
        return Line(best, best_action)


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if node.is_terminal or plies == 0:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies)
        if node.layer is Layer.MIN:
            return self.min_value(node, plies)
        return self.mean_value(node, plies)

    def max_value(self, node, plies):
        best, best_action = float("-inf"), None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value > best:
                best, best_action = value, action
        return Line(best, best_action)

    def min_value(self, node, plies):
        best, best_action = float("inf"), None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value < best:
                best, best_action = value, action
        return Line(best, best_action)

    def mean_value(self, node, plies):
        mean = 0
        for action, probability in node.outcomes():
            mean += probability * self.search(node.successor(action), plies - 1).value
        return Line(mean, None)


class ExpectimaxAgent(SearchAgent):
    assumes = Layer.CHANCE

    def search(self, node, plies):
        if node.is_terminal or plies == 0:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.MAX:
            return self.max_value(node, plies)
        return self.mean_value(node, plies)

    def max_value(self, node, plies):
        best, best_action = float("-inf"), None
        for action in node.actions():
            value = self.search(node.successor(action), plies - 1).value
            if value > best:
                best, best_action = value, action
        return Line(best, best_action)

    def mean_value(self, node, plies):
        mean = 0
        for action, probability in node.outcomes():
            mean += probability * self.search(node.successor(action), plies - 1).value
        return Line(mean, None)
