"""What a view shows, what a view is, and the speeds. A view does not know the agents: it gets positions and names."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pacman.core.state import GameState
from pacman.core.tree import Layer

if TYPE_CHECKING:
    from pacman.play.game import Game
    from pacman.play.recording import GameLine, Replay

Steer = Callable[[str], None]
"""A function that a view calls with each direction ("West", ...) that a person enters at the keyboard."""


Reload = Callable[[], str | None]
"""A function that a view calls now and then: it returns "" after it has loaded the agents again, because their files
have changed, and an error message if that failed; else None."""


ViewedGame: TypeAlias = "Game | Replay | GameLine"
"""What a view shows: a game that gives its plies one by one. It is in progress or recorded; a
`GameLine` is one from whose positions somebody can play on."""


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


PLAY_ON = (After.TAKE_OVER, After.AGENT_TAKES_OVER)
"""The choices after which somebody plays on from the position shown."""


class View(Protocol):
    """Shows a game, or several side by side. The view pulls the plies, so the view sets the speed."""

    def show(self, *games: ViewedGame) -> After:
        """Shows the games until they end or the viewer stops; returns the viewer's choice of what comes next."""


def layers_for_search(state: GameState, assumes: Layer | None) -> tuple[Layer, ...]:
    """By agent, its layer in a search that `assumes` this layer for every ghost; None means the layers of `state`."""
    order = state.round if assumes is None else state.round.assuming(assumes)
    return tuple(turn.layer for turn in order.turns)


SPEED = 4.0
"""The default speed, in rounds per second."""
SPEEDS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)


def faster(speed: float) -> float:
    """The next higher speed in `SPEEDS`, or `speed` if there is none.

    >>> faster(4), faster(5), faster(1000)
    (6, 6, 1000)
    """
    return next((one for one in SPEEDS if one > speed), speed)


def slower(speed: float) -> float:
    """The next lower speed in `SPEEDS`, or `speed` if there is none.

    >>> slower(4), slower(0.1)
    (3, 0.1)
    """
    return next((one for one in reversed(SPEEDS) if one < speed), speed)


def speed_text(speed: float) -> str:
    """The speed as text, with its unit.

    >>> speed_text(4.0)
    '4 rounds/s'
    """
    return f"{speed:g} round{'' if speed == 1 else 's'}/s"
