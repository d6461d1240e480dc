"""Pacman, ghosts, food and walls as small pictures. Each is drawn once and then cached."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, cos, pi, sin

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
_ANGLES = {EAST: 0, NORTH: 90, WEST: 180, SOUTH: 270, STOP: 0}


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
        """Pacman, its mouth open by `mouth` (0 to 1). `dying` (0 to 1) opens it further, until Pacman disappears."""
        step, gone = round(mouth * (MOUTHS - 1)), round(dying * DYING)
        size = self._square
        colour = self.theme.pacman

        def draw(canvas: Canvas) -> None:
            half = 40 * step / (MOUTHS - 1) + 2
            turned = _ANGLES[heading]
            if gone:
                half, turned = half + (180 - half) * gone / DYING, 90
            if half < 179:
                middle, radius = size / 2, BODY_RADIUS * self.cell
                canvas.pie(middle, middle, radius, turned + half, turned + 360 - half, colour)

        return self._cached(("pacman", heading, step, gone), size, draw)

    def ghost(self, colour: Colour, heading: str, wave: float) -> Canvas:
        """A ghost that looks towards `heading`; `wave` (0 to 1, a cycle) is the phase of its skirt."""
        step = round(wave * WAVES) % WAVES
        size = self._square
        theme = self.theme

        def draw(canvas: Canvas) -> None:
            unit, middle = BODY_RADIUS * self.cell, size / 2
            self._body(canvas, middle, unit, step / WAVES, colour)
            dx, dy = STEPS[heading]
            for side in (-1, 1):
                x, y = middle + unit * (0.40 * side + 0.10 * dx), middle - unit * (0.16 + 0.10 * dy)
                turns = [a * pi / 24 for a in range(48)]
                oval = [(x + 0.27 * unit * cos(turn), y + 0.34 * unit * sin(turn)) for turn in turns]
                canvas.polygon(oval, theme.eye)
                canvas.disc(x + 0.12 * unit * dx, y - 0.17 * unit * dy, 0.155 * unit, theme.pupil)

        return self._cached(("ghost", colour, heading, step), size, draw)

    def scared(self, wave: float, is_blinking: bool) -> Canvas:
        """A scared ghost with a bright rim, white if `is_blinking`, as it is just before it recovers."""
        step = round(wave * WAVES) % WAVES
        size = self._square
        theme = self.theme
        rim = theme.scared if is_blinking else theme.blink
        body, face = (theme.blink, theme.blink_face) if is_blinking else (theme.scared, theme.scared_face)

        def draw(canvas: Canvas) -> None:
            unit, middle = BODY_RADIUS * self.cell, size / 2
            self._body(canvas, middle, unit, step / WAVES, rim)
            self._body(canvas, middle, (1 - 2 * SCARED_RIM) * unit, step / WAVES, body)
            for side in (-1, 1):
                canvas.disc(middle + 0.34 * unit * side, middle - 0.20 * unit, 0.15 * unit, face)
            mouth = [(middle + unit * 0.2 * x, middle + unit * (0.38 - 0.09 * (-1) ** x)) for x in range(-3, 4)]
            canvas.line(mouth, 0.11 * unit, face)

        return self._cached(("scared", step, is_blinking), size, draw)

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

    def _body(self, canvas: Canvas, middle: float, unit: float, phase: float, colour: Colour) -> None:
        """Draws the dome and the skirt; the three folds of the skirt move sideways with `phase`."""
        width = 0.94 * unit
        dome = [(middle - width * cos(a * pi / 32), middle - unit * sin(a * pi / 32)) for a in range(33)]
        floor, deep = middle + 0.82 * unit, 0.16 * unit
        skirt: list[Point] = []
        for step in range(41):
            along = 1 - step / 20
            skirt.append((middle + width * along, floor + deep * cos(2 * pi * (1.5 * along + phase))))
        canvas.polygon(dome + skirt, colour)

    def walls(self, maze: Maze) -> Canvas:
        """The walls with their glow, on a transparent canvas that is one cell larger on each side."""
        cell, theme = self.cell, self.theme
        size = ((maze.width + 2) * cell, (maze.height + 2) * cell)
        tubes, glow = Canvas(*size, is_transparent=True), Canvas(*size, is_transparent=True)
        for x in range(maze.width):
            for y in range(maze.height):
                if not maze.is_wall(x, y):
                    continue
                for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
                    kind = wall_kind(maze, x, y, dx, dy)
                    at = (x + 1) * cell + (dx > 0) * cell // 2, (maze.height - y) * cell + (dy < 0) * cell // 2
                    tubes.paste(self._quarter(kind, dx, dy, False), *at)
                    glow.paste(self._quarter(kind, dx, dy, True), *at)
        if theme.glow:
            glow = glow.blurred(max(1, round(cell * 0.28))).faded(theme.glow)
            glow.paste(tubes, 0, 0)
            return glow
        return tubes

    def _quarter(self, kind: str, dx: int, dy: int, is_outline: bool) -> Canvas:
        """The quarter of a wall cell in the direction (dx, dy) from its middle."""
        size = self.cell // 2
        stroke = max(WALL_EDGE, 1.5 / self.cell)
        layers = [(WALL_RADIUS, self.theme.wall_edge)]
        if not is_outline:
            layers.append((WALL_RADIUS - stroke, self.theme.wall))

        def draw(canvas: Canvas) -> None:
            for radius, colour in layers:
                turned = [(u if dx > 0 else 1 - u, 1 - v if dy > 0 else v) for u, v in quarter(kind, 2 * radius)]
                canvas.polygon([(size * u, size * v) for u, v in turned], colour)

        return self._cached(("quarter", kind, dx, dy, is_outline), size, draw)


def has_wall(maze: Maze, x: int, y: int) -> bool:
    """True if cell (x, y) is a wall. Cells outside the maze are not walls here."""
    return 0 <= x < maze.width and 0 <= y < maze.height and maze.is_wall(x, y)


def wall_kind(maze: Maze, x: int, y: int, dx: int, dy: int) -> str:
    """How the wall of cell (x, y) continues towards the corner (dx, dy): the `kind` for `quarter`."""
    beside, above = has_wall(maze, x + dx, y), has_wall(maze, x, y + dy)
    if beside and above:
        return "block" if has_wall(maze, x + dx, y + dy) else "bend"
    return "across" if beside else "up" if above else "end"


def quarter(kind: str, radius: float) -> list[Point]:
    """The outline of a quarter of a wall cell. (0, 0) is the middle of the cell, (1, 1) is its corner.

    `radius` is that of the tube. Neighbouring quarters join without a seam: each meets its sides at 0, `radius` or 1.
    """
    arc = [(cos(a * pi / 32), sin(a * pi / 32)) for a in range(17)]
    if kind == "end":
        return [(0, 0), *((radius * u, radius * v) for u, v in arc)]
    if kind == "bend":  # a round inner corner: without a disc around (1, 1)
        return [(0, 0), (1, 0), *((1 - (1 - radius) * v, 1 - (1 - radius) * u) for u, v in arc), (0, 1)]
    across, up = {"across": (1.0, radius), "up": (radius, 1.0), "block": (1.0, 1.0)}[kind]
    return [(0, 0), (across, 0), (across, up), (0, up)]
