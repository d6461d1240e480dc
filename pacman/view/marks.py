"""The signs of the layers: MAX an up-triangle, MIN a down-triangle, CHANCE a circle; a square where nobody moves."""

from __future__ import annotations

from functools import lru_cache

from pacman.layers import Layer
from pacman.view.canvas import Canvas
from pacman.view.theme import Colour


@lru_cache(maxsize=128)
def mark(layer: Layer | None, size: int, colour: Colour) -> Canvas:
    """A layer's sign, so many pixels wide and high; None is an end, or the horizon."""

    def shape(canvas: Canvas) -> None:
        if layer is Layer.CHANCE:
            canvas.disc(size / 2, size / 2, size * 0.46, colour)
        elif layer is None:
            canvas.box(size * 0.22, size * 0.22, size * 0.56, size * 0.56, colour, size * 0.1)
        else:
            foot, tip = (size * 0.93, size * 0.07) if layer is Layer.MAX else (size * 0.07, size * 0.93)
            canvas.polygon([(0, foot), (size, foot), (size / 2, tip)], colour)

    return Canvas.drawn(size, size, shape)
