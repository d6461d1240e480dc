"""A position as a picture (SVG): the board as the window draws it, with the window's sprites, and a line of text.

A script can find the parts of the picture by their classes: `walls`, `food`, `capsules`, `pacman`, `ghost` (with
`data-ghost="1"`), `caption`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pacman.core.layout import Maze
from pacman.core.rules import EAST, STOP
from pacman.core.state import GameState
from pacman.view.diagram.colours import Parts, attributes, board_parts
from pacman.view.diagram.svg_elements import move, opening, pair, pixels, text, text_width
from pacman.view.diagram.svg_sprites import CELL, ghost_sprite, pacman_sprite, scared_sprite
from pacman.view.diagram.svg_walls import walls
from pacman.view.picture.canvas import Point
from pacman.view.picture.sprites import CAPSULE_RADIUS, FOOD_RADIUS

TEXT_SIZE, FOOTER = 14.0, 26
"""In pixels: the size of the text, and the height of the room for it below the board."""


def svg(state: GameState, *, theme: str = "dark", prefix: str = "") -> str:
    """The text of an SVG file: the board of `state`, all agents, and who moves. The same state gives the same bytes.

    `theme` is the name of a theme, or `colours.PAGE`: then `colours.page_style` colours the picture. The ids in
    the picture begin with `prefix`: give each picture of a page another one.

    >>> from pacman.core.state import start
    >>> picture = svg(start("nook"), prefix="first-")
    >>> picture.startswith("<svg"), picture.count('class="ghost"'), 'id="first-' in picture
    (True, 1, True)
    """
    maze, parts, caption = state.maze, board_parts(theme), _caption(state)
    width, height = maze.width * CELL, maze.height * CELL
    room = max(width, text_width(caption, TEXT_SIZE) + TEXT_SIZE)
    return "\n".join(
        [
            *opening(room, height + FOOTER, "board", caption, f"{_description(state)}\n{state}"),
            f'<rect class="paper" width="100%" height="100%" rx="6"{attributes(parts, ".paper")}/>',
            f"<g {move((room - width) / 2, 0)}>",
            *walls(maze, parts, prefix),
            dots(maze, state.food, "food", FOOD_RADIUS, parts),
            dots(maze, state.capsules, "capsules", CAPSULE_RADIUS, parts),
            *_agents(state, parts),
            "</g>",
            text(
                room / 2,
                height + TEXT_SIZE,
                caption,
                "caption",
                f' font-size="{TEXT_SIZE:g}" text-anchor="middle"{attributes(parts, ".caption")}',
            ),
            "</svg>",
            "",
        ]
    )


def _agents(state: GameState, parts: Parts) -> Iterator[str]:
    """The agents at their places; Pacman is in front of the ghosts, and ghost 1 in front of ghost 2."""
    for number, ghost in reversed(list(enumerate(state.ghosts, 1))):
        sprite = scared_sprite(parts) if ghost.timer else ghost_sprite(number, ghost.direction, parts)
        place = move(*middle(state.maze, *ghost.position))
        yield f'<g class="ghost" data-ghost="{number}" {place}>{sprite}</g>'
    heading = EAST if state.pacman.direction == STOP else state.pacman.direction
    place = move(*middle(state.maze, *state.pacman.position))
    yield f'<g class="agent" {place}>{pacman_sprite(heading, parts)}</g>'


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
    mover = f"ghost {state.mover}" if state.mover else "Pacman"
    turn = "won" if state.is_win else "lost" if state.is_lose else f"{state.layer.name}: {mover} moves"
    return f"score {state.score}, {turn}".replace("-", "−")


def _description(state: GameState) -> str:
    """Where the agents are and what is left, for readers who cannot see the board."""
    agents: list[tuple[str, Point, int]] = [("Pacman", state.pacman.position, 0)]
    agents += [(f"ghost {number}", ghost.position, ghost.timer) for number, ghost in enumerate(state.ghosts, 1)]
    places = (f"{name} at {x:g}, {y:g}{f' (scared: {timer})' if timer else ''}" for name, (x, y), timer in agents)
    left = f"food left: {state.food_left}; capsules left: {len(state.capsules)}"
    return f"A board of {state.maze.width} x {state.maze.height} cells. {'; '.join(places)}; {left}."
