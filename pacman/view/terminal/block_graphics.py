"""A position as pixels for a terminal with colours. A character is two pixels, one above the other (a half-block).

A cell has 4 x 4 pixels: 4 columns and 2 rows of characters. Half a cell is 2 pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

from pacman.core.layout import Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST, GhostPose
from pacman.core.state import GameState
from pacman.view.picture.sprites import has_wall
from pacman.view.terminal.glyphs import Code, ghost_colour
from pacman.view.theme import Colour, Theme, blend

CELL = 4
COLUMNS, ROWS = CELL, CELL // 2
"""The size of a cell in a terminal, in characters."""

WALL = 0.6
"""A wall has one colour, a blend of the theme's `wall` and this fraction of `wall_edge`."""
Sprite = Sequence[str]
_EAST: Sprite = (".XX.", "XX..", "XX..", ".XX.")
_NORTH: Sprite = ("X..X", "X..X", "XXXX", ".XX.")
PACMAN: dict[str, Sprite] = {
    EAST: _EAST,
    STOP: _EAST,
    WEST: tuple(row[::-1] for row in _EAST),
    NORTH: _NORTH,
    SOUTH: _NORTH[::-1],
}
CAUGHT: Sprite = ("X..X", ".XX.", ".XX.", "X..X")
# "o" is an eye.
EYES = {EAST: "XoXo", WEST: "oXoX", NORTH: "oXXo", SOUTH: "oXXo", STOP: "oXXo"}
FOOD: Sprite = ("....", "....", ".X..", "....")
CAPSULE: Sprite = ("....", ".XX.", ".XX.", "....")

Pixels = dict[tuple[int, int], Colour]
"""Colours by (column, row) from the top left; a missing pixel shows the terminal's background."""


def blocks(state: GameState, code: Code, theme: Theme) -> list[str]:
    """The position as rows of half-blocks, with escape codes for the colours."""
    pixels = picture(state, theme)
    width, height = state.maze.width * CELL, state.maze.height * CELL
    return [
        "".join(_pair(pixels.get((x, y)), pixels.get((x, y + 1)), code) for x in range(width)).rstrip()
        for y in range(0, height, 2)
    ]


def _pair(above: Colour | None, below: Colour | None, code: Code) -> str:
    """The character for two pixels, one above the other."""
    if above is None:
        return " " if below is None else f"{code(below, False)}▄\x1b[0m"
    return f"{code(above, False)}{'' if below is None else code(below, True)}▀\x1b[0m"


def picture(state: GameState, theme: Theme) -> Pixels:
    """The position as pixels."""
    maze = state.maze
    pixels: Pixels = {}

    def put(sprite: Sprite, place: tuple[float, float], colours: dict[str, Colour]) -> None:
        left, top = round(place[0] * CELL), round((maze.height - 1 - place[1]) * CELL)
        for y, row in enumerate(sprite):
            for x, char in enumerate(row):
                if char in colours:
                    pixels[left + x, top + y] = colours[char]

    wall = blend(theme.wall, theme.wall_edge, WALL)
    for x in range(maze.width):
        for y in range(maze.height):
            if maze.is_wall(x, y):
                put(_wall(maze, x, y), (x, y), {"X": wall})
    for cell in state.food:
        put(FOOD, cell, {"X": theme.food})
    for cell in state.capsules:
        put(CAPSULE, cell, {"X": theme.capsule})
    for number in range(len(state.ghosts), 0, -1):
        ghost = state.ghosts[number - 1]
        put(_ghost(ghost), ghost.position, {"X": ghost_colour(ghost, number, theme, theme.blink_face), "o": theme.eye})
    sprite = CAUGHT if state.is_lose else PACMAN[state.pacman.direction]
    put(sprite, state.pacman.position, {"X": theme.bad if state.is_lose else theme.pacman})
    return pixels


def _ghost(ghost: GhostPose) -> Sprite:
    return (".XX.", EYES[ghost.direction], "XXXX", "X.X." if ghost.timer % 2 else ".X.X")


def _wall(maze: Maze, x: int, y: int) -> Sprite:
    """A wall cell as a tube, two pixels wide, joined to the walls of neighbouring cells."""

    def pixel(u: int, v: int) -> str:
        dx, dy = {0: -1, 3: 1}.get(u, 0), {0: 1, 3: -1}.get(v, 0)
        return "X" if all(has_wall(maze, x + u, y + v) for u in (0, dx) for v in (0, dy)) else "."

    return tuple("".join(pixel(u, v) for u in range(CELL)) for v in range(CELL))
