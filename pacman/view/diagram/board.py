"""A position as a picture (SVG): the board as the window draws it, with the window's sprites, and a line of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pacman.core.layout import Maze
from pacman.core.rules import EAST, STOP
from pacman.core.state import GameState
from pacman.view.diagram.svg_elements import opening, text, text_width
from pacman.view.picture.canvas import Canvas, Point
from pacman.view.picture.sprites import CAPSULE_RADIUS, FOOD_RADIUS, WALL_EDGE, WALL_RADIUS, Sprites, quarter, wall_kind
from pacman.view.theme import DARK, Colour

CELL, TEXT_SIZE, FOOTER = 32, 14.0, 26
"""In pixels: the width of a cell, the size of the text, and the height of the room for it below the board."""
MOUTH = 0.55
"""How far Pacman's mouth is open; in the window, the same when Pacman does not move."""


def svg(state: GameState) -> str:
    """The text of an SVG file: the board of `state`, all agents, and who moves. The same state gives the same bytes.

    >>> from pacman.core.state import start
    >>> picture = svg(start("nook"))
    >>> picture.startswith("<svg"), picture.count("<circle")
    (True, 8)
    """
    board, maze = _SvgCanvas(), state.maze
    sprites = _SvgSprites(CELL, DARK)

    def middle(x: float, y: float) -> Point:
        return (x + 0.5) * CELL, (maze.height - 0.5 - y) * CELL

    def put(sprite: Canvas, place: Point) -> None:
        x, y = middle(*place)
        board.paste(sprite, x - sprite.width / 2, y - sprite.height / 2)

    for place in state.food:
        board.disc(*middle(*place), FOOD_RADIUS * CELL, DARK.food)
    for place in state.capsules:
        board.disc(*middle(*place), CAPSULE_RADIUS * CELL, DARK.capsule)
    for number, ghost in reversed(list(enumerate(state.ghosts, 1))):
        scared, colour = sprites.scared(0.0, False), DARK.agent(number)
        put(scared if ghost.timer else sprites.ghost(colour, ghost.direction, 0.3 * number), ghost.position)
    heading = EAST if state.pacman.direction == STOP else state.pacman.direction
    put(sprites.pacman(heading, MOUTH), state.pacman.position)

    caption = _caption(state)
    width, height = maze.width * CELL, maze.height * CELL
    room = max(width, text_width(caption, TEXT_SIZE) + TEXT_SIZE)
    return "\n".join(
        [
            *opening(room, height + FOOTER, caption, _description(state)),
            f'<rect width="100%" height="100%" rx="6" fill="{_hex(DARK.background)}"/>',
            f'<g transform="translate({(room - width) / 2:g},0)">',
            *_walls(maze),
            *board.elements,
            "</g>",
            text(room / 2, height + TEXT_SIZE, caption, TEXT_SIZE, _hex(DARK.text)),
            "</svg>",
            "",
        ]
    )


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


# ---- the window's canvas and sprites as SVG elements


class _SvgCanvas(Canvas):
    """Collects SVG elements; a canvas of the window draws pixels instead."""

    def __init__(self, size: int = 0) -> None:
        self.width = self.height = size
        self.elements: list[str] = []

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self.elements.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_hex(colour)}"/>')

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.elements.append(f'<polygon points="{corners}" fill="{_hex(colour)}"/>')

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        assert isinstance(picture, _SvgCanvas)
        self.elements += [f'<g transform="translate({x:g},{y:g})">', *picture.elements, "</g>"]


class _SvgSprites(Sprites):
    """The window's sprites as SVG elements."""

    def _cached(self, key: tuple[object, ...], size: int, draw: Callable[[Canvas], None]) -> Canvas:
        canvas = _SvgCanvas(size)
        draw(canvas)
        return canvas


def _walls(maze: Maze) -> Iterator[str]:
    """The SVG elements of the walls: the edge, which shines, and the area inside it."""
    yield '<filter id="shine">'
    yield f'<feGaussianBlur stdDeviation="{0.14 * CELL:g}"/>'
    yield f'<feComponentTransfer><feFuncA type="linear" slope="{DARK.glow:g}"/></feComponentTransfer>'
    yield '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>'
    yield "</filter>"
    edge, inside = _outline(maze, 2 * WALL_RADIUS), _outline(maze, 2 * (WALL_RADIUS - WALL_EDGE))
    yield f'<path d="{edge}" fill="{_hex(DARK.wall_edge)}" filter="url(#shine)"/>'
    yield f'<path d="{inside}" fill="{_hex(DARK.wall)}"/>'


def _outline(maze: Maze, radius: float) -> str:
    """The outline of all walls, as the data of one SVG path; `radius` is half the thickness of a wall, in half cells.

    The path has the sides of every quarter of a wall cell, except a side that two quarters share: so no seam is
    visible.
    """
    sides: dict[tuple[Point, Point], None] = {}
    for x, y in ((x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)):
        for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            corners = [
                (round((x + 0.5 + dx * u / 2) * CELL, 1), round((maze.height - 0.5 - y - dy * v / 2) * CELL, 1))
                for u, v in quarter(wall_kind(maze, x, y, dx, dy), radius)
            ][:: dx * dy]  # every quarter in the same direction of rotation
            for side in zip(corners, corners[1:] + corners[:1], strict=True):
                if side[::-1] in sides:
                    del sides[side[::-1]]
                else:
                    sides[side] = None
    following = dict(list(sides))
    path = ""
    while following:
        loop = [next(iter(following))]
        while loop[-1] in following:
            loop.append(following.pop(loop[-1]))
        path += "M" + " ".join(
            f"{x:g},{y:g}"
            for (from_x, from_y), (x, y), (to_x, to_y) in zip([loop[-2], *loop], loop, loop[1:], strict=False)
            if (x - from_x) * (to_y - y) != (y - from_y) * (to_x - x)  # a corner
        )
        path += "Z"
    return path


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()
