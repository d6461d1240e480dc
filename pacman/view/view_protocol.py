"""What a view shows, and what a view is. A view does not know the agents: it gets positions, names and a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Protocol

from pacman.core.state import GameState
from pacman.play.game import Ply, Result

Steer = Callable[[str], None]
"""A function that a view calls with each direction ("West", ...) that a person enters at the keyboard."""


Reload = Callable[[], str | None]
"""A function that a view calls now and then: it returns "" after it has loaded the agents again, because their files
have changed, and an error message if that failed; else None."""


class ViewedGame(Protocol):
    """A game that gives its plies one by one: a game in progress, or a recording."""

    @property
    def start(self) -> GameState:
        """The position before the first ply."""

    @property
    def names(self) -> Sequence[str]:
        """The display names of the agents, by agent index."""

    @property
    def seed(self) -> int:
        """The seed of the game's random numbers."""

    @property
    def move_timeout(self) -> float | None:
        """The time limit for one move, in seconds; None for no limit."""

    @property
    def result(self) -> Result | None:
        """The result of the game; None while the game goes on."""

    def __iter__(self) -> Iterator[Ply]: ...


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
    NEXT_BRANCH = "next branch"


AFTER_COMMANDS = {after.value: after for after in After if after is not After.NEXT}
"""The choices that have a key, by command."""


class View(Protocol):
    """Shows a game, or several side by side. The view pulls the plies, so the view sets the speed."""

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""
