"""Layouts: a drawing of walls, food, capsules and start cells, read and checked.

Each cell is one character. The first row of the text is the top row, but coordinates are (x, y) with (0, 0) at the
bottom left. A cell is the int `y * width + x`. A set of cells is a bit mask.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os.path import isfile
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, NoReturn

from pacman.core.errors import InputError, nearest, one_line, printable
from pacman.core.files import read_text

WALL, FOOD, CAPSULE, PACMAN, FLOOR = "%", ".", "o", "P", " "
GHOST_RANKS = {"G": 1, "1": 1, "2": 2, "3": 3, "4": 4}
SUFFIX = ".lay"
TEXTS: dict[str, str] = {}
"""What `texts` returns, once it is known. A process that may not read the files gets it from another one."""
MAX_CELLS = 10_000
"""The largest maze, for example 100 x 100: larger ones fit no screen, and their tables of distances fit no memory."""

# These are aliases and not new types, because the innermost loops compute with them and a call would cost time.
Cell = int
"""A place in a maze: `y * width + x`."""
Mask = int
"""A set of cells, as bits: cell c is the bit `1 << c`."""
AgentNumber = int
"""0 is Pacman, 1 to k are the ghosts."""
Position = tuple[int, int]
"""(x, y), where (0, 0) is the bottom left."""


class LayoutError(InputError):
    """A layout that cannot be played. The message names file, line, column and row."""


class Maze:
    """The walls of a layout. Mazes with the same walls are the same object, so their poses can be compared.

    >>> maze = Maze.of(["%%%%", "%  %", "%%%%"])
    >>> maze is Maze.of(["%%%%", "%  %", "%%%%"]), maze.cell(1, 1), maze.position(5)
    (True, 5, (1, 1))
    """

    _by_rows: ClassVar[weakref.WeakValueDictionary[tuple[str, ...], Maze]] = weakref.WeakValueDictionary()

    def __init__(self, rows: tuple[str, ...]) -> None:
        self.rows = rows
        self.width = len(rows[0])
        self.height = len(rows)
        self._is_floor = tuple(char != WALL for row in reversed(rows) for char in row)
        self._distances: dict[Cell, dict[Cell, int]] = {}

    @classmethod
    def of(cls, rows: Sequence[str]) -> Maze:
        """The maze with these rows. Every character that is not a wall counts as floor."""
        walls = tuple("".join(WALL if char == WALL else FLOOR for char in row) for row in rows)
        return cls._by_rows.get(walls) or cls._by_rows.setdefault(walls, cls(walls))

    def __reduce__(self) -> tuple[object, ...]:
        return Maze.of, (self.rows,)

    def cell(self, x: int, y: int) -> Cell:
        """The cell at (x, y)."""
        return y * self.width + x

    def position(self, cell: Cell) -> Position:
        """(x, y) of a cell."""
        y, x = divmod(cell, self.width)
        return x, y

    def is_wall(self, x: int, y: int) -> bool:
        """True for a wall, and for every place outside the maze."""
        return not (0 <= x < self.width and 0 <= y < self.height and self._is_floor[y * self.width + x])

    @cached_property
    def floor(self) -> tuple[Cell, ...]:
        """All cells without a wall, ascending."""
        return tuple(cell for cell, is_floor in enumerate(self._is_floor) if is_floor)

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells one step away from `cell`, to the west, east, north and south, without walls."""
        x, y = self.position(cell)
        for dx, dy in ((-1, 0), (1, 0), (0, 1), (0, -1)):
            if not self.is_wall(x + dx, y + dy):
                yield self.cell(x + dx, y + dy)

    def distances(self, cell: Cell) -> Mapping[Cell, int]:
        """The number of steps from `cell` to every cell that can be reached. Other cells are not in the mapping."""
        steps = self._distances.get(cell)
        if steps is None:
            steps = {cell: 0}
            frontier = [cell]
            for here in frontier:  # a queue: the list grows while the loop reads it
                for neighbour in self.neighbours(here):
                    if neighbour not in steps:
                        steps[neighbour] = steps[here] + 1
                        frontier.append(neighbour)
            self._distances[cell] = steps
        return MappingProxyType(steps)


def mask(cells: Iterable[Cell]) -> Mask:
    """The bit mask of `cells`.

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
    """A maze with its food and capsules, and the start cells of Pacman and the ghosts.

    `ghosts` are the start cells in the order of the ghosts' numbers 1..k, which is the order of (rank, x, y). `notes`
    say what of the drawing is not part of the maze.
    """

    name: str
    maze: Maze
    food: Mask
    capsules: Mask
    pacman: Cell
    ghosts: tuple[Cell, ...]
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, name: str = "<text>") -> Layout:
        """The layout that `text` draws, as wide as its first row. LayoutError names line and column of a mistake.

        What stands behind the border of another row is ignored, as by the programs for which boards of courses were
        drawn. `notes` name it unless it is blank.

        >>> tiny = Layout.parse("%%%%%\\n%P.G%\\n%%%%%")
        >>> tiny.maze.position(tiny.pacman), len(tiny.ghosts), tiny.food.bit_count()
        ((1, 1), 1, 1)
        """
        rows, notes = _rows(name, text)
        positions = _positions(name, rows)
        maze = Maze.of(rows)
        ghosts = sorted((rank, x, y) for char, rank in GHOST_RANKS.items() for x, y in positions.get(char, ()))
        layout = cls(
            name=name,
            maze=maze,
            food=mask(maze.cell(x, y) for x, y in positions.get(FOOD, ())),
            capsules=mask(maze.cell(x, y) for x, y in positions.get(CAPSULE, ())),
            pacman=maze.cell(*positions[PACMAN][0]),
            ghosts=tuple(maze.cell(x, y) for _, x, y in ghosts),
            notes=notes,
        )
        _check_playable(layout, rows)
        return layout

    @classmethod
    def load(cls, name: str) -> Layout:
        """The layout with the name `name`, else the layout in the file with this path. LayoutError if there is none."""
        if name in texts():  # a file in the current folder may have this name by chance, or on purpose
            return cls.parse(texts()[name], name)
        path = Path(name)
        if path.suffix == SUFFIX or isfile(path):  # for a name that is too long, `Path.is_file` would raise
            try:
                return cls.parse(read_text(path), name)
            except FileNotFoundError:
                raise LayoutError(f"{name}: no such file") from None
            except (OSError, UnicodeDecodeError) as error:
                reason = "not a text file" if isinstance(error, UnicodeDecodeError) else error.strerror
                raise LayoutError(f"{name}: cannot be read: {reason}") from None
        raise LayoutError(f"no layout {one_line(name)}: {nearest(name, names())}")

    def __str__(self) -> str:
        """The drawing. Each ghost is drawn as its rank, or as `G` if it is the only one.

        With more than four ghosts, all from the fourth on get rank 4. ValueError if this would change their order.
        """
        drawing = dict.fromkeys(cells(self.food), FOOD) | dict.fromkeys(cells(self.capsules), CAPSULE)
        ranks = "1234" if len(self.ghosts) > 1 else "G"
        places = [self.maze.position(cell) for cell in self.ghosts[len(ranks) - 1 :]]
        if places != sorted(places):
            raise ValueError(
                f"cannot draw {len(self.ghosts)} ghosts in this order: a layout has only the digits 1 to 4 for them, "
                "and ghosts with the same digit are ordered by x, then y"
            )
        drawing |= {cell: ranks[min(index, len(ranks) - 1)] for index, cell in enumerate(self.ghosts)}
        drawing[self.pacman] = PACMAN
        return picture(self.maze, drawing)


def picture(maze: Maze, drawing: dict[Cell, str]) -> str:
    """The drawing of `maze`, top row first: its walls, and the characters of `drawing` in their cells."""
    lines = [list(row) for row in maze.rows]
    for cell, char in drawing.items():
        x, y = maze.position(cell)
        lines[maze.height - 1 - y][x] = char
    return "\n".join("".join(line) for line in lines)


def name_of(maze: Maze) -> str:
    """The name of the project's layout with these walls; "" if there is none.

    >>> name_of(Layout.load("nook").maze)
    'nook'
    """
    for name, text in texts().items():
        rows = text.splitlines()
        if len(rows) == maze.height and len(rows[0]) == maze.width and Layout.load(name).maze is maze:
            return name
    return ""


def names() -> tuple[str, ...]:
    """The names of the layouts that come with the project, smallest layout first."""
    return tuple(sorted(texts(), key=lambda name: (len(texts()[name]), name)))


def texts() -> dict[str, str]:
    """The drawings of the layouts that come with the project, by their names. Their files are read once a process."""
    if not TEXTS:
        from importlib import resources  # imported here: it takes a fifth of this package's import time

        files = (file for file in resources.files("layouts").iterdir() if file.name.endswith(SUFFIX))
        TEXTS.update({file.name.removesuffix(SUFFIX): file.read_text(encoding="utf-8-sig") for file in files})
    return TEXTS


def _fail(name: str, rows: Sequence[str], x: int, row: int, problem: str) -> NoReturn:
    """Raises LayoutError. `row` and `x` count from 0 at the top left; the message counts from 1."""
    text = one_line(printable(rows[row]), 100, str)
    raise LayoutError(f"{name}:{row + 1}:{x + 1}: {problem}; the row is '{text}'")


def _rows(name: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows of a drawing, and notes. A row ends with the border of the first one; a note says if more is behind it.

    Blank rows at the end are left out. A row without this border is as it is drawn.
    """
    lines = text.rstrip().split("\n") if text.strip() else []
    width = len(lines[0].rstrip()) if lines else 0
    rows, notes = [], []
    for number, line in enumerate(lines, 1):
        row, rest = line[:width], line[width:].rstrip()
        if rest and not row.endswith(WALL):
            row, rest = line.rstrip(), ""
        if rest:
            notes.append(f"{name}:{number}:{width + 1}: {one_line(rest, 40)} is ignored: the first row is shorter")
        rows.append(row)
    return tuple(rows), tuple(notes)


def _positions(name: str, rows: Sequence[str]) -> dict[str, list[Position]]:
    """The positions of each character. LayoutError for an open border, an unknown character, no food or not one P."""
    if not rows:
        raise LayoutError(f"{name}:1:1: the layout is empty; expected rows of '{WALL}', '{FOOD}', '{PACMAN}', ...")
    width, last = len(rows[0]), len(rows) - 1
    if width * len(rows) > MAX_CELLS:
        size = f"{width} x {len(rows)} cells"
        raise LayoutError(f"{name}:1:1: the layout is too large: {size}; expected at most {MAX_CELLS:,} cells")
    for y, row in enumerate(rows):
        if len(row) != width:
            problem = f"this row has {len(row)} characters, the first has {width}"
            _fail(name, rows, min(len(row), width), y, problem)
    characters = {FOOD, CAPSULE, PACMAN, *GHOST_RANKS}
    positions: dict[str, list[Position]] = {}
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if (y in (0, last) or x in (0, width - 1)) and char != WALL:
                _fail(name, rows, x, y, f"the border is open here: expected '{WALL}', got '{char}'")
            if char == PACMAN and PACMAN in positions:
                _fail(name, rows, x, y, "a second P; expected exactly one Pacman")
            if char in characters:
                positions.setdefault(char, []).append((x, last - y))
            elif char != WALL and not char.isspace():
                expected = f"{WALL} {FOOD} {CAPSULE} {PACMAN} G 1 2 3 4 or a blank"
                _fail(name, rows, x, y, f"unknown character '{char}'; expected {expected}")
    if PACMAN not in positions:
        _fail(name, rows, 0, 0, "no P in the layout; expected exactly one Pacman")
    if FOOD not in positions:
        _fail(name, rows, 0, 0, f"no food in the layout; expected at least one '{FOOD}'")
    return positions


def _check_playable(layout: Layout, rows: Sequence[str]) -> None:
    """LayoutError for food and capsules that Pacman cannot reach, and for ghosts that cannot move."""
    maze, steps = layout.maze, layout.maze.distances(layout.pacman)
    problems = [(cell, "P cannot reach this food") for cell in cells(layout.food) if cell not in steps]
    problems += [(cell, "P cannot reach this capsule") for cell in cells(layout.capsules) if cell not in steps]
    problems += [
        (cell, "this ghost has walls on all sides and cannot move")
        for cell in layout.ghosts
        if not any(maze.neighbours(cell))
    ]
    for cell, problem in problems:
        x, y = maze.position(cell)
        _fail(layout.name, rows, x, maze.height - 1 - y, problem)
