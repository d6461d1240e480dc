"""The walls of a maze as SVG elements: one outline, which shines in a dark theme."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from pacman.core.layout import Maze
from pacman.view.diagram.colours import Parts, attributes
from pacman.view.diagram.svg_elements import pair, pixels
from pacman.view.diagram.svg_sprites import CELL
from pacman.view.picture.canvas import Point
from pacman.view.picture.sprites import WALL_EDGE, WALL_RADIUS, quarter, wall_kind
from pacman.view.theme import DARK


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
