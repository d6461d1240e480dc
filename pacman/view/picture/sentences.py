"""Sentences in a strip of the picture: as large as they fit, on as many lines as they need."""

from __future__ import annotations

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.screen_regions import Box
from pacman.view.picture.status_bars import clipped
from pacman.view.theme import Colour, Theme

HEIGHT = 6.2
"""The height of the strip, in units."""
SIZES = (1.9, 1.7, 1.5, 1.35, 1.2, 1.05)
"""The sizes of the text, in units; the largest that fits is used."""
LINE = 1.12
"""The distance of two lines, in parts of the text size."""


def draw_sentences(canvas: Canvas, box: Box, unit: float, words: str, theme: Theme) -> None:
    """Draws the words in the middle of `box`; if even the smallest size is too large, they end with "…"."""
    room = box.width - unit
    for scale in SIZES:
        size = scale * unit
        lines = wrapped_lines(words, size, room)
        fitting = max(1, int(box.height / (LINE * size)))
        if len(lines) <= fitting:
            break
    else:
        lines = [*lines[: fitting - 1], clipped(" ".join(lines[fitting - 1 :]), size, room)]
    width = max(text_width(line, size) for line in lines)
    left = box.left + (box.width - width) / 2
    for index, line in enumerate(lines):
        y = box.top + box.height / 2 + (index - (len(lines) - 1) / 2) * LINE * size
        canvas.text(line, left, y, size, theme.text)


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
