"""A maze as text, checked: walls, food, capsules and where everyone starts.

One character a cell, row 0 of the text on top; coordinates are (x, y) with (0, 0) at the bottom left.
A cell is the int `y * width + x`; sets of cells are bit masks.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os.path import isfile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NoReturn

from pacman.core.errors import InputError, nearest, one_line, printable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

WALL, FOOD, CAPSULE, PACMAN, FLOOR = "%", ".", "o", "P", " "
GHOST_RANKS = {"G": 1, "1": 1, "2": 2, "3": 3, "4": 4}
SUFFIX = ".lay"

# Aliases, not new types: a cell is counted, shifted and looked up in the innermost loops, where a call would cost.
Cell = int
"""A place in a maze: `y * width + x`."""
Mask = int
"""A set of cells, as bits: cell c is the bit `1 << c`."""
AgentNumber = int
"""0 is Pacman, 1 to k are the ghosts."""
Position = tuple[int, int]
"""(x, y), from (0, 0) at the bottom left."""


class LayoutError(InputError):
    """A layout that cannot be played; names file, line, column and the offending row."""


class Maze:
    """The walls alone. Mazes with the same walls are the same object, so poses in them can be compared.

    >>> maze = Maze.of(["%%%%", "%  %", "%%%%"])
    >>> maze is Maze.of(["%%%%", "%  %", "%%%%"]), maze.cell(1, 1), maze.position(5)
    (True, 5, (1, 1))
    """

    _known: ClassVar[weakref.WeakValueDictionary[tuple[str, ...], Maze]] = weakref.WeakValueDictionary()

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.width = len(rows[0])
        self.height = len(rows)
        self._is_floor = tuple(char != WALL for row in reversed(rows) for char in row)
        self._distances: dict[Cell, dict[Cell, int]] = {}

    @classmethod
    def of(cls, rows: Sequence[str]) -> Maze:
        """The maze with these rows, in which everything that is not a wall is floor."""
        bare = tuple("".join(WALL if char == WALL else FLOOR for char in row) for row in rows)
        return cls._known.get(bare) or cls._known.setdefault(bare, cls(bare))

    def __reduce__(self) -> tuple[object, ...]:
        return Maze.of, (self.rows,)

    def cell(self, x: int, y: int) -> Cell:
        return y * self.width + x

    def position(self, cell: Cell) -> Position:
        """(x, y) of a cell."""
        y, x = divmod(cell, self.width)
        return x, y

    def is_wall(self, x: int, y: int) -> bool:
        """True for walls and for everything outside."""
        return not (0 <= x < self.width and 0 <= y < self.height and self._is_floor[y * self.width + x])

    @cached_property
    def floor(self) -> tuple[Cell, ...]:
        """Every cell that can be walked on, ascending."""
        return tuple(cell for cell, free in enumerate(self._is_floor) if free)

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        x, y = self.position(cell)
        for dx, dy in ((-1, 0), (1, 0), (0, 1), (0, -1)):
            if not self.is_wall(x + dx, y + dy):
                yield self.cell(x + dx, y + dy)

    def distances(self, cell: Cell) -> Mapping[Cell, int]:
        """Steps from `cell` to every cell that a walk reaches (the others are missing)."""
        found = self._distances.get(cell)
        if found is None:
            found = {cell: 0}
            frontier = [cell]
            for here in frontier:  # the list grows while we read it: a queue
                for there in self.neighbours(here):
                    if there not in found:
                        found[there] = found[here] + 1
                        frontier.append(there)
            self._distances[cell] = found
        return MappingProxyType(found)


def mask(cells: Iterable[Cell]) -> Mask:
    """The bit mask of some cells.

    >>> mask([0, 3])
    9
    """
    bits = 0
    for cell in cells:
        bits |= 1 << cell
    return bits


def cells(mask: Mask) -> Iterator[Cell]:
    """The cells of a bit mask, ascending.

    >>> list(cells(9))
    [0, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Layout:
    """A maze and what lies and stands in it when a game begins.

    `ghosts` are start cells, in the order of the ghosts' numbers 1..k: sorted by (rank, x, y).
    """

    name: str
    maze: Maze
    food: Mask
    capsules: Mask
    pacman: Cell
    ghosts: tuple[Cell, ...]

    @classmethod
    def parse(cls, text: str, name: str = "<text>") -> Layout:
        """The layout drawn in `text`; LayoutError names line and column of what is wrong.

        >>> tiny = Layout.parse("%%%%%\\n%P.G%\\n%%%%%")
        >>> tiny.maze.position(tiny.pacman), len(tiny.ghosts), tiny.food.bit_count()
        ((1, 1), 1, 1)
        """
        rows = tuple(line.rstrip("\r") for line in text.split("\n"))
        while rows and not rows[-1].strip():
            rows = rows[:-1]
        found = _read(name, rows)
        maze = Maze.of(rows)
        ghosts = sorted((rank, x, y) for char, rank in GHOST_RANKS.items() for x, y in found.get(char, ()))
        layout = cls(
            name=name,
            maze=maze,
            food=mask(maze.cell(x, y) for x, y in found.get(FOOD, ())),
            capsules=mask(maze.cell(x, y) for x, y in found.get(CAPSULE, ())),
            pacman=maze.cell(*found[PACMAN][0]),
            ghosts=tuple(maze.cell(x, y) for _, x, y in ghosts),
        )
        _check_playable(layout, rows)
        return layout

    @classmethod
    def load(cls, name: str) -> Layout:
        """The layout of that name, or in the file of that path."""
        path = Path(name)
        if path.suffix == SUFFIX or isfile(path):  # False for a name that is too long; `Path.is_file` raises
            try:
                return cls.parse(path.read_text(encoding="utf-8-sig"), name)
            except FileNotFoundError:
                raise LayoutError(f"{name}: no such file") from None
            except (OSError, UnicodeDecodeError) as error:
                reason = "not a text file" if isinstance(error, UnicodeDecodeError) else error.strerror
                raise LayoutError(f"{name}: cannot be read: {reason}") from None
        known = names()
        if name not in known:
            raise LayoutError(f"no layout {one_line(name)}: {nearest(name, known)}")
        return cls.parse((_shelf() / (name + SUFFIX)).read_text(encoding="utf-8-sig"), name)

    def __str__(self) -> str:
        """The drawing, ghosts as their rank in order of their number (`G` for the only one).

        ValueError for more ghosts than there are ranks, unless their order is that of their places.
        """
        drawing = dict.fromkeys(cells(self.food), FOOD) | dict.fromkeys(cells(self.capsules), CAPSULE)
        marks = "1234" if len(self.ghosts) > 1 else "G"
        places = [self.maze.position(cell) for cell in self.ghosts[len(marks) - 1 :]]
        if places != sorted(places):
            raise ValueError(f"{len(self.ghosts)} ghosts in an order that four ranks cannot say")
        drawing |= {cell: marks[min(rank, len(marks) - 1)] for rank, cell in enumerate(self.ghosts)}
        drawing[self.pacman] = PACMAN
        return picture(self.maze, drawing)


def picture(maze: Maze, drawing: dict[Cell, str]) -> str:
    """The walls of `maze` with one character for each drawn cell, top row first."""
    lines = [list(row) for row in maze.rows]
    for cell, char in drawing.items():
        x, y = maze.position(cell)
        lines[maze.height - 1 - y][x] = char
    return "\n".join("".join(line) for line in lines)


def names() -> tuple[str, ...]:
    """The layouts that come with the project, smallest first."""
    files = [file for file in _shelf().iterdir() if file.name.endswith(SUFFIX)]
    sizes = {file.name[: -len(SUFFIX)]: len(file.read_text(encoding="utf-8")) for file in files}
    return tuple(sorted(sizes, key=lambda name: (sizes[name], name)))


def _shelf() -> Traversable:
    """The folder of the layouts that come with the project."""
    from importlib import resources  # a fifth of the time to import this package, for whoever loads by name

    return resources.files("layouts")


def _fail(name: str, rows: Sequence[str], x: int, row: int, problem: str) -> NoReturn:
    """LayoutError: `row` and `x` count from 0 at the top left; people count from 1."""
    text = one_line(printable(rows[row]), 100, str)
    raise LayoutError(f"{name}:{row + 1}:{x + 1}: {problem}; the row is '{text}'")


def _read(name: str, rows: Sequence[str]) -> dict[str, list[Position]]:
    """Where each character stands. Refuses an open border, unknown characters, and any number of Pacmen but one."""
    if not rows:
        raise LayoutError(f"{name}:1:1: the layout is empty; expected rows of '{WALL}', '{FOOD}', '{PACMAN}', ...")
    width, last = len(rows[0]), len(rows) - 1
    for y, row in enumerate(rows):
        if len(row) != width:
            problem = f"this row has {len(row)} characters, the first has {width}"
            _fail(name, rows, min(len(row), width), y, problem)
    marks = {FOOD, CAPSULE, PACMAN, *GHOST_RANKS}
    found: dict[str, list[Position]] = {}
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if (y in (0, last) or x in (0, width - 1)) and char != WALL:
                _fail(name, rows, x, y, f"the border is open here: '{char}' where '{WALL}' was expected")
            if char == PACMAN and PACMAN in found:
                _fail(name, rows, x, y, "a second P; expected exactly one Pacman")
            if char in marks:
                found.setdefault(char, []).append((x, last - y))
            elif char != WALL and not char.isspace():
                expected = f"{WALL} {FOOD} {CAPSULE} {PACMAN} G 1 2 3 4 or a blank"
                _fail(name, rows, x, y, f"unknown character '{char}'; expected {expected}")
    if PACMAN not in found:
        _fail(name, rows, 0, 0, "no P anywhere; expected exactly one Pacman")
    if FOOD not in found:
        _fail(name, rows, 0, 0, f"no food anywhere; expected at least one '{FOOD}'")
    return found


def _check_playable(layout: Layout, rows: Sequence[str]) -> None:
    """Refuses what no walk from Pacman reaches, and ghosts that cannot move."""
    maze, reached = layout.maze, layout.maze.distances(layout.pacman)
    bad = [(cell, "this food cannot be reached from P") for cell in cells(layout.food) if cell not in reached]
    bad += [(cell, "this capsule cannot be reached from P") for cell in cells(layout.capsules) if cell not in reached]
    boxed = "this ghost is boxed in and has no legal move"
    bad += [(cell, boxed) for cell in layout.ghosts if not any(maze.neighbours(cell))]
    for cell, problem in bad:
        x, y = maze.position(cell)
        _fail(layout.name, rows, x, maze.height - 1 - y, problem)
