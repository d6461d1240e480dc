"""The pictures of games: one game with its search; several side by side, with what is between and below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pacman.core.layout import Maze
from pacman.picture import screen_regions as shapes
from pacman.picture.bars import SENTENCES_HEIGHT, Message, TimelineBar, clipped, draw_message, draw_sentences
from pacman.picture.canvas import Canvas, text_width
from pacman.picture.colours import Theme, blend
from pacman.picture.moment import VisibleState
from pacman.picture.overlays import draw_paths, drawings, table_height
from pacman.picture.paint import Drawing, Painter, nothing
from pacman.picture.screen_regions import MESSAGE, NOWHERE, TIMELINE, Box, Regions
from pacman.play.series import differences
from pacman.view.panel import Panel, draw_frame
from pacman.view.player import Player, Track

FACTS = 26
"""The width of the score and the other facts at the top left, in units."""
STRIP = 1.9
"""The height of the strip of different choices, in units."""


class Pane:
    """The picture of one game; it keeps where everything is, for the mouse. The panel of a film has no buttons."""

    def __init__(self, track: Track, painter: Painter, *, has_buttons: bool = True) -> None:
        self.track, self.painter = track, painter
        self.panel = Panel(painter.theme, track.search, has_buttons=has_buttons) if track.search else None
        self.regions = Regions.fit(1, 1, track.game.start.maze)
        """The regions of the latest frame."""

    @property
    def trouble(self) -> str:
        """The reason why the board shows no search, or "". An open panel, or the end of the game, comes first."""
        search = self.track.search
        return search.error if search and not self.regions.panel.width and not self.track.is_over else ""

    def fit(self, width: int, height: int, *, is_single: bool, has_timeline: bool = True) -> Regions:
        """The regions of a picture of that size."""
        search, maze = self.track.search, self.track.game.start.maze
        shape = (shapes.LECTURE if search.is_lecture else shapes.LIST) if search and search.is_open else None
        has_table = search is not None and not search.is_hidden
        return Regions.fit(
            width,
            height,
            maze,
            timeline=is_single and has_timeline,
            is_part=not is_single,
            panel=shape if is_single else None,
            words=SENTENCES_HEIGHT if search and search.has_words else 0.0,
            table=table_height(search.name, len(self.track.layers)) if search and has_table else 0.0,
        )

    def draw(self, canvas: Canvas, visible: VisibleState, regions: Regions, message: Message | None = None) -> None:
        """Paints the game at a moment, with its search and a message below the board."""
        search, theme, self.regions = self.track.search, self.painter.theme, regions
        under: Drawing = nothing
        over: Drawing = nothing
        if search and (node := search.position) is not None:
            under = self._draw_paths  # the other drawings are about the root
            moment = {"before": node, "after": node, "fraction": 1.0, "mover": node.mover}
            visible = replace(visible, **moment, result=None, rising_points=())  # type: ignore[arg-type]
        elif search:
            report = None if search.is_hidden or search.hides_values else search.report
            under, over = drawings(report, search.name, theme, visible)
        if message is None and self.trouble:
            message = Message(self.trouble)
        self.painter.paint(canvas, visible, regions, under, over, message)
        if search and regions.words.height and (words := search.words):
            draw_sentences(canvas, regions.words, regions.unit, words, theme)
        if self.panel and regions.panel.width:
            self.panel.draw(canvas, regions.panel, regions.unit)

    def _draw_paths(self, canvas: Canvas, frame: Regions) -> None:
        """Draws the path of every agent from the root to the current node of the tree."""
        if self.track.search and (browser := self.track.search.browser):
            draw_paths(canvas, browser.report, browser.current, self.painter.theme, frame)

    def draw_name(self, canvas: Canvas) -> None:
        """Draws Pacman's name and the layout at the top right, in letters that fit; or only the name, or nothing."""
        unit, bar, theme = self.regions.unit, self.regions.bar, self.painter.theme
        name, layout, room = self.track.game.names[0], self.track.layout, bar.width - FACTS * unit
        for words in [f"{name} on {layout}", name] if layout else [name]:
            for size in (2.5 * unit, 2.1 * unit, 1.7 * unit):
                if text_width(words, size) < room:
                    ink = theme.readable(theme.pacman, theme.background)
                    canvas.text(words, bar.right - 1.6 * unit, bar.height / 2, size, ink, 1.0)
                    return


def grid(width: int, height: int, mazes: Sequence[Maze]) -> list[Box]:
    """One box for each maze, side by side and below each other, so that the smallest cell is as large as possible.

    On a tie the grid with fewer empty places wins, then the one with fewer rows.

    >>> maze = Maze.of(["%%%%%%%%%%%%%%%%%%%%", "%                  %", "%%%%%%%%%%%%%%%%%%%%"])
    >>> [(box.left, box.top) for box in grid(1200, 800, [maze, maze])]
    [(0, 0), (0, 400)]
    """
    count = len(mazes)

    def merit(columns: int) -> tuple[int, int, int]:
        rows = -(-count // columns)
        parts = [Regions.fit(width // columns, height // rows, maze, timeline=False, is_part=True) for maze in mazes]
        return min(part.cell for part in parts), -(columns * rows - count), -rows

    columns = max(range(1, count + 1), key=merit)
    across, down = width // columns, height // -(-count // columns)
    return [Box(number % columns * across, number // columns * down, across, down) for number in range(count)]


def draw_comparison(
    canvas: Canvas, player: Player, panes: Sequence[Pane], unit: float, message: Message | None
) -> tuple[Box, Box]:
    """Draws several games in a grid beside the open tree, and their time line below them.

    Returns the box of the tree and that of the time line, `NOWHERE` without one.
    """
    theme = panes[0].painter.theme
    canvas.fill(theme.background)
    searches = [pane.track.search for pane in panes]
    aside = round(shapes.LIST.beside * canvas.width) if any(search and search.is_open for search in searches) else 0
    foot = 0 if canvas.height < 18 * unit else round((MESSAGE + STRIP + TIMELINE) * unit)
    panel = Box(canvas.width - aside, 0, aside, canvas.height - foot)
    boxes = grid(canvas.width - aside, canvas.height - foot, [pane.track.game.start.maze for pane in panes])
    for pane, box in zip(panes, boxes, strict=True):
        left, top, width, height = (round(side) for side in box)
        part = canvas.subcanvas(left, top, width, height)
        visible = player.visible(pane.track)
        pane.draw(part, visible, pane.fit(width, height, is_single=False))
        pane.draw_name(part)
    thick = max(1, round(0.12 * unit))
    for box in boxes:
        if box.left:
            canvas.box(box.left - thick / 2, box.top + unit, thick, box.height - 2 * unit, theme.panel)
        if box.top:
            canvas.box(box.left + unit, box.top - thick / 2, box.width - 2 * unit, thick, theme.panel)
    for pane, box in zip(panes, boxes, strict=True):
        if pane.panel and pane.track.search and pane.track.search.is_open:
            pane.panel.draw(canvas, panel, unit)
            draw_frame(canvas, box, thick, theme.readable(theme.pacman, theme.background))
    if not foot:
        return panel, NOWHERE
    line = Box(0, canvas.height - TIMELINE * unit, canvas.width, TIMELINE * unit)
    TimelineBar(line, unit).draw(canvas, player.status(), theme)
    _draw_differences(canvas, TimelineBar(line, unit), player, theme)
    if message is not None:
        draw_message(
            canvas, Box(0, line.top - (STRIP + MESSAGE) * unit, canvas.width, MESSAGE * unit), unit, message, theme
        )
    return panel, line


def _draw_differences(canvas: Canvas, bar: TimelineBar, player: Player, theme: Theme) -> None:
    """Draws the strip above `bar`, with the same pixels for the same plies: a mark where Pacman's choices differ."""
    plies = differences([track.timeline.plies for track in player.tracks])
    unit, slider = bar.unit, bar.slider
    middle, size = bar.box.top - STRIP * unit / 2, 1.35 * unit
    canvas.box(slider.left, middle - 0.42 * unit, slider.width, 0.84 * unit, blend(theme.background, theme.muted, 0.16))
    for number, ply in enumerate(plies):
        x = round(bar.pixel(ply, player.ply_count))
        width = 3 if number else max(4, round(0.3 * unit))
        colour = blend(theme.background, theme.text, 0.55) if number else theme.readable(theme.pacman, theme.background)
        half = (0.42 if number else 0.7) * unit
        canvas.box(x - width // 2, middle - half, width, 2 * half, colour)
    left = bar.box.left + 0.9 * unit
    canvas.text(clipped("choices differ", size, slider.left - left - 0.6 * unit), left, middle, size, theme.muted)
    text = f"first: round {plies[0] // len(player.state.layers) + 1}" if plies else "the same so far"
    right = bar.box.right - 1.6 * unit
    canvas.text(clipped(text, size, right - slider.right), right, middle, size, theme.text, 1.0)
