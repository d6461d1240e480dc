"""A moment of a film as a picture: the board, and what a search finds there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pacman.core.state import GameState
from pacman.view.insight.overlay import LAYERS, NONE, table_tall
from pacman.view.insight.panel import Panel
from pacman.view.insight.sight import Insight
from pacman.view.insight.study import Think
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.frame import Frame
from pacman.view.picture.moment import Moment
from pacman.view.picture.paint import Painter, nothing
from pacman.view.theme import Theme

if TYPE_CHECKING:
    from PIL.Image import Image

WITH_TREE = 1280, 720
"""The size of a film with a tree, if none is asked for."""


class Studio:
    """A canvas of the right size for one maze, and who paints on it."""

    def __init__(
        self,
        start: GameState,
        cell: int,
        size: tuple[int, int] | None,
        theme: Theme,
        think: Think | None,
        overlay: str,
        tree: bool,
    ) -> None:
        if tree:
            self.frame = Frame.fit(*(size or WITH_TREE), start.maze, timeline=False, panel=True)
        elif size is None:
            below = table_tall(len(start.layers)) if overlay == LAYERS else 0.0
            self.frame = Frame.around(cell, start.maze, len(start.layers), below)
        else:
            self.frame = Frame.fit(*size, start.maze, timeline=False)
        self.canvas = Canvas(self.frame.width, self.frame.height)
        self.painter = Painter(theme)
        self.sight = Insight(think, theme, overlay) if think is not None and (overlay != NONE or tree) else None
        self.panel = Panel(theme, has_buttons=False) if tree else None

    def picture(self, moment: Moment) -> Image:
        from PIL import Image

        under, over = self.sight.drawings(moment) if self.sight else (nothing, nothing)
        self.painter.paint(self.canvas, moment, self.frame, under, over)
        if self.panel is not None and self.sight is not None:
            self.panel.show(self.sight.study, "the game is over")
            self.panel.draw(self.canvas, self.frame.panel, self.frame.unit)
        return Image.frombytes("RGB", (self.canvas.width, self.canvas.height), self.canvas.rgb())
