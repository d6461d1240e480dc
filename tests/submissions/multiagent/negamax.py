"""The style of negamax: every value is for the one who moves, and changes its sign where the other side moves."""

from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


def side(node):
    return -1 if node.layer is Layer.MIN else 1


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        value, action = self.negamax(node, plies, side(node))
        return Line(side(node) * value, action)

    def negamax(self, node, plies, sign):
        if plies == 0 or node.is_terminal:
            return sign * self.evaluate(node), None
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            value = sign * side(child) * self.negamax(child, plies - 1, side(child))[0]
            if value > best:
                best, choice = value, action
        return best, choice


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        value, action = self.negamax(node, plies, -inf, inf)
        return Line(side(node) * value, action)

    def negamax(self, node, plies, alpha, beta):
        if plies == 0 or node.is_terminal:
            return side(node) * self.evaluate(node), None
        best, choice = -inf, None
        for action in node.actions():
            child = node.successor(action)
            if side(child) == side(node):
                value = self.negamax(child, plies - 1, alpha, beta)[0]
            else:
                value = -self.negamax(child, plies - 1, -beta, -alpha)[0]
            if value > best:
                best, choice = value, action
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best, choice


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            mean = 0
            for action, chance in node.outcomes():
                mean += chance * self.search(node.successor(action), plies - 1).value
            return Line(mean, None)
        best, choice = -inf, None
        for action in node.actions():
            value = side(node) * self.search(node.successor(action), plies - 1).value
            if value > best:
                best, choice = value, action
        return Line(side(node) * best, choice)


class ExpectimaxAgent(ExpectiminimaxAgent):
    assumes = Layer.CHANCE
