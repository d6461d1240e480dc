"""What is switched on of a search, in a window and in a terminal: an overlay, the tree, why it chose its action."""

from __future__ import annotations

from pacman.core.state import GameState
from pacman.core.tree import Layer
from pacman.picture.overlays.overlay import NONE, OVERLAYS, Overlay, next_overlay
from pacman.record.report import Analyse, SearchReport
from pacman.view.view_protocol import layers_for_search
from pacman.view.worker import AnalysisWorker


class ShownSearch:
    """Which overlay is on, whether the tree is open, and the report of the visible position as soon as it is ready."""

    def __init__(self, analyse: Analyse, overlay: str = NONE) -> None:
        self.name = overlay
        """The name of the overlay, hidden or not."""
        self.is_hidden = self.is_open = self.is_why_open = False
        self._worker = AnalysisWorker(analyse)
        self._report: SearchReport | None = None
        self._state: GameState | None = None

    @property
    def overlay(self) -> Overlay | None:
        """The overlay that is visible; None if it is hidden."""
        return None if self.is_hidden else OVERLAYS[self.name]

    @property
    def is_on(self) -> bool:
        """True if something is visible that needs reports: an overlay, the tree or the reasons of the search."""
        return self.is_open or self.is_why_open or self.overlay is not None

    @property
    def is_busy(self) -> bool:
        """True while the report of the visible position is not ready."""
        return self.is_on and self._state is not None and self._worker.is_busy(self._state)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """By agent, its layer in the search that is shown; empty if none is shown."""
        root = self._report.root if self._report and self.is_on else None
        return layers_for_search(root, None) if isinstance(root, GameState) else ()

    def update(self, state: GameState) -> bool:
        """Changes to the position `state`, and takes its report if that is ready; False while it is not."""
        if not self.is_on:
            return True
        self._state = state
        is_busy = self.is_busy  # read before the request: a report that comes between the two is used next time
        self._report = self._worker.request(state)
        return not is_busy

    def next_overlay(self) -> str:
        """Shows the next overlay; returns the message for the viewer, as all commands do."""
        self.name, self.is_hidden = next_overlay(self.name), False
        return f"overlay: {self.name}"

    def mute(self) -> str:
        """Hides or shows the overlay."""
        self.is_hidden = not self.is_hidden
        return "overlay hidden" if self.is_hidden else f"overlay: {self.name}"

    def tree(self) -> str:
        """Opens or closes the tree."""
        self.is_open = not self.is_open
        return ""

    def why(self) -> str:
        """Shows or hides why the search chose its action."""
        self.is_why_open = not self.is_why_open
        return ""

    def stop(self) -> None:
        """Stops the thread that creates the reports."""
        self._worker.stop()
