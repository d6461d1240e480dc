"""Games in a window, one after another or side by side: opening it, closing it, and what stays the same in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pacman.play.game_lines import GameLine
from pacman.view.analysis.search_report import Analyse
from pacman.view.controls import Need
from pacman.view.overlays.overlay import NONE
from pacman.view.picture.paint import Painter
from pacman.view.picture.screen import Screen
from pacman.view.speed import SPEED
from pacman.view.theme import DARK, Theme
from pacman.view.view_protocol import After, Reload, Steer, ViewedGame
from pacman.view.window.controller import Controller
from pacman.view.window.frame_timing import delayed_interrupts, frequent_thread_switches
from pacman.view.window.search_display import SearchDisplay
from pacman.view.window.session import WindowSession


class Window:
    """Shows games in a window that can be resized; several games side by side, all in the same round.

    `speed` is in rounds per second; all agents that move in a round glide together. The arrow keys and W A S D call
    `steer`. With `can_start_games` there are keys for a new game. At the end the banner stays until the viewer
    leaves, or for a moment if `hold_end` is False. `analysers` has one analyse function per game; the window then
    shows the search of the position, at first as `overlay`, and with `lecture` also as a tree in large type on the
    full screen. The window closes after a game, unless `close_at_end` is False: it then shows the next game, until
    `close`. After `reload` has loaded the agents, the game starts again. `hint` is a message at the start of each
    game. Pictures go into the folder `pictures`. `screen` opens the window. InputError if there is no display.
    """

    def __init__(
        self,
        speed: float = SPEED,
        steer: Steer | None = None,
        *,
        theme: Theme = DARK,
        size: tuple[int, int] | None = None,
        can_start_games: bool = False,
        hold_end: bool = True,
        close_at_end: bool = True,
        analysers: Sequence[Analyse] = (),
        overlay: str = NONE,
        reload: Reload | None = None,
        hint: str = "",
        lecture: bool = False,
        pictures: Path = Path(),
        screen: Callable[[tuple[int, int] | None, str, bool], Screen] = Screen,
    ) -> None:
        features = {Need.WINDOW}
        features |= {Need.NEW_GAMES} if can_start_games else set()
        features |= {Need.ANY_SEARCH} if analysers else set()
        is_lecture = lecture and len(analysers) == 1
        self.session = WindowSession(
            theme,
            Painter(theme),
            speed,
            steer,
            hold_end,
            reload,
            hint,
            pictures,
            [SearchDisplay(analyse, theme, overlay, lecture=is_lecture) for analyse in analysers],
            frozenset(features),
        )
        self._close_at_end, self._size, self._open = close_at_end, size, screen
        self._screen: Screen | None = None

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
        first = games[0]
        if isinstance(first, GameLine):
            self.session.steer = first.steer
        names = first.names if len(games) == 1 else [" and ".join(game.names[0] for game in games)]
        title = f"Pacman: {', '.join(names)} (seed {first.seed})"
        if self._screen is None:
            self._screen = self._open(self._size, title, any(search.is_lecture for search in self.session.searches))
        self._screen.title(title)
        controller = Controller(self.session, self._screen, games)
        after = After.LEAVE
        try:
            with frequent_thread_switches(), delayed_interrupts() as check:
                after = controller.run(check)
        finally:
            controller.stop()
            if after is After.LEAVE or self._close_at_end:
                self.close()
        return after

    def close(self) -> None:
        """Closes the window, and stops the searches."""
        for search in self.session.searches:
            search.stop()
        if self._screen is not None:
            self._screen.close()
            self._screen = None
