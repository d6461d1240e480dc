"""A position in characters: ASCII for any file, or joined lines and colours for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from pacman.core.layout import CAPSULE, FOOD, Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST, GhostPose
from pacman.core.state import GameState
from pacman.picture.colours import DARK, Colour, Theme
from pacman.picture.moment import LAST_MOVES, Cell
from pacman.picture.sprites import has_wall

# The open mouth is in front, so the character points backwards.
PACMAN = {EAST: "<", WEST: ">", NORTH: "v", SOUTH: "^", STOP: "<"}
SCARED = "S"
SCARED_INK = (120, 144, 255)
"""The colour of a scared ghost, lighter than in a window, because a terminal can have any background."""
_JOINTS = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8

Code = Callable[[Colour, bool], str]
"""A function from (colour, is_background) to an escape code."""
RESET = "\x1b[0m"


def plain(state: GameState) -> list[str]:
    """The position as rows, one ASCII character per cell. A ghost is its number, or S if it is scared."""
    maze = state.maze
    rows = [list(row) for row in maze.rows]
    for (x, y), char, _, _ in _characters(state, DARK):
        rows[maze.height - 1 - int(y)][int(x)] = char
    return ["".join(row) for row in rows]


def joined_lines(
    state: GameState, code: Code | None, theme: Theme = DARK, tints: Mapping[Cell, Colour] | None = None
) -> list[str]:
    """The position as rows, two columns per cell, so that a ghost can be between two cells.

    Without `code` the rows have no colours. With it the floor has the theme's background, so the board looks the same
    on every terminal; `tints` are the colours of single cells of the floor.
    """
    maze = state.maze
    rows = [[(char, theme.wall_edge) for char in row] for row in walls(maze)]
    for (x, y), _, char, colour in _characters(state, theme):
        rows[maze.height - 1 - int(y)][int(2 * x)] = char, colour
    if not code:
        return ["".join(char for char, _ in row) for row in rows]
    coloured = []
    for y, row in enumerate(rows):
        cells = (((x + 1) // 2, maze.height - 1 - y) for x in range(len(row)))
        coloured.append(_coloured(row, [(tints or {}).get(cell, theme.background) for cell in cells], code))
    return coloured


def _characters(state: GameState, theme: Theme) -> Iterator[tuple[tuple[float, float], str, str, Colour]]:
    """(place, ASCII character, Unicode character, colour) of everything on the floor, from the bottom up."""
    for cell in state.food:
        yield cell, FOOD, "·", theme.food
    for cell in state.capsules:
        yield cell, CAPSULE, "●", theme.capsule
    for number, ghost in enumerate(state.ghosts, 1):
        letter = SCARED if ghost.is_scared else str(number % 10)
        yield ghost.position, letter, "ω" if ghost.is_scared else "Ω", ghost_colour(ghost, number, theme, theme.blink)
    mouth = PACMAN[state.pacman.direction]
    yield state.pacman.position, "X" if state.is_lose else mouth, "✕" if state.is_lose else mouth, theme.pacman


def ghost_colour(ghost: GhostPose, number: int, theme: Theme, blink: Colour) -> Colour:
    """The colour of a ghost; a scared ghost is `SCARED_INK`, and alternates with `blink` before it recovers."""
    if not ghost.is_scared:
        return theme.agent(number)
    return blink if ghost.timer <= LAST_MOVES and ghost.timer % 2 else SCARED_INK


def _coloured(row: Sequence[tuple[str, Colour]], floor: Sequence[Colour], code: Code) -> str:
    """A row on its floor, with as few colour codes as possible: a blank has the colour of the character before it."""
    ink, text = row[0][1], ""
    last: tuple[Colour | None, Colour | None] = None, None
    for (char, own), back in zip(row, floor, strict=True):
        ink = ink if char == " " else own
        text += (code(ink, False) if ink != last[0] else "") + (code(back, True) if back != last[1] else "") + char
        last = ink, back
    return text + RESET


def walls(maze: Maze) -> list[str]:
    """The walls as joined lines, two columns per cell. Only lines next to the floor or the outside are drawn.

    >>> from pacman.core.layout import Maze
    >>> print("\\n".join(walls(Maze.of(["%%%%", "%  %", "%%%%"]))))
    ╭─────╮
    │     │
    ╰─────╯
    """

    wall = partial(has_wall, maze)

    def linked(x: int, y: int, dx: int, dy: int) -> bool:
        """True if a line goes from cell (x, y) to its neighbour."""
        if not (wall(x, y) and wall(x + dx, y + dy)):
            return False
        sides = [(x + dy, y + dx), (x - dy, y - dx), (x + dx + dy, y + dy + dx), (x + dx - dy, y + dy - dx)]
        return not all(wall(*side) for side in sides)

    rows = []
    for y in reversed(range(maze.height)):
        row = ""
        for x in range(maze.width):
            joint = _UP * linked(x, y, 0, 1) + _RIGHT * linked(x, y, 1, 0)
            joint += _DOWN * linked(x, y - 1, 0, 1) + _LEFT * linked(x - 1, y, 1, 0)
            # There is no line at a single wall, nor at a wall with walls on all sides.
            around = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            is_alone = wall(x, y) and not joint and not all(wall(*cell) for cell in around)
            row += "▪" if is_alone else _JOINTS[joint]
            row += "─" if joint & _RIGHT else " "
        rows.append(row[:-1])
    return rows


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
