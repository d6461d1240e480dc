"""Your agents. Write each where it says NotWritten, ask how far you are, and watch it think:

    python -m autograder grade agents/student.py
    python -m autograder grade agents/student.py --question q2
    python -m pacman watch --pacman agents/student.py:MinimaxAgent --overlay values

A node knows who decides there (`node.layer`: Layer.MAX, Layer.MIN or Layer.CHANCE), `node.is_terminal`, its
`node.actions()`, the node after each (`node.successor(action)`), and at a CHANCE node the probability of each
(`node.outcomes()`: pairs of action and probability). `plies` is how many single moves are left to look ahead, the
ghosts' moves too. `self.evaluate(node)` is what a node is worth at an end, or when no plies are left. A search returns
`Line(value, action)`: what the node is worth to Pacman, and the action there that earns it (None where there is none).

A position of Pacman is a node that knows more: `state.score`, `state.is_win`, `state.is_lose`; `state.pacman` and each
of `state.ghosts` with `.position`, an (x, y), and `.direction`; `ghost.timer`, the moves that it is still scared;
`state.food` and `state.capsules`, positions too. How many steps a walk takes, around the walls:

    steps = state.maze.distances(state.pacman.cell)
    nearest = min(steps[state.maze.cell(x, y)] for x, y in state.food)

Import what you need from `pacman` and `agents.base`, and from Python's library: STOP and the other directions, Layer,
Line and more are there. The grader refuses the project's own searches and games.
"""

from __future__ import annotations

from agents.base import NotWritten, ReflexBase, SearchAgent
from pacman import GameState, Layer, Line, Node


class ReflexAgent(ReflexBase):
    """Question 1: looks at what each action leads to, and takes the best."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        raise NotWritten("ReflexAgent.evaluate_action")


class MinimaxAgent(SearchAgent):
    """Question 2: every ghost does its worst."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        raise NotWritten("MinimaxAgent.search")


class AlphaBetaAgent(SearchAgent):
    """Question 3: the same values, with fewer nodes. Cut as soon as alpha >= beta."""

    assumes = Layer.MIN

    def search(self, node: Node, plies: int) -> Line:
        raise NotWritten("AlphaBetaAgent.search")


class ExpectimaxAgent(SearchAgent):
    """Question 4: every ghost draws its action by chance."""

    assumes = Layer.CHANCE

    def search(self, node: Node, plies: int) -> Line:
        raise NotWritten("ExpectimaxAgent.search")


class ExpectiminimaxAgent(SearchAgent):
    """Question 5: some ghosts do their worst, others draw; `node.layer` tells."""

    def search(self, node: Node, plies: int) -> Line:
        raise NotWritten("ExpectiminimaxAgent.search")


def better_evaluation(state: GameState) -> float:
    """Question 6: what a position is worth, better than its score says."""
    raise NotWritten("better_evaluation")
