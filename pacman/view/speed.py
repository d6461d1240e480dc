"""How fast a game is shown: in rounds a second, the same on the command line, in every view and in films."""

from __future__ import annotations

SPEED = 4.0
"""Rounds a second, where nothing else is said."""
READY_SECONDS = 3.0
"""So long a game waits for the first turn of a person who plays it."""
READY = "READY!  Arrows or W A S D steer, ? shows all keys"
SPEEDS = (0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)


def faster(speed: float) -> float:
    """The next speed up.

    >>> faster(4), faster(5), faster(1000)
    (6, 6, 1000)
    """
    return next((one for one in SPEEDS if one > speed), speed)


def slower(speed: float) -> float:
    """The next speed down.

    >>> slower(4), slower(0.1)
    (3, 0.1)
    """
    return next((one for one in reversed(SPEEDS) if one < speed), speed)


def written(speed: float) -> str:
    """
    >>> written(4.0)
    '4 rounds/s'
    """
    return f"{speed:g} rounds/s"


CHANGES = {"faster": faster, "slower": slower}
"""The next speed, by command."""
