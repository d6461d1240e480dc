"""Small pictures for overlays and trees: layer signs, ghosts, lines, dots, arrow heads. Each is drawn only once."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas
from pacman.picture.theme import Colour


@lru_cache(maxsize=128)
def layer_icon(layer: Layer | None, size: int, colour: Colour) -> Canvas:
    """The sign of a layer, `size` pixels wide and high; None is a terminal node, or a node at the horizon."""

    def shape(canvas: Canvas) -> None:
        if layer is Layer.CHANCE:
            canvas.disc(size / 2, size / 2, size * 0.46, colour)
        elif layer is None:
            canvas.box(size * 0.22, size * 0.22, size * 0.56, size * 0.56, colour, size * 0.1)
        else:
            foot, tip = (size * 0.93, size * 0.07) if layer is Layer.MAX else (size * 0.07, size * 0.93)
            canvas.polygon([(0, foot), (size, foot), (size / 2, tip)], colour)

    return Canvas.antialiased(size, size, shape)


@lru_cache(maxsize=64)
def ghost_icon(size: int, colour: Colour, back: Colour) -> Canvas:
    """A small ghost, `size` pixels wide and high: whose ply it is. `back` is the colour of its eyes."""

    def shape(canvas: Canvas) -> None:
        canvas.disc(size / 2, size * 0.45, size * 0.42, colour)
        canvas.box(size * 0.08, size * 0.45, size * 0.84, size * 0.4, colour)
        for foot in (0.22, 0.5, 0.78):
            canvas.disc(size * foot, size * 0.84, size * 0.14, colour)
        for eye in (0.34, 0.66):
            canvas.disc(size * eye, size * 0.42, size * 0.1, back)

    return Canvas.antialiased(size, size, shape)


@lru_cache(maxsize=256)
def line_icon(dx: int, dy: int, thickness: float, colour: Colour, rim: Colour, is_dashed: bool) -> Canvas:
    """A line that goes `dx` pixels across and `dy` down, with a rim; its middle is the middle of the canvas."""
    width, height = ceil(abs(dx) + 3 * thickness), ceil(abs(dy) + 3 * thickness)
    x, y = (width - dx) / 2, (height - dy) / 2
    parts = [(0.12, 0.38), (0.62, 0.88)] if is_dashed else [(0.0, 1.0)]

    def shape(canvas: Canvas) -> None:
        for stroke, ink in ((1.6 * thickness, rim), (thickness, colour)):
            for begin, end in parts:
                canvas.line([(x + dx * begin, y + dy * begin), (x + dx * end, y + dy * end)], stroke, ink)

    return Canvas.antialiased(width, height, shape)


@lru_cache(maxsize=64)
def dot(radius: float, colour: Colour, rim: Colour) -> Canvas:
    """A disc of this radius in pixels, with a rim around it."""
    size = 2 * ceil(1.4 * radius + 1)

    def shape(canvas: Canvas) -> None:
        canvas.disc(size / 2, size / 2, 1.3 * radius, rim)
        canvas.disc(size / 2, size / 2, radius, colour)

    return Canvas.antialiased(size, size, shape)


@lru_cache(maxsize=64)
def arrow_head(length: float, dx: int, dy: int, colour: Colour, rim: Colour) -> Canvas:
    """The head of an arrow that points in the direction (dx, dy), with a rim."""
    size = 2 * ceil(1.5 * length)
    middle = size / 2

    def shape(canvas: Canvas) -> None:
        for scale, ink in ((1.35, rim), (1.0, colour)):
            tip, back, side = 1.0 * length * scale, -0.62 * length * scale, 0.78 * length * scale
            canvas.polygon(
                [
                    (middle + dx * tip, middle + dy * tip),
                    (middle + dx * back - dy * side, middle + dy * back + dx * side),
                    (middle + dx * back + dy * side, middle + dy * back - dx * side),
                ],
                ink,
            )

    return Canvas.antialiased(size, size, shape)
