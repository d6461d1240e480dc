"""The view that shows the games of a command."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING

from pacman.core.errors import InputError
from pacman.picture.colours import theme as theme_named
from pacman.view.view_protocol import SPEED, After, Reload, Steer, View, ViewedGame

if TYPE_CHECKING:
    from pacman.record.report import Analyse


class ViewKind(StrEnum):
    """How a game is shown."""

    window = "window"
    text = "text"
    none = "none"


@dataclass(frozen=True)
class ViewOptions:
    """How to show games, as the options of the command line say. InputError for a speed that is not positive."""

    kind: ViewKind
    speed: float | None
    theme: str
    overlay: str
    lecture: bool
    hold: bool

    def __post_init__(self) -> None:
        if self.speed is not None and not 0 < self.speed < inf:
            raise InputError(f"--speed {self.speed:g}: expected a positive number of rounds per second")


class NoView:
    """Plays games without showing them."""

    def show(self, *games: ViewedGame) -> After:
        """Plays each game to its end."""
        for game in games:
            for _ in game:
                pass
        return After.NEXT


def make_view(
    options: ViewOptions,
    stack: ExitStack,
    thinks: Sequence[Analyse],
    *,
    steer: Steer | None = None,
    renews: bool = False,
    reload: Reload | None = None,
) -> View:
    """The view of that kind; `stack` closes it. InputError for a window without a display, or a person without view."""
    from pacman.picture.overlays import overlay_name

    colours, overlay = theme_named(options.theme), overlay_name(options.overlay)
    if options.kind is ViewKind.none:
        if steer:
            raise InputError(
                "--view none: a person needs to see the game; use --view window or text, or name an agent with --pacman"
            )
        return NoView()
    from pacman.view.player import BANNER_SECONDS, Player

    player = Player(
        options.speed or SPEED,
        steer,
        analysers=thinks,
        overlay=overlay,
        lecture=options.lecture and options.kind is ViewKind.window,
        can_start_games=renews,
        end_seconds=inf if options.hold else BANNER_SECONDS,
        reload=reload,
    )
    if options.kind is ViewKind.text:
        from pacman.view.terminal.text import Text

        text = Text(player, has_pauses=options.speed is not None, theme=colours)
        stack.callback(text.close)
        return text
    from pacman.view.screen import open_display
    from pacman.view.window import Window

    open_display()
    window = Window(player, theme=colours, close_at_end=False)
    stack.callback(window.close)
    return window
