"""A drawn tree as a Berkeley-style game state. It has only the methods that a search may call on a tree."""

from __future__ import annotations

from typing import NoReturn

from agents.cs188.base_state import State, no_member
from agents.cs188.position import PositionState
from pacman.core.tree import Layer, Node
from pacman.record.trace import Trace
from pacman.record.watcher import WatchedTrace

METHODS = "getLegalActions, generateSuccessor (or getNextState), getNumAgents, isWin, isLose and getScore"


class TreeState(State):
    """A node of a tree in which `agents` agents move in turn: agent 0 at every MAX node, agents 1, 2, ... below it."""

    __slots__ = ("_node", "_agents", "_trace", "_number")

    def __init__(self, node: Node, agents: int, trace: Trace, number: int = 0) -> None:
        self._node = node
        self._agents = agents
        self._trace = trace
        self._number = number

    def getNumAgents(self) -> int:
        """The number of agents that move in turn."""
        return self._agents

    def getLegalActions(self, agentIndex: object = 0) -> list[str]:
        """The actions at this node, whichever agent is asked; an empty list at a terminal node."""
        return list(self._node.actions())

    def generateSuccessor(self, agentIndex: object, action: str) -> TreeState:
        """The node after an action, whichever agent moves; an Exception with the reason if it is not legal."""
        node = self._node
        if action not in node.actions():
            self._no_successor(agentIndex, action)
        if isinstance(self._trace, WatchedTrace):
            self._trace.watcher.mover = agentIndex
        number = self._trace.generate(self._number, action)
        return TreeState(node.successor(action), self._agents, self._trace, number)

    getNextState = generateSuccessor

    def isWin(self) -> bool:
        """True at a terminal node that is won: as the drawing says, or else if its utility is 0 or more."""
        end = getattr(self._node, "end", "")
        return self._node.is_terminal and (end == "won" if end else self._node.score >= 0)

    def isLose(self) -> bool:
        """True at a terminal node that is not won."""
        return self._node.is_terminal and not self.isWin()

    def getScore(self) -> float:
        """The utility of a terminal node, or the evaluation that the drawing gives for the node."""
        try:
            score = float(self._node.score)
        except ValueError:
            raise Exception("getScore() called on a state that is neither terminal nor at depth self.depth") from None
        if isinstance(self._trace, WatchedTrace):
            self._trace.watcher.read_score(self._number, score)
        return score

    def __getattr__(self, name: str) -> NoReturn:
        if not hasattr(PositionState, name):
            raise no_member(name, PositionState)
        raise AttributeError(
            f"{name} is not available: this case is a small tree, not a Pacman board; its states only have {METHODS}"
        )


def agents_of(node: Node) -> int:
    """The number of agents that move in turn in a tree: the largest number of layers from one MAX layer to the next.

    Two for a tree that has a single MAX layer only, because there the number is unknown.
    """

    def longest(node: Node, run: int) -> int:
        if node.is_terminal:
            return run
        run = 1 if node.layer is Layer.MAX else run + 1
        return max(run, *(longest(node.successor(action), run) for action in node.actions()))

    below = any(not node.successor(action).is_terminal for action in node.actions())
    return longest(node, 0) if below else 2
