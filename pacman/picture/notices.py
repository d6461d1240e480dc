"""Messages below the board: the result, READY and PAUSED, and texts that disappear after a while; sentences; the help.

Messages and sentences have strips of their own, so that they cover nothing that a viewer looks at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pacman.core.errors import counted
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Colour, Theme
from pacman.picture.moment import VisibleState, ending
from pacman.picture.screen_regions import Box
from pacman.picture.status_bars import SMALL, clipped, draw_panel, signed_text

TITLE, GAP, ROW = 2.1, 1.4, 2.2
"""The size of a title, the distance from it to the text, and the height of a row of keys, in units."""
LEAST_SCALE = 0.8
"""The help has pages if its text would be smaller than this part of its size."""
SENTENCES_HEIGHT = 6.2
"""The height of the strip for sentences, in units."""
SENTENCE_SIZES = (1.9, 1.7, 1.5, 1.35, 1.2, 1.05)
"""The sizes of sentences, in units; the largest that fits is used."""
MESSAGE_SIZES = (1.5, 1.3, 1.15, 1.07)
"""The sizes of a message, in units; the last one has space for two lines."""
LEAST_TEXT = 14
"""The least width of a message's text beside its keys, in units."""
LINE = 1.12
"""The distance of two lines, in parts of the text size."""


@dataclass(frozen=True)
class Message:
    """A text for the viewer; before it a title in a `colour`, and after it a hint, if they are not ""."""

    text: str
    title: str = ""
    hint: str = ""
    colour: Colour | None = None


def end_message(visible: VisibleState, theme: Theme) -> Message:
    """The message about how the game ended, with the keys that go on from there."""
    state, result = visible.after, visible.result
    title, reason = ending(state, result)
    score = f"score {signed_text(state.score)}  ·  {counted(visible.plies, 'ply')}"
    text = reason if reason and result and result.fault else "  ·  ".join(filter(None, (score, reason)))
    colour = theme.good if state.is_win else theme.bad if state.is_lose else theme.text
    return Message(text, title, visible.status.hint, colour)


def draw_message(canvas: Canvas, box: Box, unit: float, message: Message, theme: Theme) -> None:
    """Draws a message in the middle of `box`, on a plate; nothing if the picture is too small to have a box for it.

    A long text gets smaller letters, then two lines, then is cut; its keys stay, unless they leave it little room.
    """
    title_width = text_width(message.title, TITLE * unit) + GAP * unit if message.title else 0.0
    hint_width = text_width(message.hint, SMALL * unit) + 1.5 * GAP * unit if message.hint else 0.0
    room = box.width - 4 * unit - title_width
    if room - hint_width < LEAST_TEXT * unit:
        hint_width = 0.0
    if room <= 0 or not box.height:
        return
    size, lines = fit_text(message.text, [scale * unit for scale in MESSAGE_SIZES], room - hint_width, 2.4 * unit)
    width = title_width + max(text_width(line, size) for line in lines) + hint_width
    left, y = box.left + (box.width - width) / 2, box.top + box.height / 2
    plate = Box(left - 1.2 * unit, box.top + 0.2 * unit, width + 2.4 * unit, box.height - 0.4 * unit)
    draw_panel(canvas, plate, 1.0 * unit, max(2, round(0.12 * unit)), (theme.panel, message.colour or theme.muted))
    if message.title:
        canvas.text(message.title, left, y, TITLE * unit, theme.readable(message.colour or theme.text, theme.panel))
    for index, line in enumerate(lines):
        canvas.text(line, left + title_width, y + (index - (len(lines) - 1) / 2) * LINE * size, size, theme.text)
    if hint_width:
        canvas.text(message.hint, left + width, y, SMALL * unit, theme.muted, 1.0)


Keys = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""Groups of keys: the name of each, with its rows (keys, description)."""


def help_pages(canvas: Canvas, unit: float, groups: Mapping[str, Sequence[tuple[str, str]]]) -> list[Keys]:
    """The groups as the pages of the help: one page, or a page for each group in a window that is too small for all."""
    every = list(groups.items())
    if max(_help_scales(canvas, unit, every)) >= LEAST_SCALE:
        return [every]
    count = len(every)
    return [[(f"{name}  (page {page} of {count}, H: next)", rows)] for page, (name, rows) in enumerate(every, 1)]


def _help_scales(canvas: Canvas, unit: float, groups: Keys) -> list[float]:
    """How much the help must be made smaller to fit, with the groups side by side and below each other."""
    sizes = _help_size(groups, unit), _help_size(groups, unit, is_high=True)
    return [min(1.0, 0.96 * canvas.width / size[0], 0.96 * canvas.height / size[1]) for size in sizes]


def draw_help_panel(canvas: Canvas, unit: float, columns: Keys, theme: Theme) -> None:
    """Draws the keys and their descriptions in the middle: the groups side by side, or below each other if narrow."""
    scales = _help_scales(canvas, unit, columns)
    is_high = scales[1] > scales[0]
    unit *= scales[is_high]
    firsts, width, height = _help_columns(columns, unit), *_help_size(columns, unit, is_high)
    left, top = (canvas.width - width) / 2, (canvas.height - height) / 2
    draw_panel(canvas, Box(left, top, width, height), 1.2 * unit, 2, (theme.panel, theme.wall_edge))
    size, x, y = 1.5 * unit, left + 2 * unit, top + 1.2 * unit + ROW * unit / 2
    first = max(each[0] for each in firsts)
    for (group, rows), (own, second) in zip(columns, firsts, strict=True):
        keys_end = x + (first if is_high else own)
        canvas.text(group, keys_end + 1.2 * unit, y, SMALL * unit, theme.muted)
        for line, (key, description) in enumerate(rows, 1):
            canvas.text(key, keys_end, y + ROW * line * unit, size, theme.readable(theme.pacman, theme.panel), 1.0)
            canvas.text(description, keys_end + 1.2 * unit, y + ROW * line * unit, size, theme.text)
        if is_high:
            y += ROW * (len(rows) + 1) * unit
        else:
            x += own + second + 3.2 * unit


def _help_columns(groups: Keys, unit: float) -> list[tuple[float, float]]:
    """The widths of the keys and of the descriptions of each group."""
    size = 1.5 * unit
    return [
        tuple(float(max(text_width(row[part], size) for row in rows)) for part in (0, 1))  # type: ignore[misc]
        for _, rows in groups
    ]


def _help_size(groups: Keys, unit: float, is_high: bool = False) -> tuple[float, float]:
    """The width and the height of the help panel, with the groups side by side or below each other."""
    widths, lines = _help_columns(groups, unit), [len(rows) + 1 for _, rows in groups]
    if is_high:
        firsts, seconds = zip(*widths, strict=True)
        return max(firsts) + max(seconds) + 5.2 * unit, (ROW * sum(lines) + 2.4) * unit
    return sum(map(sum, widths)) + (3.2 * len(widths) + 2) * unit, (ROW * max(lines) + 2.4) * unit


# ---- sentences: as large as they fit, on as many lines as they need


def draw_sentences(canvas: Canvas, box: Box, unit: float, words: str, theme: Theme) -> None:
    """Draws the words in the middle of `box`; if even the smallest size is too large, they end with "…"."""
    size, lines = fit_text(words, [scale * unit for scale in SENTENCE_SIZES], box.width - unit, box.height)
    width = max(text_width(line, size) for line in lines)
    left = box.left + (box.width - width) / 2
    for index, line in enumerate(lines):
        y = box.top + box.height / 2 + (index - (len(lines) - 1) / 2) * LINE * size
        canvas.text(line, left, y, size, theme.text)


def fit_text(words: str, sizes: Sequence[float], room: float, height: float) -> tuple[float, list[str]]:
    """The first of `sizes` in which the words fit, and their lines; in the last size they are cut, with "…" at the end.

    The lines are at most `room` pixels wide, and together at most `height` pixels high.
    """
    for size in sizes:
        lines = [words] if text_width(words, size) <= room else wrapped_lines(words, size, room)
        most = max(1, int(height / (LINE * size)))
        if len(lines) <= most:
            break
    else:
        lines = [*lines[: most - 1], clipped(" ".join(lines[most - 1 :]), size, room)]
    return size, lines


def wrapped_lines(words: str, size: float, room: float) -> list[str]:
    """The text as lines of at most `room` pixels, broken at spaces; a word that is too long is split."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= room:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size) > room:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line] or [""]


def write_words(canvas: Canvas, line: str, x: float, y: float, size: float, colour: Colour) -> None:
    """Writes a line word by word: words come again and are kept as pictures, numbers are new and are spelled."""
    index = 0
    for word in line.split(" "):
        if word:
            write = canvas.spell if any(letter.isdigit() for letter in word) else canvas.text
            write(word, x + (text_width(line[:index], size) if index else 0), y, size, colour)
        index += len(word) + 1
