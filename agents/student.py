"""Your agents. Replace each `raise NotWritten(...)` with your code. Then grade your file, or watch one of your agents:

    python -m autograder grade agents/student.py
    python -m autograder grade agents/student.py --question q2
    python -m pacman watch agents/student.py:MinimaxAgent --overlay values

The search questions (q2 to q5). You write `search(self, node, plies)`. `plies` is how many single moves to look ahead;
the moves of the ghosts count too. Your search needs five members of a node:

    node.layer              who decides at this node: Layer.MAX, Layer.MIN or Layer.CHANCE
    node.is_terminal        True if the game is over at this node
    node.actions()          the legal actions, in a fixed order
    node.successor(action)  the node after `action`; `node` itself does not change
    node.outcomes()         only at a CHANCE node: the pairs (action, probability); the probabilities sum to 1

Your search must use no other members, because many test cases use a drawn tree, not a game of Pacman. A drawn tree has
no board, no Pacman and no `is_win`. Do not read `node.score` in a search: an inner node of a drawn tree has a score
only if the drawing gives one; if it gives none, reading `node.score` is an error. If `node.is_terminal` is True or
`plies` is 0, the value of the node is `self.evaluate(node)`; this works in a drawn tree too.

What counts: the value, the action, and the nodes that the search makes. In q2, q4 and q5 your search may make each node
that is at most `plies` moves away, in any order. In q3 it must make the nodes that alpha-beta makes if it follows the
actions in their order. If several actions are best, each of them is right. Without an action a case earns nothing.

A search returns a `Line`. It has two fields: `value` is what the node is worth to Pacman, and `action` is the action
that leads to this value. `action` is None at a CHANCE node, at the end of the game, and if `plies` is 0. To read the
value of a successor, write `.value`:

    line = self.search(node.successor(action), plies - 1)
    line.value, line.action

A plain tuple `(value, action)` is right too. It has no `.value`: write `value, action = self.search(...)` to read it.

The other questions (q1 and q6). You get a position of Pacman. It is a node with more members:

    state.score, state.is_win, state.is_lose
    state.pacman.position, state.pacman.direction      a position is a pair (x, y)
    ghost.position, ghost.direction, ghost.timer       for each ghost in state.ghosts; timer: for how many more moves
                                                       the ghost is scared (0: it is not scared)
    state.food, state.capsules                         the positions of the food and of the capsules

Points: -1 for each move of Pacman, +10 for food, +500 for the last food (a win), +200 for a scared ghost, -500 for a
death. A capsule scares every ghost for its next 40 moves. All the rules: docs/rules.md of the project.

This code computes the number of steps from Pacman to the nearest food, around the walls. The maze numbers its squares:
`state.maze.cell(x, y)` is the number of the square (x, y), and `state.pacman.cell` is the number of Pacman's square:

    steps = state.maze.distances(state.pacman.cell)
    nearest = min((steps[state.maze.cell(x, y)] for x, y in state.food), default=0)

You may import names from `pacman` and `agents.base`, and from Python's standard library. `pacman` contains Layer, Line,
STOP, the directions (NORTH, SOUTH, EAST, WEST) and more. You may not import the ready-made searches and games of this
project: in the grader, such an import is an error. The project calls the methods `begin`, `choose` and `evaluate` of an
agent, and reads its `rounds`, `evaluation` and `assumes`: give your own methods and attributes other names.
"""

from __future__ import annotations

from agents.base import NotWritten, ReflexBase, SearchAgent
from pacman import GameState, Layer, Line, Node


class ReflexAgent(ReflexBase):
    """Question 1: takes the action that looks best, without a search."""

    def evaluate_action(self, state: GameState, action: str) -> float:
        """How good `action` is in the position `state`; a larger number is better."""
        raise NotWritten("ReflexAgent.evaluate_action")


class MinimaxAgent(SearchAgent):
    """Question 2: assumes that every ghost does what is worst for Pacman."""

    assumes = Layer.MIN  # the search treats every ghost as a minimiser; keep this line

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` moves ahead, and the best action there."""
        raise NotWritten("MinimaxAgent.search")


class AlphaBetaAgent(SearchAgent):
    """Question 3: finds the same values as minimax with fewer nodes. Cut as soon as alpha >= beta."""

    assumes = Layer.MIN  # the search treats every ghost as a minimiser; keep this line

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` moves ahead, and the best action there."""
        raise NotWritten("AlphaBetaAgent.search")


class ExpectimaxAgent(SearchAgent):
    """Question 4: assumes that every ghost moves at random."""

    assumes = Layer.CHANCE  # the search treats every ghost as a random one; keep this line

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` moves ahead, and the best action there."""
        raise NotWritten("ExpectimaxAgent.search")


class ExpectiminimaxAgent(SearchAgent):
    """Question 5: some ghosts do what is worst for Pacman, others move at random; `node.layer` says which."""

    def search(self, node: Node, plies: int) -> Line:
        """The value of `node`, looking `plies` moves ahead, and the best action there."""
        raise NotWritten("ExpectiminimaxAgent.search")


def better_evaluation(state: GameState) -> float:
    """Question 6: estimates what a position is worth to Pacman. He should play better with it than with the score."""
    raise NotWritten("better_evaluation")
