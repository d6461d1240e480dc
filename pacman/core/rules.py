"""The classic rules as tables: every constant, and for each pose its legal actions and where each leads.

A pose is where somebody stands and which way he faces. Poses are made once for each maze, when first
asked for, and then shared by every state: a successor looks its new poses up and makes only itself.
Two poses of mazes with the same walls are equal exactly when they are the same object.
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


class _Fixed:
    """Something shared by many states, which is therefore not to be written to."""

    __slots__ = ()

    def _set(self, **slots: object) -> None:
        for name, value in slots.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a pose cannot be changed (its {name} was to be {value!r})")


class PacmanPose(_Fixed):
    """Pacman on a cell. `after` maps each legal action, in order, to the pose that it leads to."""

    __slots__ = ("poses", "cell", "bit", "direction", "actions", "after")

    poses: Poses
    cell: Cell
    bit: Mask
    direction: str
    actions: tuple[str, ...]
    after: dict[str, PacmanPose]

    def __init__(self, poses: Poses, cell: Cell, direction: str) -> None:
        self._set(poses=poses, cell=cell, bit=1 << cell, direction=direction, actions=(), after={})

    @property
    def position(self) -> Position:
        """(x, y)."""
        return self.poses.maze.position(self.cell)

    @property
    def code(self) -> tuple[int, int]:
        """A number pair that is the same in every run, to hash and to sort by."""
        return self.cell, _DIRECTIONS[self.direction]

    def look(self) -> dict[str, PacmanPose]:
        """Fills in `actions` and `after`, the first time that somebody moves from here."""
        maze, (x, y) = self.poses.maze, self.position
        after = {}
        for action, (dx, dy) in STEPS.items():
            if not maze.is_wall(x + dx, y + dy):
                facing = self.direction if action == STOP else action
                after[action] = self.poses.pacman(maze.cell(x + dx, y + dy), facing)
        self._set(actions=tuple(after), after=after)  # when whole, since another thread may be playing here too
        return after

    def __repr__(self) -> str:
        return f"Pacman{self.position} {self.direction}"

    def __reduce__(self) -> tuple[object, ...]:
        return self.poses.pacman, (self.cell, self.direction)


class GhostPose(_Fixed):
    """A ghost on a cell, or half-way between two while it is scared; `timer` counts its scared moves left.

    `touches` are the cells on which it meets Pacman: its own, or both that it is between
    (the classic distance |dx| + |dy| <= 0.7, worked out beforehand).
    """

    __slots__ = ("poses", "place", "direction", "timer", "touches", "actions", "after", "uniform")

    poses: Poses
    place: Position  # in half cells
    direction: str
    timer: int
    touches: tuple[Cell, ...]
    actions: tuple[str, ...]
    after: dict[str, GhostPose]
    uniform: Outcomes

    def __init__(self, poses: Poses, place: Position, direction: str, timer: int) -> None:
        (x, y), cell = place, poses.maze.cell
        touches = tuple(dict.fromkeys((cell(x // 2, y // 2), cell((x + 1) // 2, (y + 1) // 2))))
        self._set(poses=poses, place=place, direction=direction, timer=timer, touches=touches)
        self._set(actions=(), after={}, uniform=())

    @property
    def position(self) -> tuple[float, float]:
        """(x, y); one of them ends in .5 between two cells."""
        return self.place[0] / 2, self.place[1] / 2

    @property
    def is_scared(self) -> bool:
        return self.timer > 0

    @property
    def code(self) -> tuple[int, int, int, int]:
        """Numbers that are the same in every run, to hash and to sort by."""
        return (*self.place, _DIRECTIONS[self.direction], self.timer)

    def legal(self) -> list[str]:
        """A ghost never stops, and turns back only in a dead end; between two cells it goes straight on."""
        x, y = self.place
        if x % 2 or y % 2:
            return [self.direction]
        maze = self.poses.maze
        ways = [
            action
            for action, (dx, dy) in STEPS.items()
            if action != STOP and not maze.is_wall(x // 2 + dx, y // 2 + dy)
        ]
        back = REVERSE[self.direction]
        return [way for way in ways if way != back] if len(ways) > 1 else ways

    def look(self) -> dict[str, GhostPose]:
        """Fills in `actions`, `uniform` and `after`, the first time that somebody moves from here."""
        x, y = self.place
        step, timer = (1, self.timer - 1) if self.timer else (2, 0)
        actions = tuple(self.legal())
        after = {}
        for action in actions:
            dx, dy = STEPS[action]
            new_x, new_y = x + step * dx, y + step * dy
            if self.timer == 1:  # it recovers and snaps to a whole cell, up and right from half-way
                new_x, new_y = (new_x + 1) // 2 * 2, (new_y + 1) // 2 * 2
            after[action] = self.poses.ghost((new_x, new_y), action, timer)
        self._set(uniform=tuple((action, 1 / len(actions)) for action in actions), actions=actions, after=after)
        return after

    def frightened(self) -> GhostPose:
        """The same pose, just after Pacman has eaten a capsule."""
        return self.poses.ghost(self.place, self.direction, SCARED_MOVES)

    def __repr__(self) -> str:
        return f"Ghost{self.position} {self.direction}" + (f" scared {self.timer}" if self.timer else "")

    def __reduce__(self) -> tuple[object, ...]:
        return self.poses.ghost, (self.place, self.direction, self.timer)


class Poses:
    """Every pose of one maze that anybody has been in so far."""

    _known: ClassVar[weakref.WeakValueDictionary[Maze, Poses]] = weakref.WeakValueDictionary()

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self._pacmen: dict[tuple[Cell, str], PacmanPose] = {}
        self._ghosts: dict[tuple[Position, str, int], GhostPose] = {}

    @classmethod
    def of(cls, maze: Maze) -> Poses:
        return cls._known.get(maze) or cls._known.setdefault(maze, cls(maze))

    def __reduce__(self) -> tuple[object, ...]:
        return Poses.of, (self.maze,)

    def pacman(self, cell: Cell, direction: str = STOP) -> PacmanPose:
        key = cell, direction  # of two threads that make it, the first wins
        return self._pacmen.get(key) or self._pacmen.setdefault(key, PacmanPose(self, cell, direction))

    def ghost(self, place: Position, direction: str = STOP, timer: int = 0) -> GhostPose:
        """The ghost pose at `place`, which counts half cells: (3, 2) is x = 1.5, y = 1."""
        key = place, direction, timer
        return self._ghosts.get(key) or self._ghosts.setdefault(key, GhostPose(self, place, direction, timer))

    def ghost_at(self, cell: Cell) -> GhostPose:
        """A ghost on its start cell, at the start or just eaten."""
        x, y = self.maze.position(cell)
        return self.ghost((2 * x, 2 * y))


_DIRECTIONS = {direction: number for number, direction in enumerate(STEPS)}
