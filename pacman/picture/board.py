"""A position as a picture (SVG): the board as the window draws it, with the window's sprites, and a line of text.

A script can find the parts of the picture by their classes: `walls`, `food`, `capsules`, `agent` (with
`data-agent="0"` for Pacman, 1 for ghost 1), `ring` (around Pacman who was caught), `caption`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pacman.core.errors import agent_name
from pacman.core.layout import Maze
from pacman.core.numbers import format_number
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST
from pacman.core.state import GameState
from pacman.picture.canvas import Point
from pacman.picture.colours import Parts, attributes, board_parts
from pacman.picture.sprites import CAPSULE_RADIUS, FOOD_RADIUS
from pacman.picture.svg import SvgCanvas, move, pair, pixels, text_width
from pacman.picture.svg_sprites import CELL, ghost_sprite, pacman_sprite, scared_sprite, walls

TURNS = {EAST: 0, SOUTH: 90, WEST: 180, NORTH: 270}
"""Degrees, clockwise, by which Pacman turns from East."""
HIDDEN = ' display="none"'
RING = 0.72
"""The radius of the ring around Pacman who was caught, in cells."""
TEXT_SIZE, FOOTER = 14.0, 26
"""In pixels: the size of the text, and the height of the room for it below the board."""


def svg(
    state: GameState, *, theme: str = "dark", prefix: str = "", end: GameState | None = None, caption: bool = True
) -> str:
    """The text of an SVG file: the board of `state`, all agents, and who moves. The same state gives the same bytes.

    Without `caption` there is no line of text below the board.

    If `end` is given, a script moves the agents from `state` to `end`: see `replay`.

    `theme` is the name of a theme, or `colours.PAGE`: then `colours.page_style` colours the picture. The ids in
    the picture begin with `prefix`: give each picture of a page another one.

    >>> from pacman.core.state import start
    >>> picture = svg(start("nook"), prefix="first-")
    >>> picture.startswith("<svg"), picture.count('class="agent"'), 'id="first-' in picture
    (True, 2, True)
    """
    maze, parts, words = state.maze, board_parts(theme), _caption(state)
    canvas = SvgCanvas(parts)
    width, height = maze.width * CELL, maze.height * CELL
    room = max(width, text_width(words, TEXT_SIZE) + TEXT_SIZE) if caption else width
    canvas.rectangle("100%", "100%", ".paper", "paper", 6)
    canvas.elements += [
        f"<g {move((room - width) / 2, 0)}>",
        *walls(maze, parts, prefix),
        dots(maze, state.food, "food", FOOD_RADIUS, parts),
        dots(maze, state.capsules, "capsules", CAPSULE_RADIUS, parts),
        *_agents(state, parts, end is not None),
        *([_ring(end or state, parts, end is not None)] if (end or state).is_lose else []),
        "</g>",
    ]
    if caption:
        canvas.text(words, room / 2, height + FOOTER / 2 - 4, TEXT_SIZE, ".caption", kind="caption")
    return canvas.picture(room, height + FOOTER * caption, "board", words, f"{_description(state)}\n{state}")


def _agents(state: GameState, parts: Parts, is_moving: bool) -> Iterator[str]:
    """The agents at their places; ghost 1 is in front of ghost 2, and Pacman in front of all, until one catches him.

    For a game that moves, each ghost has both of its looks, and Pacman can be turned.
    """
    heading = EAST if state.pacman.direction == STOP else state.pacman.direction
    turned = f'<g class="heading" transform="rotate({TURNS[heading]})">{pacman_sprite(EAST, parts)}</g>'
    sprite = turned if is_moving else pacman_sprite(heading, parts)
    pacman = _agent(0, state.maze, state.pacman.position, sprite)
    yield from [pacman] if state.is_lose else []
    for number, ghost in reversed(list(enumerate(state.ghosts, 1))):
        looks = {"calm": ghost_sprite(number, ghost.direction, parts), "scared": scared_sprite(parts)}
        now = "scared" if ghost.timer else "calm"
        both = "".join(
            f'<g class="look-{look}"{"" if look == now else HIDDEN}>{sprite}</g>' for look, sprite in looks.items()
        )
        yield _agent(number, state.maze, ghost.position, both if is_moving else looks[now])
    yield from [] if state.is_lose else [pacman]


def _agent(number: int, maze: Maze, place: Point, sprite: str) -> str:
    return f'<g class="agent" data-agent="{number}" {move(*middle(maze, *place))}>{sprite}</g>'


def _ring(state: GameState, parts: Parts, is_hidden: bool) -> str:
    """A ring around the place where a ghost caught Pacman."""
    x, y = middle(state.maze, *state.pacman.position)
    line = f'fill="none" stroke-width="3"{attributes(parts, ".ring")}{HIDDEN if is_hidden else ""}'
    return f'<circle class="ring" cx="{pixels(x)}" cy="{pixels(y)}" r="{RING * CELL:g}" {line}/>'


def middle(maze: Maze, x: float, y: float) -> Point:
    """The middle of cell (x, y) in the picture, in pixels."""
    return (x + 0.5) * CELL, (maze.height - 0.5 - y) * CELL


def dots(maze: Maze, cells: Iterable[tuple[int, int]], kind: str, radius: float, parts: Parts) -> str:
    """Food or capsules as one path: each dot is a line without length and with round ends. `radius` is in cells."""
    data = "".join(f"M{pair(*middle(maze, *cell))}h0" for cell in cells)
    size = pixels(2 * radius * CELL)
    colour = attributes(parts, f".{kind}")
    return f'<path class="{kind}" d="{data}" stroke-width="{size}" stroke-linecap="round"{colour}/>' if data else ""


def _caption(state: GameState) -> str:
    """The line below the board: the score, and who moves or how the game ended."""
    turn = (
        "won" if state.is_win else "lost" if state.is_lose else f"{state.layer.name}: {agent_name(state.mover)} moves"
    )
    return f"score {format_number(state.score)}, {turn}"


def _description(state: GameState) -> str:
    """Where the agents are and what is left, for readers who cannot see the board."""
    agents: list[tuple[str, Point, int]] = [("Pacman", state.pacman.position, 0)]
    agents += [(f"ghost {number}", ghost.position, ghost.timer) for number, ghost in enumerate(state.ghosts, 1)]
    places = (f"{name} at {x:g}, {y:g}{f' (scared: {timer})' if timer else ''}" for name, (x, y), timer in agents)
    left = f"food left: {state.food_left}; capsules left: {len(state.capsules)}"
    return f"A board of {state.maze.width} x {state.maze.height} cells. {'; '.join(places)}; {left}."
