"""How Pacman, ghosts, walls, layer signs, lines and dots look. Each small picture of them is drawn once and then kept.

The functions `draw_...` draw on any canvas: an ink is a colour on a canvas of pixels, and the class of a part in an SVG
picture. The other functions return pictures, in pixels, with the object in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil, cos, pi, sin
from typing import Any

from pacman.core.layout import Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STEPS, STOP, WEST
from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, Point
from pacman.picture.colours import Colour, Theme
from pacman.picture.svg import SvgCanvas

# In cells. A wall is a tube around the middle of its cells, so a corridor between two walls is 1.5 cells wide.
WALL_RADIUS, WALL_EDGE = 0.27, 0.085
BODY_RADIUS, FOOD_RADIUS, CAPSULE_RADIUS = 0.53, 0.095, 0.25
SCARED_RIM, RING_RADIUS = 0.07, 0.66
# The numbers of different pictures: of an opening mouth, a moving skirt, a vanishing Pacman, a timer, a pulse.
MOUTHS, WAVES, DYING, RING_STEPS, PULSES = 9, 8, 16, 20, 8
MOUTH = 0.55
"""How far Pacman's mouth is open if Pacman does not move."""
ANGLES = {EAST: 0, NORTH: 90, WEST: 180, SOUTH: 270, STOP: 0}
"""The degrees, counterclockwise from East, in which Pacman looks."""
Ink = Any
Box = tuple[float, float, float, float]
Shapes = Canvas | SvgCanvas
"""What an agent is drawn on: both have discs, ellipses, polygons, sectors and lines, with an ink for each."""


# ---- agents


def draw_pacman(canvas: Shapes, middle: float, cell: float, heading: str, mouth: float, dying: float, ink: Ink) -> None:
    """Draws Pacman, its mouth open by `mouth` (0 to 1). `dying` (0 to 1) opens it further, until Pacman disappears."""
    half, turned = 40 * mouth + 2, ANGLES[heading]
    if dying:
        half, turned = half + (180 - half) * dying, 90
    if half < 179:
        canvas.pie(middle, middle, BODY_RADIUS * cell, turned + half, turned + 360 - half, ink)


def draw_ghost(
    canvas: Shapes, middle: float, cell: float, heading: str, wave: float, inks: tuple[Ink, Ink, Ink]
) -> None:
    """Draws a ghost that looks towards `heading`, in the inks of its body, its eyes and its pupils."""
    unit, (body, eye, pupil), (dx, dy) = BODY_RADIUS * cell, inks, STEPS[heading]
    _draw_body(canvas, middle, unit, wave, body)
    for side in (-1, 1):
        x, y = middle + unit * (0.40 * side + 0.10 * dx), middle - unit * (0.16 + 0.10 * dy)
        canvas.ellipse(x, y, 0.27 * unit, 0.34 * unit, eye)
        canvas.disc(x + 0.12 * unit * dx, y - 0.17 * unit * dy, 0.155 * unit, pupil)


def draw_scared(canvas: Shapes, middle: float, cell: float, wave: float, inks: tuple[Ink, Ink, Ink]) -> None:
    """Draws a scared ghost in the inks of its rim, its body and its face."""
    unit, (rim, body, face) = BODY_RADIUS * cell, inks
    _draw_body(canvas, middle, unit, wave, rim)
    _draw_body(canvas, middle, (1 - 2 * SCARED_RIM) * unit, wave, body)
    for side in (-1, 1):
        canvas.disc(middle + 0.34 * unit * side, middle - 0.20 * unit, 0.15 * unit, face)
    mouth = [(middle + unit * 0.2 * x, middle + unit * (0.38 - 0.09 * (-1) ** x)) for x in range(-3, 4)]
    canvas.line(mouth, 0.11 * unit, face)


def _draw_body(canvas: Shapes, middle: float, unit: float, wave: float, ink: Ink) -> None:
    """Draws the dome and the skirt; the three folds of the skirt move sideways with `wave` (0 to 1, a cycle)."""
    width, floor, deep = 0.94 * unit, middle + 0.82 * unit, 0.16 * unit
    dome = [(middle - width * cos(a * pi / 18), middle - unit * sin(a * pi / 18)) for a in range(19)]
    along = [1 - step / 14 for step in range(29)]
    skirt = [(middle + width * part, floor + deep * cos(2 * pi * (1.5 * part + wave))) for part in along]
    canvas.polygon(dome + skirt, ink)


# ---- pictures


@lru_cache(maxsize=2048)
def _sprite(width: int, height: int, draw: Callable[..., None], *arguments: Any) -> Canvas:
    """The picture that `draw` draws with these arguments, with smooth edges."""
    return Canvas.antialiased(width, height, lambda canvas: draw(canvas, *arguments))


def _agent(cell: int, draw: Callable[..., None], *arguments: Any) -> Canvas:
    side = round((2 * BODY_RADIUS + 0.1) * cell / 2) * 2 + 2
    return _sprite(side, side, draw, side / 2, cell, *arguments)


def pacman(cell: int, colour: Colour, heading: str, mouth: float, dying: float = 0.0) -> Canvas:
    """Pacman, its mouth open by `mouth`; see `draw_pacman`."""
    part, gone = round(mouth * (MOUTHS - 1)) / (MOUTHS - 1), round(dying * DYING) / DYING
    return _agent(cell, draw_pacman, heading, part, gone, colour)


def ghost(cell: int, theme: Theme, number: int, heading: str, wave: float) -> Canvas:
    """Ghost `number`, which looks towards `heading`; `wave` (0 to 1, a cycle) is the phase of its skirt."""
    inks = theme.agent(number), theme.eye, theme.pupil
    return _agent(cell, draw_ghost, heading, round(wave * WAVES) % WAVES / WAVES, inks)


def scared(cell: int, theme: Theme, wave: float, is_blinking: bool) -> Canvas:
    """A scared ghost with a bright rim, white if `is_blinking`, as it is just before it recovers."""
    calm, bright = (theme.blink, theme.scared, theme.scared_face), (theme.scared, theme.blink, theme.blink_face)
    return _agent(cell, draw_scared, round(wave * WAVES) % WAVES / WAVES, bright if is_blinking else calm)


def ghost_icon(size: int, colour: Colour, back: Colour) -> Canvas:
    """A small ghost, `size` pixels wide and high: whose ply it is. `back` is the colour of its eyes."""
    return _sprite(size, size, draw_ghost, size / 2, 0.96 * size / (2 * BODY_RADIUS), STOP, 0.0, (colour, back, back))


def dot(radius: float, colour: Colour, rim: Colour | None = None) -> Canvas:
    """A disc of this radius in pixels, with a rim around it."""
    radius = round(8 * max(1.0, radius)) / 8
    size = 2 * (int(1.4 * radius if rim else radius) + 2)
    strokes = ((2.6 * radius, rim), (2 * radius, colour)) if rim else ((2 * radius, colour),)
    return _sprite(size, size, _draw_strokes, (((size / 2, size / 2),),), strokes)


@lru_cache(maxsize=64)
def capsule(cell: int, theme: Theme, step: int) -> Canvas:
    """A capsule with its glow; `step` goes from 0 (small) to `PULSES` (large)."""
    picture, part = Canvas(2 * cell, 2 * cell, is_transparent=True), step / PULSES
    radius = CAPSULE_RADIUS * cell * (0.82 + 0.18 * part)
    strength = theme.glow * (0.35 + 0.65 * part)
    picture.glow([[(cell, cell)]], 2 * radius, theme.capsule, max(1, cell // 5), strength)
    disc = dot(radius, theme.capsule)
    picture.paste(disc, cell - disc.width / 2, cell - disc.height / 2)
    return picture


def timer(cell: int, theme: Theme, part: float) -> Canvas:
    """A ring around a scared ghost, from 0 (nothing) to 1 (closed): the part of its scared moves that is left."""
    step, reach = ceil(part * RING_STEPS), RING_RADIUS * cell
    size = 2 * round(reach + 0.1 * cell) + 2
    angles = [pi / 2 - 2 * pi * step / RING_STEPS * number / 48 for number in range(49)]
    ring = tuple((size / 2 + reach * cos(angle), size / 2 - reach * sin(angle)) for angle in angles)
    strokes = (max(2.0, 0.12 * cell), theme.background), (max(1.5, 0.07 * cell), theme.text)
    return _sprite(size, size, _draw_strokes, (ring,), strokes)


def _draw_strokes(canvas: Canvas, lines: Sequence[Sequence[Point]], strokes: Sequence[tuple[float, Colour]]) -> None:
    for width, colour in strokes:
        for points in lines:
            canvas.line(points, width, colour)


def line_icon(dx: int, dy: int, thickness: float, colour: Colour, rim: Colour, is_dashed: bool) -> Canvas:
    """A line that goes `dx` pixels across and `dy` down, with a rim; its middle is the middle of the canvas."""
    width, height = ceil(abs(dx) + 3 * thickness), ceil(abs(dy) + 3 * thickness)
    x, y = (width - dx) / 2, (height - dy) / 2
    parts = ((0.12, 0.38), (0.62, 0.88)) if is_dashed else ((0.0, 1.0),)
    lines = tuple(tuple((x + dx * part, y + dy * part) for part in ends) for ends in parts)
    return _sprite(width, height, _draw_strokes, lines, ((1.6 * thickness, rim), (thickness, colour)))


def arrow_head(length: float, dx: int, dy: int, colour: Colour, rim: Colour) -> Canvas:
    """The head of an arrow that points in the direction (dx, dy), with a rim."""
    size = 2 * ceil(1.5 * length)
    return _sprite(size, size, _draw_arrow, size / 2, length, dx, dy, colour, rim)


def _draw_arrow(canvas: Canvas, middle: float, length: float, dx: int, dy: int, colour: Colour, rim: Colour) -> None:
    for scale, ink in ((1.35, rim), (1.0, colour)):
        corners = ((1.0, 0.0), (-0.62, 0.78), (-0.62, -0.78))
        ahead = [(along * length * scale, across * length * scale) for along, across in corners]
        canvas.polygon([(middle + dx * a - dy * b, middle + dy * a + dx * b) for a, b in ahead], ink)


def layer_icon(layer: Layer | None, size: int, colour: Colour) -> Canvas:
    """The sign of a layer, `size` pixels wide and high; None is a terminal node, or a node at the horizon."""
    x, y = (0.22, 0.22) if layer is None else (0.04, 0.04) if layer is Layer.CHANCE else (0.0, 0.07)
    box = x * size, y * size, (1 - 2 * x) * size, (1 - 2 * y) * size
    return _sprite(size, size, _draw_node, layer, box, colour, colour, 0.0)


def node_shape(layer: Layer | None, width: int, height: int, fill: Colour, edge: Colour, rim: float) -> Canvas:
    """The shape of a node: MAX a triangle that points up, MIN down, CHANCE an ellipse, a leaf a box."""
    pad = ceil(rim)
    box = pad, pad, width, height
    return _sprite(width + 2 * pad, height + 2 * pad, _draw_node, layer, box, fill, edge, rim)


def _draw_node(canvas: Canvas, layer: Layer | None, box: Box, fill: Colour, edge: Colour, rim: float) -> None:
    x, y, width, height = box
    if layer is None:
        canvas.box(x, y, width, height, edge, 0.2 * height)
        canvas.box(x + rim, y + rim, width - 2 * rim, height - 2 * rim, fill, 0.2 * height - rim)
    elif layer is Layer.CHANCE:
        for inside, colour in ((0.0, edge), (rim, fill)):
            canvas.ellipse(x + width / 2, y + height / 2, width / 2 - inside, height / 2 - inside, colour)
    else:
        foot, tip = (y + height, y) if layer is Layer.MAX else (y, y + height)
        corners = [(x, foot), (x + width, foot), (x + width / 2, tip)]
        canvas.polygon(corners, fill)
        if rim:
            canvas.line([*corners, corners[0]], rim, edge)


# ---- walls


def has_wall(maze: Maze, x: int, y: int) -> bool:
    """True if cell (x, y) is a wall. Cells outside the maze are not walls here."""
    return 0 <= x < maze.width and 0 <= y < maze.height and maze.is_wall(x, y)


def wall_lines(maze: Maze) -> Iterator[list[tuple[int, int]]]:
    """The walls as middles of cells: the longest lines across and up, and blocks of four, each closed."""
    for x, y in ((x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)):
        is_alone = not any(has_wall(maze, x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
        for dx, dy in ((1, 0), (0, 1)):
            length = 0
            while not has_wall(maze, x - dx, y - dy) and has_wall(maze, x + (length + 1) * dx, y + (length + 1) * dy):
                length += 1
            if length or (is_alone and dx):
                yield [(x, y), (x + length * dx, y + length * dy)]
        if all(has_wall(maze, x + dx, y + dy) for dx, dy in ((1, 0), (0, 1), (1, 1))):
            yield [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)]


def draw_walls(
    canvas: Shapes, maze: Maze, cell: int, middle: Callable[[float, float], Point], inks: Sequence[Ink], glow: float
) -> None:
    """Draws the walls with a glow of this strength (0 to 1). `middle` is the pixel in the middle of a cell.

    The inks are those of the glow, of the edges, and of what is inside them.
    """
    lines = [[middle(*point) for point in points] for points in wall_lines(maze)]
    radius, (shine, edge, wall) = round(WALL_RADIUS * cell), inks
    if glow:
        canvas.glow(lines, 2 * radius, shine, max(1, round(0.28 * cell)), glow)
    canvas.tubes(lines, 2 * radius, edge)
    canvas.tubes(lines, 2 * (radius - max(2, ceil(WALL_EDGE * cell))), wall)
