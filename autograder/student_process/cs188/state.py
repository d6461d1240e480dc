"""What the game states of such files share, a position's and a drawn tree's: agents by number, copies, errors."""

from __future__ import annotations

from typing import Any, NoReturn, Self

from pacman.core.errors import one_line


class State:
    """A game state of such files. It never changes, so a copy is the state itself."""

    __slots__ = ()

    def getNumAgents(self) -> int:
        raise NotImplementedError

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        raise NotImplementedError

    def generateSuccessor(self, agentIndex: int, action: str) -> Self:
        raise NotImplementedError

    def isWin(self) -> bool:
        raise NotImplementedError

    def isLose(self) -> bool:
        raise NotImplementedError

    def getNumGhost(self) -> int:
        """What some courses have beside `getNumAgents`."""
        return self.getNumAgents() - 1

    def getLegalPacmanActions(self) -> list[str]:
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> Self:
        return self.generateSuccessor(0, action)

    getPacmanNextState = generatePacmanSuccessor

    def deepCopy(self, memo: object = None) -> Self:
        return self

    __copy__ = __deepcopy__ = deepCopy

    def _no_agent(self, method: str, agent: Any) -> NoReturn:
        raise Exception(f"{method} of agent {one_line(agent)}; there are agents 0 to {self.getNumAgents() - 1}")

    def _no_successor(self, agent: Any, action: Any, hint: str = "") -> NoReturn:
        """Says which of the three it was: an end, no such agent, no such action."""
        if self.isWin() or self.isLose():
            raise Exception("generateSuccessor of a state that is an end (isWin() or isLose() is true)")
        if not isinstance(agent, int) or not 0 <= agent < self.getNumAgents():
            self._no_agent("generateSuccessor", agent)
        legal = ", ".join(self.getLegalActions(agent))
        raise Exception(f"illegal action {one_line(action, 80)} of agent {agent}; legal: {legal}{hint}")
