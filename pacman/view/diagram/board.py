"""A position as a picture (SVG): the board as the window shows it, drawn by its sprites, and one line below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pacman.core.layout import Maze
from pacman.core.rules import EAST, STOP
from pacman.core.state import GameState
from pacman.view.diagram.svg_elements import opening, text, wide
from pacman.view.picture.canvas import Canvas, Point
from pacman.view.picture.sprites import CAPSULE_RADIUS, FOOD_RADIUS, WALL_EDGE, WALL_RADIUS, Sprites, quarter, wall_kind
from pacman.view.theme import DARK, Colour

CELL, WORDS, BELOW = 32, 14.0, 26
"""Pixels: the width of a cell, the size of the words, and their room below the board."""
MOUTH = 0.55
"""How far Pacman's mouth is open, as in a window where he stands."""


def svg(state: GameState) -> str:
    """The text of an SVG file with the board of `state`, everyone on it, and who moves. The same in, the same bytes.

    >>> from pacman.core.state import start
    >>> picture = svg(start("nook"))
    >>> picture.startswith("<svg"), picture.count("<circle")
    (True, 8)
    """
    board, maze = _Marks(), state.maze
    sprites = _DrawnSprites(CELL, DARK)

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

    words = _caption(state)
    width, height = maze.width * CELL, maze.height * CELL
    room = max(width, wide(words, WORDS) + WORDS)
    return "\n".join(
        [
            *opening(room, height + BELOW, words, _in_words(state)),
            f'<rect width="100%" height="100%" rx="6" fill="{_hex(DARK.background)}"/>',
            f'<g transform="translate({(room - width) / 2:g},0)">',
            *_walls(maze),
            *board.marks,
            "</g>",
            text(room / 2, height + WORDS, words, WORDS, _hex(DARK.text)),
            "</svg>",
            "",
        ]
    )


def _caption(state: GameState) -> str:
    """The score, and who moves, or how the game ended."""
    mover = f"ghost {state.mover}" if state.mover else "Pacman"
    turn = "won" if state.is_win else "lost" if state.is_lose else f"{state.layer.name}: {mover} moves"
    return f"score {state.score}, {turn}".replace("-", "−")


def _in_words(state: GameState) -> str:
    """Who stands where and what is left, for somebody who cannot see the board."""
    everyone: list[tuple[str, Point, int]] = [("Pacman", state.pacman.position, 0)]
    everyone += [(f"ghost {number}", ghost.position, ghost.timer) for number, ghost in enumerate(state.ghosts, 1)]
    places = (f"{name} at {x:g}, {y:g}{f' (scared: {timer})' if timer else ''}" for name, (x, y), timer in everyone)
    left = f"food left: {state.food_left}; capsules left: {len(state.capsules)}"
    return f"A board of {state.maze.width} x {state.maze.height} cells. {'; '.join(places)}; {left}."


# ---- from the window's canvas and sprites to marks


class _Marks(Canvas):
    """Collects SVG marks where a canvas of the window draws pixels."""

    def __init__(self, size: int = 0) -> None:
        self.width = self.height = size
        self.marks: list[str] = []

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self.marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_hex(colour)}"/>')

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.marks.append(f'<polygon points="{listed}" fill="{_hex(colour)}"/>')

    def paste(self, picture: Canvas, x: float, y: float) -> None:
        assert isinstance(picture, _Marks)
        self.marks += [f'<g transform="translate({x:g},{y:g})">', *picture.marks, "</g>"]


class _DrawnSprites(Sprites):
    """The window's sprites, as marks."""

    def _cached(self, key: tuple[object, ...], size: int, draw: Callable[[Canvas], None]) -> Canvas:
        marks = _Marks(size)
        draw(marks)
        return marks


def _walls(maze: Maze) -> Iterator[str]:
    """The edge of the walls with its shine, and what is inside it."""
    yield '<filter id="shine">'
    yield f'<feGaussianBlur stdDeviation="{0.14 * CELL:g}"/>'
    yield f'<feComponentTransfer><feFuncA type="linear" slope="{DARK.glow:g}"/></feComponentTransfer>'
    yield '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>'
    yield "</filter>"
    edge, inside = _outline(maze, 2 * WALL_RADIUS), _outline(maze, 2 * (WALL_RADIUS - WALL_EDGE))
    yield f'<path d="{edge}" fill="{_hex(DARK.wall_edge)}" filter="url(#shine)"/>'
    yield f'<path d="{inside}" fill="{_hex(DARK.wall)}"/>'


def _outline(maze: Maze, radius: float) -> str:
    """The outline of all walls, tubes of that radius (in half cells), as the data of one path.

    It has the sides of every quarter of a wall cell, but for those that two quarters share: no seam can be seen.
    """
    sides: dict[tuple[Point, Point], None] = {}
    for x, y in ((x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)):
        for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            corners = [
                (round((x + 0.5 + dx * u / 2) * CELL, 1), round((maze.height - 0.5 - y - dy * v / 2) * CELL, 1))
                for u, v in quarter(wall_kind(maze, x, y, dx, dy), radius)
            ][:: dx * dy]  # all of them in the same sense
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
