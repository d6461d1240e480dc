"""The canvas of a window: each frame draws again only where the picture differs from that of the frame before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import ceil, floor
from pathlib import Path
from typing import Any

from pacman.picture.canvas import Canvas, Pixels, Point
from pacman.picture.theme import Colour

Stroke = tuple[int, int, int, int, Any, Any]
"""(left, top, right, bottom, what, arguments): a canvas that is pasted (arguments: None), or the method for a shape."""


class FrameCanvas(Canvas):
    """Collects what is drawn on it as strokes; `finish` draws the strokes that are new, and what is below and above.

    The pixels are the same as those of a `Canvas`. A canvas that has been pasted must not change afterwards.
    """

    def __init__(self, width: int, height: int, *, surface: Any = None) -> None:
        super().__init__(width, height, surface=surface)
        self._strokes: list[Stroke] = []
        self._drawn: list[Stroke] | None = None
        """The strokes that the surface has; None if all must be drawn again."""
        self._parts: dict[Hashable, list[Stroke]] = {}
        self._last_parts: dict[Hashable, list[Stroke]] = {}
        self._is_whole = False
        """True if this frame draws at once, because something needs the pixels or all of the canvas."""

    def finish(self) -> None:
        """Draws the picture, and begins the next one."""
        self._draw()
        if self._is_whole:
            self._drawn, self._is_whole = None, False
        self._strokes, self._parts, self._last_parts = [], {}, self._parts

    def _draw(self) -> None:
        if self._is_whole:
            self._repeat(self._strokes)
            self._strokes = []
            return
        strokes, drawn = self._strokes, self._drawn
        self._drawn = list(strokes)
        changed = None if drawn is None else changes(drawn, strokes)
        if changed is None:
            self._repeat(strokes)
            return
        for left, top, right, bottom in disjoint(stroke[:4] for stroke in changed):
            self.clip((left, top, right - left, bottom - top))
            here = [one for one in strokes if one[0] < right and one[2] > left and one[1] < bottom and one[3] > top]
            for number in range(len(here) - 1, 0, -1):  # what an opaque picture covers is not drawn
                one = here[number]
                is_opaque = one[5] is None and one[4].is_opaque
                if is_opaque and one[0] <= left and one[1] <= top and one[2] >= right and one[3] >= bottom:
                    here = here[number:]
                    break
            self._repeat(here)
        self.clip(None)

    def _repeat(self, strokes: Iterable[Stroke]) -> None:
        paste = super().paste
        for left, top, _, _, what, arguments in strokes:
            if arguments is None:
                paste(what, left, top)
            else:
                what(self, *arguments)

    def part(self, key: Hashable, draw: Callable[[Canvas], None]) -> None:
        """Draws with `draw`, or repeats the strokes of the frame before if it had a part with this key."""
        strokes = self._last_parts.get(key)
        if strokes is None:
            first = len(self._strokes)
            draw(self)
            strokes = self._strokes[first:]
        else:
            self._strokes += strokes
        self._parts[key] = strokes

    # Everything that draws; `line` draws polygons and discs.

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        left, top, zoom = round(x), round(y), picture.zoom
        right, bottom = left + picture.width * zoom, top + picture.height * zoom
        self._strokes.append((left, top, right, bottom, picture, None))

    def fill(self, colour: Colour) -> None:
        self._strokes.append((0, 0, self.width, self.height, Canvas.fill, (colour,)))

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self._shape([(x, y)], radius, Canvas.disc, (x, y, radius, colour))

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, colour: Colour) -> None:
        arguments = x, y, half_width, half_height, colour
        self._shape([(x, y)], max(half_width, half_height), Canvas.ellipse, arguments)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self._shape(points, 0, Canvas.polygon, (tuple(points), colour))

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0) -> None:
        arguments = x, y, width, height, colour, radius
        self._shape([(x, y), (x + width, y + height)], 0, Canvas.box, arguments)

    def smooth_line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """Draws a line with smooth edges. A frame with one is drawn as a whole, because its pixels ignore the clip."""
        self._is_whole = True
        self._draw()
        super().smooth_line(start, end, width, colour)

    def _shape(self, points: Sequence[Point], around: float, method: Any, arguments: tuple[object, ...]) -> None:
        reach = around + 2
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = floor(min(xs) - reach), floor(min(ys) - reach), ceil(max(xs) + reach), ceil(max(ys) + reach)
        self._strokes.append((*box, method, arguments))

    # Everything that needs the pixels.

    def subcanvas(self, x: int, y: int, width: int, height: int) -> Canvas:
        """A rectangle of this canvas that shares its pixels. A frame with one is drawn as a whole, and the next too."""
        self._is_whole = True
        self._draw()
        return super().subcanvas(x, y, width, height)

    def rgb(self) -> bytes:
        self._draw()
        return super().rgb()

    def write_png(self, path: Path) -> None:
        self._draw()
        super().write_png(path)

    def pixel(self, x: int, y: int) -> Colour:
        self._draw()
        return super().pixel(x, y)


def changes(before: Sequence[Stroke], after: Sequence[Stroke]) -> set[Stroke] | None:
    """The strokes that only one of two pictures has; None if the order of the others differs, too."""
    if before == after:
        return set()
    changed = set(before) ^ set(after)
    kept = [stroke for stroke in before if stroke not in changed]
    return changed if kept == [stroke for stroke in after if stroke not in changed] else None


def disjoint(boxes: Iterable[Pixels]) -> list[Pixels]:
    """Boxes (left, top, right, bottom) that cover all of these, and have no pixel in common.

    >>> disjoint([(0, 0, 4, 4), (8, 8, 9, 9), (3, 3, 5, 5)])
    [(8, 8, 9, 9), (0, 0, 5, 5)]
    """
    regions: list[Pixels] = []
    for box in boxes:
        while True:
            left, top, right, bottom = box
            other = next((o for o in regions if o[0] < right and o[2] > left and o[1] < bottom and o[3] > top), None)
            if other is None:
                break
            regions.remove(other)
            box = min(left, other[0]), min(top, other[1]), max(right, other[2]), max(bottom, other[3])
        regions.append(box)
    return regions
