"""Where several games are in one window: the grid with the largest cells."""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.layout import Maze
from pacman.view.picture.screen_regions import Box, Regions


def grid(width: int, height: int, mazes: Sequence[Maze]) -> list[Box]:
    """One box for each maze, side by side and below each other, so that the smallest cell is as large as possible.

    On a tie the grid with fewer empty places wins, then the one with fewer rows.

    >>> maze = Maze.of(["%%%%%%%%%%%%%%%%%%%%", "%                  %", "%%%%%%%%%%%%%%%%%%%%"])
    >>> [(box.left, box.top) for box in grid(1200, 800, [maze, maze])]
    [(0, 0), (0, 400)]
    """
    count = len(mazes)

    def merit(columns: int) -> tuple[int, int, int]:
        rows = -(-count // columns)
        cells = [Regions.fit(width // columns, height // rows, maze, timeline=False).cell for maze in mazes]
        return min(cells), -(columns * rows - count), -rows

    columns = max(range(1, count + 1), key=merit)
    across, down = width // columns, height // -(-count // columns)
    return [Box(number % columns * across, number // columns * down, across, down) for number in range(count)]
