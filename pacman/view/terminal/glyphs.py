"""A position in characters: plain ones for any file, or joined lines and colours for a terminal that has them."""

from __future__ import annotations

from collections.abc import Callable

from pacman.core.layout import CAPSULE, FOOD, Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST
from pacman.core.state import GameState
from pacman.view.theme import DARK, Colour, Theme

# The mouth is open where he looks, so the character points the other way.
PACMAN = {EAST: "<", WEST: ">", NORTH: "v", SOUTH: "^", STOP: "<"}
SCARED = "S"
SCARED_INK = (120, 144, 255)
"""A scared ghost's colour, lighter than in a window: a terminal's background may be anything."""
LAST_MOVES = 10
_JOINTS = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8

Ink = Callable[[str, Colour], str]


def plain(state: GameState) -> list[str]:
    """The rows of the picture, one ASCII character a cell. A ghost is its number, or S while it is scared."""
    maze = state.maze
    rows = [list(row) for row in maze.rows]

    def put(x: float, y: float, char: str) -> None:
        rows[maze.height - 1 - int(y)][int(x)] = char

    for x, y in state.food:
        put(x, y, FOOD)
    for x, y in state.capsules:
        put(x, y, CAPSULE)
    for number, ghost in enumerate(state.ghosts, 1):
        put(*ghost.position, SCARED if ghost.is_scared else str(number % 10))
    put(*state.pacman.position, "X" if state.is_lose else PACMAN[state.pacman.direction])
    return ["".join(row) for row in rows]


def rich(state: GameState, ink: Ink, theme: Theme = DARK) -> list[str]:
    """The rows of the picture, two columns a cell, so that a ghost between two cells stands between them."""
    maze = state.maze
    rows = [[(char, theme.wall_edge) for char in row] for row in walls(maze)]

    def put(x: float, y: float, char: str, colour: Colour) -> None:
        rows[maze.height - 1 - int(y)][int(2 * x)] = char, colour

    for x, y in state.food:
        put(x, y, "·", theme.food)
    for x, y in state.capsules:
        put(x, y, "●", theme.capsule)
    for number, ghost in enumerate(state.ghosts, 1):
        colour = theme.agent(number)
        if ghost.is_scared:
            colour = theme.blink if ghost.timer <= LAST_MOVES and ghost.timer % 2 else SCARED_INK
        put(*ghost.position, "ω" if ghost.is_scared else "Ω", colour)
    put(*state.pacman.position, "✕" if state.is_lose else PACMAN[state.pacman.direction], theme.pacman)
    return [_inked(row, ink) for row in rows]


def _inked(row: list[tuple[str, Colour]], ink: Ink) -> str:
    """A row with as few changes of colour as it needs: blanks take the colour before them."""
    colour = row[0][1]
    runs: list[tuple[Colour, str]] = []
    for char, own in row:
        colour = colour if char == " " else own
        if runs and runs[-1][0] == colour:
            runs[-1] = colour, runs[-1][1] + char
        else:
            runs.append((colour, char))
    return "".join(ink(text, colour) for colour, text in runs)


def walls(maze: Maze) -> list[str]:
    """The walls as joined lines, two columns a cell. Only lines that border on floor or the outside are drawn.

    >>> from pacman.core.layout import Maze
    >>> print("\\n".join(walls(Maze.of(["%%%%", "%  %", "%%%%"]))))
    ╭─────╮
    │     │
    ╰─────╯
    """

    def wall(x: int, y: int) -> bool:
        return 0 <= x < maze.width and 0 <= y < maze.height and maze.is_wall(x, y)

    def linked(x: int, y: int, dx: int, dy: int) -> bool:
        """True when a line runs from cell (x, y) to its neighbour."""
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
            row += "▪" if wall(x, y) and not joint and not _buried(wall, x, y) else _JOINTS[joint]
            row += "─" if joint & _RIGHT else " "
        rows.append(row[:-1])
    return rows


def _buried(wall: Callable[[int, int], bool], x: int, y: int) -> bool:
    """True for a wall with walls all round, where no line runs."""
    return all(wall(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def coloured(text: str, colour: Colour) -> str:
    """Text in a colour, for a terminal that shows them all."""
    return f"{direct(colour)}{text}\x1b[39m"


def indexed(text: str, colour: Colour) -> str:
    """Text in a colour, for a terminal that shows 256 of them."""
    return f"{palette(colour)}{text}\x1b[39m"


def uncoloured(text: str, colour: Colour) -> str:
    return text


def direct(colour: Colour, behind: bool = False) -> str:
    """The escape code of a colour, for text or for what is behind it."""
    red, green, blue = colour
    return f"\x1b[{48 if behind else 38};2;{red};{green};{blue}m"


STEPS = (0, 95, 135, 175, 215, 255)
"""The levels of red, green and blue that 216 of a terminal's 256 colours are made of."""


def palette(colour: Colour, behind: bool = False) -> str:
    """The escape code of the nearest of 256 colours.

    >>> palette((255, 212, 38))
    '\\x1b[38;5;220m'
    """
    red, green, blue = (min(range(6), key=lambda step: abs(STEPS[step] - part)) for part in colour)
    return f"\x1b[{48 if behind else 38};5;{16 + 36 * red + 6 * green + blue}m"
