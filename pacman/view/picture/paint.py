"""One moment of a game as a picture of any size: the board with everyone on it, and a bar above and below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi, sin

from pacman.core.layout import Maze
from pacman.core.rules import EAST, STOP
from pacman.view.events import LAST_MOVES
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.notices import banner
from pacman.view.picture.regions import MIN_CELL, Regions
from pacman.view.picture.snapshot import BANNER_AFTER, ENDING_SECONDS, Snapshot
from pacman.view.picture.sprites import FOOD_RADIUS, Sprites
from pacman.view.picture.status_bars import chips, signed, top_bar
from pacman.view.picture.timeline_bar import TimelineBar
from pacman.view.theme import Theme

RIM = ((1, 1), (1, -1), (-1, -1), (-1, 1), (1.4, 0), (0, 1.4), (-1.4, 0), (0, -1.4))
Drawing = Callable[[Canvas, Regions], None]


def nothing(canvas: Canvas, frame: Regions) -> None:
    """The drawing of nothing."""


class Painter:
    """Paints moments. What does not move is painted once for each size of picture and kept."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._sprites = Sprites(MIN_CELL, theme)
        self._icons = Sprites(MIN_CELL, theme)
        self._boards: tuple[Regions, Maze, dict[bool, Canvas]] | None = None

    def paint(
        self, canvas: Canvas, moment: Snapshot, frame: Regions, under: Drawing = nothing, over: Drawing = nothing
    ) -> None:
        """Paints the whole canvas; what `under` draws lies on the floor, what `over` draws above everyone."""
        maze = moment.after.maze
        canvas.paste(self._background(frame, maze, moment.flashes), 0, 0)
        under(canvas, frame)
        self._food(canvas, frame, moment)
        for number in range(len(moment.after.ghosts), 0, -1):
            self._ghost(canvas, frame, moment, number)
        self._pacman(canvas, frame, moment)
        over(canvas, frame)
        self._floats(canvas, frame, moment)
        if frame.bar.height:
            top_bar(canvas, frame.bar, frame.unit, moment, self.theme)
            size = round(1.7 * frame.unit) // 2 * 2
            icons = [self._icon(agent, size) for agent in range(len(moment.after.ghosts) + 1)]
            chips(canvas, frame.chips, frame.unit, moment, self.theme, icons)
        if frame.timeline.height:
            TimelineBar(frame.timeline, frame.unit).draw(canvas, moment.status, self.theme)
        if moment.ended > BANNER_AFTER:
            pacman = frame.middle(*moment.pacman, maze.height)[1]
            board = frame.top, frame.top + maze.height * frame.cell, pacman
            banner(canvas, frame.left + maze.width * frame.cell / 2, board, frame.unit, moment, self.theme)

    def _background(self, frame: Regions, maze: Maze, flashes: bool) -> Canvas:
        """The walls; bright ones if they flash."""
        if self._boards is None or self._boards[:2] != (frame, maze):
            if self._sprites.cell != frame.cell:
                self._sprites = Sprites(frame.cell, self.theme)
            self._boards = frame, maze, {}
        boards = self._boards[2]
        if flashes not in boards:
            bright = replace(self.theme, wall_edge=self.theme.text)
            sprites = Sprites(frame.cell, bright) if flashes else self._sprites
            board = boards[flashes] = Canvas(frame.width, frame.height)
            board.fill(self.theme.background)
            board.paste(sprites.walls(maze), frame.left - frame.cell, frame.top - frame.cell)
        return boards[flashes]

    def _icon(self, agent: int, cell: int) -> Canvas:
        if self._icons.cell != cell:
            self._icons = Sprites(cell, self.theme)
        return self._icons.ghost(self.theme.agent(agent), STOP, 0.0) if agent else self._icons.pacman(EAST, 0.8)

    def _put(self, canvas: Canvas, frame: Regions, moment: Snapshot, picture: Canvas, x: float, y: float) -> None:
        middle_x, middle_y = frame.middle(x, y, moment.after.maze.height)
        canvas.paste(picture, middle_x - picture.width / 2, middle_y - picture.height / 2)

    def _food(self, canvas: Canvas, frame: Regions, moment: Snapshot) -> None:
        shown = moment.shown
        dot = self._sprites.dot(FOOD_RADIUS, self.theme.food)
        for x, y in shown.food:
            self._put(canvas, frame, moment, dot, x, y)
        for x, y in shown.capsules:
            pulse = 0.5 + 0.5 * sin(2 * pi * moment.clock / 1.2 + x)
            self._put(canvas, frame, moment, self._sprites.capsule(pulse), x, y)

    def _ghost(self, canvas: Canvas, frame: Regions, moment: Snapshot, number: int) -> None:
        pose, (x, y), size = moment.ghost(number)
        if not size:
            return
        wave = (moment.clock * 1.6 + number * 0.3) % 1.0
        if pose.is_scared:
            blinking = pose.timer <= LAST_MOVES and moment.clock % 0.4 < 0.2
            picture = self._sprites.scared(wave, blinking)
        else:
            picture = self._sprites.ghost(self.theme.agent(number), pose.direction, wave)
        if size < 1:
            small = max(1, round(picture.width * size))
            picture = picture.scaled(small, small)
        self._put(canvas, frame, moment, picture, x, y)

    def _pacman(self, canvas: Canvas, frame: Regions, moment: Snapshot) -> None:
        x, y = moment.pacman
        mouth = abs((2 * moment.fraction + 1) % 2 - 1) if moment.is_walking else 0.55
        dying = min(1.0, moment.ended / ENDING_SECONDS) if moment.after.is_lose else 0.0
        self._put(canvas, frame, moment, self._sprites.pacman(moment.heading, mouth, dying), x, y)

    def _floats(self, canvas: Canvas, frame: Regions, moment: Snapshot) -> None:
        for one in moment.floats:
            x, y = frame.middle(*one.place, moment.after.maze.height)
            y -= frame.cell * (0.3 + 1.1 * one.age)
            size = max(14.0, min(frame.cell * 0.95, 2.6 * frame.unit))
            colour = self.theme.good if one.points > 0 else self.theme.bad
            words, part, rim = signed(one.points, "+"), min(1.0, 2 - 2 * one.age), max(1.0, 0.05 * size)
            for dx, dy in RIM:  # they rise over anybody's colour
                canvas.text(words, x + rim * dx, y + rim * dy, size, self.theme.background, 0.5, part)
            canvas.text(words, x, y, size, colour, 0.5, part)
