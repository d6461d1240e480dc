"""A position of Pacman as a Berkeley-style game state: camelCase methods that take the number of an agent.

A thin view of our `GameState`: it copies nothing, and nothing can be changed through it.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from agents.cs188.base_state import State, no_member
from agents.cs188.board import AgentState, Grid, Place, standing, walls_of
from pacman.core.errors import IllegalAction, one_line
from pacman.core.rules import STEPS
from pacman.core.state import GameState
from pacman.record.trace import Trace


class PositionState(State):
    """A position, and its number in the trace of a search (`_trace` is None if nothing is counted).

    `_before` and `_mover`: the position before the last move, and the agent that moved; None at a root.
    """

    __slots__ = ("_state", "_trace", "_number", "_before", "_mover")

    beginning: ClassVar[GameState | None] = None
    """The first position of the game that this process has seen. `data.layout` shows it."""

    explored: ClassVar[frozenset[PositionState]] = frozenset()
    """Always empty: the grader counts the generated states in its own way."""

    _state: GameState
    _trace: Trace | None
    _number: int
    _before: GameState | None
    _mover: int | None

    def __init__(self, prevState: PositionState) -> None:
        """Another view of the same position: some files copy a state in this way."""
        self._state, self._trace, self._number = prevState._state, prevState._trace, prevState._number
        self._before, self._mover = prevState._before, prevState._mover

    @classmethod
    def of(cls, state: GameState, trace: Trace | None = None) -> PositionState:
        """The view of a position; with a trace, as the root of a search."""
        position: PositionState = _new(cls)
        position._state, position._trace, position._number = state, trace, 0
        position._before = position._mover = None
        return position

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """The legal actions of an agent, in the order West, Stop, East, North, South; an empty list at an end."""
        try:
            return [*self._state.actions(agentIndex)] if not self._state.is_terminal else []
        except (IllegalAction, TypeError):
            self._no_agent("getLegalActions", agentIndex)

    def generateSuccessor(self, agentIndex: int, action: str) -> PositionState:
        """The position after an agent's action; an Exception with the reason if it is not legal."""
        try:
            after = self._state.successor(action, agentIndex)
        except (IllegalAction, TypeError):
            is_action = isinstance(action, str) and action in STEPS
            self._no_successor(agentIndex, action, "" if is_action else "; an action is a string such as 'West'")
        position: PositionState = _new(PositionState)
        position._state, position._before, position._mover = after, self._state, agentIndex
        position._trace = trace = self._trace
        position._number = 0 if trace is None else trace.generate(self._number, action)
        return position

    getNextState = generateSuccessor

    def getNumAgents(self) -> int:
        """The number of agents: Pacman and the ghosts."""
        return len(self._state.ghosts) + 1

    def getScore(self) -> float:
        """The score on the board, in points."""
        return float(self._state.score)

    def isWin(self) -> bool:
        """True if Pacman has eaten all food."""
        return self._state.is_win

    def isLose(self) -> bool:
        """True if a ghost has caught Pacman."""
        return self._state.is_lose

    def getPacmanState(self) -> AgentState:
        """Pacman's state: place and direction."""
        return AgentState(standing(self._state.pacman), True)

    def getPacmanPosition(self) -> Place:
        """Pacman's place (x, y)."""
        return standing(self._state.pacman).pos

    def getGhostStates(self) -> list[AgentState]:
        """The ghosts' states, new at each call, so that graded code may change them."""
        states = []
        for pose, home in zip(self._state.ghosts, self._state.homes, strict=True):
            state = AgentState(standing(pose), False)
            state.scaredTimer, state.start = pose.timer, standing(home)
            states.append(state)
        return states

    def getGhostState(self, agentIndex: int) -> AgentState:
        """The state of the ghost with this agent number, from 1."""
        return self.getGhostStates()[self._ghost("getGhostState", agentIndex)]

    def getGhostPosition(self, agentIndex: int) -> Place:
        """The place (x, y) of the ghost with this agent number, from 1."""
        return standing(self._state.ghosts[self._ghost("getGhostPosition", agentIndex)]).pos

    def getGhostPositions(self) -> list[Place]:
        """The places of all ghosts."""
        return [standing(ghost).pos for ghost in self._state.ghosts]

    def getNumFood(self) -> int:
        """The number of food pellets left."""
        return self._state.food_left

    def getFood(self) -> Grid:
        """The food, as a grid."""
        return Grid.of(self._state.maze, self._state.food_mask)

    def getCapsules(self) -> list[tuple[int, int]]:
        """The places of the capsules left."""
        return list(self._state.capsules)

    def getWalls(self) -> Grid:
        """The walls, as a grid."""
        return walls_of(self._state.maze)

    def hasFood(self, x: int, y: int) -> bool:
        """True if there is food on the cell."""
        return bool(self._state.food_mask >> self._state.maze.cell(x, y) & 1)

    def hasWall(self, x: int, y: int) -> bool:
        """True if the cell is a wall."""
        return self._state.maze.is_wall(x, y)

    @property
    def data(self) -> Data:
        """The attributes that some files read from `state.data`."""
        return Data(self)

    @staticmethod
    def getAndResetExplored() -> set[PositionState]:
        """Always empty: the grader counts the generated states in its own way."""
        return set()

    def __getattr__(self, name: str) -> NoReturn:
        raise no_member(name, type(self))

    def _ghost(self, method: str, agent: Any) -> int:
        """The index of ghost `agent` in the list of ghosts."""
        if not isinstance(agent, int) or not 1 <= agent < self.getNumAgents():
            last = self.getNumAgents() - 1
            expected = f"expected 1 to {last}" if last else "this position has no ghosts"
            raise Exception(f"{method}: no ghost {one_line(agent)}; {expected}")
        return agent - 1

    def __eq__(self, other: object) -> bool:
        """True if poses, food, capsules and score are equal, whoever moves, as in the Berkeley project."""
        return isinstance(other, PositionState) and identity(self._state) == identity(other._state)

    def __hash__(self) -> int:
        return hash(identity(self._state))

    def __str__(self) -> str:
        rows = str(self._state).rstrip().rpartition("\n")[0]  # without our line about the game
        mouth = MOUTHS.get(self._state.pacman.direction, "<")
        return f"{rows}\nScore: {self._state.score}\n".replace("P", mouth, 1)


MOUTHS = {"North": "v", "South": "^", "West": ">"}
"""How Pacman is drawn in a position as text, by his direction; "<" for any other."""
_new = object.__new__


def identity(state: GameState) -> tuple[object, ...]:
    """A key that is equal for the positions which the Berkeley project calls equal. (Ours also compares who moves.)"""
    return state.pacman, state.ghosts, state.food_mask, state.capsule_mask, state.score


class Data:
    """The attributes of `state.data`, which some files read. Changing them has no effect."""

    __slots__ = (
        *("agentStates", "food", "capsules", "score", "layout", "scoreChange"),
        *("_win", "_lose", "_foodEaten", "_capsuleEaten", "_agentMoved"),
    )

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
    """The attributes of `state.data.layout`: the walls, and the food and capsules at the start of the game."""

    __slots__ = ("walls", "width", "height", "food", "capsules", "totalFood", "numGhosts")

    def __init__(self, state: PositionState) -> None:
        first = state if PositionState.beginning is None else PositionState.of(PositionState.beginning)
        self.walls = state.getWalls()
        self.width = self.walls.width
        self.height = self.walls.height
        self.food = first.getFood()
        self.capsules = first.getCapsules()
        self.totalFood = first.getNumFood()
        self.numGhosts = state.getNumAgents() - 1

    def getNumGhosts(self) -> int:
        """The number of ghosts."""
        return self.numGhosts

    def isWall(self, pos: tuple[int, int]) -> bool:
        """True if the cell at `pos` is a wall."""
        return bool(self.walls[pos[0]][pos[1]])
