"""The registered Pacmen that look ahead: the searches of `pacman.search`, each as an agent."""

from __future__ import annotations

from collections.abc import Sequence

from agents.base import ReflexBase, SearchAgent
from pacman.core.layers import Layer
from pacman.core.natural_bounds import natural
from pacman.core.rules import STOP
from pacman.core.state import GameState
from pacman.core.tree import Evaluation, Line, Node
from pacman.kernel.linear_evaluation import Linear
from pacman.search.algorithms import Options, make_search
from pacman.search.base import Hook, Search

default_evaluation = Linear(
    food_left=-2.0, capsules_left=-10.0, food_distance=-0.2, feared=-135.0, hunted=50.0, reach=3.0
)
"""The evaluation of the registered agents: eats what is near, keeps away from ghosts, catches scared ones."""


class Reflex(ReflexBase):
    """Takes the action after which the position looks best, and dislikes standing still."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        return default_evaluation(state.successor(action)) - (action == STOP)


class Searcher(SearchAgent):
    """A search of `pacman.search` that plays Pacman. A subclass names its `algorithm` and what it `assumes`."""

    algorithm = "exhaustive"

    def __init__(self, rounds: int = 2, evaluation: str | Evaluation = default_evaluation) -> None:
        super().__init__(rounds, evaluation)

    def engine(self, evaluate: Evaluation, hooks: Sequence[Hook] = ()) -> Search:
        """The search itself, ready to visit a node; with what a score can still become as bounds."""
        return make_search(self.algorithm, Options(evaluate, natural), hooks)

    def search(self, node: Node, plies: int) -> Line:
        return self.engine(self.evaluate).visit(node, plies)


class Minimax(Searcher):
    """Every ghost does its worst."""

    assumes = Layer.MIN


class AlphaBeta(Searcher):
    """Minimax without the branches that cannot matter."""

    assumes = Layer.MIN
    algorithm = "alphabeta"


class Expectimax(Searcher):
    """Every ghost draws its action by chance."""

    assumes = Layer.CHANCE


class Expectiminimax(Searcher):
    """Each layer as it is: MAX takes the best, MIN the worst, CHANCE the mean."""
