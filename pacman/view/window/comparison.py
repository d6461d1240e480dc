"""What several games in one window have in common: their time line, where their choices differ, and one open tree."""

from __future__ import annotations

from collections.abc import Sequence

from pacman.view.picture.canvas import Canvas
from pacman.view.picture.difference_strip import STRIP, draw_differences
from pacman.view.picture.notices import Message, draw_message
from pacman.view.picture.screen_regions import MESSAGE, NOWHERE, TIMELINE, Box
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.picture.visible_state import Status
from pacman.view.theme import Theme
from pacman.view.window.grid import differences
from pacman.view.window.pane import Pane


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
