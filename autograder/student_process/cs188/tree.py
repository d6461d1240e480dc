"""A drawn tree as the game state of such files: the few methods that a search may ask of a tree."""

from __future__ import annotations

from typing import NoReturn

from autograder.student_process.cs188.state import State
from pacman.core.layers import Layer
from pacman.core.trace import Trace
from pacman.core.tree import Node

METHODS = "getLegalActions, generateSuccessor (or getNextState), getNumAgents, isWin, isLose and getScore"


class TreeState(State):
    """A node of a tree in which `agents` move in turn: agent 0 at each MAX node, 1, 2, ... at those below it."""

    __slots__ = ("_node", "_agents", "_trace", "_number")

    def __init__(self, node: Node, agents: int, trace: Trace, number: int = 0) -> None:
        self._node = node
        self._agents = agents
        self._trace = trace
        self._number = number

    def getNumAgents(self) -> int:
        return self._agents

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """The branches here, whoever moves; an empty list at an end."""
        if not 0 <= agentIndex < self._agents:
            self._no_agent("getLegalActions", agentIndex)
        return list(self._node.actions())

    def generateSuccessor(self, agentIndex: int, action: str) -> TreeState:
        node = self._node
        if not 0 <= agentIndex < self._agents or action not in node.actions():
            self._no_successor(agentIndex, action)
        return TreeState(node.successor(action), self._agents, self._trace, self._trace.generate(self._number, action))

    getNextState = generateSuccessor

    def isWin(self) -> bool:
        """True at an end that is worth nothing or more. A tree has no other way to say who won."""
        return self._node.is_terminal and self._node.score >= 0

    def isLose(self) -> bool:
        return self._node.is_terminal and self._node.score < 0

    def getScore(self) -> float:
        """The utility of an end, or the evaluation that is drawn behind a node."""
        try:
            return float(self._node.score)
        except ValueError:
            raise Exception("getScore() of a state that is neither an end nor as deep as self.depth says") from None

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a search may not ask a tree for {name}; it may ask for {METHODS}")


def agents_of(node: Node) -> int:
    """How many agents move in turn in a tree: MAX, and as many as there are layers from one MAX to the next at most.

    Two in a tree of a single MAX layer, where nobody can tell.
    """

    def longest(node: Node, run: int) -> int:
        if node.is_terminal:
            return run
        run = 1 if node.layer is Layer.MAX else run + 1
        return max(run, *(longest(node.successor(action), run) for action in node.actions()))

    below = any(not node.successor(action).is_terminal for action in node.actions())
    return longest(node, 0) if below else 2
