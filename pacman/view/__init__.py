"""Watching: one player; a window, a terminal and a film show it. Here is what a view shows, and what a view is.

player           what each command does to the games, and what time does to them: `Player`
controls         which key does what: `Keyboard`
timeline         which ply is shown, and which come next
shown_search     what of a search is switched on, and its report

window, panel    the pictures of games side by side, with the trees of their searches; a searched tree alone
screen           the display, its events and its pictures
film             a player that nobody watches, as GIF, WebP, MP4 or PNG
terminal         games in characters
terminal_board   a board in colours, two pixels per character; or in letters
terminal_keys    the keys that a person presses in a terminal
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from pacman.play.game import Game
    from pacman.play.recording import GameLine, Replay

Reload = Callable[[], str | None]
"""A function that a view calls now and then: it returns "" after it has loaded the agents again, because their files
have changed, and an error message if that failed; else None."""
ViewedGame: TypeAlias = "Game | Replay | GameLine"
"""What a view shows: a game that gives its plies one by one. It is in progress or recorded; a
`GameLine` is one from whose positions somebody can play on."""
SPEED = 4.0
"""The default speed, in rounds per second."""


class After(Enum):
    """The viewer's choice of what comes after a game."""

    NEXT = "next"
    """The game was shown to its end; the program decides what comes next."""
    LEAVE = "leave"
    AGAIN = "again"
    """The same game from the start."""
    NEW_SEED = "new seed"
    NEXT_LAYOUT = "next layout"
    TAKE_OVER = "take over"
    """A person plays on from the position shown."""
    AGENT_TAKES_OVER = "agent takes over"


PLAY_ON = After.TAKE_OVER, After.AGENT_TAKES_OVER
"""The choices after which somebody plays on from the position shown."""


class View(Protocol):
    """Shows a game, or several side by side. The view pulls the plies, so the view sets the speed."""

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
