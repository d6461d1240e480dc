"""A position in characters: plain ones for any file, or joined lines and colours for a terminal that has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pacman.core.layout import CAPSULE, FOOD, Maze
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST, GhostPose
from pacman.core.state import GameState
from pacman.view.events import LAST_MOVES
from pacman.view.picture.sprites import has_wall
from pacman.view.theme import DARK, Colour, Theme

# The mouth is open where he looks, so the character points the other way.
PACMAN = {EAST: "<", WEST: ">", NORTH: "v", SOUTH: "^", STOP: "<"}
SCARED = "S"
SCARED_INK = (120, 144, 255)
"""A scared ghost's colour, lighter than in a window: a terminal's background may be anything."""
_JOINTS = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8

Code = Callable[[Colour, bool], str]
"""The escape code of a colour: for text, or for what is behind it if True."""


def plain(state: GameState) -> list[str]:
    """The rows of the picture, one ASCII character a cell. A ghost is its number, or S while it is scared."""
    maze = state.maze
    rows = [list(row) for row in maze.rows]
    for (x, y), char, _, _ in _things(state, DARK):
        rows[maze.height - 1 - int(y)][int(x)] = char
    return ["".join(row) for row in rows]


def rich(state: GameState, code: Code | None, theme: Theme = DARK) -> list[str]:
    """The rows of the picture, two columns a cell, so that a ghost between two cells stands between them.

    Without `code` they have no colours.
    """
    maze = state.maze
    rows = [[(char, theme.wall_edge) for char in row] for row in walls(maze)]
    for (x, y), _, char, colour in _things(state, theme):
        rows[maze.height - 1 - int(y)][int(2 * x)] = char, colour
    return [_inked(row, code) for row in rows]


def _things(state: GameState, theme: Theme) -> Iterator[tuple[tuple[float, float], str, str, Colour]]:
    """Everything on the floor, from the bottom up: where it is, its plain and its other character, its colour."""
    for cell in state.food:
        yield cell, FOOD, "·", theme.food
    for cell in state.capsules:
        yield cell, CAPSULE, "●", theme.capsule
    for number, ghost in enumerate(state.ghosts, 1):
        plainly = SCARED if ghost.is_scared else str(number % 10)
        yield ghost.position, plainly, "ω" if ghost.is_scared else "Ω", ghost_colour(ghost, number, theme, theme.blink)
    looks = PACMAN[state.pacman.direction]
    yield state.pacman.position, "X" if state.is_lose else looks, "✕" if state.is_lose else looks, theme.pacman


def ghost_colour(ghost: GhostPose, number: int, theme: Theme, blink: Colour) -> Colour:
    """Its own colour, or that of fear, which turns to `blink` and back before it ends."""
    if not ghost.is_scared:
        return theme.agent(number)
    return blink if ghost.timer <= LAST_MOVES and ghost.timer % 2 else SCARED_INK


def _inked(row: list[tuple[str, Colour]], code: Code | None) -> str:
    """A row with as few changes of colour as it needs: blanks take the colour before them."""
    colour = row[0][1]
    runs: list[tuple[Colour, str]] = []
    for char, own in row:
        colour = colour if char == " " else own
        if runs and runs[-1][0] == colour:
            runs[-1] = colour, runs[-1][1] + char
        else:
            runs.append((colour, char))
    return "".join(f"{code(colour, False)}{text}\x1b[39m" if code else text for colour, text in runs)


def walls(maze: Maze) -> list[str]:
    """The walls as joined lines, two columns a cell. Only lines that border on floor or the outside are drawn.

    >>> from pacman.core.layout import Maze
    >>> print("\\n".join(walls(Maze.of(["%%%%", "%  %", "%%%%"]))))
    ╭─────╮
    │     │
    ╰─────╯
    """

    wall = partial(has_wall, maze)

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
            # No line runs where a wall stands alone, nor where it has walls all round.
            around = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            is_alone = wall(x, y) and not joint and not all(wall(*cell) for cell in around)
            row += "▪" if is_alone else _JOINTS[joint]
            row += "─" if joint & _RIGHT else " "
        rows.append(row[:-1])
    return rows


def direct(colour: Colour, behind: bool) -> str:
    """The escape code of a colour, for text or for what is behind it."""
    red, green, blue = colour
    return f"\x1b[{48 if behind else 38};2;{red};{green};{blue}m"


STEPS = (0, 95, 135, 175, 215, 255)
"""The levels of red, green and blue that 216 of a terminal's 256 colours are made of."""


def palette(colour: Colour, behind: bool) -> str:
    """The escape code of the nearest of 256 colours.

    >>> palette((255, 212, 38), False)
    '\\x1b[38;5;220m'
    """
    red, green, blue = (min(range(6), key=lambda step: abs(STEPS[step] - part)) for part in colour)
    return f"\x1b[{48 if behind else 38};5;{16 + 36 * red + 6 * green + blue}m"
