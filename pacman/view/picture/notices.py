"""Messages below the board: the result, READY and PAUSED, and texts that disappear after a while; and the help panel.

A message has a strip of its own, so that it covers nothing that a viewer looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.screen_regions import Box
from pacman.view.picture.status_bars import SMALL, clipped, draw_panel, signed_text
from pacman.view.picture.visible_state import VisibleState
from pacman.view.theme import Colour, Theme

TITLE, GAP = 2.1, 1.4
"""The size of a title, and the distance from it to the text, in units."""


@dataclass(frozen=True)
class Message:
    """A text for the viewer; before it a title in a `colour`, and after it a hint, if they are not ""."""

    text: str
    title: str = ""
    hint: str = ""
    colour: Colour | None = None


def ending(visible: VisibleState) -> tuple[str, str]:
    """How the game ended: a title (WIN, LOST, STOPPED), and a text."""
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


def end_message(visible: VisibleState, theme: Theme) -> Message:
    """The message about how the game ended, with the keys that go on from there."""
    title, below = ending(visible)
    colour = theme.good if title == "WIN" else theme.bad if title == "LOST" else theme.text
    return Message(below, title, visible.status.hint, colour)


def draw_message(canvas: Canvas, box: Box, unit: float, message: Message, theme: Theme) -> None:
    """Draws a message in the middle of `box`, on a plate; nothing if the picture is too small to have a box for it.

    A message that is too long loses its hint, then gets smaller letters, then is cut.
    """
    room = box.width - 4 * unit
    if room <= 0 or not box.height:
        return
    title_width = text_width(message.title, TITLE * unit) + GAP * unit if message.title else 0.0
    for hint, scale in ((message.hint, 1.5), ("", 1.5), ("", 1.3), ("", 1.15)):
        size = scale * unit
        hint_width = text_width(hint, SMALL * unit) + 1.5 * GAP * unit if hint else 0.0
        width = title_width + text_width(message.text, size) + hint_width
        if width <= room:
            break
    text = clipped(message.text, size, room - title_width)
    width = title_width + text_width(text, size) + hint_width
    left, y = box.left + (box.width - width) / 2, box.top + box.height / 2
    plate = Box(left - 1.2 * unit, box.top + 0.2 * unit, width + 2.4 * unit, box.height - 0.4 * unit)
    draw_panel(canvas, plate, 1.0 * unit, max(2, round(0.12 * unit)), (theme.panel, message.colour or theme.muted))
    if message.title:
        canvas.text(message.title, left, y, TITLE * unit, theme.readable(message.colour or theme.text, theme.panel))
    canvas.text(text, left + title_width, y, size, theme.text)
    if hint:
        canvas.text(hint, left + width, y, SMALL * unit, theme.muted, 1.0)


def draw_help_panel(canvas: Canvas, unit: float, keys: Sequence[tuple[str, str]], theme: Theme) -> None:
    """Draws the keys and their descriptions in the middle, in two columns, or in one if the picture is narrow."""
    columns = 2 if len(keys) > 8 and canvas.width > 54 * unit else 1
    rows = -(-len(keys) // columns)
    unit = min(unit, canvas.height / (2.2 * rows + 4))
    parts = [keys[column * rows : (column + 1) * rows] for column in range(columns)]
    widest = _help_widths(parts, unit)[2]
    unit = min(unit, 0.98 * unit * canvas.width / widest)
    size, row, gap = 1.5 * unit, 2.2 * unit, 3.5 * unit
    firsts, seconds, width = _help_widths(parts, unit)
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


def _help_widths(parts: Sequence[Sequence[tuple[str, str]]], unit: float) -> tuple[list[float], list[float], float]:
    """The widths of the keys and of the descriptions in each column of the help panel, and of the whole panel."""
    size = 1.5 * unit
    firsts = [float(max(text_width(key, size) for key, _ in part)) for part in parts]
    seconds = [float(max(text_width(description, size) for _, description in part)) for part in parts]
    return firsts, seconds, sum(firsts) + sum(seconds) + (5.1 * len(parts) + 1.5) * unit
