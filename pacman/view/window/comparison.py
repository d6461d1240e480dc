"""Several games in one window: where each is, their time line, where their choices differ, and one open tree."""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.layout import Maze
from pacman.picture.canvas import Canvas
from pacman.picture.colours import Theme, blend
from pacman.picture.moment import Status
from pacman.picture.notices import Message, draw_message
from pacman.picture.screen_regions import MESSAGE, NOWHERE, TIMELINE, Box, Regions
from pacman.picture.status_bars import clipped
from pacman.picture.timeline_bar import TimelineBar
from pacman.play.series import differences
from pacman.view.window.pane import Pane

STRIP = 1.9
"""The height of the strip, in units."""


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
        cells = [
            Regions.fit(width // columns, height // rows, maze, timeline=False, is_part=True).cell for maze in mazes
        ]
        return min(cells), -(columns * rows - count), -rows

    columns = max(range(1, count + 1), key=merit)
    across, down = width // columns, height // -(-count // columns)
    return [Box(number % columns * across, number // columns * down, across, down) for number in range(count)]


def draw_comparison(
    canvas: Canvas,
    panes: Sequence[Pane],
    boxes: Sequence[Box],
    panel: Box,
    unit: float,
    theme: Theme,
    status: Status,
    message: Message | None,
) -> Box:
    """Draws what is around the games in `boxes`; returns the box of the time line, `NOWHERE` without one.

    `status` is for all games together, and `message` is below them. An open tree is in the box `panel`.
    """
    bottom = round(panel.bottom)
    thick = max(1, round(0.12 * unit))
    for box in boxes:
        if box.left:
            canvas.box(box.left - thick / 2, box.top + unit, thick, box.height - 2 * unit, theme.panel)
        if box.top:
            canvas.box(box.left + unit, box.top - thick / 2, box.width - 2 * unit, thick, theme.panel)
    for pane, box in zip(panes, boxes, strict=True):
        if pane.search and pane.search.is_open:
            pane.search.panel.draw(canvas, panel, unit)
            frame = theme.readable(theme.pacman, theme.background)
            for edge in (box._replace(width=thick), box._replace(left=box.right - thick, width=thick)):
                canvas.box(*edge, frame)
            for edge in (box._replace(height=thick), box._replace(top=box.bottom - thick, height=thick)):
                canvas.box(*edge, frame)
    line = NOWHERE
    if bottom < canvas.height:
        line = Box(0, canvas.height - TIMELINE * unit, canvas.width, TIMELINE * unit)
        bar = TimelineBar(line, unit)
        bar.draw(canvas, status, theme)
        plies = differences([pane.timeline.plies for pane in panes])
        first = plies[0] // len(panes[0].game.start.layers) + 1 if plies else 0
        draw_differences(canvas, bar, plies, status.ply_count, first, theme)
        if message is not None:
            top = line.top - (STRIP + MESSAGE) * unit
            draw_message(canvas, Box(0, top, canvas.width, MESSAGE * unit), unit, message, theme)
    return line


def draw_differences(
    canvas: Canvas, bar: TimelineBar, plies: tuple[int, ...], ply_count: int, round_of_first: int, theme: Theme
) -> None:
    """Draws the strip above `bar`, with the same pixels for the same plies. `plies` are the marks."""
    unit, slider = bar.unit, bar.slider
    top, height = bar.box.top - STRIP * unit, STRIP * unit
    middle, size = top + height / 2, 1.35 * unit
    canvas.box(slider.left, middle - 0.42 * unit, slider.width, 0.84 * unit, blend(theme.background, theme.muted, 0.16))
    for number, ply in enumerate(plies):
        x = round(bar.pixel(ply, ply_count))
        width = 3 if number else max(4, round(0.3 * unit))
        colour = blend(theme.background, theme.text, 0.55) if number else theme.readable(theme.pacman, theme.background)
        canvas.box(
            x - width // 2, middle - (0.42 if number else 0.7) * unit, width, (0.84 if number else 1.4) * unit, colour
        )
    left = bar.box.left + 0.9 * unit
    canvas.text(clipped("choices differ", size, slider.left - left - 0.6 * unit), left, middle, size, theme.muted)
    text = f"first: round {round_of_first}" if plies else "the same so far"
    right = bar.box.right - 1.6 * unit
    canvas.text(clipped(text, size, right - slider.right), right, middle, size, theme.text, 1.0)


def strip_box(bar: TimelineBar) -> Box:
    """The box of the strip above `bar`."""
    return Box(bar.box.left, bar.box.top - STRIP * bar.unit, bar.box.width, STRIP * bar.unit)
