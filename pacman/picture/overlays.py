"""The overlays: how a search looks on a board, in a window, a film and a terminal.

`values`  the value of each root action, beside the agent that moves; the chosen action is filled
`line`    the principal line as a path for each agent; dashed if the agent moves by chance (its most probable move)
`heat`    for each cell, in how many expanded nodes the agent that moves is on it; no number under an agent
`layers`  for each layer of the round: successors generated, nodes expanded, nodes cut

A new overlay is a new row of the table at the end. The window, films, the terminal and the help read it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import ceil, log

from pacman.core.errors import InputError, agent_name, nearest
from pacman.core.numbers import format_integer, format_interval, format_short
from pacman.core.rules import STOP
from pacman.core.state import GameState, Place, places_of
from pacman.core.tree import Layer
from pacman.picture.canvas import Canvas, Point, text_width
from pacman.picture.colours import Colour, Theme, blend, contrast
from pacman.picture.moment import Cell, VisibleState
from pacman.picture.paint import Drawing, nothing
from pacman.picture.placement import agent_boxes, value_boxes
from pacman.picture.screen_regions import Box, Regions
from pacman.picture.sprites import arrow_head, dot, layer_icon, line_icon
from pacman.picture.status_bars import plate
from pacman.record.report import LayerCount, SearchReport

WIDTH_STEP = 8
"""The widths of values are multiples of so many pixels, so that few different plates are drawn."""
SHADES = 12
"""How many shades the heat overlay has."""


def draw_paths(canvas: Canvas, report: SearchReport, number: int, theme: Theme, frame: Regions) -> None:
    """Draws the path of every agent from the root to a node, in a picture of that node's position."""
    if isinstance(report.root, GameState):
        _draw_paths(BoardDrawing(canvas, report.root, theme, frame), report.places_to(number))


class BoardDrawing:
    """A picture of a position, and what is needed to draw at a place of the board."""

    def __init__(
        self, canvas: Canvas, state: GameState, theme: Theme, frame: Regions, visible: VisibleState | None = None
    ) -> None:
        self.canvas, self.state, self.theme, self.frame = canvas, state, theme, frame
        self.agents = agent_boxes(visible or VisibleState(state, state), frame)
        self.cell, self.unit = frame.cell, frame.unit

    def pixel(self, place: Place) -> Point:
        """The pixel at the middle of a place."""
        return self.frame.middle(*place, self.state.maze.height)

    def put(self, picture: Canvas, middle: Point) -> None:
        """Draws `picture` with its middle at the pixel `middle`."""
        self.canvas.paste(picture, middle[0] - picture.width / 2, middle[1] - picture.height / 2)

    @property
    def text_size(self) -> float:
        """The size of the text on the board, in pixels."""
        return max(1.75 * self.unit, min(0.8 * self.cell, 3 * self.unit))


# ---- values


def draw_values(board: BoardDrawing, report: SearchReport) -> None:
    """Draws the value of each action of the root."""
    draw_at_actions(board, value_words(report), report.action)


def draw_at_actions(board: BoardDrawing, words: Mapping[str, str], choice: str | None) -> None:
    """Draws a word for each action beside the agent that moves; that of the `choice` is filled."""
    size, mover = board.text_size, board.state.mover
    middle, colour = board.pixel(places_of(board.state)[mover]), board.theme.agent(mover)
    widths = tuple((action, _pill_width(word, size)) for action, word in words.items())
    boxes = value_boxes(widths, 1.25 * size, board.frame, middle, mover, tuple(board.agents))
    for action, word in words.items():
        box, is_choice = boxes[action], action == choice
        fill = colour if is_choice else board.theme.panel
        rim = board.theme.background if is_choice else board.theme.muted
        middle = box.left + box.width / 2, box.top + box.height / 2
        board.put(_pill(box.width, box.height, fill, rim), middle)
        ink = max((board.theme.text, board.theme.background), key=partial(contrast, fill))
        board.canvas.spell(word, *middle, size, ink, 0.5)


def value_words(report: SearchReport) -> dict[str, str]:
    """The value of each action of the root as text; only that of Stop says its action, because it has no direction."""
    words = {action: format_interval(*interval, report.decimals) or "?" for action, interval in report.root_intervals}
    return words | ({STOP: f"stop {words[STOP]}"} if STOP in words else {})


def _pill_width(word: str, size: float) -> float:
    return WIDTH_STEP * ceil((text_width(word, size) + 0.8 * size) / WIDTH_STEP)


def _pill(width: float, height: float, fill: Colour, rim: Colour, part: float = 0.94) -> Canvas:
    """A plate with round ends, as the background of a text."""
    pixels = ceil(height)
    return plate(ceil(width), pixels, pixels / 2, fill, rim, max(1.5, pixels / 14), part)


# ---- the principal line, and the paths to a node


def draw_line(board: BoardDrawing, report: SearchReport) -> None:
    """Draws the principal line."""
    _draw_paths(board, report.line_places)


def _draw_paths(board: BoardDrawing, paths: Sequence[Sequence[Place]]) -> None:
    """Draws the path of each agent in the agent's colour, Pacman's last; dashed if the agent moves by chance."""
    turns = board.state.round.turns
    for agent in reversed(range(len(paths))):
        colour = board.theme.agent(agent)
        is_dashed = turns[agent].layer is Layer.CHANCE
        aside = path_aside(agent, len(paths)) * board.cell
        points = [(x + aside, y + aside) for x, y in map(board.pixel, paths[agent])]
        _draw_path(board, points, colour, is_dashed)


def path_aside(agent: int, agents: int) -> float:
    """How far the path of an agent is beside the middle of its cells, in cells: so all paths in a corridor are visible.

    >>> path_aside(0, 1), path_aside(1, 3)
    (0.0, 0.0)
    """
    return (agent - (agents - 1) / 2) * min(0.17, 0.5 / agents)


def _draw_path(board: BoardDrawing, points: Sequence[Point], colour: Colour, is_dashed: bool) -> None:
    cell, rim = board.cell, board.theme.background
    thickness = max(3.0, 0.13 * cell)
    steps = path_steps(points, cell)
    for (x, y), (to_x, to_y) in steps:
        line = line_icon(round(to_x - x), round(to_y - y), round(thickness, 1), colour, rim, is_dashed and cell >= 16)
        board.put(line, ((x + to_x) / 2, (y + to_y) / 2))
    for point in points[1:]:
        board.put(dot(round(1.15 * thickness, 1), colour, rim), point)
    if steps and steps[-1][1] == points[-1]:
        dx, dy = ((ahead > here) - (ahead < here) for here, ahead in zip(*steps[-1], strict=True))
        board.put(arrow_head(round(0.34 * cell, 1), dx, dy, colour, rim), points[-1])


def path_steps(points: Sequence[Point], cell: float) -> list[tuple[Point, Point]]:
    """The steps of a path, without the jump of an eaten ghost."""
    return [
        (start, end)
        for start, end in pairwise(points)
        if 0 < abs(end[0] - start[0]) + abs(end[1] - start[1]) < 1.2 * cell
    ]


# ---- heat


def draw_heat(board: BoardDrawing, report: SearchReport) -> None:
    """Draws in how many expanded nodes the agent that moves is on each cell; the number stands beside the food."""
    totals = {place: counts.total() for place, counts in _heat(report).items()}
    most = max(totals.values(), default=1)
    size = max(10.0, min(0.4 * board.cell, 2 * board.unit))
    for place, total in totals.items():
        part = log(1 + total) / log(1 + most)
        colour = _mean_colour(report.heat, place, total, board.theme)
        shade = 0.14 + 0.6 * round(part * SHADES) / SHADES
        board.put(plate(board.cell, board.cell, 0.18 * board.cell, colour, colour, 0, shade), board.pixel(place))
    if board.cell < 2 * size:
        return
    for place, total in totals.items():
        x, y = board.pixel(place)
        word = format_short(total)
        width, height = text_width(word, size) + 0.4 * size, 0.95 * size
        x, y = x + (board.cell - width) / 2, y + (board.cell - height) / 2
        if not any(Box(x - width / 2, y - height / 2, width, height).meets(agent) for agent in board.agents):
            board.put(_pill(width, height, board.theme.background, board.theme.background, 0.7), (x, y))
            board.canvas.spell(word, x, y, size, board.theme.text, 0.5)


def _heat(report: SearchReport) -> dict[Place, Counter[int]]:
    """For each place, in how many expanded nodes each agent that moves is there."""
    totals: dict[Place, Counter[int]] = defaultdict(Counter)
    for agent, counts in enumerate(report.heat):
        for place, count in counts.items():
            totals[place][agent] += count
    return totals


def _mean_colour(heat: Sequence[Mapping[Place, int]], place: Place, total: int, theme: Theme) -> Colour:
    """The mean colour of the agents that move at a place, each weighted with its share of the nodes."""
    parts = [(theme.agent(agent), counts.get(place, 0) / total) for agent, counts in enumerate(heat)]
    red, green, blue = (round(sum(colour[channel] * part for colour, part in parts)) for channel in range(3))
    return red, green, blue


# ---- layers

COUNTS = ("generated", "expanded", "cut")
LEAST_UNIT = 6.0
"""The table needs a larger unit: letters cannot be smaller than 8 pixels."""
HEAD, LABEL, NUMBER, ROW = 11.2, 5.2, 5.8, 1.55
"""In units: the widths of a column with an agent's name, of one with the word for a count, and of one with numbers; and
the height of a row."""


def layers_size(agents: int) -> tuple[float, float]:
    """The width of the table of layers beside the board, and its height below the board, in units."""
    return HEAD + NUMBER * len(COUNTS) + 2.4, ROW * (len(COUNTS) + 1) + 1.0


def draw_layers(board: BoardDrawing, report: SearchReport) -> None:
    """Draws the table of layers in its space: one row for each agent beside the board, one column for each below it."""
    canvas, theme, box = board.canvas, board.theme, board.frame.table
    if not box.height:
        return
    rows = by_agent(report.layers)
    names = [*(f"{row.layer.name} {agent_name(row.agent or 0)}" for row in rows), "total"]
    counts = [(row.generated, row.expanded, row.cut) for row in rows]
    counts.append((report.generated, report.expanded, sum(row.cut for row in rows)))
    is_high = box.height > box.width
    if is_high:
        widths, lines = [HEAD, *[NUMBER] * len(COUNTS)], len(names) + 1
    else:
        widths, lines = [LABEL, *[HEAD] * len(rows), NUMBER], len(COUNTS) + 1
    unit = min(board.unit, box.width / (sum(widths) + 2.4), box.height / (ROW * lines + 1.0))
    if unit < LEAST_UNIT:
        return
    width, height = ceil((sum(widths) + 2.4) * unit), ceil((ROW * lines + 0.8) * unit)
    left, top = box.left + (box.width - width) / 2, box.top + (box.height - height) / 2
    canvas.paste(plate(width, height, unit, theme.panel, theme.wall_edge, 2), left, top)

    def place(name: int, count: int) -> Point:
        """The right end of the cell of a name and a count; -1 is the cell before the first one."""
        column, line = (count, name) if is_high else (name, count)
        return left + (1.2 + sum(widths[: column + 2])) * unit, top + (ROW * (line + 1.5) + 0.4) * unit

    for index, word in enumerate(COUNTS):
        canvas.text(word, *place(-1, index), 1.35 * unit, theme.muted, 1.0)
    for number, (name, numbers) in enumerate(zip(names, counts, strict=True)):
        is_total = number == len(rows)
        x, y = place(number, -1)
        ink = theme.muted if is_total else theme.text
        canvas.text(name, x, y, 1.35 * unit, ink, 1.0)
        if not is_total:
            row = rows[number]
            icon = layer_icon(row.layer, round(1.3 * unit), theme.layer(row.layer))
            board.put(icon, (x - text_width(name, 1.35 * unit) - 1.0 * unit, y))
        for index, count in enumerate(numbers):
            colour = theme.bad if index == len(COUNTS) - 1 and count and not is_total else ink
            canvas.spell(format_integer(count), *place(number, index), 1.5 * unit, colour, 1.0)


def by_agent(layers: Sequence[LayerCount]) -> tuple[LayerCount, ...]:
    """The counts of all rounds together: one row per layer of the round, in the order of the moves."""
    rows: dict[tuple[Layer, int | None], LayerCount] = {}
    for count in layers:
        key = count.layer, count.agent
        total = rows.get(key, LayerCount(count.layer, count.agent, 0, 0, 0))
        rows[key] = LayerCount(*key, *(a + b for a, b in zip(total[2:], count[2:], strict=True)))
    return tuple(rows.values())


# ---- in a terminal: the words below the board, and the colours of cells


def value_lines(report: SearchReport) -> list[str]:
    """Each action of the root with its value; the chosen one in brackets."""
    words = [(action, format_interval(*interval, report.decimals) or "?") for action, interval in report.root_intervals]
    return [f"[{action} {word}]" if action == report.action else f"{action} {word}" for action, word in words]


def heat_lines(report: SearchReport) -> list[str]:
    """What the colours of the cells mean."""
    most = max((sum(counts.values()) for counts in report.heat), default=0)
    return ["the brighter a cell, the more nodes were expanded there", f"most by one agent: {format_integer(most)}"]


def layer_lines(report: SearchReport) -> list[str]:
    """The counts of each layer of the look-ahead."""
    return [
        f"{layer.layer.name}{'' if layer.agent is None else f' {agent_name(layer.agent)}'}: "
        f"{format_integer(layer.generated)} generated, {format_integer(layer.expanded)} expanded, "
        f"{format_integer(layer.cut)} cut"
        for layer in report.layers
    ]


def line_lines(report: SearchReport) -> list[str]:
    """The moves of the principal line, each with its agent where it is not Pacman."""
    state = report.root
    moves = []
    for action in report.line:
        agent = getattr(state, "mover", 0)
        moves.append(f"{agent_name(agent)} {action}" if agent else action)
        state = state.successor(action)
    return moves or ["no line: the search chose no action"]


def line_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells of the principal line."""
    return path_tints(report.line_places, theme)


def path_tints(paths: tuple[tuple[Place, ...], ...], theme: Theme) -> dict[Cell, Colour]:
    """The cells of the path of each agent, in a dark shade of its colour; Pacman's are the last."""
    tints: dict[Cell, Colour] = {}
    for agent in reversed(range(len(paths))):
        shade = blend(theme.background, theme.agent(agent), 0.4)
        tints |= {(round(x), round(y)): shade for x, y in paths[agent][1:]}
    return tints


def heat_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells where nodes were expanded, in the colour of the agent with the most of them there."""
    cells: dict[Cell, Counter[int]] = defaultdict(Counter)
    for (x, y), counts in _heat(report).items():
        cells[round(x), round(y)] += counts
    most = max((counts.total() for counts in cells.values()), default=1)
    return {
        cell: blend(
            theme.background,
            theme.agent(max(counts, key=lambda agent: counts[agent])),
            0.12 + 0.5 * log(1 + counts.total()) / log(1 + most),
        )
        for cell, counts in cells.items()
    }


# ---- the table

NONE = "none"


@dataclass(frozen=True)
class Overlay:
    """One way to show a search on the board.

    `summary` follows the name in the help. `draw` draws it on the board of a window or a film: above the agents, or
    below them if it `is_below_agents`. A terminal shows the `words` below the board, on at most `most_lines` lines. It
    keeps `lines` lines free for them, so that the board stays in place.
    """

    name: str
    summary: str
    draw: Callable[[BoardDrawing, SearchReport], None]
    words: Callable[[SearchReport], Sequence[str]]
    lines: int = 2
    most_lines: int = 2
    is_below_agents: bool = False
    table_size: Callable[[int], tuple[float, float]] | None = None
    """By the number of agents, the width and height in units of a table that needs space outside the board."""
    tints: Callable[[SearchReport, Theme], dict[Cell, Colour]] | None = None
    """The colours of cells in a terminal."""


TABLE = (
    Overlay(
        "values",
        "of the actions",
        draw=draw_values,
        words=value_lines,
        lines=1,
    ),
    Overlay(
        "line",
        "the moves that the search expects",
        draw=draw_line,
        words=line_lines,
        is_below_agents=True,
        tints=line_tints,
    ),
    Overlay(
        "heat",
        "where nodes were expanded",
        draw=draw_heat,
        words=heat_lines,
        is_below_agents=True,
        tints=heat_tints,
    ),
    Overlay(
        "layers",
        "node counts for MAX, CHANCE and MIN",
        draw=draw_layers,
        words=layer_lines,
        lines=4,
        most_lines=4,
        table_size=layers_size,
    ),
)
OVERLAYS: dict[str, Overlay | None] = {NONE: None, **{overlay.name: overlay for overlay in TABLE}}
"""The overlays by name, in the order of the key O."""


def overlay_name(name: str) -> str:
    """The name itself if an overlay has this name; else InputError with the nearest name."""
    if name not in OVERLAYS:
        raise InputError(f"no overlay '{name}': {nearest(name, OVERLAYS)}")
    return name


def next_overlay(name: str) -> str:
    """The overlay after this one; after the last one, the first."""
    names = list(OVERLAYS)
    return names[(names.index(name) + 1) % len(names)]


def table_size(name: str, agents: int) -> tuple[float, float] | None:
    """The width and height, in units, of the table that an overlay shows outside the board; None without a table."""
    overlay = OVERLAYS[name]
    return overlay.table_size(agents) if overlay and overlay.table_size else None


def draw_overlay(
    canvas: Canvas, report: SearchReport, name: str, theme: Theme, frame: Regions, visible: VisibleState | None = None
) -> None:
    """Draws one overlay; draws nothing if the report's root is not a position of Pacman, as in a drawn tree.

    The picture must show the position at the root, or, as in `visible`, the glide from it: texts are where no agent is
    in the whole glide.
    """
    overlay, state = OVERLAYS[name], report.root
    if overlay is not None and isinstance(state, GameState):
        overlay.draw(BoardDrawing(canvas, state, theme, frame, visible), report)


def drawings(report: SearchReport | None, name: str, theme: Theme, moment: VisibleState) -> tuple[Drawing, Drawing]:
    """An overlay, as what to draw below the agents and what to draw above them."""
    overlay = OVERLAYS[name]
    if report is None or overlay is None:
        return nothing, nothing

    def drawing(canvas: Canvas, frame: Regions) -> None:
        draw_overlay(canvas, report, name, theme, frame, moment)

    return (drawing, nothing) if overlay.is_below_agents else (nothing, drawing)
