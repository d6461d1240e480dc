"""Pacman, the ghosts and the walls as SVG elements.

The agents are the window's sprites, drawn on a canvas that collects paths; (0, 0) is the middle of a cell. The walls
are one outline, which shines in a dark theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot
from zlib import crc32

from pacman.core.layout import Maze
from pacman.picture.canvas import Canvas, Point
from pacman.picture.colours import GHOST_COLOURS, Parts, attributes
from pacman.picture.sprites import WALL_EDGE, WALL_RADIUS, Sprites, quarter, wall_kind
from pacman.picture.svg import pair, pixels
from pacman.picture.theme import DARK, Colour, Theme

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


# ---- walls


def walls(maze: Maze, parts: Parts, prefix: str) -> Iterator[str]:
    """The SVG elements of the walls: their outline is a line with an area inside; it shines in a dark theme.

    The ids begin with `prefix`. Different mazes have different ids: a notebook shows several boards on one page.
    """
    outline = _outline(maze)
    name = f"{prefix}walls-{crc32(outline.encode()):08x}"
    yield f'<defs><path id="{name}" d="{outline}" stroke-width="{pixels(WALL_EDGE * CELL)}"/>'
    yield f'<filter id="{prefix}shine"><feGaussianBlur stdDeviation="{0.14 * CELL:g}"/></filter></defs>'
    if parts.get(".glow", {}).get("visibility") != "hidden":
        colour = attributes(parts, ".glow")
        yield f'<use class="glow" href="#{name}" filter="url(#{prefix}shine)" opacity="{DARK.glow:g}"{colour}/>'
    yield f'<use class="walls" href="#{name}"{attributes(parts, ".walls")}/>'


def _outline(maze: Maze) -> str:
    """The outline of all walls, in the middle of its line, as the data of one SVG path.

    The path has the sides of every quarter of a wall cell, except a side that two quarters share: so no seam is
    visible. A side that is neither across nor up is a quarter of a circle.
    """
    radius = 2 * WALL_RADIUS - WALL_EDGE  # in half cells
    sides: dict[tuple[Point, Point], str] = {}
    for x, y in ((x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)):
        for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            kind = wall_kind(maze, x, y, dx, dy)
            corners = [
                (round((x + 0.5 + dx * u / 2) * CELL, 1), round((maze.height - 0.5 - y - dy * v / 2) * CELL, 1))
                for u, v in _ends_of_arcs(quarter(kind, radius))
            ][:: dx * dy]  # every quarter in the same direction of rotation
            for side in zip(corners, corners[1:] + corners[:1], strict=True):
                if side[::-1] in sides:
                    del sides[side[::-1]]
                else:
                    sides[side] = kind
    following = {start: (end, kind) for (start, end), kind in sides.items()}
    path = ""
    while following:
        place = first = next(iter(following))
        steps: list[tuple[float, float, str]] = []
        while place in following:
            (from_x, from_y), (place, kind) = place, following.pop(place)
            across, down = round(place[0] - from_x, 1), round(place[1] - from_y, 1)
            if steps and not (across and down) and _is_straight_on(steps[-1], across, down):
                across, down = across + steps[-1][0], down + steps.pop()[1]
            steps.append((across, down, kind))
        path += f"M{pair(*first)}{''.join(_side(*step) for step in steps)}Z"
    return path


def _ends_of_arcs(corners: list[Point]) -> list[Point]:
    """The corners of a quarter without those inside its arc. Every other side of a quarter is across or up."""
    inside = {
        index
        for index in range(1, len(corners) - 1)
        if all(abs(corners[index][axis] - corners[index + step][axis]) > 1e-9 for axis in (0, 1) for step in (-1, 1))
    }
    return [corner for index, corner in enumerate(corners) if index not in inside]


def _is_straight_on(step: tuple[float, float, str], across: float, down: float) -> bool:
    return not (step[0] and step[1]) and bool(step[0]) == bool(across) and bool(step[1]) == bool(down)


def _side(across: float, down: float, kind: str) -> str:
    """One side of the outline as data of a path. The arc of an "end" turns left, that of a "bend" turns right."""
    if not down:
        return f"h{pixels(across)}"
    if not across:
        return f"v{pixels(down)}"
    radius, sweep = pixels(abs(across)), int(kind == "bend")
    return f"a{radius} {radius} 0 0 {sweep} {pair(across, down)}"
