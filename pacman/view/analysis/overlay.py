"""What a search found, drawn on the board: one overlay of `OVERLAYS` over a picture of the position that was searched.

    draw(canvas, study, "values", theme, frame)

`values`  what each root action is worth, beside whoever moves; the chosen one is filled
`line`    the principal line as a path for each agent; dashed where chance moves him (his most probable move)
`heat`    how many nodes were expanded with their mover on each cell
`layers`  for each layer of the round: successors generated, nodes expanded, nodes cut
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import ceil, log

from pacman.core.errors import InputError, nearest
from pacman.core.layers import Layer
from pacman.core.rules import EAST, NORTH, SOUTH, STOP, WEST
from pacman.core.state import GameState
from pacman.view.analysis.icons import dot, head, mark, stroke
from pacman.view.analysis.number_text import claim, count, thousands
from pacman.view.analysis.search_report import LayerCount, Place, SearchReport, places_of
from pacman.view.picture.canvas import Canvas, Point, text_width
from pacman.view.picture.regions import Box, Regions
from pacman.view.picture.status_bars import plate
from pacman.view.theme import Colour, Theme, contrast

NONE, LAYERS = "none", "layers"
OVERLAYS = (NONE, "values", "line", "heat", LAYERS)
SHADES = 12
"""Steps from a cold cell to a hot one."""


def overlay(name: str) -> str:
    """The name, if there is such an overlay; InputError names the nearest."""
    if name not in OVERLAYS:
        raise InputError(f"no overlay '{name}': {nearest(name, OVERLAYS)}")
    return name


def following(name: str) -> str:
    """The overlay after this one, round and round."""
    return OVERLAYS[(OVERLAYS.index(name) + 1) % len(OVERLAYS)]


def draw(
    canvas: Canvas, study: SearchReport, name: str, theme: Theme, frame: Regions, place: Place | None = None
) -> None:
    """Draws one overlay. The study's root must be a position of Pacman, the one that the picture shows.

    `place` is where whoever moves is in the picture while he is on his way; values go with him.
    """
    state = study.root
    if name == NONE or not isinstance(state, GameState):
        return
    board = _Board(canvas, state, theme, frame)
    if name == "values":
        _values(board, study, place)
    elif name == "line":
        _walks(board, study.walks)
    elif name == "heat":
        _heat(board, study)
    else:
        _layers(board, study)


def draw_way(canvas: Canvas, study: SearchReport, number: int, theme: Theme, frame: Regions) -> None:
    """Draws how everyone came from the root to a node, in a picture of that node's position."""
    if isinstance(study.root, GameState):
        _walks(_Board(canvas, study.root, theme, frame), study.way(number))


class _Board:
    """A picture of a position, to draw on by places."""

    def __init__(self, canvas: Canvas, state: GameState, theme: Theme, frame: Regions) -> None:
        self.canvas, self.state, self.theme, self.frame = canvas, state, theme, frame
        self.cell, self.unit = frame.cell, frame.unit

    def at(self, place: Place) -> Point:
        return self.frame.middle(*place, self.state.maze.height)

    def put(self, picture: Canvas, middle: Point) -> None:
        self.canvas.paste(picture, middle[0] - picture.width / 2, middle[1] - picture.height / 2)

    @property
    def letters(self) -> float:
        """The size of the text on the board."""
        return max(1.75 * self.unit, min(0.8 * self.cell, 3 * self.unit))


# ---- values


def _values(board: _Board, study: SearchReport, place: Place | None) -> None:
    mover = board.state.mover
    rest = board.state.ghosts[mover - 1].position if mover else board.state.pacman.position
    (x, y), (now_x, now_y) = board.at(rest), board.at(rest if place is None else place)
    colour = board.theme.agent(mover)
    size = board.letters
    tall = 1.25 * size
    words = {action: claim(*known) or "?" for action, known in study.roots}
    if STOP in words:  # the others stand where they lead
        words[STOP] = f"stop {words[STOP]}"
    wide = {action: text_width(word, size) + 0.8 * size for action, word in words.items()}
    stage = board.frame.board_area
    middles = _around(board, (x, y), tall, wide)
    for action, word in words.items():
        at_x, at_y = middles[action][0] + now_x - x, middles[action][1] + now_y - y
        at_x = min(max(at_x, stage.left + wide[action] / 2), stage.right - wide[action] / 2)
        chosen = action == study.action
        fill = colour if chosen else board.theme.panel
        rim = board.theme.background if chosen else board.theme.muted
        board.put(_pill(wide[action], tall, fill, rim), (at_x, at_y))
        ink = max((board.theme.text, board.theme.background), key=partial(contrast, fill))
        board.canvas.spell(word, at_x, at_y, size, ink, 0.5)


def _pill(wide: float, tall: float, fill: Colour, rim: Colour, part: float = 0.94) -> Canvas:
    """A plate with round ends, for words."""
    width, height = ceil(wide), ceil(tall)
    return plate(width, height, height / 2, fill, rim, max(1.5, height / 14), part)


def _around(board: _Board, middle: Point, tall: float, wide: Mapping[str, float]) -> dict[str, Point]:
    """Where the values of actions stand around whoever is at `middle`: where they lead, none over another.

    Stop leads nowhere: it stands where there is room, if there is any where no ghost is.
    """
    x, y = middle
    aside, up = 0.62 * board.cell, max(0.62 * board.cell, 0.52 * tall) + tall / 2
    middles = {
        WEST: (x - aside - wide.get(WEST, 0) / 2, y),
        EAST: (x + aside + wide.get(EAST, 0) / 2, y),
        NORTH: (x, y - up),
        SOUTH: (x, y + up),
    }
    if STOP not in wide:
        return middles
    places = []
    for action, height in ((SOUTH, y + up), (NORTH, y - up)):
        beside = (wide[action] + wide[STOP]) / 2 + 4 if action in wide else 0
        places += [(x + beside, height), (x - beside, height)]
    middles[STOP] = min(
        places, key=lambda at: _hides(board, Box(at[0] - wide[STOP] / 2, at[1] - tall / 2, wide[STOP], tall))
    )
    return middles


def _hides(board: _Board, box: Box) -> int:
    """How bad it is to put something there: beyond the stage, over ghosts."""
    stage = board.frame.board_area
    across, down = (
        stage.left <= box.left and box.right <= stage.right,
        stage.top <= box.top and box.bottom <= stage.bottom,
    )
    return 100 * (not (across and down)) + sum(agent > 0 for agent in _under(board, box))


def _under(board: _Board, box: Box) -> list[int]:
    """Those who would be hidden there, or nearly."""
    half = board.cell / 2
    around = Box(box.left - half, box.top - half, box.width + 2 * half, box.height + 2 * half)
    return [agent for agent, place in enumerate(places_of(board.state)) if around.contains(*board.at(place))]


# ---- the principal line, and the way to a node


def _walks(board: _Board, walks: Sequence[Sequence[Place]]) -> None:
    models = board.state.round.turns
    for agent in reversed(range(len(walks))):
        colour = board.theme.agent(agent)
        dashed = models[agent].layer is Layer.CHANCE
        # Everyone's path is a little beside his cells' middles, so that two in one corridor are both seen.
        aside = (agent - (len(walks) - 1) / 2) * min(0.17, 0.5 / len(walks)) * board.cell
        points = [(x + aside, y + aside) for x, y in map(board.at, walks[agent])]
        _path(board, points, colour, dashed)


def _path(board: _Board, points: Sequence[Point], colour: Colour, dashed: bool) -> None:
    cell, rim = board.cell, board.theme.background
    wide = max(3.0, 0.13 * cell)
    steps = [
        (start, end)
        for start, end in pairwise(points)
        if 0 < abs(end[0] - start[0]) + abs(end[1] - start[1]) < 1.2 * cell  # an eaten ghost is put back: no walk
    ]
    for (x, y), (to_x, to_y) in steps:
        line = stroke(round(to_x - x), round(to_y - y), round(wide, 1), colour, rim, dashed and cell >= 16)
        board.put(line, ((x + to_x) / 2, (y + to_y) / 2))
    for point in points[1:]:
        board.put(dot(round(1.15 * wide, 1), colour, rim), point)
    if steps and steps[-1][1] == points[-1]:
        dx, dy = ((ahead > here) - (ahead < here) for here, ahead in zip(*steps[-1], strict=True))
        board.put(head(round(0.34 * cell, 1), dx, dy, colour, rim), points[-1])


# ---- heat


def _heat(board: _Board, study: SearchReport) -> None:
    heat = study.heat
    totals = {place: sum(one.get(place, 0) for one in heat) for one in heat for place in one}
    most = max(totals.values(), default=1)
    size = max(9.0, min(0.36 * board.cell, 1.6 * board.unit))
    for place, total in totals.items():
        part = log(1 + total) / log(1 + most)
        colour = _mixed(heat, place, total, board.theme)
        shade = 0.14 + 0.6 * round(part * SHADES) / SHADES
        board.put(plate(board.cell, board.cell, 0.18 * board.cell, colour, colour, 0, shade), board.at(place))
    if board.cell < 2.2 * 9:
        return
    for place, total in totals.items():
        x, y = board.at(place)
        word = count(total)
        wide, tall = text_width(word, size) + 0.5 * size, 1.05 * size
        y += 0.5 * board.cell - tall / 2
        board.put(_pill(wide, tall, board.theme.background, board.theme.background, 0.7), (x, y))
        board.canvas.spell(word, x, y, size, board.theme.text, 0.5)


def _mixed(heat: Sequence[Mapping[Place, int]], place: Place, total: int, theme: Theme) -> Colour:
    """The colours of those who move there, each by its share."""
    parts = [(theme.agent(agent), one.get(place, 0) / total) for agent, one in enumerate(heat)]
    red, green, blue = (round(sum(colour[channel] * part for colour, part in parts)) for channel in range(3))
    return red, green, blue


# ---- layers

COLUMNS = ("generated", "expanded", "cut")
TABLE_ROW = 2.3


def table_tall(agents: int) -> float:
    """How high the table of so many agents is, in units."""
    return TABLE_ROW * (agents + 1) + 3.6


def _layers(board: _Board, study: SearchReport) -> None:
    """A table where it hides least of the board."""
    canvas, theme, unit = board.canvas, board.theme, board.unit
    rows = by_agent(study.layers)
    names = [f"{one.layer.name} {'Pacman' if not one.agent else f'ghost {one.agent}'}" for one in rows]
    size, small, row, icon = 1.8 * unit, 1.3 * unit, TABLE_ROW * unit, 2.2 * unit
    first = icon + max(text_width(name, size) for name in [*names, "all"])
    column = max(text_width(word, small) for word in COLUMNS) + 1.3 * unit
    wide, tall = ceil(first + column * len(COLUMNS) + 2.4 * unit), ceil(table_tall(len(rows)) * unit)
    left, top = _spare(board, wide, tall)
    canvas.paste(plate(wide, tall, unit, theme.panel, theme.wall_edge, 2, 0.93), left, top)
    x, y = left + 1.2 * unit, top + 1.4 * unit

    def line(numbers: Sequence[int], colours: Sequence[Colour]) -> None:
        for place, (number, colour) in enumerate(zip(numbers, colours, strict=True), 1):
            canvas.spell(thousands(number), x + first + column * place, y, size, colour, 1.0)

    for place, word in enumerate(COLUMNS, 1):
        canvas.text(word, x + first + column * place, y, small, theme.muted, 1.0)
    y += 0.1 * unit
    for one, name in zip(rows, names, strict=True):
        y += row
        board.put(mark(one.layer, round(1.5 * unit), theme.agent(one.agent or 0)), (x + 0.75 * unit, y))
        canvas.text(name, x + icon, y, size, theme.text)
        line([one.generated, one.expanded, one.cut], [theme.text, theme.text, theme.bad if one.cut else theme.text])
    y += row
    canvas.text("all", x + icon, y, size, theme.muted)
    line([study.generated, study.expanded, sum(one.cut for one in rows)], [theme.muted] * 3)


def by_agent(layers: Sequence[LayerCount]) -> tuple[LayerCount, ...]:
    """The counts of all rounds together, a row for each layer of the round, in the order in which they move."""
    rows: dict[tuple[Layer, int | None], LayerCount] = {}
    for one in layers:
        key = one.layer, one.agent
        old = rows.get(key, LayerCount(one.layer, one.agent, 0, 0, 0, 0))
        rows[key] = LayerCount(*key, *(a + b for a, b in zip(old[2:], one[2:], strict=True)))
    return tuple(rows.values())


def _spare(board: _Board, wide: int, tall: int) -> Point:
    """Where a sheet of that size goes: where it hides nobody, Pacman least of all, and little of the board.

    The first of equal places, so that it stays where it is until somebody comes there.
    """
    stage, maze = board.frame.board_area, board.state.maze
    (left, top), (right, low) = board.at((-0.5, maze.height - 0.5)), board.at((maze.width - 0.5, -0.5))
    middle = stage.left + (stage.width - wide) / 2
    places = [(x, y) for y in (stage.bottom - tall, stage.top) for x in (middle, stage.left, stage.right - wide)]

    def cost(place: Point) -> tuple[int, int, float]:
        sheet = Box(*place, wide, tall)
        hidden = _under(board, sheet)
        across = max(0.0, min(sheet.right, right) - max(sheet.left, left))
        down = max(0.0, min(sheet.bottom, low) - max(sheet.top, top))
        return hidden.count(0), len(hidden), across * down

    return min(places, key=cost)
