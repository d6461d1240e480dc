"""How Pacman, ghosts and walls look: on any canvas, and as small pictures, each of which is drawn once.

An ink is a colour on a canvas of pixels, and the class of a part in an SVG picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, cos, pi, sin
from typing import Any, Protocol

from pacman.core.layout import Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STEPS, STOP, WEST
from pacman.picture.canvas import Canvas, Point
from pacman.picture.theme import Colour, Theme

# In cells. A wall is a tube around the middle of its cells, so a corridor between two walls is 1.5 cells wide.
WALL_RADIUS = 0.27
WALL_EDGE = 0.085
BODY_RADIUS = 0.53
FOOD_RADIUS = 0.095
CAPSULE_RADIUS = 0.25

# The numbers of different pictures: of an opening mouth, a moving skirt, a vanishing Pacman.
MOUTHS = 9
WAVES = 8
DYING = 16
SCARED_RIM = 0.07
RING_RADIUS, RING_STEPS = 0.66, 20
MOUTH = 0.55
"""How far Pacman's mouth is open if Pacman does not move."""
_ANGLES = {EAST: 0, NORTH: 90, WEST: 180, SOUTH: 270, STOP: 0}
_AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
Ink = Any


class Shapes(Protocol):
    """A canvas on which an agent is drawn."""

    def disc(self, x: float, y: float, radius: float, ink: Ink, /) -> None:
        """A disc with its centre at (x, y)."""

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, ink: Ink, /) -> None:
        """An ellipse with its centre at (x, y)."""

    def polygon(self, points: Sequence[Point], ink: Ink, /) -> None:
        """A polygon."""

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, ink: Ink, /) -> None:
        """The sector of a disc between two angles, in degrees, counterclockwise from East."""

    def line(self, points: Sequence[Point], width: float, ink: Ink, /) -> None:
        """A line through the points, with round joins and ends."""


def draw_pacman(canvas: Shapes, middle: float, cell: float, heading: str, mouth: float, dying: float, ink: Ink) -> None:
    """Draws Pacman, its mouth open by `mouth` (0 to 1). `dying` (0 to 1) opens it further, until Pacman disappears."""
    half, turned = 40 * mouth + 2, _ANGLES[heading]
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


class Sprites:
    """The pictures for one cell size (in pixels, even) and one theme. Each picture is the middle of a square canvas."""

    def __init__(self, cell: int, theme: Theme) -> None:
        self.cell, self.theme = cell, theme
        self._square = round((2 * BODY_RADIUS + 0.1) * cell / 2) * 2 + 2
        self._cache: dict[tuple[object, ...], Canvas] = {}

    def _cached(self, key: tuple[object, ...], size: int, draw: Callable[[Canvas], None]) -> Canvas:
        if key not in self._cache:
            self._cache[key] = Canvas.antialiased(size, size, draw)
        return self._cache[key]

    def dot(self, radius: float, colour: Colour) -> Canvas:
        """A disc; `radius` is in cells."""
        pixels = max(1.0, radius * self.cell)
        size = 2 * (int(pixels) + 2)
        key = "dot", round(pixels * 8), colour
        return self._cached(key, size, lambda canvas: canvas.disc(size / 2, size / 2, pixels, colour))

    def capsule(self, pulse: float) -> Canvas:
        """A capsule with its glow; `pulse` goes from 0 (small) to 1 (large)."""
        step, cell = round(pulse * 8), self.cell
        key = "capsule", step
        if key not in self._cache:
            radius = CAPSULE_RADIUS * cell * (0.82 + 0.18 * step / 8)
            disc = Canvas.antialiased(
                2 * cell, 2 * cell, lambda canvas: canvas.disc(cell, cell, radius, self.theme.capsule)
            )
            glow = disc.blurred(max(1, cell // 5)).faded(self.theme.glow * (0.35 + 0.65 * step / 8))
            glow.paste(disc, 0, 0)
            self._cache[key] = glow
        return self._cache[key]

    def pacman(self, heading: str, mouth: float, dying: float = 0.0) -> Canvas:
        """Pacman, its mouth open by `mouth`; see `draw_pacman`."""
        step, gone = round(mouth * (MOUTHS - 1)), round(dying * DYING)
        key, middle, ink = ("pacman", heading, step, gone), self._square / 2, self.theme.pacman
        part, dying = step / (MOUTHS - 1), gone / DYING
        return self._cached(
            key, self._square, lambda canvas: draw_pacman(canvas, middle, self.cell, heading, part, dying, ink)
        )

    def ghost(self, colour: Colour, heading: str, wave: float) -> Canvas:
        """A ghost that looks towards `heading`; `wave` (0 to 1, a cycle) is the phase of its skirt."""
        step, middle, inks = round(wave * WAVES) % WAVES, self._square / 2, (colour, self.theme.eye, self.theme.pupil)
        return self._cached(
            ("ghost", colour, heading, step),
            self._square,
            lambda canvas: draw_ghost(canvas, middle, self.cell, heading, step / WAVES, inks),
        )

    def scared(self, wave: float, is_blinking: bool) -> Canvas:
        """A scared ghost with a bright rim, white if `is_blinking`, as it is just before it recovers."""
        step, middle, theme = round(wave * WAVES) % WAVES, self._square / 2, self.theme
        calm, bright = (theme.blink, theme.scared, theme.scared_face), (theme.scared, theme.blink, theme.blink_face)
        inks = bright if is_blinking else calm
        return self._cached(
            ("scared", step, is_blinking),
            self._square,
            lambda canvas: draw_scared(canvas, middle, self.cell, step / WAVES, inks),
        )

    def timer(self, part: float) -> Canvas:
        """A ring around a scared ghost, from 0 (nothing) to 1 (closed): the part of its scared moves that is left."""
        step = ceil(part * RING_STEPS)
        reach, theme = RING_RADIUS * self.cell, self.theme
        size = 2 * round(reach + 0.1 * self.cell) + 2

        def draw(canvas: Canvas) -> None:
            angles = [pi / 2 - 2 * pi * step / RING_STEPS * number / 48 for number in range(49)]
            points = [(size / 2 + reach * cos(angle), size / 2 - reach * sin(angle)) for angle in angles]
            canvas.line(points, max(2.0, 0.12 * self.cell), theme.background)
            canvas.line(points, max(1.5, 0.07 * self.cell), theme.text)

        return self._cached(("timer", step), size, draw)

    def walls(self, maze: Maze) -> Canvas:
        """The walls with their glow, on a transparent canvas that is one cell larger on each side."""
        cell, theme = self.cell, self.theme
        size = ((maze.width + 2) * cell, (maze.height + 2) * cell)
        tubes, glow = Canvas(*size, is_transparent=True), Canvas(*size, is_transparent=True)
        for x in range(maze.width):
            for y in range(maze.height):
                if not maze.is_wall(x, y):
                    continue
                around = frozenset((dx, dy) for dx, dy in _AROUND if has_wall(maze, x + dx, y + dy))
                at = (x + 1) * cell, (maze.height - y) * cell
                tubes.paste(self._wall(around, False), *at)
                glow.paste(self._wall(around, True), *at)
        if theme.glow:
            glow = glow.blurred(max(1, round(cell * 0.28))).faded(theme.glow)
            glow.paste(tubes, 0, 0)
            return glow
        return tubes

    def _wall(self, around: frozenset[tuple[int, int]], is_outline: bool) -> Canvas:
        """The cell of a wall: a tube from its middle to the walls `around` it; four walls are a block."""
        cell, middle = self.cell, self.cell / 2
        layers = [(WALL_RADIUS * cell, self.theme.wall_edge)]
        if not is_outline:
            layers.append((WALL_RADIUS * cell - max(WALL_EDGE * cell, 1.5), self.theme.wall))

        def draw(canvas: Canvas) -> None:
            for radius, colour in layers:
                canvas.disc(middle, middle, radius, colour)
                for dx, dy in around:
                    if not (dx and dy):
                        canvas.line([(middle, middle), (middle + dx * cell, middle - dy * cell)], 2 * radius, colour)
                    elif {(dx, 0), (0, dy)} <= around:
                        canvas.box((dx > 0) * middle, (dy < 0) * middle, middle, middle, colour)

        return self._cached(("wall", around, is_outline), cell, draw)


def has_wall(maze: Maze, x: int, y: int) -> bool:
    """True if cell (x, y) is a wall. Cells outside the maze are not walls here."""
    return 0 <= x < maze.width and 0 <= y < maze.height and maze.is_wall(x, y)
