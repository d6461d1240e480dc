"""What the two Berkeley-style game states have in common (positions and drawn trees): shortcuts, copies and errors."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol, Self

from pacman.core.errors import nearest, one_line

_ELSEWHERE = {
    **dict.fromkeys(("generatechild", "getchild", "result", "generatenextstate"), "generateSuccessor"),
    "getpossibleactions": "getLegalActions",
    "iswinningstate": "isWin",
    "islosingstate": "isLose",
}
"""What some other years and courses call a method, in small letters without `_` -> its name here."""


def no_member(name: str, kind: type) -> AttributeError:
    """The error for a name that no game state has: it says what was perhaps meant."""
    methods = {each.lower(): each for each in dir(kind) if not each.startswith("_")}
    plain = name.replace("_", "").lower()
    meant = _ELSEWHERE.get(plain) or methods.get(plain)
    hint = f"did you mean '{meant}'?" if meant else nearest(name, methods.values())
    return AttributeError(f"a game state has no {name}; {hint}")


class State(Protocol):
    """A Berkeley-style game state. It never changes, so a copy is the state itself."""

    __slots__ = ()

    def getNumAgents(self) -> int:
        """The number of agents, Pacman included."""

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """The legal actions of an agent; an empty list at an end."""

    def generateSuccessor(self, agentIndex: int, action: str) -> Self:
        """The state after an agent's action."""

    def isWin(self) -> bool:
        """True if Pacman has won."""

    def isLose(self) -> bool:
        """True if Pacman has lost."""

    def getNumGhost(self) -> int:
        """The number of ghosts, which some courses' files ask for."""
        return self.getNumAgents() - 1

    def getLegalPacmanActions(self) -> list[str]:
        """The legal actions of Pacman."""
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> Self:
        """The state after Pacman's action."""
        return self.generateSuccessor(0, action)

    def getPacmanNextState(self, action: str) -> Self:
        """The state after Pacman's action: the newer name of `generatePacmanSuccessor`."""
        return self.generateSuccessor(0, action)

    def deepCopy(self) -> Self:
        """The state itself."""
        return self

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _no_agent(self, method: str, agent: Any) -> NoReturn:
        raise Exception(f"{method}: no agent {one_line(agent)}; expected 0 to {self.getNumAgents() - 1}")

    def _no_successor(self, agent: Any, action: Any, hint: str = "") -> NoReturn:
        """Raises the error for a missing successor: the state is an end, or the agent or the action does not exist."""
        if self.isWin() or self.isLose():
            raise Exception("generateSuccessor called on a terminal state (isWin() or isLose() is true)")
        if not isinstance(agent, int) or not 0 <= agent < self.getNumAgents():
            self._no_agent("generateSuccessor", agent)
        legal = ", ".join(self.getLegalActions(agent))
        raise Exception(f"illegal action {one_line(action, 80)} of agent {agent}; legal: {legal}{hint}")
