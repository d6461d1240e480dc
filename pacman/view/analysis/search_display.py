"""What of the search is to be seen in a window: an overlay, muted or not, and the panel; and the studies for both."""

from __future__ import annotations

import time
from collections.abc import Callable

from pacman.core.state import GameState
from pacman.view.analysis.overlay import NONE, draw, draw_way, following
from pacman.view.analysis.panel import KEYS, Panel
from pacman.view.analysis.search_report import Analyse, SearchReport
from pacman.view.analysis.worker import AnalysisWorker
from pacman.view.picture.canvas import Canvas
from pacman.view.picture.paint import Drawing, nothing
from pacman.view.picture.regions import Regions
from pacman.view.picture.snapshot import Snapshot
from pacman.view.theme import Theme

CALM_SECONDS = 0.4
"""For so long the panel keeps the tree of the position before, rather than flicker."""
ON_THE_FLOOR = ("heat", "line")
"""Overlays that lie under everyone; the others lie over them."""
COMMANDS = frozenset({"overlay", "mute", "tree"})


class SearchDisplay:
    """Which overlay is on, whether the panel is open, and the study of the position that is shown, when it is there."""

    def __init__(
        self, think: Analyse, theme: Theme, overlay: str = NONE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.theme, self.name, self._clock = theme, overlay, clock
        self.is_muted = self.is_open = False
        self.panel = Panel(theme)
        self._desk = AnalysisWorker(think)
        self._study: SearchReport | None = None
        self._state: GameState | None = None
        self._asked = 0.0

    @property
    def is_busy(self) -> bool:
        """The study of the position that is shown is still being made."""
        return self.is_on and self._state is not None and self._desk.is_busy(self._state)

    @property
    def is_on(self) -> bool:
        """Something of a search is to be seen, so studies are needed."""
        return self.is_open or (self.name != NONE and not self.is_muted)

    @property
    def trouble(self) -> str:
        """Why nothing is to be seen of the search of this position, if that is because it failed, else ""."""
        return self._desk.trouble(self._state) if self.is_on and self._state is not None else ""

    def look(self, state: GameState) -> bool:
        """Turns to a position; False while its study is still being made."""
        if not self.is_on:
            return True
        if state is not self._state:
            self._state, self._asked = state, self._clock()
        is_busy = self.is_busy  # before it is asked for: what comes in between is taken the next time
        self._study = self._desk.ask(state)
        is_late = self._clock() - self._asked > CALM_SECONDS
        if not is_busy or is_late or self.panel.position is not None:
            self.panel.show(self._study, self._desk.status(state))
        return not is_busy

    def do(self, command: str) -> str:
        """One of `COMMANDS`; returns what to say about it, "" for nothing."""
        if command == "tree":
            self.is_open = not self.is_open
            return ""
        if command == "mute":
            self.is_muted = not self.is_muted
        else:
            self.name, self.is_muted = following(self.name), False
        return "overlay muted" if self.is_muted else f"overlay: {self.name}"

    def drawings(self, moment: Snapshot) -> tuple[Drawing, Drawing]:
        """What is drawn below everyone on the board, and what above."""
        return drawings(None if self.is_muted else self._study, self.name, self.theme, moment)

    def way(self, canvas: Canvas, frame: Regions) -> None:
        """Draws how everyone came to the node that is stepped to."""
        browse = self.panel.browse
        if browse is not None:
            draw_way(canvas, browse.study, browse.current, self.theme, frame)

    def key(self, name: str) -> bool:
        """True for a key that was for the open panel."""
        return self.is_open and self.panel.key(name)

    def help(self) -> tuple[tuple[str, str], ...]:
        """The keys of the open panel."""
        return KEYS if self.is_open else ()

    def stop(self) -> None:
        self._desk.stop()


def drawings(study: SearchReport | None, overlay: str, theme: Theme, moment: Snapshot) -> tuple[Drawing, Drawing]:
    """An overlay as what is drawn below everyone on the board, and what above; values go with whoever moves."""
    if study is None or overlay == NONE:
        return nothing, nothing
    mover = moment.before.mover
    place = moment.ghost(mover)[1] if mover else moment.pacman

    def drawing(canvas: Canvas, frame: Regions) -> None:
        draw(canvas, study, overlay, theme, frame, place)

    return (drawing, nothing) if overlay in ON_THE_FLOOR else (nothing, drawing)
