"""The overlays: a new overlay is a new row of the table. The window, films, the terminal and the help read it.

draw_overlay(canvas, report, "values", theme, frame)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pacman.core.errors import InputError, nearest
from pacman.core.state import GameState
from pacman.picture.canvas import Canvas
from pacman.picture.game_events import Cell
from pacman.picture.overlays import as_text, on_board
from pacman.picture.overlays.on_board import BoardDrawing
from pacman.picture.paint import Drawing, nothing
from pacman.picture.screen_regions import Regions
from pacman.picture.theme import Colour, Theme
from pacman.picture.visible_state import VisibleState
from pacman.record.report import SearchReport

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
        draw=on_board.draw_values,
        words=as_text.value_words,
        lines=1,
    ),
    Overlay(
        "line",
        "the moves that the search expects",
        draw=on_board.draw_line,
        words=as_text.line_words,
        is_below_agents=True,
        tints=as_text.line_tints,
    ),
    Overlay(
        "heat",
        "where nodes were expanded",
        draw=on_board.draw_heat,
        words=as_text.heat_words,
        is_below_agents=True,
        tints=as_text.heat_tints,
    ),
    Overlay(
        "layers",
        "node counts for MAX, CHANCE and MIN",
        draw=on_board.draw_layers,
        words=as_text.layer_words,
        lines=4,
        most_lines=4,
        table_size=on_board.table_size,
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
