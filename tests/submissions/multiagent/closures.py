"""The style with functions inside `search`; the plies are counted up to the horizon."""

from math import inf

from agents.base import SearchAgent
from pacman import Layer, Line


class MinimaxAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        def value_of(node, depth):
            if depth == plies or node.is_terminal:
                return self.evaluate(node)
            return highest(node, depth) if node.layer is Layer.MAX else lowest(node, depth)

        def highest(node, depth):
            return max(value_of(node.successor(action), depth + 1) for action in node.actions())

        def lowest(node, depth):
            return min(value_of(node.successor(action), depth + 1) for action in node.actions())

        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        values = {action: value_of(node.successor(action), 1) for action in node.actions()}
        choice = max(values, key=values.get) if node.layer is Layer.MAX else min(values, key=values.get)
        return Line(values[choice], choice)


class AlphaBetaAgent(SearchAgent):
    assumes = Layer.MIN

    def search(self, node, plies):
        def value_of(node, depth, alpha, beta):
            if depth == plies or node.is_terminal:
                return self.evaluate(node), None
            return highest(node, depth, alpha, beta) if node.layer is Layer.MAX else lowest(node, depth, alpha, beta)

        def highest(node, depth, alpha, beta):
            best, choice = -inf, None
            for action in node.actions():
                value, _ = value_of(node.successor(action), depth + 1, alpha, beta)
                if value > best:
                    best, choice = value, action
                if value >= beta:
                    break
                if value > alpha:
                    alpha = value
            return best, choice

        def lowest(node, depth, alpha, beta):
            best, choice = inf, None
            for action in node.actions():
                value, _ = value_of(node.successor(action), depth + 1, alpha, beta)
                if value < best:
                    best, choice = value, action
                if value <= alpha:
                    break
                if value < beta:
                    beta = value
            return best, choice

        value, choice = value_of(node, 0, -inf, inf)
        return Line(value, choice)


class ExpectiminimaxAgent(SearchAgent):
    def search(self, node, plies):
        def value_of(node, depth):
            if depth == plies or node.is_terminal:
                return self.evaluate(node)
            if node.layer is Layer.MAX:
                return highest(node, depth)
            if node.layer is Layer.MIN:
                return lowest(node, depth)
            return average(node, depth)

        def highest(node, depth):
            return max(value_of(node.successor(action), depth + 1) for action in node.actions())

        def lowest(node, depth):
            return min(value_of(node.successor(action), depth + 1) for action in node.actions())

        def average(node, depth):
            return sum(chance * value_of(node.successor(action), depth + 1) for action, chance in node.outcomes())

        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            return Line(average(node, 0), None)
        values = {action: value_of(node.successor(action), 1) for action in node.actions()}
        choice = max(values, key=values.get) if node.layer is Layer.MAX else min(values, key=values.get)
        return Line(values[choice], choice)


class ExpectimaxAgent(ExpectiminimaxAgent):
    assumes = Layer.CHANCE
