"""What a game's end looks like: Pacman collapses in sparks after a loss; fireworks rise over the board after a win.

Pure: the same time gives the same dots.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from pacman.view.picture.visible_state import VisibleState
from pacman.view.theme import Colour, Theme

SHOCK_SECONDS = 0.3
"""After a loss everything stands still for this long; then Pacman collapses."""
COLLAPSE_SECONDS = 0.9
SPARKS, SPARK_SECONDS, SPARK_RADIUS = 12, 0.5, 0.12
ROCKETS, ROCKET_EVERY, ROCKET_SECONDS, RAYS = 7, 0.14, 0.85, 16
"""The number of rockets, the seconds from one to the next, how long each one shines, and its dots."""
Dot = tuple[float, float, float, Colour]
"""(x, y, radius, colour), in cells."""


def collapse(visible: VisibleState) -> float:
    """How far Pacman has collapsed, from 0 to 1."""
    if not visible.after.is_lose:
        return 0.0
    return min(1.0, max(0.0, (visible.seconds_over - SHOCK_SECONDS) / COLLAPSE_SECONDS))


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
