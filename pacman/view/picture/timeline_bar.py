"""The time line: buttons to step with, and a track to scrub on, whose marks show where points were won and lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pacman.view.picture.canvas import Canvas, text_width
from pacman.view.picture.regions import Box
from pacman.view.picture.snapshot import Status
from pacman.view.theme import Colour, Theme, blend

BUTTONS = ("back round", "back", "play", "step", "step round")
BUTTON = 2.1
"""How wide one is, in units."""


@dataclass(frozen=True)
class TimelineBar:
    """Where the parts of a time line are in its box."""

    box: Box
    unit: float

    @property
    def buttons(self) -> Iterator[tuple[str, Box]]:
        """Each button's command, and where it can be clicked."""
        wide = BUTTON * self.unit
        for number, command in enumerate(BUTTONS):
            yield command, Box(self.box.left + 0.9 * self.unit + number * wide, self.box.top, wide, self.box.height)

    @property
    def line(self) -> Box:
        """Where it can be scrubbed."""
        left = self.box.left + 0.9 * self.unit + len(BUTTONS) * BUTTON * self.unit + 1.4 * self.unit
        right = self.box.right - 1.6 * self.unit - text_width("99999 / 99999", 1.35 * self.unit) - 1.2 * self.unit
        return Box(left, self.box.top, max(1.0, right - left), self.box.height)

    def command(self, x: float, y: float) -> str | None:
        """The command of the button there."""
        return next((command for command, box in self.buttons if box.holds(x, y)), None)

    def ply(self, x: float, known: int) -> int:
        """The place in a game of `known` plies that belongs to a pixel, even when it is beside the line."""
        part = (x - self.line.left) / self.line.width
        return round(known * max(0.0, min(1.0, part)))

    def at(self, ply: int, known: int) -> float:
        """The pixel of a place in the game."""
        return self.line.left + self.line.width * (ply / known if known else 0.0)

    def draw(self, canvas: Canvas, status: Status, theme: Theme) -> None:
        for command, box in self.buttons:
            stands = status.paused or (status.is_whole and status.shown == status.known)
            self._button(canvas, command, box, stands, theme)
        unit, line = self.unit, self.line
        middle, thick = line.top + line.height / 2, max(3, round(0.34 * self.unit))
        rest = blend(theme.background, theme.muted, 0.4)
        canvas.box(line.left, middle - thick / 2, line.width, thick, rest, thick / 2)
        x = self.at(status.shown, status.known)
        canvas.box(line.left, middle - thick / 2, max(thick, x - line.left), thick, theme.pacman, thick / 2)
        for ply, points in status.marks:
            colour = theme.good if points > 0 else theme.bad
            canvas.box(round(self.at(ply, status.known) - 1), middle - 0.62 * unit, 3, 1.24 * unit, colour, 1)
        canvas.paste(_knob(round(0.6 * unit), theme.pacman), x - round(0.6 * unit) - 1, middle - round(0.6 * unit) - 1)
        known = f"{status.known}" if status.is_whole else f"{status.known}…"
        words = f"{status.shown} / {known}"
        canvas.text(words, self.box.right - 1.6 * unit, middle, 1.35 * unit, theme.muted, 1.0)

    def _button(self, canvas: Canvas, command: str, box: Box, stands: bool, theme: Theme) -> None:
        colour = theme.text if command == "play" else theme.muted
        picture = _sign("pause" if command == "play" and not stands else command, round(1.3 * self.unit), colour)
        canvas.paste(picture, box.left + (box.width - picture.width) / 2, box.top + (box.height - picture.height) / 2)


@lru_cache(maxsize=16)
def _knob(radius: int, colour: Colour) -> Canvas:
    size = 2 * radius + 2
    return Canvas.drawn(size, size, lambda canvas: canvas.disc(size / 2, size / 2, radius, colour))


@lru_cache(maxsize=64)
def _sign(command: str, size: int, colour: Colour) -> Canvas:
    """What stands on a button: triangles and bars."""
    triangles, bars = SIGNS[command]

    def draw(canvas: Canvas) -> None:
        for left, right in triangles:
            canvas.polygon([(size * left, size * 0.1), (size * right, size / 2), (size * left, size * 0.9)], colour)
        for left in bars:
            canvas.box(size * left, size * 0.1, size * 0.2, size * 0.8, colour)

    return Canvas.drawn(size, size, draw)


# By the place of each triangle's base and tip, and of each bar, from left (0) to right (1).
SIGNS: Mapping[str, tuple[tuple[tuple[float, float], ...], tuple[float, ...]]] = {
    "play": (((0.2, 0.95),), ()),
    "pause": ((), (0.2, 0.6)),
    "step": (((0.15, 0.7),), (0.7,)),
    "back": (((0.85, 0.3),), (0.1,)),
    "step round": (((0.0, 0.5), (0.5, 1.0)), ()),
    "back round": (((1.0, 0.5), (0.5, 0.0)), ()),
}
