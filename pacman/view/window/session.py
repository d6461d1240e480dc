"""What stays the same in a window from one game to the next: settings, the searches that it shows, and the speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pacman.view.controls import Need
from pacman.view.picture.paint import Painter
from pacman.view.theme import Theme
from pacman.view.view_protocol import Reload, Steer
from pacman.view.window.search_display import SearchDisplay


@dataclass
class WindowSession:
    """The settings of a window (see `Window`), and what the viewer or the program changes while it is open.

    `speed` is in rounds per second. `searches` has one search per game, or none. `features` are what the window has for
    the commands. `file_error` says what is wrong with the agents' files, "" for nothing.
    """

    theme: Theme
    painter: Painter
    speed: float
    steer: Steer | None
    hold_end: bool
    reload: Reload | None
    hint: str
    pictures: Path
    searches: Sequence[SearchDisplay]
    features: frozenset[Need]
    file_error: str = ""
