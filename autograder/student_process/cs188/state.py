"""What the game states of such files share, a position's and a drawn tree's: agents by number, copies, errors."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol, Self

from pacman.core.errors import one_line


class State(Protocol):
    """A game state of such files. It never changes, so a copy is the state itself."""

    __slots__ = ()

    def getNumAgents(self) -> int: ...

    def getLegalActions(self, agentIndex: int = 0) -> list[str]: ...

    def generateSuccessor(self, agentIndex: int, action: str) -> Self: ...

    def isWin(self) -> bool: ...

    def isLose(self) -> bool: ...

    def getNumGhost(self) -> int:
        """What some courses have beside `getNumAgents`."""
        return self.getNumAgents() - 1

    def getLegalPacmanActions(self) -> list[str]:
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> Self:
        return self.generateSuccessor(0, action)

    def getPacmanNextState(self, action: str) -> Self:
        return self.generateSuccessor(0, action)

    def deepCopy(self) -> Self:
        return self

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

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
