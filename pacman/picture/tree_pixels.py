"""A tree in pixels: the same calls as those of `svg.SvgCanvas`, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, Point, text_width
from pacman.picture.colours import Colour, Parts, Theme, blend, colours_of_tree, part_of
from pacman.picture.screen_regions import Box
from pacman.picture.sprites import node_shape


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

    def branch(self, points: list[Point], width: float, part: str = "", kind: str = "") -> None:
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
