"""A position in a terminal: as pixels in colours, or as letters, one for each cell.

A character is two pixels, one above the other (a half-block). At scale 1 a cell has 4 x 4 pixels: 4 columns and 2 rows
of characters. Half a cell is 2 pixels. A larger scale multiplies these numbers; an even one has finer pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, product

from pacman.core import layout
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST, GhostPose
from pacman.core.state import GameState
from pacman.picture.colours import Colour, Theme, blend
from pacman.picture.moment import LAST_MOVES, Cell
from pacman.picture.sprites import wall_lines

COLUMNS, ROWS = 4, 2
"""The size of a cell in a terminal at scale 1, in characters."""
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
FOOD: Mapping[int, Sprite] = {4: ("", "", ".X"), 8: ("", "", "", "...XX", "...XX")}
CAPSULE: Mapping[int, Sprite] = {4: ("", ".XX", ".XX"), 8: ("", "", "...XX", "..XXXX", "..XXXX", "...XX")}
EYES = {
    4: {EAST: "XoXo", WEST: "oXoX", NORTH: "oXXo", SOUTH: "oXXo", STOP: "oXXo"},
    8: {EAST: "XXXooXoo", WEST: "ooXooXXX", NORTH: "XooXXooX", SOUTH: "XooXXooX", STOP: "XooXXooX"},
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
    fine = 1 if scale % 2 else 2
    pixels, maze, size = picture(state, theme, 4 * fine), state.maze, 4 * scale

    def colour(x: int, y: int) -> Colour:
        cell = x // size, maze.height - 1 - y // size
        return pixels.get((x * fine // scale, y * fine // scale)) or (tints or {}).get(cell, theme.background)

    def run(above: Colour, below: Colour, count: int) -> str:
        return (
            code(below, True) + " " * count if above == below else code(above, False) + code(below, True) + "▀" * count
        )

    rows = []
    for y in range(0, maze.height * size, 2):
        pairs = ((colour(x, y), colour(x, y + 1)) for x in range(maze.width * size))
        rows.append("".join(run(*pair, len(list(equal))) for pair, equal in groupby(pairs)) + RESET)
    return rows


def picture(state: GameState, theme: Theme, size: int = 4) -> Pixels:
    """The position as pixels; a cell has `size` x `size` of them, 4 or 8."""
    maze = state.maze
    pixels: Pixels = {}

    def put(sprite: Sprite, place: tuple[float, float], colour: Colour) -> None:
        left, top = round(place[0] * size), round((maze.height - 1 - place[1]) * size)
        for y, row in enumerate(sprite):
            pixels.update({(left + x, top + y): colour for x, char in enumerate(row) if char == "X"})
            pixels.update({(left + x, top + y): theme.eye for x, char in enumerate(row) if char == "o"})

    for line in wall_lines(maze):  # a wall is a tube, half a cell wide
        (left, right), (bottom, top) = ((min(ends), max(ends)) for ends in zip(*line, strict=True))
        across = range(left * size + size // 4, right * size + 3 * size // 4)
        down = range((maze.height - 1 - top) * size + size // 4, (maze.height - 1 - bottom) * size + 3 * size // 4)
        pixels |= dict.fromkeys(product(across, down), wall_colour(theme))
    for cell in state.food:
        put(FOOD[size], cell, theme.food)
    for cell in state.capsules:
        put(CAPSULE[size], cell, theme.capsule)
    for number, ghost in reversed([*enumerate(state.ghosts, 1)]):
        put(_ghost(ghost, size), ghost.position, ghost_colour(ghost, number, theme, theme.blink_face))
    sprite = CAUGHT[size] if state.is_lose else PACMAN[size][state.pacman.direction]
    put(sprite, state.pacman.position, theme.bad if state.is_lose else theme.pacman)
    return pixels


def _ghost(ghost: GhostPose, size: int) -> Sprite:
    eyes, step = EYES[size][ghost.direction], ghost.timer % 2
    if size == 4:
        return (".XX.", eyes, "XXXX", "X.X." if step else ".X.X")
    body = ["..XXXX..", ".XXXXXX.", *["XXXXXXXX"] * 5, "XX.XX.XX" if step else "X.XXXX.X"]
    for row in {NORTH: (1, 2), SOUTH: (3, 4)}.get(ghost.direction, (2, 3)):
        body[row] = "".join(old if old == "." else new for old, new in zip(body[row], eyes, strict=True))
    return tuple(body)


def wall_colour(theme: Theme) -> Colour:
    """A wall has one colour, between those that it has in a window."""
    return blend(theme.wall, theme.wall_edge, 0.6)


def ghost_colour(ghost: GhostPose, number: int, theme: Theme, blink: Colour) -> Colour:
    """The colour of a ghost; a scared ghost is `SCARED_INK`, and alternates with `blink` before it recovers."""
    if not ghost.is_scared:
        return theme.agent(number)
    return blink if ghost.timer <= LAST_MOVES and ghost.timer % 2 else SCARED_INK


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

    def cell(place: Cell) -> str:
        char, ink = cells[place]
        if code is None:
            return char.ljust(width)
        if char == layout.WALL:
            return f"{code(wall_colour(theme), True)}{' ' * width}{RESET}"
        back = (tints or {}).get(place, theme.background)
        return f"{code(ink, False)}{code(back, True)}{char.ljust(width)}{RESET}"

    return [[cell((x, y)) for x in range(maze.width)] for y in reversed(range(maze.height))]


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
