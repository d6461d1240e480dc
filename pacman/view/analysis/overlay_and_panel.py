"""What a window shows of a search: an overlay (which can be hidden) and the tree panel, with the reports for both."""

from __future__ import annotations

import time
from collections.abc import Callable

from pacman.core.state import GameState
from pacman.view.analysis.overlay import NONE, draw_overlay, draw_paths, next_overlay
from pacman.view.analysis.panel import KEYS, Panel
from pacman.view.analysis.search_report import STOPPED_BY_ERROR, Analyse, SearchReport
from pacman.view.analysis.worker import AnalysisWorker
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.paint import Drawing, nothing
from pacman.view.picture.screen_regions import Regions
from pacman.view.picture.visible_state import VisibleState
from pacman.view.theme import Theme

PATIENCE_SECONDS = 0.4
"""The panel keeps the previous tree this long while a new report is created, so that it does not flicker."""
UNDER_AGENTS = ("heat", "line")
"""The overlays that are drawn below the agents; the others are drawn above them."""
COMMANDS = frozenset({"overlay", "mute", "tree"})


class SearchDisplay:
    """Which overlay is on, whether the panel is open, and the report of the visible position as soon as it is ready."""

    def __init__(
        self, analyse: Analyse, theme: Theme, overlay: str = NONE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.theme, self.name, self._clock = theme, overlay, clock
        self.is_hidden = self.is_open = False
        self.panel = Panel(theme)
        self._worker = AnalysisWorker(analyse)
        self._report: SearchReport | None = None
        self._state: GameState | None = None
        self._request_time = 0.0

    @property
    def is_busy(self) -> bool:
        """True while the report of the visible position is not ready."""
        return self.is_on and self._state is not None and self._worker.is_busy(self._state)

    @property
    def is_on(self) -> bool:
        """True if an overlay or the panel is visible, so that it needs reports."""
        return self.is_open or (self.name != NONE and not self.is_hidden)

    @property
    def error(self) -> str:
        """The error message of the search at the visible position, "" if it did not fail or nothing needs it."""
        if not self.is_on or self._state is None:
            return ""
        note = self._report.note if self._report else ""
        return self._worker.error(self._state) or (note if note.startswith(STOPPED_BY_ERROR) else "")

    def update(self, state: GameState) -> bool:
        """Changes to the position `state`; False while its report is not ready."""
        if not self.is_on:
            return True
        if state is not self._state:
            self._state, self._request_time = state, self._clock()
        is_busy = self.is_busy  # read before the request: a report that comes between the two is used next time
        self._report = self._worker.request(state)
        is_late = self._clock() - self._request_time > PATIENCE_SECONDS
        if not is_busy or is_late or self.panel.position is not None:
            self.panel.show(self._report, self._worker.status(state))
        return not is_busy

    def do(self, command: str) -> str:
        """Runs one of `COMMANDS`; returns the message for the viewer, "" for none."""
        if command == "tree":
            self.is_open = not self.is_open
            return ""
        if command == "mute":
            self.is_hidden = not self.is_hidden
        else:
            self.name, self.is_hidden = next_overlay(self.name), False
        return "overlay hidden" if self.is_hidden else f"overlay: {self.name}"

    def drawings(self, moment: VisibleState) -> tuple[Drawing, Drawing]:
        """What to draw below the agents on the board, and what to draw above them."""
        return drawings(None if self.is_hidden else self._report, self.name, self.theme, moment)

    def draw_paths(self, canvas: Canvas, frame: Regions) -> None:
        """Draws the path of every agent from the root to the current node of the panel."""
        browser = self.panel.browser
        if browser is not None:
            draw_paths(canvas, browser.report, browser.current, self.theme, frame)

    def key(self, name: str) -> bool:
        """Passes a key to the panel; True if the panel is open and uses this key."""
        return self.is_open and self.panel.key(name)

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open panel, each with its use; () if the panel is closed."""
        return KEYS if self.is_open else ()

    def stop(self) -> None:
        """Stops the thread that creates the reports."""
        self._worker.stop()


def drawings(report: SearchReport | None, overlay: str, theme: Theme, moment: VisibleState) -> tuple[Drawing, Drawing]:
    """An overlay, as what to draw below the agents and what to draw above them; values move with the moving agent."""
    if report is None or overlay == NONE:
        return nothing, nothing
    mover = moment.before.mover
    place = moment.ghost(mover)[1] if mover else moment.pacman

    def drawing(canvas: Canvas, frame: Regions) -> None:
        draw_overlay(canvas, report, overlay, theme, frame, place)

    return (drawing, nothing) if overlay in UNDER_AGENTS else (nothing, drawing)
