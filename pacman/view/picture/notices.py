"""Notices over the picture: the result of the game, the help panel, and messages that disappear after a while."""

from __future__ import annotations

from collections.abc import Sequence

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.screen_regions import Box
from pacman.view.picture.status_bars import clipped, draw_panel, signed_text
from pacman.view.picture.visible_state import VisibleState
from pacman.view.theme import Theme


def ending(visible: VisibleState) -> tuple[str, str]:
    """The title of the banner (WIN, LOST, STOPPED), and the line below it."""
    result, state = visible.result, visible.after
    below = f"score {signed_text(state.score)}  ·  {ply_text(visible.plies)}"
    if state.is_win:
        return "WIN", below
    if state.is_lose:
        return "LOST", below
    if result is not None and result.fault is not None:
        return "STOPPED", str(result.fault)
    return "STOPPED", f"{below}  ·  ply limit reached"


def ply_text(plies: int) -> str:
    """A number of plies with its unit.

    >>> ply_text(1), ply_text(22)
    ('1 ply', '22 plies')
    """
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def draw_banner(
    canvas: Canvas, x: float, board: tuple[float, float, float], unit: float, visible: VisibleState, theme: Theme
) -> None:
    """Draws the banner over the half of the board without Pacman, or over the middle if a half is too small.

    `board` has three heights in pixels: the top of the board, its bottom, and Pacman.
    """
    title, below = ending(visible)
    colour = theme.good if title == "WIN" else theme.bad if title == "LOST" else theme.text
    size = 1.7 * unit
    below = clipped(below, size, canvas.width - 6 * unit)
    width = max(text_width(title, 4.6 * unit), text_width(below, size)) + 5 * unit
    height = (9.4 if visible.status.hint else 8) * unit
    begin, end, pacman = board
    y = (begin + end) / 2
    if (end - begin) / 2 > height:
        y += (end - begin) / 4 * (1 if pacman < y else -1)
    edge = max(2, round(0.14 * unit))
    draw_panel(canvas, Box(x - width / 2, y - height / 2, width, height), 1.3 * unit, edge, (theme.panel, colour))
    if visible.status.hint:
        y -= 0.7 * unit  # the three lines are centred
        canvas.text(visible.status.hint, x, y + 3.9 * unit, 1.35 * unit, theme.muted, 0.5)
    canvas.text(title, x, y - 1.15 * unit, 4.6 * unit, colour, 0.5)
    canvas.text(below, x, y + 1.9 * unit, size, theme.text, 0.5)


def draw_help_panel(canvas: Canvas, unit: float, keys: Sequence[tuple[str, str]], theme: Theme) -> None:
    """Draws the keys and their descriptions in the middle, in two columns, or in one if the picture is narrow."""
    columns = 2 if len(keys) > 8 and canvas.width > 54 * unit else 1
    rows = -(-len(keys) // columns)
    unit = min(unit, canvas.height / (2.1 * rows + 5), canvas.width / (27 * columns))
    size, row, gap = 1.5 * unit, 2.2 * unit, 3.5 * unit
    parts = [keys[column * rows : (column + 1) * rows] for column in range(columns)]
    firsts = [max(text_width(key, size) for key, _ in part) for part in parts]
    seconds = [max(text_width(description, size) for _, description in part) for part in parts]
    width = sum(firsts) + sum(seconds) + columns * 1.6 * unit + (columns - 1) * gap + 5 * unit
    height = row * rows + 3 * unit
    left, top = (canvas.width - width) / 2, (canvas.height - height) / 2
    draw_panel(canvas, Box(left, top, width, height), 1.2 * unit, 2, (theme.panel, theme.wall_edge))
    x = left + 2.5 * unit
    for part, first, second in zip(parts, firsts, seconds, strict=True):
        for line, (key, description) in enumerate(part):
            y = top + 1.5 * unit + row * (line + 0.5)
            canvas.text(key, x + first, y, size, theme.readable(theme.pacman, theme.panel), 1.0)
            canvas.text(description, x + first + 1.6 * unit, y, size, theme.text)
        x += first + second + 1.6 * unit + gap


def draw_toast(canvas: Canvas, board_area: Box, unit: float, text: str, theme: Theme) -> None:
    """Draws a short message over the bottom of `board_area`."""
    size, x, bottom = 1.5 * unit, board_area.left + board_area.width / 2, board_area.bottom
    text = clipped(text, size, canvas.width - 5 * unit)
    width = text_width(text, size) + 2.4 * unit
    draw_panel(
        canvas, Box(x - width / 2, bottom - 2.8 * unit, width, 2.4 * unit), 1.1 * unit, 2, (theme.panel, theme.muted)
    )
    canvas.text(text, x, bottom - 1.6 * unit, size, theme.text, 0.5)
