"""Games in a window, one after another: opening it, closing it, and what stays the same in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pacman.view.controls import ANYWHERE, RENEWING, Keyboard
from pacman.view.insight.overlay import NONE
from pacman.view.insight.sight import COMMANDS as SEEING
from pacman.view.insight.sight import Sight
from pacman.view.insight.study import Think
from pacman.view.pace import SPEED
from pacman.view.picture.canvas import Screen
from pacman.view.picture.paint import Painter
from pacman.view.protocol import After, Showing, Steer
from pacman.view.theme import DARK, Theme
from pacman.view.window.interrupt import held_interrupts
from pacman.view.window.steady import steady
from pacman.view.window.watch import Seat, Watch

SIZE = 1280, 800
COMMANDS = ANYWHERE | {"picture", "full screen"}


class Window:
    """Shows games in a window that can be resized.

    `speed` is in rounds a second; everyone who moves in a round glides together. `steer` is told of the arrow keys and
    W A S D. `renews` if whoever shows the games can make new ones. After the end the banner stays until the viewer
    leaves, or with `hold_end` False for two seconds. With `think` the search of the position shown can be seen, as
    `overlay` to begin with. The window closes when a game has been shown, unless `close_at_end` is False: then the next
    game is shown in it, until `close`. Pictures of it go into `pictures`. `screen` opens the window. InputError when
    there is no display.
    """

    def __init__(
        self,
        speed: float = SPEED,
        steer: Steer | None = None,
        *,
        theme: Theme = DARK,
        size: tuple[int, int] = SIZE,
        renews: bool = False,
        hold_end: bool = True,
        close_at_end: bool = True,
        paused: bool = False,
        think: Think | None = None,
        overlay: str = NONE,
        pictures: Path = Path(),
        screen: Callable[[int, int, str], Screen] = Screen,
    ) -> None:
        commands = COMMANDS | (RENEWING if renews else frozenset()) | (SEEING if think else frozenset())
        self.seat = Seat(
            Painter(theme),
            Keyboard(commands, steers=steer is not None),
            speed,
            paused,
            hold_end,
            steer,
            Sight(think, theme, overlay) if think is not None else None,
            pictures,
        )
        self._close_at_end, self._size, self._open = close_at_end, size, screen
        self._screen: Screen | None = None

    def show(self, showing: Showing) -> After:
        title = f"Pacman: {', '.join(showing.names)} (seed {showing.seed})"
        if self._screen is None:
            self._screen = self._open(*self._size, title)
        self._screen.title(title)
        watch = Watch(self.seat, self._screen, showing)
        after = After.LEAVE
        try:
            with steady(), held_interrupts() as check:
                after = watch.run(check)
        finally:
            watch.stop()
            if after is After.LEAVE or self._close_at_end:
                self.close()
        return after

    def close(self) -> None:
        if self.seat.sight is not None:
            self.seat.sight.stop()
        if self._screen is not None:
            self._screen.close()
            self._screen = None
