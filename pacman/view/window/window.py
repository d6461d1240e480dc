"""Games in a window, one after another or side by side: opening it, closing it, and what stays the same in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pacman.view.analysis.overlay import NONE
from pacman.view.analysis.search_display import COMMANDS as SEEING
from pacman.view.analysis.search_display import SearchDisplay
from pacman.view.analysis.search_report import Analyse
from pacman.view.controls import ANYWHERE, RENEWING
from pacman.view.picture.canvas import Screen
from pacman.view.picture.paint import Painter
from pacman.view.protocol import After, Steer, ViewedGame
from pacman.view.speed import SPEED
from pacman.view.theme import DARK, Theme
from pacman.view.window.frame_timing import delayed_interrupts, responsive_threads
from pacman.view.window.session import Session

SIZE, WIDE = (1280, 800), (1440, 760)
"""For one game, and for several side by side."""
COMMANDS = ANYWHERE | {"picture", "full screen"}


class Window:
    """Shows games in a window that can be resized; several side by side, all in the same round.

    `speed` is in rounds a second; everyone who moves in a round glides together. `steer` is told of the arrow keys and
    W A S D. `renews` if whoever shows the games can make new ones. After the end the banner stays until the viewer
    leaves, or with `hold_end` False for two seconds. With `thinks`, one for each game, the search of the position
    shown can be seen, as `overlay` to begin with. The window closes when a game has been shown, unless `close_at_end`
    is False: then the next game is shown in it, until `close`. Pictures of it go into `pictures`. `screen` opens the
    window. InputError when there is no display.
    """

    def __init__(
        self,
        speed: float = SPEED,
        steer: Steer | None = None,
        *,
        theme: Theme = DARK,
        size: tuple[int, int] | None = None,
        renews: bool = False,
        hold_end: bool = True,
        close_at_end: bool = True,
        thinks: Sequence[Analyse] = (),
        overlay: str = NONE,
        pictures: Path = Path(),
        screen: Callable[[int, int, str], Screen] = Screen,
    ) -> None:
        self.speed, self.steer, self.theme, self.hold_end = speed, steer, theme, hold_end
        self.pictures, self.painter = pictures, Painter(theme)
        self.commands = COMMANDS | (RENEWING if renews else frozenset()) | (SEEING if thinks else frozenset())
        self.sights = [SearchDisplay(think, theme, overlay) for think in thinks]
        self._close_at_end, self._size, self._open = close_at_end, size, screen
        self._screen: Screen | None = None

    def show(self, *showings: ViewedGame) -> After:
        """What the viewer wants next."""
        first = showings[0]
        names = first.names if len(showings) == 1 else [" and ".join(showing.names[0] for showing in showings)]
        title = f"Pacman: {', '.join(names)} (seed {first.seed})"
        if self._screen is None:
            self._screen = self._open(*(self._size or (SIZE if len(showings) == 1 else WIDE)), title)
        self._screen.title(title)
        session = Session(self, self._screen, showings)
        after = After.LEAVE
        try:
            with responsive_threads(), delayed_interrupts() as check:
                after = session.run(check)
        finally:
            session.stop()
            if after is After.LEAVE or self._close_at_end:
                self.close()
        return after

    def close(self) -> None:
        for sight in self.sights:
            sight.stop()
        if self._screen is not None:
            self._screen.close()
            self._screen = None
