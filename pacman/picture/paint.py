"""One moment of a game as a picture of any size: the board with all agents, and a bar above and below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import cos, pi, sin

from pacman.core.layout import Maze
from pacman.core.numbers import format_number
from pacman.core.rules import SCARED_MOVES
from pacman.picture import sprites
from pacman.picture.bars import (
    BoardDrawing,
    Message,
    TimelineBar,
    draw_chips,
    draw_message,
    draw_top_bar,
    end_message,
)
from pacman.picture.canvas import Canvas
from pacman.picture.colours import Colour, Theme
from pacman.picture.moment import BANNER_AFTER, ENDING_SECONDS, LAST_MOVES, VisibleState
from pacman.picture.screen_regions import Regions

RIM = ((1, 1), (1, -1), (-1, -1), (-1, 1), (1.4, 0), (0, 1.4), (-1.4, 0), (0, -1.4))
SHOCK_SECONDS = 0.3
"""After a loss everything stands still for this long; then Pacman collapses."""
COLLAPSE_SECONDS = 0.9
SPARKS, SPARK_SECONDS, SPARK_RADIUS = 12, 0.5, 0.12
ROCKETS, ROCKET_EVERY, ROCKET_SECONDS, RAYS = 7, 0.14, 0.85, 16
"""The number of rockets, the seconds from one to the next, how long each one shines, and its dots."""
Dot = tuple[float, float, float, Colour]
"""(x, y, radius, colour), in cells."""


def paint(
    board: BoardDrawing, decorate: Callable[[bool], None] = lambda is_below: None, message: Message | None = None
) -> None:
    """Paints the whole canvas. `decorate` draws on the board: with True below all agents, with False above them.

    At the end of the game, the result is the message unless there is another one.

    Points and sparks are below all agents too, so that they hide none.
    """
    canvas, visible, theme, frame, cell = board.canvas, board.visible, board.theme, board.frame, board.cell
    seconds = visible.seconds_over
    is_flashing = visible.after.is_win and 0 < seconds < ENDING_SECONDS and seconds % 0.6 < 0.3
    canvas.paste(_background(frame, visible.after.maze, theme, is_flashing), 0, 0)
    decorate(True)
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
    decorate(False)
    draw_top_bar(board)
    draw_chips(board)
    if frame.timeline.height:
        TimelineBar(frame.timeline, board.unit).draw(canvas, visible.status, theme)
    if seconds > BANNER_AFTER:
        message = message or end_message(visible, theme)
    if message is not None:
        draw_message(canvas, frame.message, board.unit, message, theme)


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
