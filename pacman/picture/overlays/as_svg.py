"""What a search found, drawn on the picture of a board (SVG) as the window draws it: its values, or its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pacman.core.layers import Layer
from pacman.core.state import GameState, places_of
from pacman.picture.board import middle
from pacman.picture.canvas import Point
from pacman.picture.overlays.on_board import path_aside, path_steps, value_words
from pacman.picture.placement import agent_boxes, value_boxes
from pacman.picture.screen_regions import NOWHERE, Box, Regions
from pacman.picture.svg_elements import BOLD, move, pair, pixels, text, text_width
from pacman.picture.svg_sprites import CELL
from pacman.picture.visible_state import VisibleState
from pacman.record.report import SearchReport

SMALLEST, LARGEST, OF_WIDTH = 11.0, 0.7 * CELL, 0.036
"""The size of the text in pixels; between them, it is this part of the width of the board."""
LINE, ARROW = 0.13 * CELL, 0.34 * CELL
"""In pixels: the thickness of a path, and the length of the head of its arrow."""
ANGLES = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}


def values(report: SearchReport, state: GameState) -> Iterator[str]:
    """The values beside the agent that moves. No value is over an agent or over another value."""
    width, height = state.maze.width * CELL, state.maze.height * CELL
    size = min(LARGEST, max(SMALLEST, OF_WIDTH * width))
    area = Box(0, 0, width, height)
    regions = Regions(width, height, size, CELL, 0, 0, area, NOWHERE, NOWHERE, NOWHERE, NOWHERE)
    words, high, font = value_words(report), 1.35 * size, f' font-size="{pixels(size)}" text-anchor="middle"{BOLD}'
    widths = tuple((action, text_width(word, size) + 0.8 * size) for action, word in words.items())
    agents = tuple(agent_boxes(VisibleState(state, state), regions))
    place = middle(state.maze, *places_of(state)[state.mover])
    for action, box in value_boxes(widths, high, regions, place, state.mover, agents).items():
        yield (
            f'<g class="value-of{" chosen" * (action == report.action)}" data-action="{action}"'
            f" {move(box.left + box.width / 2, box.top + high / 2)}>"
            f'<rect x="{pixels(-box.width / 2)}" y="{pixels(-high / 2)}" width="{pixels(box.width)}"'
            f' height="{pixels(high)}" rx="{pixels(high / 2)}" stroke-width="{pixels(size / 9)}"/>'
            f"{text(0, 0.35 * size, words[action], 'word', font)}</g>"
        )


def paths(report: SearchReport, state: GameState) -> Iterator[str]:
    """The path of each agent, Pacman's last; dashed if the search lets the agent move by chance."""
    places = report.line_places
    for agent in reversed(range(len(places))):
        aside = path_aside(agent, len(places)) * CELL
        points = [(x + aside, y + aside) for x, y in (middle(state.maze, *place) for place in places[agent])]
        steps = path_steps(points, CELL)
        if steps:
            is_dashed = state.round.turns[agent].layer is Layer.CHANCE
            yield _path(agent, points, steps, is_dashed)


def _path(agent: int, points: Sequence[Point], steps: Sequence[tuple[Point, Point]], is_dashed: bool) -> str:
    data = "".join(f"M{pair(*start)}L{pair(*end)}" for start, end in steps)
    dots = "".join(f"M{pair(*point)}h0" for point in points[1:])
    gaps = f' stroke-dasharray="{pixels(0.14 * CELL)} {pixels(0.24 * CELL)}"' if is_dashed else ""
    shapes = [(data, LINE, gaps), (dots, 1.8 * LINE, "")]
    strokes = [
        f'<path class="{kind}" d="{shape}" stroke-width="{pixels(thickness + more)}" stroke-linecap="round"{dashes}/>'
        for kind, more in (("edge", 0.5 * LINE), ("stroke", 0.0))
        for shape, thickness, dashes in shapes
    ]
    (x, y), end = steps[-1]
    if end == points[-1]:
        turn = ANGLES[(end[0] > x + 1) - (end[0] < x - 1), (end[1] > y + 1) - (end[1] < y - 1)]
        head = f"M{pixels(ARROW)} 0L{pair(-0.62 * ARROW, -0.78 * ARROW)}V{pixels(0.78 * ARROW)}Z"
        strokes.append(
            f'<path class="head" d="{head}" stroke-width="{pixels(0.25 * LINE)}"'
            f' transform="translate({pair(*end)}) rotate({turn})"/>'
        )
    return f'<g class="line-of agent-{agent}">{"".join(strokes)}</g>'
