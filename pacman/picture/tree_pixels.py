"""A tree in pixels: the same calls as those of `svg.SvgCanvas`, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import ceil

from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, Point, text_width
from pacman.picture.colours import Parts, colours_of_tree, part_of
from pacman.picture.screen_regions import Box
from pacman.picture.theme import Colour, Theme, blend


class TreePixels:
    """A canvas of pixels for `draw_tree`: it turns the names of colours into those of a theme."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        self.canvas, self.theme = canvas, theme
        self.parts: Parts = colours_of_tree(theme, theme.panel)

    def _colour(self, part: str, name: str) -> Colour:
        colour = self.parts[part][name]
        assert not isinstance(colour, str)
        return colour

    def measure(self, words: str, size: float) -> float:
        """The width of words in pixels."""
        return text_width(words, size)

    @contextmanager
    def group(
        self, kind: str, part: str = "", *, node: int | None = None, size: float = 0, width: float = 0
    ) -> Iterator[None]:
        """Nothing: pixels have no parts."""
        yield

    def shape(
        self,
        layer: Layer | None,
        box: Box,
        part: str,
        width: float = 0,
        is_dashed: bool = False,
        is_current: bool = False,
    ) -> None:
        """The shape of a node in a box."""
        fill, rim = self._colour(part, "fill"), self._colour(part, "stroke")
        fill = blend(self.theme.panel, rim, 0.45) if is_current else fill
        shape = node_shape(layer, round(box.width), round(box.height), fill, rim, round(width, 1))
        x, y = box.left + box.width / 2, box.top + box.height / 2
        self.canvas.paste(shape, x - shape.width / 2, y - shape.height / 2)

    def line(self, points: list[Point], width: float, part: str = "", kind: str = "") -> None:
        """A line through the points."""
        self.canvas.smooth_line(points[0], points[-1], width, self._colour(part, "stroke"))

    def text(
        self, words: str, at: Point, size: float, kind: str, anchor: float = 0.5, part: str = "", is_bold: bool = False
    ) -> None:
        """Words on one line; a count of folded nodes hides the branches behind it."""
        if not words:
            return
        if kind == "below":
            width, height = text_width(words, size) + 0.25 * size, 0.7 * size
            self.canvas.box(at[0] - width / 2, at[1] - height / 2, width, height, self.theme.panel)
        write = self.canvas.text if kind == "action" else self.canvas.spell
        write(words, *at, size, self._colour(part or part_of(kind), "fill"), anchor)


@lru_cache(maxsize=256)
def node_shape(layer: Layer | None, width: int, height: int, fill: Colour, edge: Colour, rim: float) -> Canvas:
    """The shape of a node: MAX a triangle that points up, MIN down, CHANCE an ellipse, a leaf a box."""
    pad = ceil(rim)

    def shape(canvas: Canvas) -> None:
        if layer is None:
            canvas.box(pad, pad, width, height, edge, 0.2 * height)
            canvas.box(pad + rim, pad + rim, width - 2 * rim, height - 2 * rim, fill, 0.2 * height - rim)
        elif layer is Layer.CHANCE:
            canvas.ellipse(pad + width / 2, pad + height / 2, width / 2, height / 2, edge)
            canvas.ellipse(pad + width / 2, pad + height / 2, width / 2 - rim, height / 2 - rim, fill)
        else:
            foot, tip = (pad + height, pad) if layer is Layer.MAX else (pad, pad + height)
            corners = [(float(pad), float(foot)), (float(pad + width), float(foot)), (pad + width / 2, float(tip))]
            canvas.polygon(corners, fill)
            canvas.line([*corners, corners[0]], rim, edge)

    return Canvas.antialiased(width + 2 * pad, height + 2 * pad, shape)
