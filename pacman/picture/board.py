"""A position as a picture (SVG): the board as the window draws it, with the window's sprites, and a line of text.

A script can find the parts of the picture by their classes: `walls`, `food`, `capsules`, `agent` (with
`data-agent="0"` for Pacman, 1 for ghost 1), `ring` (around Pacman who was caught), `caption`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from zlib import crc32

from pacman.core.errors import agent_name
from pacman.core.layout import Maze
from pacman.core.numbers import format_number
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST
from pacman.core.state import GameState
from pacman.picture.canvas import Point
from pacman.picture.colours import GHOST_COLOURS, Parts, attributes, board_parts
from pacman.picture.sprites import (
    CAPSULE_RADIUS,
    FOOD_RADIUS,
    MOUTH,
    WALL_EDGE,
    WALL_RADIUS,
    draw_ghost,
    draw_pacman,
    draw_scared,
    has_wall,
)
from pacman.picture.svg import SvgCanvas, move, pair, pixels, text_width
from pacman.picture.theme import DARK

CELL = 32
"""The width of a cell, in pixels."""
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
        *_walls(maze, parts, prefix),
        dots(maze, state.food, "food", FOOD_RADIUS, parts),
        dots(maze, state.capsules, "capsules", CAPSULE_RADIUS, parts),
        *_agents(state, parts, end is not None),
        *([_ring(end or state, parts, end is not None)] if (end or state).is_lose else []),
        "</g>",
    ]
    if caption:
        canvas.text(words, (room / 2, height + FOOTER / 2 - 4), TEXT_SIZE, "caption")
    return canvas.picture(room, height + FOOTER * caption, "board", words, f"{_description(state)}\n{state}")


def _agents(state: GameState, parts: Parts, is_moving: bool) -> Iterator[str]:
    """The agents at their places; ghost 1 is in front of ghost 2, and Pacman in front of all, until one catches him.

    For a game that moves, each ghost has both of its looks, and Pacman can be turned.
    """
    heading = EAST if state.pacman.direction == STOP else state.pacman.direction
    shapes = _Shapes(parts)
    draw_pacman(shapes, 0, CELL, EAST if is_moving else heading, MOUTH, 0, "pacman")
    sprite = shapes.taken()
    turned = f'<g class="heading" transform="rotate({TURNS[heading]})">{sprite}</g>'
    pacman = _agent(0, state.maze, state.pacman.position, turned if is_moving else sprite)
    yield from [pacman] if state.is_lose else []
    for number, ghost in reversed(list(enumerate(state.ghosts, 1))):
        body = f"ghost-{(number - 1) % GHOST_COLOURS + 1}"
        draw_ghost(shapes, 0, CELL, ghost.direction, 0.3 * number, (body, "eye", "pupil"))
        looks = {"calm": shapes.taken()}
        draw_scared(shapes, 0, CELL, 0.0, ("rim", "scared", "face"))
        looks["scared"] = shapes.taken()
        now = "scared" if ghost.timer else "calm"
        both = "".join(
            f'<g class="look-{look}"{"" if look == now else HIDDEN}>{sprite}</g>' for look, sprite in looks.items()
        )
        yield _agent(number, state.maze, ghost.position, both if is_moving else looks[now])
    yield from [] if state.is_lose else [pacman]


class _Shapes:
    """Collects the shapes of an agent, around (0, 0); an ink is the class of a part."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.elements = parts, list[str]()

    def taken(self) -> str:
        """The elements so far, which are then forgotten."""
        elements, self.elements = "".join(self.elements), []
        return elements

    def _add(self, kind: str, data: str, width: float = 0) -> None:
        line = f' stroke-width="{pixels(width)}" stroke-linecap="round" stroke-linejoin="round"' if width else ""
        self.elements.append(f'<path class="{kind}" d="M{data}"{line}{attributes(self.parts, f".{kind}")}/>')

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        """A disc, as a line without length and with round ends."""
        self._add(kind, f"{pair(x, y)}h0", 2 * radius)

    def ellipse(self, x: float, y: float, half_width: float, half_height: float, kind: str) -> None:
        """An ellipse with its centre at (x, y)."""
        arc = f"a{pair(half_width, half_height)} 0 1 0"
        self._add(kind, f"{pair(x - half_width, y)}{arc} {pixels(2 * half_width)} 0{arc} {pixels(-2 * half_width)} 0Z")

    def polygon(self, points: Sequence[Point], kind: str) -> None:
        """A polygon."""
        self._add(kind, f"{'L'.join(pair(*point) for point in points)}Z")

    def pie(self, x: float, y: float, radius: float, begin: float, end: float, kind: str) -> None:
        """The sector of a disc between two angles, in degrees, counterclockwise from East."""
        start, stop = ((radius * cos(a * pi / 180) + x, y - radius * sin(a * pi / 180)) for a in (begin, end))
        arc = f"A{pixels(radius)} {pixels(radius)} 0 {int(end - begin > 180)} 0 {pair(*stop)}"
        self._add(kind, f"{pair(x, y)}L{pair(*start)}{arc}Z")

    def line(self, points: Sequence[Point], width: float, kind: str) -> None:
        """A line through the points, with round joins and ends."""
        self._add(kind, "L".join(pair(*point) for point in points), width)


def _agent(number: int, maze: Maze, place: Point, sprite: str) -> str:
    return f'<g class="agent" data-agent="{number}" {move(*middle(maze, *place))}>{sprite}</g>'


def _walls(maze: Maze, parts: Parts, prefix: str) -> Iterator[str]:
    """The walls: a thick line through the middles of their cells, and a thinner one on it; it shines in a dark theme.

    The ids begin with `prefix`. Different mazes have different ids: a notebook shows several boards on one page.
    """
    lines = "".join(_wall_lines(maze))
    name = f"{prefix}walls-{crc32(lines.encode()):08x}"
    yield f'<defs><path id="{name}" d="{lines}" stroke-linecap="round" stroke-linejoin="round"/>'
    yield f'<filter id="{prefix}shine"><feGaussianBlur stdDeviation="{0.14 * CELL:g}"/></filter></defs>'
    edge, inside = (f' stroke-width="{pixels(2 * part * CELL)}"' for part in (WALL_RADIUS, WALL_RADIUS - WALL_EDGE))
    if parts.get(".glow", {}).get("visibility") != "hidden":
        shine = f'filter="url(#{prefix}shine)" opacity="{DARK.glow:g}"{attributes(parts, ".glow")}'
        yield f'<use class="glow" href="#{name}"{edge} {shine}/>'
    yield f'<use class="wall-edge" href="#{name}"{edge}{attributes(parts, ".wall-edge")}/>'
    yield f'<use class="walls" href="#{name}"{inside}{attributes(parts, ".walls")}/>'


def _wall_lines(maze: Maze) -> Iterator[str]:
    """The data of a path through all walls: the longest lines across and up, and blocks of four."""
    for x, y in ((x, y) for x in range(maze.width) for y in range(maze.height) if maze.is_wall(x, y)):
        place = f"M{pair(*middle(maze, x, y))}"
        across, up = (
            0 if has_wall(maze, x - dx, y - dy) else _wall_length(maze, x, y, dx, dy) for dx, dy in ((1, 0), (0, 1))
        )
        is_alone = not any(has_wall(maze, x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
        if across > 1 or is_alone:
            yield f"{place}h{(across - 1) * CELL}"
        if up > 1:
            yield f"{place}v{(1 - up) * CELL}"
        if all(has_wall(maze, x + dx, y + dy) for dx, dy in ((1, 0), (0, 1), (1, 1))):
            yield f"{place}h{CELL}v{-CELL}h{-CELL}z"


def _wall_length(maze: Maze, x: int, y: int, dx: int, dy: int) -> int:
    """The number of wall cells from (x, y) on in one direction."""
    length = 0
    while has_wall(maze, x + length * dx, y + length * dy):
        length += 1
    return length


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
