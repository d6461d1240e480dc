"""The solutions: all agents of agents/student.py, complete. For instructors."""

from __future__ import annotations

from math import inf

from agents.base import ReflexBase, SearchAgent
from pacman import STOP, GameState, Layer, Line, Node, cells


class ReflexAgent(ReflexBase):
    """Chooses the action with the best position after it; standing still costs one point."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        return better_evaluation(state.successor(action)) - (action == STOP)


class MinimaxAgent(SearchAgent):
    """MAX takes the best value, and every ghost takes the worst one for MAX."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class AlphaBetaAgent(SearchAgent):
    """Minimax that cuts off the branches that cannot change the result."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        return self.within(node, plies, -inf, inf)

    def within(self, node: Node, plies: int, alpha: float, beta: float) -> Line:
        """The line of a node, where MAX already has `alpha` elsewhere and MIN has `beta`.

        The value is exact between alpha and beta. Outside it is only a bound.
        """
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        is_max = node.layer is Layer.MAX
        best = Line(-inf if is_max else inf, None)
        for action in node.actions():
            value = self.within(node.successor(action), plies - 1, alpha, beta).value
            if best.action is None or (value > best.value if is_max else value < best.value):
                best = Line(value, action)
            if is_max:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best


class ExpectiminimaxAgent(SearchAgent):
    """MAX takes the best value, MIN the worst one for MAX, CHANCE the mean."""

    def search(self, node: Node, plies: int) -> Line:
        if plies == 0 or node.is_terminal:
            return Line(self.evaluate(node), None)
        if node.layer is Layer.CHANCE:
            mean = 0.0
            for action, probability in node.outcomes():  # not sum(): it rounds differently since Python 3.12
                mean += probability * self.search(node.successor(action), plies - 1).value
            return Line(mean, None)
        lines = [Line(self.search(node.successor(action), plies - 1).value, action) for action in node.actions()]
        return (max if node.layer is Layer.MAX else min)(lines, key=lambda line: line.value)


class ExpectimaxAgent(ExpectiminimaxAgent):
    """Every ghost moves at random: each ghost layer is a CHANCE layer."""

    assumes = Layer.CHANCE


def better_evaluation(state: GameState) -> float:
    """The score, minus the distance to the nearest food and a cost for food and capsules that are left.

    A ghost at most 3 steps away costs points. A scared ghost that Pacman can reach in time earns points.
    """
    if state.is_terminal:
        return state.score
    steps = state.maze.distances(state.pacman.cell)
    worth = state.score - 4.0 * state.food_left - 20.0 * state.capsule_mask.bit_count()
    worth -= 1.5 * min(steps[cell] for cell in cells(state.food_mask))
    for ghost in state.ghosts:
        distance = steps.get(ghost.touches[0], 99)
        if ghost.timer > 2 * distance:
            worth += 100.0 / (distance + 1)
        elif not ghost.timer and distance <= 3:
            worth -= 60.0 / (distance + 1)
    return worth
