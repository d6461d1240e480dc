"""Where everything is in a picture: the board, the bars around it, the time line, and the panel at its side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pacman.core.layout import Maze

MIN_CELL = 6
TOP, CHIPS, TIMELINE = 3.7, 3.5, 2.5
"""Heights of the bars, in units."""
PANEL, LECTURE = 0.42, 0.58
"""The fraction of the width that an open panel takes beside the board: a tree as a list, and a drawn tree."""
BELOW, LECTURE_BELOW, LARGER = 0.36, 0.62, 1.5
"""The least fractions of the height that a panel takes below the board, where it is as wide as the picture; and how
much larger the cells must be there than with the panel beside the board, where a tree has more rows."""
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


@dataclass(frozen=True)
class Regions:
    """The regions of a picture, in pixels. `unit` is the height of small text.

    The cells of the board are `cell` wide and begin at (`left`, `top`); `board_area` is the area free for it.
    `words` is a strip below the board for sentences. A bar or panel without enough space is `NOWHERE`.
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

    @classmethod
    def fit(
        cls,
        width: int,
        height: int,
        maze: Maze,
        *,
        timeline: bool = True,
        panel: bool = False,
        lecture: bool = False,
        words: float = 0.0,
    ) -> Regions:
        """The regions of a picture of that size: the board is as large as the bars and margins allow.

        A panel is beside the board, or below it if the cells are clearly larger then. With `lecture` it is larger, for
        a drawn tree. `words` is the height of the strip for sentences, in units.
        """
        unit = small_text(width, height)
        has_bars = height >= 14 * unit and width >= 24 * unit
        top, chips = (TOP * unit, CHIPS * unit) if has_bars else (0.0, 0.0)
        line = TIMELINE * unit if has_bars and timeline and height >= 18 * unit else 0.0
        has_panel = panel and has_bars and width >= MIN_WIDTH_WITH_PANEL * unit
        margin = unit * (1.0 if has_bars else 0.2)
        bottom = height - chips - line
        strip = round(words * unit) if has_bars else 0
        free = Box(margin, top + 0.2 * margin, width - 2 * margin, bottom - top - strip - 0.4 * margin)
        aside = round((LECTURE if lecture else PANEL) * width)
        least = (LECTURE_BELOW if lecture else BELOW) * (bottom - top)
        least = max(least, LEAST_PANEL * min(unit, LARGEST_UNIT))
        beside = free._replace(width=free.width - aside)
        above = free._replace(height=free.height - least)
        is_below = has_panel and _cell(above, maze) > LARGER * _cell(beside, maze)
        room = above if is_below else beside if has_panel else free
        cell = _cell(room, maze)
        area = Box(width - aside, top, aside, bottom - top)
        if is_below:
            room = room._replace(height=min(free.height - least, cell * maze.height + 1.2 * unit))
            area = Box(0, round(room.bottom) + strip, width, round(bottom - room.bottom) - strip)
        return cls(
            width,
            height,
            unit,
            cell,
            round(room.left + (room.width - cell * maze.width) / 2),
            round(room.top + (room.height - cell * maze.height) / 2),
            room,
            Box(0, 0, width, top) if top else NOWHERE,
            Box(0, bottom, width, chips) if chips else NOWHERE,
            Box(0, height - line, width, line) if line else NOWHERE,
            area if has_panel else NOWHERE,
            Box(room.left, round(room.bottom), room.width, strip) if strip else NOWHERE,
        )

    @classmethod
    def around(cls, cell: int, maze: Maze, agents: int, below: float = 0.0) -> Regions:
        """The regions of the smallest picture for cells of `cell` pixels and one chip per agent; no time line.

        The board area is as wide as the picture, and ends `below` units under the board.
        """
        cell = max(MIN_CELL, cell // 2 * 2)
        unit = max(9.0, min(cell * 0.52, 30.0))
        top, chips = TOP * unit, CHIPS * unit
        board = Box(0, round(top), cell * maze.width, cell * maze.height)
        width = round(max(board.width + 1.6 * unit, 30 * unit, (2 + 9.6 * agents) * unit)) // 2 * 2
        height = round(board.height + below * unit + top + chips) // 2 * 2
        left = (width - cell * maze.width) // 2
        return cls(
            width,
            height,
            unit,
            cell,
            left,
            round(top),
            Box(0, board.top, width, board.height + below * unit),
            Box(0, 0, width, top),
            Box(0, height - chips, width, chips),
            NOWHERE,
            NOWHERE,
        )

    def middle(self, x: float, y: float, rows: int) -> tuple[float, float]:
        """The pixel in the middle of the cell (x, y), in a maze with `rows` rows."""
        return self.left + (x + 0.5) * self.cell, self.top + (rows - 0.5 - y) * self.cell


def _cell(room: Box, maze: Maze) -> int:
    """The size of the largest cells with which the board fits into `room`."""
    return max(MIN_CELL, int(min(room.width / maze.width, room.height / maze.height)) // 2 * 2)


def small_text(width: int, height: int) -> float:
    """The unit (the height of small text, in pixels) for a picture of that size."""
    return max(9.0, min(width / 56, height / 38, 30.0))
