"""What stays the same in a window from one game to the next: settings, the searches that it shows, and the speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from pacman.picture.overlays.overlay import NONE
from pacman.picture.paint import Painter
from pacman.picture.theme import DARK, Theme
from pacman.record.report import Analyse
from pacman.view.screen import Screen
from pacman.view.speed import SPEED
from pacman.view.view_protocol import Reload, Steer
from pacman.view.window.search_display import SearchDisplay


@dataclass(eq=False)
class WindowSession:
    """The settings of a window (see `Window`), and what the viewer or the program changes while it is open.

    `searches` has one search per game, or none. `file_error` says what is wrong with the agents' files, "" for nothing.
    """

    speed: float = SPEED
    steer: Steer | None = None
    _: KW_ONLY
    theme: Theme = DARK
    size: tuple[int, int] | None = None
    can_start_games: bool = False
    hold_end: bool = True
    close_at_end: bool = True
    analysers: Sequence[Analyse] = ()
    overlay: str = NONE
    reload: Reload | None = None
    hint: str = ""
    lecture: bool = False
    pictures: Path = Path()
    screen: Callable[[tuple[int, int] | None, str, bool], Screen] = Screen

    def __post_init__(self) -> None:
        is_lecture = self.lecture and len(self.analysers) == 1
        self.painter = Painter(self.theme)
        self.searches = [
            SearchDisplay(analyse, self.theme, self.overlay, lecture=is_lecture) for analyse in self.analysers
        ]
        self.file_error = ""
