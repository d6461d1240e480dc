"""A position in a terminal: as pixels in colours, or as letters, one for each cell.

A character is two pixels, one above the other (a half-block). At scale 1 a cell has 4 x 4 pixels: 4 columns and 2 rows
of characters. Half a cell is 2 pixels. A larger scale multiplies these numbers; an even one has finer pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from pacman.core import layout
from pacman.core.layout import Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST, GhostPose
from pacman.core.state import GameState
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.moment import LAST_MOVES, Cell
from pacman.picture.sprites import has_wall

CELL = 4
COLUMNS, ROWS = CELL, CELL // 2
"""The size of a cell in a terminal at scale 1, in characters."""
MOST_SCALE = 6

WALL = 0.6
"""A wall has one colour, a blend of the theme's `wall` and this fraction of `wall_edge`."""
Sprite = Sequence[str]


def _turned(east: Sprite) -> dict[str, Sprite]:
    """The picture of Pacman in each direction, from the one that looks East."""
    south = tuple("".join(column) for column in zip(*east, strict=True))
    return {EAST: east, STOP: east, WEST: tuple(row[::-1] for row in east), SOUTH: south, NORTH: south[::-1]}


# Each picture in 4 x 4 and in 8 x 8 pixels. "o" is an eye.
PACMAN = {
    4: _turned((".XX.", "XX..", "XX..", ".XX.")),
    8: _turned(("..XXXX..", ".XXXXXX.", "XXXXXX..", "XXXX....", "XXXX....", "XXXXXX..", ".XXXXXX.", "..XXXX..")),
}
CAUGHT: Mapping[int, Sprite] = {
    4: ("X..X", ".XX.", ".XX.", "X..X"),
    8: ("X......X", "XX....XX", ".XX..XX.", "..XXXX..", "..XXXX..", ".XX..XX.", "XX....XX", "X......X"),
}
FOOD: Mapping[int, Sprite] = {
    4: ("....", "....", ".X..", "...."),
    8: ("........", "........", "........", "...XX...", "...XX...", "........", "........", "........"),
}
CAPSULE: Mapping[int, Sprite] = {
    4: ("....", ".XX.", ".XX.", "...."),
    8: ("........", "........", "...XX...", "..XXXX..", "..XXXX..", "...XX...", "........", "........"),
}
EYES = {
    4: {EAST: "XoXo", WEST: "oXoX", NORTH: "oXXo", SOUTH: "oXXo", STOP: "oXXo"},
    8: {EAST: "XXooXoo", WEST: "ooXooXX", NORTH: "XooXXooX", SOUTH: "XooXXooX", STOP: "XooXXooX"},
}

SCARED_INK = (120, 144, 255)
"""The colour of a scared ghost, lighter than in a window, because a terminal can have any background."""
MOUTHS = {EAST: "<", WEST: ">", NORTH: "v", SOUTH: "^", STOP: "<"}
"""Pacman as a letter: the open mouth is in front, so the letter points backwards."""
Code = Callable[[Colour, bool], str]
"""A function from (colour, is_background) to an escape code."""
RESET = "\x1b[0m"
Pixels = dict[tuple[int, int], Colour]
"""Colours by (column, row) from the top left; a missing pixel shows the floor."""


def blocks(
    state: GameState, code: Code, theme: Theme, scale: int = 1, tints: Mapping[Cell, Colour] | None = None
) -> list[str]:
    """The position as rows of half-blocks, with escape codes for the colours.

    The floor has the theme's background, so the board looks the same on every terminal; `tints` are the colours of
    single cells of the floor.
    """
    pixels = picture(state, theme, 8 if scale % 2 == 0 else 4)
    part = scale // 2 if scale % 2 == 0 else scale
    size, maze = CELL * scale, state.maze

    def colour(x: int, y: int) -> Colour:
        cell = x // size, maze.height - 1 - y // size
        return pixels.get((x // part, y // part)) or (tints or {}).get(cell, theme.background)

    rows = []
    for y in range(0, maze.height * size, 2):
        pairs = ((colour(x, y), colour(x, y + 1)) for x in range(maze.width * size))
        runs = ((pair, len(list(run))) for pair, run in groupby(pairs))
        rows.append("".join(_run(*pair, count, code) for pair, count in runs) + RESET)
    return rows


def _run(above: Colour, below: Colour, count: int, code: Code) -> str:
    """So many equal characters: two pixels, one above the other."""
    if above == below:
        return f"{code(below, True)}{' ' * count}"
    return f"{code(above, False)}{code(below, True)}{'▀' * count}"


def picture(state: GameState, theme: Theme, size: int = CELL) -> Pixels:
    """The position as pixels; a cell has `size` x `size` of them, 4 or 8."""
    maze = state.maze
    pixels: Pixels = {}

    def put(sprite: Sprite, place: tuple[float, float], colours: dict[str, Colour]) -> None:
        left, top = round(place[0] * size), round((maze.height - 1 - place[1]) * size)
        for y, row in enumerate(sprite):
            for x, char in enumerate(row):
                if char in colours:
                    pixels[left + x, top + y] = colours[char]

    wall = blend(theme.wall, theme.wall_edge, WALL)
    for x in range(maze.width):
        for y in range(maze.height):
            if maze.is_wall(x, y):
                put(_wall(maze, x, y, size), (x, y), {"X": wall})
    for cell in state.food:
        put(FOOD[size], cell, {"X": theme.food})
    for cell in state.capsules:
        put(CAPSULE[size], cell, {"X": theme.capsule})
    for number in range(len(state.ghosts), 0, -1):
        ghost = state.ghosts[number - 1]
        colour = ghost_colour(ghost, number, theme, theme.blink_face)
        put(_ghost(ghost, size), ghost.position, {"X": colour, "o": theme.eye})
    sprite = CAUGHT[size] if state.is_lose else PACMAN[size][state.pacman.direction]
    put(sprite, state.pacman.position, {"X": theme.bad if state.is_lose else theme.pacman})
    return pixels


def _ghost(ghost: GhostPose, size: int) -> Sprite:
    eyes = EYES[size][ghost.direction]
    if size == CELL:
        return (".XX.", eyes, "XXXX", "X.X." if ghost.timer % 2 else ".X.X")
    eyes = eyes.ljust(8, "X") if ghost.direction == WEST else eyes.rjust(8, "X")
    foot = "XX.XX.XX" if ghost.timer % 2 else "X.XXXX.X"
    rows = {NORTH: (1, 2), SOUTH: (3, 4)}.get(ghost.direction, (2, 3))
    body = ["..XXXX..", ".XXXXXX.", *["XXXXXXXX"] * 5, foot]
    for row in rows:
        body[row] = "".join("." if old == "." else new for old, new in zip(body[row], eyes, strict=True))
    return tuple(body)


def _wall(maze: Maze, x: int, y: int, size: int) -> Sprite:
    """A wall cell as a tube, half a cell wide, joined to the walls of neighbouring cells."""

    def side(place: int) -> int:
        return -1 if place < size // 4 else 1 if place >= size - size // 4 else 0

    def pixel(u: int, v: int) -> str:
        dx, dy = side(u), -side(v)
        return "X" if all(has_wall(maze, x + u, y + v) for u in (0, dx) for v in (0, dy)) else "."

    return tuple("".join(pixel(u, v) for u in range(size)) for v in range(size))


def ghost_colour(ghost: GhostPose, number: int, theme: Theme, blink: Colour) -> Colour:
    """The colour of a ghost; a scared ghost is `SCARED_INK`, and alternates with `blink` before it recovers."""
    if not ghost.is_scared:
        return theme.agent(number)
    return blink if ghost.timer <= LAST_MOVES and ghost.timer % 2 else SCARED_INK


# ---- letters


def letters(
    state: GameState, code: Code | None, theme: Theme, tints: Mapping[Cell, Colour] | None = None, width: int = 1
) -> list[list[str]]:
    """The position as rows of cells, one ASCII letter per cell. A ghost is its number, or S if it is scared.

    With `code` each letter has its colour, on the theme's background or on the colour of its cell in `tints`, and a
    wall is only its colour. A cell is `width` characters wide.
    """
    maze = state.maze
    cells = {(x, y): (char, theme.wall_edge) for y, row in enumerate(reversed(maze.rows)) for x, char in enumerate(row)}
    cells |= dict.fromkeys(state.food, (layout.FOOD, theme.food))
    cells |= dict.fromkeys(state.capsules, (layout.CAPSULE, theme.capsule))
    for number, ghost in enumerate(state.ghosts, 1):
        x, y = ghost.position
        letter = "S" if ghost.is_scared else str(number % 10)
        cells[int(x), int(y)] = letter, ghost_colour(ghost, number, theme, theme.blink)
    x, y = state.pacman.position
    cells[int(x), int(y)] = "X" if state.is_lose else MOUTHS[state.pacman.direction], theme.pacman

    def cell(x: int, y: int) -> str:
        char, ink = cells[x, y]
        if code is None:
            return char.ljust(width)
        if char == layout.WALL:
            return f"{code(blend(theme.wall, theme.wall_edge, WALL), True)}{' ' * width}{RESET}"
        back = (tints or {}).get((x, y), theme.background)
        return f"{code(ink, False)}{code(back, True)}{char.ljust(width)}{RESET}"

    return [[cell(x, y) for x in range(maze.width)] for y in reversed(range(maze.height))]


# ---- colours


def true_colour_code(colour: Colour, is_background: bool) -> str:
    """The escape code of a colour, in 24 bits."""
    red, green, blue = colour
    return f"\x1b[{48 if is_background else 38};2;{red};{green};{blue}m"


STEPS = (0, 95, 135, 175, 215, 255)
"""The levels of red, green and blue in 216 of a terminal's 256 colours."""


def palette_code(colour: Colour, is_background: bool) -> str:
    """The escape code of the nearest of a terminal's 256 colours.

    >>> palette_code((255, 212, 38), False)
    '\\x1b[38;5;220m'
    """
    red, green, blue = (min(range(6), key=lambda step: abs(STEPS[step] - part)) for part in colour)
    return f"\x1b[{48 if is_background else 38};5;{16 + 36 * red + 6 * green + blue}m"
