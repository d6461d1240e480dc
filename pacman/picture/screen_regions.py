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


LIST, LECTURE = PanelShape(0.42, 0.36), PanelShape(0.58, 0.62, takes_rest=True)
"""A tree as a list, and a tree in large type."""


@dataclass(frozen=True)
class Regions:
    """The regions of a picture, in pixels. `unit` is the height of small text.

    The cells of the board are `cell` wide and begin at (`left`, `top`); `board_area` is the area free for it.
    `words` is a strip below the board for sentences and tables, and `message` is the strip for messages. A bar or panel
    without enough space has no area.
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
    message: Box
    panel: Box = NOWHERE
    words: Box = NOWHERE

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
        is_part: bool = False,
    ) -> Regions:
        """The regions of a picture of that size: the board is as large as the bars and margins allow.

        A `panel` is beside the board, or below it if the cells are clearly larger then. The cells are at least half as
        large as without a panel, if the panel has enough space then. `words` is the height of the strip for sentences,
        in units. If the picture `is_part` of a larger one, its text is larger for its size, so that it can be read.
        """
        unit = small_text(width, height, is_part=is_part)
        has_bars = height >= 14 * unit and width >= 24 * unit
        bars = _bars(width, height, unit if has_bars else 0.0, timeline and height >= 18 * unit)
        top, bottom, margin = bars["bar"].height, bars["chips"].top, unit * (1.0 if has_bars else 0.2)
        inside, strip = bottom - top - bars["message"].height, round(words * unit) if has_bars else 0
        free = Box(margin, top + 0.2 * margin, width - 2 * margin, inside - 0.4 * margin)
        half = (_cell(free, maze) + 3) // 4 * 2
        free = free._replace(height=free.height - strip)
        room, aside, is_below = free, 0, False
        if panel and has_bars and width >= MIN_WIDTH_WITH_PANEL * unit:
            # The board needs cells of half the usual size; if the panel takes the rest, a high board leaves it more.
            rest = free.width - half * 2 * maze.width if panel.takes_rest else 0.0
            widest = max(int(free.width - half * maze.width), round(LEAST_ASIDE * width))
            aside = min(max(round(panel.beside * width), int(rest)), widest)
            most = free.height - half * maze.height
            least = max(min(panel.below * inside, most), LEAST_PANEL * min(unit, LARGEST_UNIT))
            beside, below = free._replace(width=free.width - aside), free._replace(height=free.height - least)
            is_below = _cell(below, maze) > LARGER * _cell(beside, maze)
            room = below if is_below else beside
        cell, right = _cell(room, maze), width if is_below else width - aside
        if is_below:
            room = room._replace(height=min(room.height, cell * maze.height + 1.2 * unit))
        under, message = round(room.bottom), bars["message"]._replace(width=right)
        foot_panel = Box(0, under + strip, width, round(message.top) - under - strip)
        return cls(
            width,
            height,
            unit,
            cell,
            round(room.left + (room.width - cell * maze.width) / 2),
            round(room.top + (room.height - cell * maze.height) / 2),
            room,
            **bars | {"message": message},
            panel=foot_panel if is_below else Box(right, top, aside, bottom - top),
            words=Box(room.left, under, room.width, strip),
        )

    @classmethod
    def around(cls, cell: int, maze: Maze, agents: int, words: float = 0.0) -> Regions:
        """The regions of the smallest picture for cells of `cell` pixels and one chip per agent; no time line.

        `words` is the height of the strip below the board, in units.
        """
        cell = max(MIN_CELL, cell // 2 * 2)
        unit = max(9.0, min(cell * 0.52, 30.0))
        across, down, top = cell * maze.width, cell * maze.height, round(TOP * unit)
        width = round(max(across + 1.6 * unit, 30 * unit, (2 + 9.6 * agents) * unit)) // 2 * 2
        height = round(top + down + (words + MESSAGE + CHIPS) * unit) // 2 * 2
        strip = Box(0, top + down, width, words * unit)
        area = Box(0, top, width, down)
        bars = _bars(width, height, unit, has_timeline=False)
        return cls(width, height, unit, cell, (width - across) // 2, top, area, **bars, words=strip)

    def middle(self, x: float, y: float, rows: int) -> tuple[float, float]:
        """The pixel in the middle of the cell (x, y), in a maze with `rows` rows."""
        return self.left + (x + 0.5) * self.cell, self.top + (rows - 0.5 - y) * self.cell


def _bars(width: int, height: int, unit: float, has_timeline: bool) -> dict[str, Box]:
    """The bars around the board, by their names; with the unit 0 they have no area."""
    line = TIMELINE * unit * has_timeline
    bottom = height - CHIPS * unit - line
    return {
        "bar": Box(0, 0, width, TOP * unit),
        "chips": Box(0, bottom, width, CHIPS * unit),
        "timeline": Box(0, height - line, width, line),
        "message": Box(0, bottom - MESSAGE * unit, width, MESSAGE * unit),
    }


def _cell(room: Box, maze: Maze) -> int:
    """The size of the largest cells with which the board fits into `room`."""
    return max(MIN_CELL, int(min(room.width / maze.width, room.height / maze.height)) // 2 * 2)


def small_text(width: int, height: int, *, is_part: bool = False) -> float:
    """The unit (the height of small text, in pixels) for a picture of that size."""
    across, down = (40, 28) if is_part else (56, 38)
    return max(9.0, min(width / across, height / down, 30.0))
