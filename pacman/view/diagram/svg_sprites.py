"""Pacman and the ghosts as SVG elements: the window's sprites, drawn on a canvas that collects paths.

(0, 0) is the middle of a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from pacman.view.diagram.colours import GHOST_COLOURS, Parts, attributes
from pacman.view.diagram.svg_elements import pair, pixels
from pacman.view.picture.canvas import Canvas, Point
from pacman.view.picture.sprites import Sprites
from pacman.view.theme import DARK, Colour, Theme

CELL = 32
"""The width of a cell, in pixels."""
INVISIBLE = 0.08
"""In pixels: an outline may differ by less from that of the window."""
MOUTH = 0.55
"""How far Pacman's mouth is open; in the window, the same when Pacman does not move."""


def pacman_sprite(heading: str, parts: Parts) -> str:
    """Pacman, who looks towards `heading`."""
    return _elements(_SPRITES.pacman(heading, MOUTH), parts)


def ghost_sprite(number: int, heading: str, parts: Parts) -> str:
    """Ghost `number` (from 1), which looks towards `heading`."""
    return _elements(_SPRITES.ghost(_PART_THEME.agent(number), heading, 0.3 * number), parts)


def scared_sprite(parts: Parts) -> str:
    """A scared ghost."""
    return _elements(_SPRITES.scared(0.0, False), parts)


class _SvgCanvas(Canvas):
    """Collects shapes, each with its colour; a canvas of the window draws pixels instead."""

    def __init__(self, size: int = 0) -> None:
        self.width = self.height = size
        self.paths: list[tuple[Colour, str, float]] = []
        """Colour, data of a path, and the width of its line (0: the path is an area)."""

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self.paths.append((colour, self._data([(x, y)]) + "h0", 2 * radius))

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self.paths.append((colour, self._data(_simplified([*points, points[0]])[:-1]) + "Z", 0.0))

    def line(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        self.paths.append((colour, self._data(points), width))

    def _data(self, points: Sequence[Point]) -> str:
        tenths = [(round(10 * (x - self.width / 2)), round(10 * (y - self.width / 2))) for x, y in points]
        steps = [(x - a, y - b) for (a, b), (x, y) in pairwise(tenths)]
        start, *rest = [pair(x / 10, y / 10) for x, y in [tenths[0], *steps]]
        return f"M{start}" + "".join(f"l{step}" for step in rest)


class _SvgSprites(Sprites):
    """The window's sprites as SVG elements."""

    def _cached(self, key: tuple[object, ...], size: int, draw: Callable[[Canvas], None]) -> Canvas:
        canvas = _SvgCanvas(size)
        draw(canvas)
        return canvas


_GHOSTS = tuple(f"ghost-{number}" for number in range(1, GHOST_COLOURS + 1))
_PARTS = ("pacman", "scared", "rim", "face", "eye", "pupil", *_GHOSTS)
_PART_COLOURS: Mapping[str, Colour] = {part: (0, 0, number) for number, part in enumerate(_PARTS)}
_PART_NAMES = {colour: part for part, colour in _PART_COLOURS.items()}
_PART_THEME: Theme = replace(
    DARK,
    pacman=_PART_COLOURS["pacman"],
    scared=_PART_COLOURS["scared"],
    blink=_PART_COLOURS["rim"],
    scared_face=_PART_COLOURS["face"],
    eye=_PART_COLOURS["eye"],
    pupil=_PART_COLOURS["pupil"],
    ghosts=tuple(_PART_COLOURS[name] for name in _GHOSTS),
)
"""A theme in which every colour says which part of a sprite it is."""
_SPRITES = _SvgSprites(CELL, _PART_THEME)


def _elements(sprite: Canvas, parts: Parts) -> str:
    assert isinstance(sprite, _SvgCanvas)
    return "".join(
        f'<path class="{_PART_NAMES[colour]}" d="{data}"{_line(width)}{attributes(parts, f".{_PART_NAMES[colour]}")}/>'
        for colour, data, width in sprite.paths
    )


def _line(width: float) -> str:
    """The attributes of a line with round ends; "" for an area."""
    return f' stroke-width="{pixels(width)}" stroke-linecap="round" stroke-linejoin="round"' if width else ""


def _simplified(points: list[Point]) -> list[Point]:
    """The points without those whose absence nobody sees (Ramer 1972, Douglas & Peucker 1973)."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    length = hypot(to_x - x, to_y - y)

    def distance(point: Point) -> float:
        """The distance from the line through the ends, or from the end if both ends are the same point."""
        a, b = point[0] - x, point[1] - y
        return abs(a * (to_y - y) - b * (to_x - x)) / length if length else hypot(a, b)

    farthest = max(range(len(points)), key=lambda index: distance(points[index]))
    if distance(points[farthest]) < INVISIBLE:
        return [points[0], points[-1]]
    return [*_simplified(points[: farthest + 1])[:-1], *_simplified(points[farthest:])]
