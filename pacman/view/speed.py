"""The speed of a game in rounds per second: the same on the command line, in every view and in films."""

from __future__ import annotations

SPEED = 4.0
"""The default speed, in rounds per second."""
READY_SECONDS = 3.0
"""A game with a human player that is not held at its end waits at most this long for the first key."""
THINKING_SECONDS = 0.25
"""A view says that an agent thinks if its move takes longer than this."""
REPORT_SECONDS = 1.0
"""The longest time that a game waits for the report of the search that is visible."""
READY = "READY!  Arrows or W A S D steer, H shows all keys"
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
