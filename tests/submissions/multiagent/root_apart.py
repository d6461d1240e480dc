"""The style that treats the root apart: it chooses there, and a second method gives the values; cuts are fail-hard."""

from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, root, plies):
        if root.is_terminal or plies == 0:
            return Line(self.evaluate(root), None)
        values, actions = [], list(root.actions())
        for action in actions:
            values.append(self.worth(root.successor(action), plies - 1))
        wanted = max(values) if root.layer is Layer.MAX else min(values)
        return Line(wanted, actions[values.index(wanted)])

    def worth(self, node, left):
        if node.is_terminal or left == 0:
            return self.evaluate(node)
        is_max = node.layer is Layer.MAX
        result = -inf if is_max else inf
        for action in node.actions():
            below = self.worth(node.successor(action), left - 1)
            if is_max:
                result = max(result, below)
            else:
                result = min(result, below)
        return result


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, root, plies):
        if root.is_terminal or plies == 0:
            return Line(self.evaluate(root), None)
        alpha, beta, choice = -inf, inf, None
        for action in root.actions():
            value = self.worth(root.successor(action), plies - 1, alpha, beta)
            if root.layer is Layer.MAX and value > alpha:
                alpha, choice = value, action
            elif root.layer is Layer.MIN and value < beta:
                beta, choice = value, action
        return Line(alpha if root.layer is Layer.MAX else beta, choice)

    def worth(self, node, left, alpha, beta):
        if node.is_terminal or left == 0:
            return self.evaluate(node)
        if node.layer is Layer.MAX:
            for action in node.actions():
                alpha = max(alpha, self.worth(node.successor(action), left - 1, alpha, beta))
                if alpha >= beta:
                    return beta
            return alpha
        for action in node.actions():
            beta = min(beta, self.worth(node.successor(action), left - 1, alpha, beta))
            if alpha >= beta:
                return alpha
        return beta


class ExpectiminimaxAgent(SearchAgent):
    def search(self, root, plies):
        if root.is_terminal or plies == 0:
            return Line(self.evaluate(root), None)
        if root.layer is Layer.CHANCE:
            return Line(self.worth(root, plies), None)
        values, actions = [], list(root.actions())
        for action in actions:
            values.append(self.worth(root.successor(action), plies - 1))
        wanted = max(values) if root.layer is Layer.MAX else min(values)
        return Line(wanted, actions[values.index(wanted)])

    def worth(self, node, left):
        if node.is_terminal or left == 0:
            return self.evaluate(node)
        if node.layer is Layer.CHANCE:
            result = 0
            for action, share in node.outcomes():
                result += share * self.worth(node.successor(action), left - 1)
            return result
        is_max = node.layer is Layer.MAX
        result = -inf if is_max else inf
        for action in node.actions():
            below = self.worth(node.successor(action), left - 1)
            if is_max:
                result = max(result, below)
            else:
                result = min(result, below)
        return result


class ExpectimaxAgent(ExpectiminimaxAgent):
    assumes = Layer.CHANCE
