"""The time line: step buttons, and a slider with a mark wherever Pacman won or lost many points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.moment import Status
from pacman.picture.screen_regions import Box

BUTTONS = ("back round", "back", "play", "step", "step round")
BUTTON = 2.1
"""The width of a button, in units."""


@dataclass(frozen=True)
class TimelineBar:
    """The time line in a box: where its buttons and its slider are, and how to draw it."""

    box: Box
    unit: float

    @property
    def buttons(self) -> Iterator[tuple[str, Box]]:
        """(command, box) of each button; a click in the box gives the command."""
        width = BUTTON * self.unit
        for number, command in enumerate(BUTTONS):
            yield command, Box(self.box.left + 0.9 * self.unit + number * width, self.box.top, width, self.box.height)

    @property
    def slider(self) -> Box:
        """The box of the slider; a click or a drag in it chooses a ply."""
        left = self.box.left + 0.9 * self.unit + len(BUTTONS) * BUTTON * self.unit + 1.4 * self.unit
        right = self.box.right - 1.6 * self.unit - text_width("ply 99999 / 99999", 1.35 * self.unit) - 1.2 * self.unit
        return Box(left, self.box.top, max(1.0, right - left), self.box.height)

    def command(self, x: float, y: float) -> str | None:
        """The command of the button at that pixel; None if there is no button."""
        return next((command for command, box in self.buttons if box.contains(x, y)), None)

    def ply(self, x: float, ply_count: int) -> int:
        """The ply that the slider has at `x`, in a game of `ply_count` plies; outside it, the first or last ply."""
        part = (x - self.slider.left) / self.slider.width
        return round(ply_count * max(0.0, min(1.0, part)))

    def pixel(self, ply: int, ply_count: int) -> float:
        """The x of a ply on the slider, in a game of `ply_count` plies."""
        return self.slider.left + self.slider.width * (ply / ply_count if ply_count else 0.0)

    def draw(self, canvas: Canvas, status: Status, theme: Theme) -> None:
        """Draws the buttons, the slider with its marks, and the text "ply 5 / 22"."""
        for command, box in self.buttons:
            is_still = status.is_paused or (status.is_complete and status.ply == status.ply_count)
            self._draw_button(canvas, command, box, is_still, theme)
        unit, slider = self.unit, self.slider
        middle, thick = slider.top + slider.height / 2, max(3, round(0.34 * self.unit))
        rest = blend(theme.background, theme.muted, 0.4)
        canvas.box(slider.left, middle - thick / 2, slider.width, thick, rest, thick / 2)
        x = self.pixel(status.ply, status.ply_count)
        canvas.box(slider.left, middle - thick / 2, max(thick, x - slider.left), thick, theme.pacman, thick / 2)
        for ply, points in status.marks:
            colour = theme.good if points > 0 else theme.bad
            canvas.box(round(self.pixel(ply, status.ply_count) - 1), middle - 0.62 * unit, 3, 1.24 * unit, colour, 1)
        canvas.paste(_knob(round(0.6 * unit), theme.pacman), x - round(0.6 * unit) - 1, middle - round(0.6 * unit) - 1)
        text = f"ply {status.ply} / {status.ply_count}{'' if status.is_complete else '…'}"
        canvas.text(text, self.box.right - 1.6 * unit, middle, 1.35 * unit, theme.muted, 1.0)

    def _draw_button(self, canvas: Canvas, command: str, box: Box, is_still: bool, theme: Theme) -> None:
        colour = theme.text if command == "play" else theme.muted
        picture = _button_picture(
            "pause" if command == "play" and not is_still else command, round(1.3 * self.unit), colour
        )
        canvas.paste(picture, box.left + (box.width - picture.width) / 2, box.top + (box.height - picture.height) / 2)


@lru_cache(maxsize=16)
def _knob(radius: int, colour: Colour) -> Canvas:
    size = 2 * radius + 2
    return Canvas.antialiased(size, size, lambda canvas: canvas.disc(size / 2, size / 2, radius, colour))


@lru_cache(maxsize=64)
def _button_picture(command: str, size: int, colour: Colour) -> Canvas:
    """The picture on a button: triangles and bars."""
    triangles, bars = BUTTON_SHAPES[command]

    def draw(canvas: Canvas) -> None:
        for left, right in triangles:
            canvas.polygon([(size * left, size * 0.1), (size * right, size / 2), (size * left, size * 0.9)], colour)
        for left in bars:
            canvas.box(size * left, size * 0.1, size * 0.2, size * 0.8, colour)

    return Canvas.antialiased(size, size, draw)


# (base, tip) of each triangle, and the left side of each bar, as fractions of the width.
BUTTON_SHAPES: Mapping[str, tuple[tuple[tuple[float, float], ...], tuple[float, ...]]] = {
    "play": (((0.2, 0.95),), ()),
    "pause": ((), (0.2, 0.6)),
    "step": (((0.15, 0.7),), (0.7,)),
    "back": (((0.85, 0.3),), (0.1,)),
    "step round": (((0.0, 0.5), (0.5, 1.0)), ()),
    "back round": (((1.0, 0.5), (0.5, 0.0)), ()),
}
