"""Games in a window, one after another or side by side: opening it, closing it, and what stays the same in between."""

from __future__ import annotations

from pacman.play.recording import GameLine
from pacman.view.screen import Screen, delayed_interrupts, frequent_thread_switches
from pacman.view.view_protocol import After, ViewedGame
from pacman.view.window.controller import Controller, WindowSession


class Window(WindowSession):
    """Shows games in a window that can be resized; several games side by side, all in the same round.

    `speed` is in rounds per second; all agents that move in a round glide together. The arrow keys and W A S D call
    `steer`. With `can_start_games` there are keys for a new game. At the end the banner stays until the viewer
    leaves, or for a moment if `hold_end` is False. `analysers` has one analyse function per game; the window then
    shows the search of the position, at first as `overlay`, and with `lecture` also as a tree in large type on the
    full screen. The window closes after a game, unless `close_at_end` is False: it then shows the next game, until
    `close`. After `reload` has loaded the agents, the game starts again. `hint` is a message at the start of each
    game. Pictures go into the folder `pictures`. `screen` opens the window. InputError if there is no display.
    """

    _open_screen: Screen | None = None

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
        first = games[0]
        if isinstance(first, GameLine):
            self.steer = first.steer
        names = first.names if len(games) == 1 else [" and ".join(game.names[0] for game in games)]
        title = f"Pacman: {', '.join(names)} (seed {first.seed})"
        if self._open_screen is None:
            self._open_screen = self.screen(self.size, title, any(search.is_lecture for search in self.searches))
        self._open_screen.title(title)
        controller = Controller(self, self._open_screen, games)
        after = After.LEAVE
        try:
            with frequent_thread_switches(), delayed_interrupts() as check:
                after = controller.run(check)
        finally:
            controller.stop()
            if after is After.LEAVE or self.close_at_end:
                self.close()
        return after

    def close(self) -> None:
        """Closes the window, and stops the searches."""
        for search in self.searches:
            search.stop()
        if self._open_screen is not None:
            self._open_screen.close()
            self._open_screen = None
