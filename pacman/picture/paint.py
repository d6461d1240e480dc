"""One moment of a game as a picture of any size: the board with all agents, and a bar above and below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import cos, pi, sin

from pacman.core.layout import Maze
from pacman.core.numbers import format_number
from pacman.core.rules import EAST, SCARED_MOVES, STOP
from pacman.core.state import Place, places_of
from pacman.picture import sprites
from pacman.picture.bars import Message, TimelineBar, draw_chips, draw_message, draw_top_bar, end_message
from pacman.picture.canvas import Canvas, Point
from pacman.picture.colours import Colour, Theme
from pacman.picture.moment import BANNER_AFTER, ENDING_SECONDS, LAST_MOVES, VisibleState
from pacman.picture.screen_regions import Box, Regions

RIM = ((1, 1), (1, -1), (-1, -1), (-1, 1), (1.4, 0), (0, 1.4), (-1.4, 0), (0, -1.4))
SHOCK_SECONDS = 0.3
"""After a loss everything stands still for this long; then Pacman collapses."""
COLLAPSE_SECONDS = 0.9
SPARKS, SPARK_SECONDS, SPARK_RADIUS = 12, 0.5, 0.12
ROCKETS, ROCKET_EVERY, ROCKET_SECONDS, RAYS = 7, 0.14, 0.85, 16
"""The number of rockets, the seconds from one to the next, how long each one shines, and its dots."""
Dot = tuple[float, float, float, Colour]
"""(x, y, radius, colour), in cells."""


class BoardDrawing:
    """The board of a moment in a picture, and how to draw at a place of it."""

    def __init__(self, canvas: Canvas, visible: VisibleState, theme: Theme, frame: Regions) -> None:
        self.canvas, self.visible, self.theme, self.frame = canvas, visible, theme, frame
        self.cell, self.unit = frame.cell, frame.unit
        self._origin = frame.middle(0, 0, visible.after.maze.height)
        self.state = visible.before if visible.fraction < 1 else visible.after
        """The position in which the present glide begins."""

    def pixel(self, place: Place) -> Point:
        """The pixel at the middle of a place."""
        return self._origin[0] + place[0] * self.cell, self._origin[1] - place[1] * self.cell

    def put(self, picture: Canvas, middle: Point) -> None:
        """Draws `picture` with its middle at the pixel `middle`."""
        self.canvas.paste(picture, middle[0] - picture.width / 2, middle[1] - picture.height / 2)

    def agents(self) -> list[Box]:
        """The boxes in which the agents are from the beginning to the end of the present glide, Pacman's first.

        A ghost that is eaten has two boxes: it disappears in one and appears in the other.
        """
        boxes, half = [], sprites.BODY_RADIUS * self.cell
        for places in zip(places_of(self.state), places_of(self.visible.after), strict=True):
            pixels = [self.pixel(place) for place in places]
            (x, y), (to_x, to_y) = pixels
            is_jump = abs(to_x - x) + abs(to_y - y) > 1.1 * self.cell
            for glide in [[pixel] for pixel in pixels] if is_jump else [pixels]:
                left, top = (min(ends) - half for ends in zip(*glide, strict=True))
                right, bottom = (max(ends) + half for ends in zip(*glide, strict=True))
                boxes.append(Box(left, top, right - left, bottom - top))
        return boxes


def paint(
    canvas: Canvas,
    visible: VisibleState,
    regions: Regions,
    theme: Theme,
    decorate: Callable[[BoardDrawing, bool], None] = lambda board, is_below: None,
    message: Message | None = None,
) -> None:
    """Paints the whole canvas. `decorate` draws on the board: with True below all agents, with False above them.

    At the end of the game, the result is the message unless there is another one.

    Points and sparks are below all agents too, so that they hide none.
    """
    board, cell = BoardDrawing(canvas, visible, theme, regions), regions.cell
    seconds = visible.seconds_over
    is_flashing = visible.after.is_win and 0 < seconds < ENDING_SECONDS and seconds % 0.6 < 0.3
    canvas.paste(_background(regions, visible.after.maze, theme, is_flashing), 0, 0)
    decorate(board, True)
    food = sprites.dot(sprites.FOOD_RADIUS * cell, theme.food)
    for place in visible.visible_state.food:
        board.put(food, board.pixel(place))
    for place in visible.visible_state.capsules:
        pulse = 0.5 + 0.5 * sin(2 * pi * visible.clock / 1.2 + place[0])
        board.put(sprites.capsule(cell, theme, round(pulse * sprites.PULSES)), board.pixel(place))
    _draw_rising_points(board)
    for x, y, radius, colour in ending_dots(visible, theme) if seconds else ():
        board.put(sprites.dot(radius * cell, colour), board.pixel((x, y)))
    for number in range(len(visible.after.ghosts), 0, -1):
        _draw_ghost(board, number)
    _draw_pacman(board)
    decorate(board, False)
    _draw_bars(canvas, regions, visible, theme)
    if seconds > BANNER_AFTER:
        message = message or end_message(visible, theme)
    if message is not None:
        draw_message(canvas, regions.message, regions.unit, message, theme)


@lru_cache(maxsize=4)
def _background(regions: Regions, maze: Maze, theme: Theme, is_flashing: bool) -> Canvas:
    """What does not move: the background with the walls, which are bright if `is_flashing`."""
    board = Canvas(regions.width, regions.height)
    board.fill(theme.background)
    edge = theme.text if is_flashing else theme.wall_edge
    middle, inks = partial(regions.middle, rows=maze.height), (edge, edge, theme.wall)
    sprites.draw_walls(board, maze, regions.cell, middle, inks, theme.glow)
    return board


def _draw_pacman(board: BoardDrawing) -> None:
    """Draws Pacman: between two cells its mouth moves, and after a loss it collapses."""
    visible, before, after = board.visible, board.visible.before.pacman, board.visible.after.pacman
    is_moving = before.position != after.position and visible.fraction < 1
    mouth = abs((2 * visible.fraction + 1) % 2 - 1) if is_moving else sprites.MOUTH
    gone = (visible.seconds_over - SHOCK_SECONDS) / COLLAPSE_SECONDS if visible.after.is_lose else 0.0
    heading = after.direction if visible.fraction > 0 else before.direction
    picture = sprites.pacman(board.cell, board.theme.pacman, heading, mouth, min(1.0, max(0.0, gone)))
    board.put(picture, board.pixel(visible.pacman))


def _draw_ghost(board: BoardDrawing, number: int) -> None:
    """Draws a ghost; while it is scared, on the ring that counts its moves."""
    visible, cell, theme = board.visible, board.cell, board.theme
    pose, place, size = visible.ghost(number)
    if not size:
        return
    wave = (visible.clock * 1.6 + number * 0.3) % 1.0
    if pose.is_scared:
        if size == 1:
            board.put(sprites.timer(cell, theme, pose.timer / SCARED_MOVES), board.pixel(place))
        is_blinking = pose.timer <= LAST_MOVES and visible.clock % 0.4 < 0.2
        picture = sprites.scared(cell, theme, wave, is_blinking)
    else:
        picture = sprites.ghost(cell, theme, number, pose.direction, wave)
    small = max(1, round(picture.width * size))
    board.put(picture.scaled(small, small) if size < 1 else picture, board.pixel(place))


def _draw_bars(canvas: Canvas, regions: Regions, visible: VisibleState, theme: Theme) -> None:
    unit, numbers = regions.unit, range(1, len(visible.after.ghosts) + 1)
    if regions.bar.height:
        draw_top_bar(canvas, regions.bar, unit, visible, theme)
        size = round(1.7 * unit) // 2 * 2
        icons = [sprites.ghost(size, theme, number, STOP, 0.0) for number in numbers]
        icons = [sprites.pacman(size, theme.pacman, EAST, 0.8), *icons]
        draw_chips(canvas, regions.chips, unit, visible, theme, icons)
    if regions.timeline.height:
        TimelineBar(regions.timeline, unit).draw(canvas, visible.status, theme)


def _draw_rising_points(board: BoardDrawing) -> None:
    write, theme = board.canvas.text, board.theme
    for points, place, age in board.visible.rising_points:
        x, y = board.pixel(place)
        y -= board.cell * (0.3 + 1.1 * age)
        size = max(14.0, min(board.cell * 0.95, 2.6 * board.unit))
        text = f"+{points}" if points > 0 else format_number(points)
        opacity, rim = min(1.0, 2 - 2 * age), max(1.0, 0.05 * size)
        for dx, dy in RIM:  # a dark edge, because they can rise over any colour
            write(text, x + rim * dx, y + rim * dy, size, theme.background, 0.5, opacity)
        write(text, x, y, size, theme.good if points > 0 else theme.bad, 0.5, opacity)


# ---- the end of a game: Pacman collapses in sparks after a loss; fireworks rise over the board after a win


def ending_dots(visible: VisibleState, theme: Theme) -> Iterator[Dot]:
    """The dots of the sparks or of the fireworks at this moment."""
    time = visible.seconds_over
    if visible.after.is_lose:
        part = (time - SHOCK_SECONDS - 0.8 * COLLAPSE_SECONDS) / SPARK_SECONDS
        if 0 < part < 1:
            yield from _burst(visible.pacman, 0.3 + 1.0 * part, SPARK_RADIUS * (1 - part), SPARKS, theme.pacman)
    elif visible.after.is_win and time > 0:
        maze = visible.after.maze
        for rocket in range(ROCKETS):
            part = (time - ROCKET_EVERY * rocket) / ROCKET_SECONDS
            if 0 < part < 1:
                # The golden ratio spreads the rockets evenly over the board.
                x = (0.1 + 0.8 * (0.23 + 0.618 * rocket) % 0.8) * (maze.width - 1)
                y = (0.15 + 0.7 * (0.4 + 0.382 * rocket) % 0.7) * (maze.height - 1)
                reach = (1 - (1 - part) ** 3) * 0.3 * min(maze.width, maze.height)
                for ring, share in ((reach, 1.0), (0.55 * reach, 0.7)):
                    yield from _burst((x, y - part**2), ring, 0.16 * (1 - part) * share, RAYS, theme.agent(rocket + 1))


def _burst(middle: tuple[float, float], reach: float, radius: float, dots: int, colour: Colour) -> Iterator[Dot]:
    """Dots on a circle."""
    for number in range(dots):
        angle = 2 * pi * number / dots
        yield middle[0] + reach * cos(angle), middle[1] + reach * sin(angle), radius, colour
