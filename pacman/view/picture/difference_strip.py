"""A strip above the time line of several games: a mark at each ply at which their Pacmen chose different actions."""

from __future__ import annotations

from pacman.view.picture.canvas import Canvas
from pacman.view.picture.screen_regions import Box
from pacman.view.picture.status_bars import clipped
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.theme import Theme, blend

STRIP = 1.9
"""The height of the strip, in units."""


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
