"""What a view is shown, and what a view is. No view knows an agent: it sees positions, names and a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Protocol

from pacman.core.state import GameState
from pacman.play.game import Ply, Result

Steer = Callable[[str], None]
"""Told of every turn ("West", ...) that a person at the keyboard asks for."""


class ViewedGame(Protocol):
    """Something that plays out ply by ply: a game as it is played, or a recorded one."""

    @property
    def start(self) -> GameState: ...

    @property
    def names(self) -> Sequence[str]:
        """The agents' names for people, by index."""

    @property
    def seed(self) -> int: ...

    @property
    def move_timeout(self) -> float | None:
        """The seconds that an agent has for a move; None for as long as he likes."""

    @property
    def result(self) -> Result | None:
        """How it ended; None while it goes on."""

    def __iter__(self) -> Iterator[Ply]: ...


class After(Enum):
    """What the viewer wants when a showing has ended, or when he has had enough of it."""

    NEXT = "next"
    """It was seen to its end; whatever comes next may come."""
    LEAVE = "leave"
    AGAIN = "again"
    """The same game from the start."""
    NEW_SEED = "new seed"
    NEXT_LAYOUT = "next layout"


WISHES = {after.value: after for after in After if after is not After.NEXT}
"""What a key can ask for, by its command."""


class View(Protocol):
    """Shows a game, or several side by side. It pulls the plies, so it sets the pace."""

    def show(self, *showings: ViewedGame) -> After:
        """What the viewer wants next."""
