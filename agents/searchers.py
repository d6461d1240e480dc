"""The registered Pacmen that look ahead, and their evaluation: each plays with a search of `pacman.search`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.base import ReflexBase, SearchAgent
from pacman.core.rules import STOP
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Layer, Line, Node
from pacman.search.algorithms import Options, make_search
from pacman.search.base import Hook, Search
from pacman.search.bounds import natural


@dataclass(frozen=True)
class Linear:
    """An evaluation: the score plus the sum of weight * feature. Each field is the weight of its feature.

    Distances are numbers of steps from Pacman on a shortest path.

    - `food_left`, `capsules_left`: the number of food and of capsules left
    - `food_distance`: the distance to the nearest food
    - `feared`: the sum of 1 / (distance + 1) over the live ghosts within `reach` steps
    - `hunted`: the sum of 1 / (distance + 1) over the scared ghosts that can be caught (timer > 2 * distance)

    The value of a terminal position is its score.

    >>> from pacman import start
    >>> Linear(food_left=-4)(start("nook"))
    -20.0
    """

    food_left: float = 0.0
    capsules_left: float = 0.0
    food_distance: float = 0.0
    feared: float = 0.0
    hunted: float = 0.0
    reach: float = 3.0

    def __call__(self, state: GameState) -> float:
        """The value of a position."""
        if state.is_terminal:
            return float(state.score)
        steps = state.maze.distances(state.pacman.cell)
        value: float = state.score
        value += self.food_left * state.food_left
        value += self.capsules_left * state.capsule_mask.bit_count()
        if self.food_distance:
            food = state.food_mask  # `steps` has the nearest cells first
            value += self.food_distance * next((steps[cell] for cell in steps if food >> cell & 1), 0)
        for ghost in state.ghosts:
            distance = steps.get(ghost.touches[0])
            if distance is None:
                continue
            if ghost.timer > 2 * distance:
                value += self.hunted / (distance + 1)
            elif not ghost.timer and distance <= self.reach:
                value += self.feared / (distance + 1)
        return float(value)


default_evaluation = Linear(
    food_left=-2.0, capsules_left=-10.0, food_distance=-0.2, feared=-135.0, hunted=50.0, reach=3.0
)
"""The evaluation of the registered agents: near food and near scared ghosts add points, near live ghosts subtract."""


class Reflex(ReflexBase):
    """Takes the action after which the position looks best; 1 point less for Stop."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        """`default_evaluation` of the position after `action`, minus 1 for Stop."""
        return default_evaluation(state.successor(action)) - (action == STOP)


class Searcher(SearchAgent):
    """A Pacman that plays with a search of `pacman.search`. A subclass sets `algorithm` and `assumes`."""

    algorithm = "exhaustive"

    def __init__(self, rounds: int = 2, evaluation: str | Evaluation = default_evaluation) -> None:
        super().__init__(rounds, evaluation)

    def engine(self, evaluate: Evaluation, hooks: Sequence[Hook] = ()) -> Search:
        """The search, ready to visit a node. Its bounds [L, U] are the lowest and highest scores still possible."""
        return make_search(self.algorithm, Options(evaluate, natural), hooks)

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` ahead, and the best action, as `algorithm` finds them."""
        return self.engine(self.evaluate).visit(node, plies)


class Minimax(Searcher):
    """Assumes that every ghost does what is worst for Pacman; searches every node."""

    assumes = Layer.MIN


class AlphaBeta(Searcher):
    """Minimax that skips the branches that cannot change the result."""

    assumes = Layer.MIN
    algorithm = "alphabeta"


class Expectimax(Searcher):
    """Assumes that every ghost moves at random."""

    assumes = Layer.CHANCE


class Expectiminimax(Searcher):
    """Uses the real model of each ghost: MAX takes the best value, MIN the worst, CHANCE the mean."""
