"""Where everything goes in a picture: the board, the bars around it, the time line and the panel beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pacman.core.layout import Maze

MIN_CELL = 6
TOP, CHIPS, TIMELINE = 3.7, 3.5, 2.5
"""Heights of the bars, in units."""
PANEL = 0.42
"""The part of the width that an open panel takes."""
LEAST_WITH_PANEL = 45
"""Units that a picture must be wide for a panel to have room."""


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom


NOWHERE = Box(0, 0, 0, 0)


@dataclass(frozen=True)
class Regions:
    """Measures in pixels. `unit` is the height of small text; a bar for which there is no room is `NOWHERE`.

    The board's cells are `cell` wide and begin at (`left`, `top`); `stage` is all the room that the board could take.
    """

    width: int
    height: int
    unit: float
    cell: int
    left: int
    top: int
    stage: Box
    bar: Box
    chips: Box
    timeline: Box
    panel: Box

    @classmethod
    def fit(cls, width: int, height: int, maze: Maze, *, timeline: bool = True, panel: bool = False) -> Regions:
        """The largest board that leaves room for the bars and the margins."""
        unit = small_text(width, height)
        has_bars = height >= 14 * unit and width >= 24 * unit
        top, chips = (TOP * unit, CHIPS * unit) if has_bars else (0.0, 0.0)
        line = TIMELINE * unit if has_bars and timeline and height >= 18 * unit else 0.0
        aside = round(PANEL * width) if panel and has_bars and width >= LEAST_WITH_PANEL * unit else 0
        margin = unit * (1.0 if has_bars else 0.2)
        room = Box(margin, top + 0.2 * margin, width - aside - 2 * margin, height - top - chips - line - 0.4 * margin)
        cell = max(MIN_CELL, int(min(room.width / maze.width, room.height / maze.height)) // 2 * 2)
        return cls(
            width,
            height,
            unit,
            cell,
            round(room.left + (room.width - cell * maze.width) / 2),
            round(room.top + (room.height - cell * maze.height) / 2),
            room,
            Box(0, 0, width, top) if top else NOWHERE,
            Box(0, height - line - chips, width, chips) if chips else NOWHERE,
            Box(0, height - line, width, line) if line else NOWHERE,
            Box(width - aside, top, aside, height - top - line - chips) if aside else NOWHERE,
        )

    @classmethod
    def around(cls, cell: int, maze: Maze, agents: int, below: float = 0.0) -> Regions:
        """The smallest picture for cells of that many pixels, and a chip for each agent; without a time line.

        The stage is as wide as the picture, and reaches `below` units further down than the board.
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
        """The pixel in the middle of a cell of a maze with so many rows."""
        return self.left + (x + 0.5) * self.cell, self.top + (rows - 0.5 - y) * self.cell


def small_text(width: int, height: int) -> float:
    """The unit for a picture of that size."""
    return max(9.0, min(width / 56, height / 38, 30.0))
