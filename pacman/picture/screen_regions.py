"""Where everything is in a picture: the board, the bars around it, the time line, and the panel at its side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pacman.core.layout import Maze

MIN_CELL = 6
TOP, MESSAGE, CHIPS, TIMELINE = 3.7, 2.9, 3.3, 2.5
"""Heights of the bars, in units."""
LARGER = 1.5
"""How much larger the cells must be with a panel below the board than beside it, where a tree has more rows."""
LEAST_ASIDE = 0.34
"""The least fraction of the width that a panel takes beside the board."""
LEAST_PANEL, LARGEST_UNIT = 15.8, 17.0
"""The least height of a panel below the board, in units; and the unit from which on a panel shows more rows, and not
only larger letters."""
MIN_WIDTH_WITH_PANEL = 45
"""The smallest width of a picture with a panel, in units."""


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The y of the bottom side."""
        return self.top + self.height

    def meets(self, other: Box) -> bool:
        """True if the two boxes have an area in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def contains(self, x: float, y: float) -> bool:
        """True if the pixel (x, y) is in the box."""
        return self.left <= x < self.right and self.top <= y < self.bottom


NOWHERE = Box(0, 0, 0, 0)


class PanelShape(NamedTuple):
    """The fraction of the width that a panel takes beside the board, and the least one of the height below the board.

    Below the board it is as wide as the picture. If it `takes_rest`, a high board leaves it more space.
    """

    beside: float
    below: float
    takes_rest: bool = False

    def width(self, picture: int, free: Box, half: int, maze: Maze) -> int:
        """The width beside the board in a picture of this width; the board needs cells of `half` the usual size."""
        aside = round(self.beside * picture)
        if self.takes_rest:
            aside = max(aside, int(free.width - half * 2 * maze.width))
        return min(aside, max(int(free.width - half * maze.width), round(LEAST_ASIDE * picture)))


LIST, LECTURE = PanelShape(0.42, 0.36), PanelShape(0.58, 0.62, takes_rest=True)
"""A tree as a list, and a tree in large type."""


@dataclass(frozen=True)
class Regions:
    """The regions of a picture, in pixels. `unit` is the height of small text.

    The cells of the board are `cell` wide and begin at (`left`, `top`); `board_area` is the area free for it.
    `words` is a strip below the board for sentences, `table` has the space for a table of counts, and `message` is the
    strip for messages. A bar or panel without enough space is `NOWHERE`.
    """

    width: int
    height: int
    unit: float
    cell: int
    left: int
    top: int
    board_area: Box
    bar: Box
    chips: Box
    timeline: Box
    panel: Box
    words: Box = NOWHERE
    table: Box = NOWHERE
    message: Box = NOWHERE

    @classmethod
    def fit(
        cls,
        width: int,
        height: int,
        maze: Maze,
        *,
        timeline: bool = True,
        panel: PanelShape | None = None,
        words: float = 0.0,
        table: tuple[float, float] | None = None,
        is_part: bool = False,
    ) -> Regions:
        """The regions of a picture of that size: the board is as large as the bars and margins allow.

        A `panel` is beside the board, or below it if the cells are clearly larger then. The cells are at least half as
        large as without a panel, if the panel has enough space then. `words` is the height of the strip for sentences.
        A `table` is beside the board, where it has this width, or below it, where it has this height. All are in units.
        If the picture `is_part` of a larger one, its text is larger for its size, so that it can be read.
        """
        unit = small_text(width, height, is_part=is_part)
        has_bars = height >= 14 * unit and width >= 24 * unit
        top, chips, message = (TOP * unit, CHIPS * unit, MESSAGE * unit) if has_bars else (0.0, 0.0, 0.0)
        line = TIMELINE * unit if has_bars and timeline and height >= 18 * unit else 0.0
        margin = unit * (1.0 if has_bars else 0.2)
        bottom = height - chips - line
        strip = round(words * unit) if has_bars else 0
        free = Box(margin, top + 0.2 * margin, width - 2 * margin, bottom - top - message - 0.4 * margin)
        half = (_cell(free, maze) + 3) // 4 * 2
        free = free._replace(height=free.height - strip)
        table_size = (table[0] * unit, table[1] * unit) if table and has_bars else (0.0, 0.0)
        room, side, foot = _with_table(free, table_size, maze)
        aside, is_below = 0, False
        if panel and has_bars and width >= MIN_WIDTH_WITH_PANEL * unit:
            most = free.height - table_size[1] - half * maze.height
            least = max(min(panel.below * (bottom - top - message), most), LEAST_PANEL * min(unit, LARGEST_UNIT))
            aside = panel.width(width, free, half, maze)
            is_below, (room, side, foot) = _beside_or_below(free, aside, least, table_size, maze)
        cell, right = _cell(room, maze), width if is_below else width - aside
        if is_below:
            room = room._replace(height=min(room.height, cell * maze.height + 1.2 * unit))
        under = round(room.bottom + foot)
        place = (room.right, room.top, side, room.height) if side else (room.left, room.bottom, room.width, foot)
        below = Box(0, under + strip, width, round(bottom - message) - under - strip)
        return cls(
            width,
            height,
            unit,
            cell,
            round(room.left + (room.width - cell * maze.width) / 2),
            round(room.top + (room.height - cell * maze.height) / 2),
            room,
            bar=_bar(0, 0, width, top),
            chips=_bar(0, bottom, width, chips),
            timeline=_bar(0, height - line, width, line),
            panel=below if is_below else _bar(right, top, aside, bottom - top),
            words=_bar(room.left, under, room.width, strip),
            table=_bar(*place),
            message=_bar(0, bottom - message, right, message),
        )

    @classmethod
    def around(cls, cell: int, maze: Maze, agents: int, table: float = 0.0) -> Regions:
        """The regions of the smallest picture for cells of `cell` pixels and one chip per agent; no time line.

        A table of this height in units is below the board.
        """
        cell = max(MIN_CELL, cell // 2 * 2)
        unit = max(9.0, min(cell * 0.52, 30.0))
        top, chips, message, below = TOP * unit, CHIPS * unit, MESSAGE * unit, table * unit
        board = Box(0, round(top), cell * maze.width, cell * maze.height)
        width = round(max(board.width + 1.6 * unit, 30 * unit, (2 + 9.6 * agents) * unit)) // 2 * 2
        height = round(board.bottom + below + message + chips) // 2 * 2
        return cls(
            width,
            height,
            unit,
            cell,
            (width - cell * maze.width) // 2,
            round(top),
            Box(0, board.top, width, board.height),
            Box(0, 0, width, top),
            Box(0, height - chips, width, chips),
            NOWHERE,
            NOWHERE,
            table=Box(0, board.bottom, width, below) if below else NOWHERE,
            message=Box(0, height - chips - message, width, message),
        )

    def middle(self, x: float, y: float, rows: int) -> tuple[float, float]:
        """The pixel in the middle of the cell (x, y), in a maze with `rows` rows."""
        return self.left + (x + 0.5) * self.cell, self.top + (rows - 0.5 - y) * self.cell


def _cell(room: Box, maze: Maze) -> int:
    """The size of the largest cells with which the board fits into `room`."""
    return max(MIN_CELL, int(min(room.width / maze.width, room.height / maze.height)) // 2 * 2)


def _bar(left: float, top: float, width: float, height: float) -> Box:
    """The box; `NOWHERE` if it has no area."""
    return Box(left, top, width, height) if width and height else NOWHERE


def _beside_or_below(
    free: Box, aside: int, least: float, table: tuple[float, float], maze: Maze
) -> tuple[bool, tuple[Box, float, float]]:
    """True if a panel is below the board, because the cells are clearly larger then; and the room as `_with_table`."""
    beside = _with_table(free._replace(width=free.width - aside), table, maze)
    above = _with_table(free._replace(height=free.height - least), table, maze)
    is_below = _cell(above[0], maze) > LARGER * _cell(beside[0], maze)
    return is_below, above if is_below else beside


def _with_table(room: Box, table: tuple[float, float], maze: Maze) -> tuple[Box, float, float]:
    """The part of `room` for the board, the width of the table beside it, and the height of the table below it.

    One of the two numbers is 0: the board is larger then. Both are 0 if the smallest board has no space then.
    """
    places = [(room._replace(height=room.height - table[1]), 0.0, table[1])]
    places.append((room._replace(width=room.width - table[0]), table[0], 0.0))
    largest = max(places, key=lambda place: _cell(place[0], maze))
    has_space = min(largest[0].width / maze.width, largest[0].height / maze.height) >= MIN_CELL
    return largest if has_space else (room, 0.0, 0.0)


def small_text(width: int, height: int, *, is_part: bool = False) -> float:
    """The unit (the height of small text, in pixels) for a picture of that size."""
    across, down = (40, 28) if is_part else (56, 38)
    return max(9.0, min(width / across, height / down, 30.0))
