"""A position of Pacman as the game state of such files: camelCase methods that take the agent's number.

A thin view of our `GameState`; nothing is copied, and nothing can be changed through it.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from autograder.student_process.cs188.board import AgentState, Grid, Place, standing, walls_of
from autograder.student_process.cs188.state import State
from pacman.core.errors import IllegalAction, nearest, one_line
from pacman.core.rules import STEPS
from pacman.core.state import GameState
from pacman.core.trace import Trace


class PositionState(State):
    """A position, and where in a search's trace it stands (`_trace` is None when nobody counts).

    `_before` and `_mover`: the position that it was made from, by whose move; None at a first one.
    """

    __slots__ = ("_state", "_trace", "_number", "_before", "_mover")

    beginning: ClassVar[GameState | None] = None
    """The first position of the game, as far as this process has seen it: what lies on `data.layout`."""

    explored: ClassVar[frozenset[PositionState]] = frozenset()
    """Always empty: what was generated is counted elsewhere."""

    _state: GameState
    _trace: Trace | None
    _number: int
    _before: GameState | None
    _mover: int | None

    def __init__(self, prevState: PositionState) -> None:
        """Another view of the same position: how such files copy one."""
        self._state, self._trace, self._number = prevState._state, prevState._trace, prevState._number
        self._before, self._mover = prevState._before, prevState._mover

    @classmethod
    def of(cls, state: GameState, trace: Trace | None = None) -> PositionState:
        made: PositionState = _new(cls)
        made._state, made._trace, made._number = state, trace, 0
        made._before = made._mover = None
        return made

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """West, Stop, East, North, South as far as they are legal; an empty list at an end."""
        try:
            return [*self._state.actions(agentIndex)]
        except (IllegalAction, TypeError):
            self._no_agent("getLegalActions", agentIndex)

    def generateSuccessor(self, agentIndex: int, action: str) -> PositionState:
        try:
            after = self._state.successor(action, agentIndex)
        except (IllegalAction, TypeError):
            is_action = isinstance(action, str) and action in STEPS
            self._no_successor(agentIndex, action, "" if is_action else "; an action is a text such as 'West'")
        made: PositionState = _new(PositionState)
        made._state, made._before, made._mover = after, self._state, agentIndex
        made._trace = trace = self._trace
        made._number = 0 if trace is None else trace.generate(self._number, action)
        return made

    getNextState = generateSuccessor

    def getNumAgents(self) -> int:
        return len(self._state.ghosts) + 1

    def getScore(self) -> float:
        return float(self._state.score)

    def isWin(self) -> bool:
        return self._state.is_win

    def isLose(self) -> bool:
        return self._state.is_lose

    def getPacmanState(self) -> AgentState:
        return AgentState(standing(self._state.pacman), True)

    def getPacmanPosition(self) -> Place:
        return standing(self._state.pacman).pos

    def getGhostStates(self) -> list[AgentState]:
        """New ones at each call, so that graded code may write into them."""
        states = []
        for pose, home in zip(self._state.ghosts, self._state.homes, strict=True):
            state = AgentState(standing(pose), False)
            state.scaredTimer, state.start = pose.timer, standing(home)
            states.append(state)
        return states

    def getGhostState(self, agentIndex: int) -> AgentState:
        return self.getGhostStates()[self._ghost("getGhostState", agentIndex)]

    def getGhostPosition(self, agentIndex: int) -> Place:
        return standing(self._state.ghosts[self._ghost("getGhostPosition", agentIndex)]).pos

    def getGhostPositions(self) -> list[Place]:
        return [standing(ghost).pos for ghost in self._state.ghosts]

    def getNumFood(self) -> int:
        return self._state.food_left

    def getFood(self) -> Grid:
        return Grid.of(self._state.maze, self._state.food_mask)

    def getCapsules(self) -> list[tuple[int, int]]:
        return list(self._state.capsules)

    def getWalls(self) -> Grid:
        return walls_of(self._state.maze)

    def hasFood(self, x: int, y: int) -> bool:
        return bool(self._state.food_mask >> self._state.maze.cell(x, y) & 1)

    def hasWall(self, x: int, y: int) -> bool:
        return self._state.maze.is_wall(x, y)

    @property
    def data(self) -> Data:
        return Data(self)

    @staticmethod
    def getAndResetExplored() -> set[PositionState]:
        """Always empty: what was generated is counted elsewhere."""
        return set()

    def __getattr__(self, name: str) -> NoReturn:
        there = [method for method in dir(type(self)) if not method.startswith("_")]
        raise AttributeError(f"a game state has no {name}; {nearest(name, there)}")

    def _ghost(self, method: str, agent: Any) -> int:
        """The place of ghost `agent` in the list of ghosts."""
        if not isinstance(agent, int) or not 1 <= agent < self.getNumAgents():
            last = self.getNumAgents() - 1
            there = f"the ghosts are agents 1 to {last}" if last else "there are no ghosts"
            raise Exception(f"{method} of agent {one_line(agent)}; {there}")
        return agent - 1

    def __eq__(self, other: object) -> bool:
        """Poses, food, capsules and score agree, whoever moves: what that project calls the same state."""
        return isinstance(other, PositionState) and identity(self._state) == identity(other._state)

    def __hash__(self) -> int:
        return hash(identity(self._state))

    def __str__(self) -> str:
        return f"{self._state}\nScore: {self._state.score}\n"


_new = object.__new__


def identity(state: GameState) -> tuple[object, ...]:
    """What two positions share exactly when that project takes them for the same state. (Ours asks who moves, too.)"""
    return state.pacman, state.ghosts, state.food_mask, state.capsule_mask, state.score


class Data:
    """What hangs below `state.data` in that project and is read by some files. Writing into it changes nothing."""

    def __init__(self, state: PositionState) -> None:
        self.agentStates = [state.getPacmanState(), *state.getGhostStates()]
        self.food = state.getFood()
        self.capsules = state.getCapsules()
        self.score = state.getScore()
        self.layout = Board(state)
        self._win = state.isWin()
        self._lose = state.isLose()
        before, after = state._before or state._state, state._state
        here = state.getPacmanPosition()
        self.scoreChange = after.score - before.score
        self._foodEaten = here if after.food_left < before.food_left else None
        self._capsuleEaten = here if len(after.capsules) < len(before.capsules) else None
        self._agentMoved = state._mover


class Board:
    """The walls, and what lay there when the game began, as `state.data.layout`."""

    def __init__(self, state: PositionState) -> None:
        began = state if PositionState.beginning is None else PositionState.of(PositionState.beginning)
        self.walls = state.getWalls()
        self.width = self.walls.width
        self.height = self.walls.height
        self.food = began.getFood()
        self.capsules = began.getCapsules()
        self.totalFood = began.getNumFood()
        self.numGhosts = state.getNumAgents() - 1

    def getNumGhosts(self) -> int:
        return self.numGhosts

    def isWall(self, pos: tuple[int, int]) -> bool:
        return bool(self.walls[pos[0]][pos[1]])
