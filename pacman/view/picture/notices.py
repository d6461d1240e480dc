"""Notices over the picture: the result, READY and PAUSED, the help panel, and messages that disappear after a while.

A notice has the free place nearest to where it should be, so that it hides no agent.
"""

from __future__ import annotations

from collections.abc import Sequence

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.placement import agent_boxes, board_box, free_box
from pacman.view.picture.screen_regions import Box, Regions
from pacman.view.picture.status_bars import clipped, draw_panel, signed_text
from pacman.view.picture.visible_state import VisibleState
from pacman.view.theme import Colour, Theme


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


def draw_banner(canvas: Canvas, regions: Regions, visible: VisibleState, theme: Theme) -> Box:
    """Draws the result of the game in the middle of the board; returns its box."""
    title, below = ending(visible)
    colour = theme.good if title == "WIN" else theme.bad if title == "LOST" else theme.text
    return draw_notice(canvas, regions, visible, theme, (title, below, visible.status.hint), colour)


def draw_notice(
    canvas: Canvas,
    regions: Regions,
    visible: VisibleState,
    theme: Theme,
    words: tuple[str, str, str],
    colour: Colour,
) -> Box:
    """Draws a title, a line and a hint (each can be "") on a panel with a rim of this colour; returns its box.

    Where no place is free for three lines, all words are in one line; where none is free for that, it is over the bar
    below the board.
    """
    unit, area, board = regions.unit, regions.board_area, board_box(regions, visible)
    title, below, hint = words
    size = 1.7 * unit
    below = clipped(below, size, area.width - 6 * unit)
    width = max(text_width(title, 4.6 * unit), text_width(below, size), text_width(hint, 1.35 * unit)) + 5 * unit
    height = (9.4 if hint else 8) * unit
    agents = agent_boxes(visible, regions)[: 1 if visible.after.is_win else None]  # after a win the ghosts are gone
    middle_x, middle_y = board.left + board.width / 2, board.top + board.height / 2
    box = free_box(Box(middle_x - width / 2, middle_y - height / 2, width, height), area, agents)
    edge = max(2, round(0.14 * unit))
    if box is not None:
        draw_panel(canvas, box, 1.3 * unit, edge, (theme.panel, colour))
        x, y = box.left + width / 2, box.top + height / 2 - (0.7 * unit if hint else 0.0)
        if hint:
            canvas.text(hint, x, y + 3.9 * unit, 1.35 * unit, theme.muted, 0.5)
        canvas.text(title, x, y - 1.15 * unit, 4.6 * unit, colour, 0.5)
        canvas.text(below, x, y + 1.9 * unit, size, theme.text, 0.5)
        return box
    below = clipped(below, 1.5 * unit, area.width - text_width(title, 2.2 * unit) - 4 * unit)
    first = text_width(title, 2.2 * unit) + unit
    width, height = first + text_width(below, 1.5 * unit) + 2.4 * unit, 2.7 * unit
    wish = Box(middle_x - width / 2, middle_y - height / 2, width, height)
    box = free_box(wish, area, agents) or _over_chips(wish, regions)
    draw_panel(canvas, box, 1.1 * unit, edge, (theme.panel, colour))
    x, y = box.left + 1.2 * unit, box.top + height / 2
    canvas.text(title, x, y, 2.2 * unit, colour)
    canvas.text(below, x + first, y, 1.5 * unit, theme.text)
    return box


def _over_chips(wish: Box, regions: Regions) -> Box:
    """A box of this size in the bar below the board; without a bar, at the bottom of the picture."""
    bar = regions.chips if regions.chips.height else regions.board_area
    return wish._replace(top=bar.bottom - max(bar.height / 2 + wish.height / 2, wish.height))


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


def draw_toast(canvas: Canvas, area: Box, unit: float, text: str, theme: Theme, obstacles: Sequence[Box] = ()) -> Box:
    """Draws a short message at the bottom of `area`, or at the nearest place without an obstacle; returns its box.

    Where the message does not fit, it gets smaller letters; where it does not fit then either, it is cut.
    """
    room = area.width - 5 * unit
    size = next((size for size in (1.5 * unit, 1.3 * unit) if text_width(text, size) <= room), 1.15 * unit)
    text = clipped(text, size, room)
    width, height = text_width(text, size) + 2.4 * unit, 2.4 * unit
    wish = Box(area.left + (area.width - width) / 2, area.bottom - height - 0.4 * unit, width, height)
    box = free_box(wish, area, obstacles) or wish
    draw_panel(canvas, box, 1.1 * unit, 2, (theme.panel, theme.muted))
    canvas.text(text, box.left + width / 2, box.top + height / 2, size, theme.text, 0.5)
    return box
