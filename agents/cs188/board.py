"""What Berkeley-style files import from `game`: Agent, Directions, Actions, Grid and the states of agents.

The names and their spelling are fixed, because graded code uses them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.cs188.util import manhattanDistance, matrixAsList, nearestPoint, raiseNotDefined
from pacman.core.layout import Maze, cells
from pacman.core.rules import REVERSE, STEPS, GhostPose, PacmanPose

Place = tuple[float, float]


class Agent:
    """The base class of all agents; `index` 0 is Pacman."""

    def __init__(self, index: int = 0) -> None:
        self.index = index

    def getAction(self, state: Any) -> str:
        """The agent's action in a state. Every agent defines it."""
        raiseNotDefined()


class Directions:
    """The five actions, and the direction after a turn to the left, to the right or back."""

    NORTH, SOUTH, EAST, WEST, STOP = "North", "South", "East", "West", "Stop"
    LEFT: Mapping[str, str] = {NORTH: WEST, SOUTH: EAST, EAST: NORTH, WEST: SOUTH, STOP: STOP}
    RIGHT: Mapping[str, str] = {left: ahead for ahead, left in LEFT.items()}
    REVERSE: Mapping[str, str] = REVERSE


@dataclass(slots=True, unsafe_hash=True)
class Configuration:
    """A place (x, y) and a direction."""

    pos: Place
    direction: str

    def getPosition(self) -> Place:
        """The place (x, y)."""
        return self.pos

    def getDirection(self) -> str:
        """The direction, for example 'West'."""
        return self.direction

    def isInteger(self) -> bool:
        """True if the place is exactly on a cell."""
        return all(part == int(part) for part in self.pos)

    def generateSuccessor(self, vector: Place) -> Configuration:
        """The configuration one step further. A step of (0, 0) keeps the direction."""
        direction = Actions.vectorToDirection(vector) if any(vector) else self.direction
        return Configuration((self.pos[0] + vector[0], self.pos[1] + vector[1]), direction)

    def __str__(self) -> str:
        return f"(x,y)={self.pos}, {self.direction}"


class AgentState:
    """Pacman or a ghost: its place, its direction, and for how many more moves it is scared."""

    __slots__ = ("start", "configuration", "isPacman", "scaredTimer", "numCarrying", "numReturned")

    def __init__(self, startConfiguration: Configuration, isPacman: bool) -> None:
        self.start = self.configuration = startConfiguration
        self.isPacman = isPacman
        self.scaredTimer = self.numCarrying = self.numReturned = 0

    def getPosition(self) -> Place:
        """The place (x, y)."""
        return self.configuration.pos

    def getDirection(self) -> str:
        """The direction, for example 'West'."""
        return self.configuration.direction

    def copy(self) -> AgentState:
        """A copy that graded code may change."""
        return copy(self)

    def _key(self) -> tuple[Configuration, int]:
        return self.configuration, self.scaredTimer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return f"{'Pacman' if self.isPacman else 'Ghost'}: {self.configuration}"


class Grid:
    """One value per cell, `grid[x][y]`, with (0, 0) at the bottom left.

    A grid made by `of` stores a bit mask; its columns are made when they are first needed.
    """

    def __init__(self, width: int, height: int, initialValue: Any = False, bitRepresentation: Any = None) -> None:
        self.width = width
        self.height = height
        self._columns: list[list[Any]] | None = [[initialValue] * height for _ in range(width)]
        self._maze: Maze | None = None
        self._mask = 0

    @classmethod
    def of(cls, maze: Maze, mask: int) -> Grid:
        """The grid that is True on the cells of `mask`."""
        grid: Grid = cls.__new__(cls)
        grid.width, grid.height = maze.width, maze.height
        grid._columns, grid._maze, grid._mask = None, maze, mask
        return grid

    @property
    def data(self) -> list[list[Any]]:
        """The columns, from the left."""
        if self._columns is None:
            assert self._maze is not None
            self._columns = [[False] * self.height for _ in range(self.width)]
            for x, y in places(self._maze, self._mask):
                self._columns[x][y] = True
        return self._columns

    def __getitem__(self, x: int) -> list[Any]:
        return self.data[x]

    def __setitem__(self, x: int, column: list[Any]) -> None:
        self.data[x] = column

    def asList(self, key: Any = True) -> list[tuple[int, int]]:
        """(x, y) of every cell that holds `key`, column by column."""
        if self._columns is None and self._maze is not None and key is True:
            return list(places(self._maze, self._mask))
        return matrixAsList(self.data, key)

    def count(self, item: Any = True) -> int:
        """The number of cells with the value `item`."""
        if self._columns is None and item is True:
            return self._mask.bit_count()
        return sum(column.count(item) for column in self.data)

    def copy(self, memo: object = None) -> Grid:
        """A copy with its own columns."""
        grid = Grid(self.width, self.height)
        grid._columns = [list(column) for column in self.data]
        return grid

    deepCopy = __deepcopy__ = copy

    def shallowCopy(self) -> Grid:
        """A grid that shares its columns with this one."""
        grid = Grid(self.width, self.height)
        grid._columns = self.data
        return grid

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.data == other.data

    def __hash__(self) -> int:
        return hash(tuple(map(tuple, self.data)))

    def __str__(self) -> str:
        rows = zip(*self.data, strict=True)
        return "\n".join("".join("T" if value else "F" for value in row) for row in reversed(list(rows)))


class Actions:
    """Converts actions to steps, and steps to actions."""

    _directions: Mapping[str, tuple[int, int]] = STEPS
    _directionsAsList: Sequence[tuple[str, tuple[int, int]]] = tuple(STEPS.items())
    TOLERANCE = 0.001

    @staticmethod
    def directionToVector(direction: str, speed: float = 1.0) -> Place:
        """The step (dx, dy) of an action, multiplied by `speed`."""
        dx, dy = STEPS[direction]
        return dx * speed, dy * speed

    @staticmethod
    def vectorToDirection(vector: Place) -> str:
        """The action of a step; Stop for (0, 0)."""
        dx, dy = vector
        if dy:
            return Directions.NORTH if dy > 0 else Directions.SOUTH
        if dx:
            return Directions.EAST if dx > 0 else Directions.WEST
        return Directions.STOP

    @staticmethod
    def reverseDirection(action: str) -> str:
        """The opposite direction."""
        return REVERSE[action]

    @staticmethod
    def getPossibleActions(config: Configuration, walls: Grid) -> list[str]:
        """The actions that no wall blocks. Between two cells, only the current direction."""
        column, row = nearestPoint(config.pos)
        if manhattanDistance(config.pos, (column, row)) > Actions.TOLERANCE:
            return [config.direction]
        return [action for action, (dx, dy) in STEPS.items() if not walls[column + dx][row + dy]]

    @staticmethod
    def getLegalNeighbors(position: Place, walls: Grid) -> list[tuple[int, int]]:
        """The cells without a wall next to a position, and its own cell."""
        x, y = nearestPoint(position)
        around = [(x + dx, y + dy) for dx, dy in STEPS.values()]
        return [(x, y) for x, y in around if 0 <= x < walls.width and 0 <= y < walls.height and not walls[x][y]]

    @staticmethod
    def getSuccessor(position: Place, action: str) -> Place:
        """The place after an action, whether or not a wall is there."""
        dx, dy = STEPS[action]
        return position[0] + dx, position[1] + dy


@lru_cache(maxsize=4096)
def places(maze: Maze, mask: int) -> tuple[tuple[int, int], ...]:
    """(x, y) of the cells of `mask`, column by column from the left."""
    return tuple(sorted(map(maze.position, cells(mask))))


@lru_cache(maxsize=64)
def walls_of(maze: Maze) -> Grid:
    """The walls of a maze."""
    every = (1 << maze.width * maze.height) - 1
    floor = sum(1 << cell for cell in maze.floor)
    return Grid.of(maze, every ^ floor)


@lru_cache(maxsize=4096)
def standing(pose: PacmanPose | GhostPose) -> Configuration:
    """The place and direction of a pose. Coordinates on a cell are integers."""
    x, y = pose.position
    return Configuration((int(x) if x == int(x) else x, int(y) if y == int(y) else y), pose.direction)
