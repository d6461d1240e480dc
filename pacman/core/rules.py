"""The classic rules as tables: all constants, and for each pose its legal actions and where each action leads.

A pose is the position and the direction of Pacman or of a ghost. Each pose of a maze is created once, at its first
use, and all states share it. So a new state only looks up its poses. Two poses of mazes with the same walls are
equal exactly when they are the same object.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import ClassVar

from pacman.core.layout import Cell, Mask, Maze, Position

WEST, STOP, EAST, NORTH, SOUTH = "West", "Stop", "East", "North", "South"
STEPS: Mapping[str, Position] = {WEST: (-1, 0), STOP: (0, 0), EAST: (1, 0), NORTH: (0, 1), SOUTH: (0, -1)}
REVERSE: Mapping[str, str] = {WEST: EAST, EAST: WEST, NORTH: SOUTH, SOUTH: NORTH, STOP: STOP}

MOVE_POINTS = -1
FOOD_POINTS = 10
WIN_POINTS = 500
LOSE_POINTS = -500
GHOST_POINTS = 200
SCARED_MOVES = 40

Outcomes = tuple[tuple[str, float], ...]


class _Immutable:
    """The base class of poses. Many states share a pose, so it cannot be changed."""

    __slots__ = ()

    def _set(self, **slots: object) -> None:
        for name, value in slots.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a pose cannot be changed: tried to set its {name} to {value!r}")


class PacmanPose(_Immutable):
    """Pacman on a cell, with a direction. `successors` maps each legal action, in order, to the next pose."""

    __slots__ = ("poses", "cell", "bit", "direction", "actions", "successors")

    poses: Poses
    cell: Cell
    bit: Mask
    direction: str
    actions: tuple[str, ...]
    successors: dict[str, PacmanPose]

    def __init__(self, poses: Poses, cell: Cell, direction: str) -> None:
        self._set(poses=poses, cell=cell, bit=1 << cell, direction=direction, actions=(), successors={})

    @property
    def position(self) -> Position:
        """(x, y) of the cell."""
        return self.poses.maze.position(self.cell)

    @property
    def code(self) -> tuple[int, int]:
        """Two numbers for hashing and sorting. They are the same in every run."""
        return self.cell, _DIRECTIONS[self.direction]

    def compute_successors(self) -> dict[str, PacmanPose]:
        """Fills in `actions` and `successors`, at the first move from here. Returns `successors`."""
        maze, (x, y) = self.poses.maze, self.position
        successors = {}
        for action, (dx, dy) in STEPS.items():
            if not maze.is_wall(x + dx, y + dy):
                facing = self.direction if action == STOP else action
                successors[action] = self.poses.pacman(maze.cell(x + dx, y + dy), facing)
        # Set only when complete: another thread may use this pose at the same time.
        self._set(actions=tuple(successors), successors=successors)
        return successors

    def __repr__(self) -> str:
        return f"Pacman{self.position} {self.direction}"

    def __reduce__(self) -> tuple[object, ...]:
        return self.poses.pacman, (self.cell, self.direction)


class GhostPose(_Immutable):
    """A ghost on a cell, or half-way between two cells while it is scared. `timer` is its number of scared moves left.

    `touches` are the cells on which the ghost meets Pacman: its own cell, or both cells that it is between. This is
    the classic distance |dx| + |dy| <= 0.7, computed in advance.
    """

    __slots__ = ("poses", "place", "direction", "timer", "touches", "actions", "successors", "uniform_outcomes")

    poses: Poses
    place: Position  # in half cells
    direction: str
    timer: int
    touches: tuple[Cell, ...]
    actions: tuple[str, ...]
    successors: dict[str, GhostPose]
    uniform_outcomes: Outcomes

    def __init__(self, poses: Poses, place: Position, direction: str, timer: int) -> None:
        (x, y), cell = place, poses.maze.cell
        touches = tuple(dict.fromkeys((cell(x // 2, y // 2), cell((x + 1) // 2, (y + 1) // 2))))
        self._set(poses=poses, place=place, direction=direction, timer=timer, touches=touches)
        self._set(actions=(), successors={}, uniform_outcomes=())

    @property
    def position(self) -> tuple[float, float]:
        """(x, y). Between two cells, one of the numbers ends in .5."""
        return self.place[0] / 2, self.place[1] / 2

    @property
    def is_scared(self) -> bool:
        """True while Pacman can eat this ghost."""
        return self.timer > 0

    @property
    def code(self) -> tuple[int, int, int, int]:
        """Numbers for hashing and sorting. They are the same in every run."""
        return (*self.place, _DIRECTIONS[self.direction], self.timer)

    def legal(self) -> list[str]:
        """The legal actions. A ghost never stops and turns back only in a dead end; between cells it goes straight."""
        x, y = self.place
        if x % 2 or y % 2:
            return [self.direction]
        maze = self.poses.maze
        actions = [
            action
            for action, (dx, dy) in STEPS.items()
            if action != STOP and not maze.is_wall(x // 2 + dx, y // 2 + dy)
        ]
        back = REVERSE[self.direction]
        return [action for action in actions if action != back] if len(actions) > 1 else actions

    def compute_successors(self) -> dict[str, GhostPose]:
        """Fills in `actions`, `uniform_outcomes` and `successors`, at the first move from here. Returns the last."""
        x, y = self.place
        step, timer = (1, self.timer - 1) if self.timer else (2, 0)
        actions = tuple(self.legal())
        successors = {}
        for action in actions:
            dx, dy = STEPS[action]
            new_x, new_y = x + step * dx, y + step * dy
            if self.timer == 1:  # no longer scared after this move: from half-way it snaps to the cell above or right
                new_x, new_y = (new_x + 1) // 2 * 2, (new_y + 1) // 2 * 2
            successors[action] = self.poses.ghost((new_x, new_y), action, timer)
        outcomes = tuple((action, 1 / len(actions)) for action in actions)
        self._set(uniform_outcomes=outcomes, actions=actions, successors=successors)
        return successors

    def with_full_timer(self) -> GhostPose:
        """The same pose just after Pacman has eaten a capsule: scared for `SCARED_MOVES` moves."""
        return self.poses.ghost(self.place, self.direction, SCARED_MOVES)

    def __repr__(self) -> str:
        return f"Ghost{self.position} {self.direction}" + (f" scared {self.timer}" if self.timer else "")

    def __reduce__(self) -> tuple[object, ...]:
        return self.poses.ghost, (self.place, self.direction, self.timer)


class Poses:
    """All poses of one maze that have been used so far."""

    _by_maze: ClassVar[weakref.WeakValueDictionary[Maze, Poses]] = weakref.WeakValueDictionary()

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self._pacmen: dict[tuple[Cell, str], PacmanPose] = {}
        self._ghosts: dict[tuple[Position, str, int], GhostPose] = {}

    @classmethod
    def of(cls, maze: Maze) -> Poses:
        """The poses of `maze`. Every call with the same maze returns the same object."""
        return cls._by_maze.get(maze) or cls._by_maze.setdefault(maze, cls(maze))

    def __reduce__(self) -> tuple[object, ...]:
        return Poses.of, (self.maze,)

    def pacman(self, cell: Cell, direction: str = STOP) -> PacmanPose:
        """Pacman's pose on `cell` with `direction`."""
        key = cell, direction  # if two threads create it, both get the first one
        return self._pacmen.get(key) or self._pacmen.setdefault(key, PacmanPose(self, cell, direction))

    def ghost(self, place: Position, direction: str = STOP, timer: int = 0) -> GhostPose:
        """A ghost's pose at `place`, in half cells: (3, 2) is x = 1.5, y = 1."""
        key = place, direction, timer
        return self._ghosts.get(key) or self._ghosts.setdefault(key, GhostPose(self, place, direction, timer))

    def ghost_at(self, cell: Cell) -> GhostPose:
        """The pose of a ghost on its start cell, at the start of a game or just after Pacman has eaten it."""
        x, y = self.maze.position(cell)
        return self.ghost((2 * x, 2 * y))


_DIRECTIONS = {direction: number for number, direction in enumerate(STEPS)}
