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
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from math import ceil, log

from pacman.core.errors import InputError, agent_name, nearest
from pacman.core.numbers import format_integer, format_interval, format_short
from pacman.core.rules import STEPS, STOP
from pacman.core.state import Place, places_of
from pacman.core.tree import Layer
from pacman.picture.bars import SENTENCES_HEIGHT, SMALL, BoardDrawing, plate
from pacman.picture.canvas import text_width
from pacman.picture.colours import Colour, Theme, blend, contrast
from pacman.picture.moment import Cell
from pacman.picture.screen_regions import Box, Regions
from pacman.picture.sprites import arrow_head, dot, line_icon
from pacman.record.report import SearchReport

WIDTH_STEP = 8
"""The widths of values are multiples of so many pixels, so that few different plates are drawn."""
SHADES = 12
"""How many shades the heat overlay has."""
GAP = 2.0
"""The pixels between a text and an agent."""


# ---- values


def draw_values(board: BoardDrawing, report: SearchReport) -> None:
    """Draws the value of each action of the root; only that of Stop says its action, because it has no direction."""
    words = _values(report)
    draw_at_actions(board, words | ({STOP: f"stop {words[STOP]}"} if STOP in words else {}), report.action)


def draw_at_actions(board: BoardDrawing, words: Mapping[str, str], choice: str | None) -> None:
    """Draws a word for each action beside the agent that moves; that of the `choice` is filled."""
    theme, mover = board.theme, board.state.mover
    size, place = max(1.75 * board.unit, min(0.8 * board.cell, 3 * board.unit)), places_of(board.state)[mover]
    widths = {
        action: WIDTH_STEP * ceil((text_width(word, size) + 0.8 * size) / WIDTH_STEP) for action, word in words.items()
    }
    middle, agents = board.pixel(place), tuple(board.agents())
    boxes = value_boxes(tuple(widths.items()), 1.25 * size, board.frame, middle, mover, agents)
    for action, word in words.items():
        is_choice = action == choice
        fill = theme.agent(mover) if is_choice else theme.panel
        rim = theme.background if is_choice else theme.muted
        ink = max((theme.text, theme.background), key=partial(contrast, fill))
        put_word(board, word, size, boxes[action], (ink, fill, rim), 0.94)


def put_word(
    board: BoardDrawing, word: str, size: float, box: Box, colours: tuple[Colour, Colour, Colour], opacity: float
) -> None:
    """Draws a word on a plate with round ends in this box; the colours are those of word, plate and rim."""
    ink, fill, rim = colours
    width, height = ceil(box.width), ceil(box.height)
    middle = box.left + box.width / 2, box.top + box.height / 2
    board.put(plate(width, height, height / 2, fill, rim, max(1.5, height / 14), opacity), middle)
    board.canvas.text(word, *middle, size, ink, 0.5)


def _values(report: SearchReport) -> dict[str, str]:
    """The value of each action of the root as text."""
    return {action: format_interval(*interval, report.decimals) or "?" for action, interval in report.root_intervals}


# ---- where a text hides no agent: the free place that is nearest to the place that it should have


@lru_cache(maxsize=64)
def value_boxes(
    widths: tuple[tuple[str, float], ...],
    height: float,
    regions: Regions,
    middle: tuple[float, float],
    mover: int,
    agents: tuple[Box, ...],
) -> dict[str, Box]:
    """The box of each value (action, width) around the mover at the pixel `middle`: on the side of its action.

    No box is over another or over one of the `agents`, as far as there is room. Stop has no side: its value has the
    nearest free place.
    """
    (x, y), aside, boxes = middle, 0.6 * regions.cell, dict[str, Box]()
    for action, width in sorted(widths, key=lambda row: row[0] == STOP):
        dx, dy = STEPS[action]
        wish_x, wish_y = x + dx * (aside + width / 2), y - (dy or -(action == STOP)) * (aside + height / 2)
        wish = Box(wish_x - width / 2, wish_y - height / 2, width, height)

        def is_on_its_side(box: Box, dx: int = dx, dy: int = dy) -> bool:
            across, up = box.left + box.width / 2 - x, y - box.top - box.height / 2
            return across * dx + up * dy >= abs(up * dx) + abs(across * dy)

        others, area = tuple(boxes.values()), regions.board_area
        free = free_box(wish, area, (*agents, *others), is_on_its_side)
        for obstacles in ((*agents, *others), (agents[mover], *others), others):
            free = free or free_box(wish, area, obstacles)
        boxes[action] = free or wish
    return boxes


def free_box(
    wish: Box, area: Box, obstacles: Sequence[Box], accepts: Callable[[Box], bool] = lambda box: True
) -> Box | None:
    """The box of the same size as `wish` that is nearest to it, inside `area`, and touches no obstacle.

    `accepts` can reject a box. None if there is no such box.

    >>> free_box(Box(0, 0, 4, 2), Box(0, 0, 10, 10), [Box(3, 0, 3, 3)])
    Box(left=0, top=5.0, width=4, height=2)
    """
    width, height = wish.width, wish.height
    if width > area.width or height > area.height:
        return None
    left, top = min(max(wish.left, area.left), area.right - width), min(max(wish.top, area.top), area.bottom - height)
    lefts, tops = {left}, {top}
    for box in obstacles:
        lefts |= {box.left - GAP - width, box.right + GAP}
        tops |= {box.top - GAP - height, box.bottom + GAP}
    # The nearest free box of all touches the area's sides, the obstacles or the wish.
    boxes = [
        Box(left, top, width, height)
        for left in lefts
        if area.left <= left <= area.right - width
        for top in tops
        if area.top <= top <= area.bottom - height
    ]
    boxes.sort(key=lambda box: (abs(box.left - wish.left) + abs(box.top - wish.top), box))
    return next((box for box in boxes if accepts(box) and not any(box.meets(other) for other in obstacles)), None)


# ---- the principal line, and the paths to a node


def draw_paths(board: BoardDrawing, paths: Sequence[Sequence[Place]]) -> None:
    """Draws the path of each agent in the agent's colour, Pacman's last; dashed if the agent moves by chance."""
    cell, rim, turns = board.cell, board.theme.background, board.state.round.turns
    thickness = max(3.0, 0.13 * cell)
    for agent in reversed(range(len(paths))):
        # The paths are beside each other, so that all paths in a corridor are visible.
        aside = (agent - (len(paths) - 1) / 2) * min(0.17, 0.5 / len(paths)) * cell
        points = [(x + aside, y + aside) for x, y in map(board.pixel, paths[agent])]
        colour, heading = board.theme.agent(agent), (0, 0)
        is_dashed = turns[agent].layer is Layer.CHANCE and cell >= 16
        for (x, y), (to_x, to_y) in pairwise(points):
            distance = abs(to_x - x) + abs(to_y - y)
            if distance >= 1.2 * cell:  # an eaten ghost jumps
                heading = 0, 0
            elif distance:
                heading = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
                line = line_icon(round(to_x - x), round(to_y - y), round(thickness, 1), colour, rim, is_dashed)
                board.put(line, ((x + to_x) / 2, (y + to_y) / 2))
        for point in points[1:]:
            board.put(dot(round(1.15 * thickness, 1), colour, rim), point)
        if any(heading):
            board.put(arrow_head(round(0.34 * cell, 1), *heading, colour, rim), points[-1])


# ---- heat


def draw_heat(board: BoardDrawing, report: SearchReport) -> None:
    """Draws in how many expanded nodes the agent that moves is on each cell; the number stands beside the food."""
    heat, agents = _heat(report, board.theme), board.agents()
    size, ink, back = max(10.0, min(0.4 * board.cell, 2 * board.unit)), board.theme.text, board.theme.background
    for place, (_, part, colour) in heat.items():
        shade = 0.14 + 0.6 * round(part * SHADES) / SHADES
        board.put(plate(board.cell, board.cell, 0.18 * board.cell, colour, colour, 0, shade), board.pixel(place))
    for place, (total, _, _) in heat.items() if board.cell >= 2 * size else ():
        (x, y), word = board.pixel(place), format_short(total)
        width, height = text_width(word, size) + 0.4 * size, 0.95 * size
        box = Box(x + board.cell / 2 - width, y + board.cell / 2 - height, width, height)
        if not any(box.meets(agent) for agent in agents):
            put_word(board, word, size, box, (ink, back, back), 0.7)


def _heat(report: SearchReport, theme: Theme) -> dict[Place, tuple[int, float, Colour]]:
    """For each place the nodes expanded there, how hot that is (0 to 1), and the mean colour of the agents."""
    counts: dict[Place, Counter[int]] = defaultdict(Counter)
    for agent, places in enumerate(report.heat):
        for place, count in places.items():
            counts[place][agent] += count
    most, heat = max((each.total() for each in counts.values()), default=1), {}
    for place, each in counts.items():
        total, mixed = each.total(), [0.0, 0.0, 0.0]
        for agent, count in each.items():
            mixed = [sum_ + channel * (count / total) for sum_, channel in zip(mixed, theme.agent(agent), strict=True)]
        red, green, blue = map(round, mixed)
        heat[place] = total, log(1 + total) / log(1 + most), (red, green, blue)
    return heat


# ---- layers

COUNTS = ("generated", "expanded", "cut")


def layer_rows(report: SearchReport) -> list[list[str]]:
    """For each layer of a round its name and its counts in all rounds together; the last row has their sums."""
    rows: dict[str, list[int]] = {}
    for layer, agent, expanded, generated, cut in report.layers:
        name = layer.name if agent is None else f"{layer.name} {agent_name(agent)}"
        rows[name] = [*map(sum, zip(rows.get(name, (0, 0, 0)), (generated, expanded, cut), strict=True))]
    rows["total"] = [*map(sum, zip(*rows.values(), strict=True))] or [0, 0, 0]
    return [[name, *map(format_integer, counts)] for name, counts in rows.items()]


def draw_layers(board: BoardDrawing, report: SearchReport) -> None:
    """Draws the table of layers in the lower part of the strip for words; nothing if there is no strip."""
    canvas, theme, unit, strip = board.canvas, board.theme, board.unit, board.frame.words
    head, *rows, total = ["", *COUNTS], *layer_rows(report)
    step = SENTENCES_HEIGHT * unit / (len(rows) + 2)
    size = min(SMALL * unit, 0.9 * step)
    columns = zip(head, *rows, total, strict=True)
    widths = [max(text_width(word, size) for word in column) for column in columns]
    gap = min(1.5 * size, (strip.width - sum(widths)) / len(widths))
    left = strip.left + (strip.width - sum(widths) - len(widths) * gap) / 2
    _, *ends = accumulate(widths, lambda end, width: end + gap + width, initial=left)
    y = strip.bottom - SENTENCES_HEIGHT * unit - step / 2
    for row in (head, *rows, total) if strip.height else ():
        y += step
        for number, end in enumerate(ends):
            is_cut = row in rows and number == len(COUNTS) and row[number] != "0"
            colour = theme.bad if is_cut else theme.text if row in rows else theme.muted
            canvas.text(row[number], end, y, size, colour, 1.0)


# ---- in a terminal: the words below the board, and the colours of cells


def value_lines(report: SearchReport) -> list[str]:
    """Each action of the root with its value; the chosen one in brackets."""
    words = {action: f"{action} {value}" for action, value in _values(report).items()}
    return [f"[{word}]" if action == report.action else word for action, word in words.items()]


def heat_lines(report: SearchReport) -> list[str]:
    """What the colours of the cells mean."""
    most = max((sum(counts.values()) for counts in report.heat), default=0)
    return ["the brighter a cell, the more nodes were expanded there", f"most by one agent: {format_integer(most)}"]


def layer_lines(report: SearchReport) -> list[str]:
    """The counts of each layer of a round."""
    return [
        f"{name}: {', '.join(f'{count} {word}' for count, word in zip(counts, COUNTS, strict=True))}"
        for name, *counts in layer_rows(report)[:-1]
    ]


def line_lines(report: SearchReport) -> list[str]:
    """The moves of the principal line, each with its agent where it is not Pacman."""
    state, moves = report.root, []
    for action in report.line:
        agent = getattr(state, "mover", 0)
        moves.append(f"{agent_name(agent)} {action}" if agent else action)
        state = state.successor(action)
    return moves or ["no line: the search chose no action"]


def path_tints(paths: Sequence[Sequence[Place]], theme: Theme) -> dict[Cell, Colour]:
    """The cells of the path of each agent, in a dark shade of its colour; Pacman's are the last."""
    tints: dict[Cell, Colour] = {}
    for agent in reversed(range(len(paths))):
        shade = blend(theme.background, theme.agent(agent), 0.4)
        tints |= {(round(x), round(y)): shade for x, y in paths[agent][1:]}
    return tints


def heat_tints(report: SearchReport, theme: Theme) -> dict[Cell, Colour]:
    """The cells where nodes were expanded, in the mean colour of the agents there; the most visited half of a cell."""
    heat = sorted(_heat(report, theme).items(), key=lambda row: row[1][0])
    return {
        (round(x), round(y)): blend(theme.background, colour, 0.12 + 0.5 * part) for (x, y), (_, part, colour) in heat
    }


# ---- the table

NONE = "none"


@dataclass(frozen=True)
class Overlay:
    """One way to show a search on the board.

    `summary` follows the name in the help. `draw` draws it on the board of a window or a film: above the agents, or
    below them if it `is_below_agents`. A terminal keeps so many `lines` free for the `words` below the board, so that
    the board stays in place.
    """

    name: str
    summary: str
    draw: Callable[[BoardDrawing, SearchReport], None]
    words: Callable[[SearchReport], Sequence[str]]
    lines: int = 2
    is_below_agents: bool = False
    has_strip: bool = False
    """True if it draws in a strip below the board, as high as that for sentences."""
    tints: Callable[[SearchReport, Theme], dict[Cell, Colour]] | None = None
    """The colours of cells in a terminal."""


TABLE = (
    Overlay("values", "of the actions", draw_values, value_lines),
    Overlay(
        "line",
        "the moves that the search expects",
        lambda board, report: draw_paths(board, report.line_places),
        line_lines,
        is_below_agents=True,
        tints=lambda report, theme: path_tints(report.line_places, theme),
    ),
    Overlay("heat", "where nodes were expanded", draw_heat, heat_lines, is_below_agents=True, tints=heat_tints),
    Overlay("layers", "node counts for MAX, CHANCE and MIN", draw_layers, layer_lines, 4, has_strip=True),
)
OVERLAYS: dict[str, Overlay | None] = {NONE: None, **{overlay.name: overlay for overlay in TABLE}}
"""The overlays by name, in the order of the key O."""


def overlay_name(name: str) -> str:
    """The name itself if an overlay has this name; else InputError with the nearest name."""
    if name not in OVERLAYS:
        raise InputError(f"no overlay '{name}': {nearest(name, OVERLAYS)}")
    return name
